"""The release page: checklist, pictures and hidden parts, and what was released."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from ...documents.parts import ocr_text
from ...errors import InputError
from ..events import Event
from ..page_messages import page_message
from ..parts import decide_part, look, picture_of
from ..release import ProjectStage, checklist, release, release_to_publish, stage_of
from ..service import Service
from ..store.documents import Status
from ..store.log import RevisionConflict
from ..store.parts import PartPlace, StoredPart
from ..store.projects import Project, ProjectRole
from .base import Person, TheService, page
from .keys import KeyIdentity
from .permission import ApprovedProjectId, DocumentId, ProjectId, TheIdentity, part_in

router = APIRouter()
_SHOWN = 50
"""Parts, and remarks on files, on a page."""
_WAIT_SECONDS = 0.5
"""Seconds of one request for looking at files that were changed since."""
_PLACE = re.compile(r"([01])-([0-9a-f]{32})-([0-9]{1,9})")
_Place = Annotated[str, Query(max_length=60)]


@router.get("/projects/{id}/release")
def show_release(
    request: Request,
    service: TheService,
    identity: TheIdentity,
    id: ProjectId,
    after: _Place = "",
    before: _Place = "",
    notes: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Show the checklist, a page of the parts to decide on, and earlier releases."""
    project = service.project(id)
    values = _settled(service, project, identity)
    if not values["left"]:
        values |= _listed(service, project, _place(after), _place(before))
    first = (notes - 1) * _SHOWN
    remarks, total = service.store.lists.notes(id, first, _SHOWN)
    values |= {"notes": remarks, "first_note": first, "number": notes, "total_notes": total}
    return page(request, "release.html", **values)


@router.post("/projects/{id}/release")
def release_project(service: TheService, person: Person, id: ApprovedProjectId) -> Response:
    """Release the project; the page must be reloaded."""
    try:
        release(service, id, person)
    except RevisionConflict:
        message = "A document was changed in the meantime; nothing was released."
        return Response(message, 409, media_type="text/plain")
    except InputError as error:
        return Response(page_message(error), 422, media_type="text/plain")
    return Response(status_code=204)


@router.get("/documents/{id}/parts/{key}", response_class=Response)
def picture(service: TheService, id: DocumentId, key: str) -> Response:
    """Return a picture in a document's file, as it would be released without a decision."""
    image = picture_of(service, id, key)
    return Response(image.content, media_type=image.media_type)


@router.get("/documents/{id}/parts/{key}/words")
def words(service: TheService, id: DocumentId, key: str) -> Response:
    """Return the words that can be read in a picture, if OCR is installed."""
    return Response(ocr_text(picture_of(service, id, key)), media_type="text/plain")


@router.post("/documents/{id}/parts/{key}")
def decide(
    request: Request,
    service: TheService,
    identity: TheIdentity,
    person: Person,
    id: DocumentId,
    key: str,
    revision: Annotated[int, Form(ge=0)],
    treatment: Annotated[str, Form(max_length=20)],
    boxes: Annotated[str, Form(max_length=100_000)] = "[]",
) -> Response:
    """Decide on a part, and return the part and the checklist, or a sentence why not."""
    try:
        item: dict[str, Any] = {"kind": "part", "part": key, "value": treatment}
        change = Event.of(item | {"boxes": _boxes(boxes)})
        decision = decide_part(service, id, person, revision, change)
    except RevisionConflict:
        message = "Not done: the document was changed in the meantime; check it again."
        return Response(message, 409, media_type="text/plain")
    except InputError as error:
        return Response(page_message(error), 422, media_type="text/plain")
    project = service.project(service.store.documents.get(id).project)
    values = _settled(service, project, identity)
    return page(request, "_decided.html", **values, item=decision)


def _boxes(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InputError("boxes must be a list; reload the page.") from None


def _settled(service: Service, project: Project, identity: KeyIdentity) -> dict[str, Any]:
    """Return the checklist, or only its progress while files must still be inspected."""
    n_left = look(service, project.id, _WAIT_SECONDS)
    documents = service.store.documents.of(project.id)
    checks = [] if n_left else checklist(service, project.id)
    allowed = part_in(service.store, identity, project.id)
    return {
        "project": project,
        "left": n_left,
        "ready": sum(row.status is Status.READY for row in documents),
        "checks": checks,
        "open_parts": sum(service.store.parts.open_counts(project.id).values()),
        "settled": bool(documents) and not n_left and all(check.is_settled for check in checks),
        "may_release": allowed is not None and allowed.covers(ProjectRole.APPROVER),
        "releases": service.store.releases.of(project.id),
        "is_released": stage_of(service, project.id) is ProjectStage.RELEASED,
        "archive": release_to_publish(service, project.id),
    }


@dataclass(frozen=True, slots=True)
class PartLinks:
    """Links from a page of parts to its neighbors; empty if there is none."""

    before: str
    after: str


def _listed(
    service: Service, project: Project, after: PartPlace | None, before: PartPlace | None
) -> dict[str, Any]:
    """Return a page of the parts, with links to the neighboring pages."""
    parts = service.store.parts.page(project.id, _SHOWN, after, before)
    last = parts.first + len(parts.parts)

    def link(name: str, item: StoredPart) -> str:
        place = item.place
        at = f"{int(place.is_decided)}-{place.handle}-{place.number}"
        return f"/projects/{project.handle}/release?{name}={at}"

    return {
        "shown": parts,
        "last": last,
        "links": PartLinks(
            link("before", parts.parts[0]) if parts.parts and parts.first else "",
            link("after", parts.parts[-1]) if parts.parts and last < parts.total else "",
        ),
    }


def _place(text: str) -> PartPlace | None:
    match = _PLACE.fullmatch(text)
    return match and PartPlace(match[1] == "1", match[2], int(match[3]))
