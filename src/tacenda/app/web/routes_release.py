"""The release page: checklist, pictures and hidden parts, and what was released."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from ...documents.beside import ocr_text
from ...errors import InputError
from ..release import (
    all_parts,
    checklist,
    decide_part,
    is_released,
    part,
    release,
)
from ..review.events import ReviewEvent
from ..service import Service
from ..store.documents import Status
from ..store.log import RevisionConflict
from ..store.projects import Part, Project
from .base import Person, TheService, page
from .permission import ApprovedProjectId, DocumentId, ProjectId, TheIdentity, part_in

router = APIRouter()


@router.get("/projects/{id}/release")
def show_release(
    request: Request, service: TheService, identity: TheIdentity, id: ProjectId
) -> Response:
    """Show the checklist, the parts to decide on, and earlier releases."""
    allowed = part_in(service.store, identity, id)
    values = _values(service, service.project(id))
    may_release = allowed is not None and allowed.covers(Part.APPROVER)
    return page(request, "release.html", **values, may_release=may_release)


@router.post("/projects/{id}/release")
def release_project(service: TheService, person: Person, id: ApprovedProjectId) -> Response:
    """Release the project; htmx loads the page again."""
    try:
        release(service, id, person)
    except RevisionConflict:
        message = "A document was changed in the meantime; nothing was released."
        return Response(message, 409, media_type="text/plain")
    except InputError as error:
        return Response(str(error), 422, media_type="text/plain")
    return Response(status_code=204, headers={"HX-Refresh": "true"})


@router.get("/documents/{id}/parts/{key}", response_class=Response)
def picture(service: TheService, id: DocumentId, key: str) -> Response:
    """Return a picture of a document's file, as it would leave without a decision."""
    found = part(service, id, key).part
    if not found.content:
        raise InputError("this part is no picture that can be shown.")
    return Response(found.content, media_type=found.media_type)


@router.get("/documents/{id}/parts/{key}/words")
def words(service: TheService, id: DocumentId, key: str) -> Response:
    """Return the words that can be read in a picture, where OCR is installed."""
    found = part(service, id, key).part
    return Response(ocr_text(found), media_type="text/plain")


@router.post("/documents/{id}/parts/{key}")
def decide(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    key: str,
    revision: Annotated[int, Form(ge=0)],
    treatment: Annotated[str, Form(max_length=20)],
    boxes: Annotated[str, Form(max_length=100_000)] = "[]",
) -> Response:
    """Decide on a part; the checklist and the parts of the project come back."""
    notice = ""
    status = 200
    try:
        item: dict[str, Any] = {"kind": "part", "part": key, "value": treatment}
        change = ReviewEvent.of(item | {"boxes": _boxes(boxes)})
        decide_part(service, id, person, revision, change)
    except RevisionConflict:
        status, notice = 409, "Not done, for the document was changed in the meantime; look again."
    except InputError as error:
        status, notice = 422, str(error)
    project = service.project(service.store.documents.get(id).project)
    values = _values(service, project) | {"notice": notice}
    return page(request, "_release.html", status, **values, may_release=True)


def _boxes(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InputError("boxes are a list; load the page again.") from None


def _values(service: Service, project: Project) -> dict[str, Any]:
    documents = service.store.documents.of(project.id)
    checks = checklist(service, project.id)
    return {
        "project": project,
        "checks": checks,
        "settled": bool(documents) and all(check.is_settled for check in checks),
        "parts": all_parts(service, project.id),
        "notes": [(row, note) for row in documents for note in row.notes],
        "releases": service.store.releases.of(project.id),
        "is_released": is_released(documents),
        "ready": any(row.status is Status.READY for row in documents),
        "notice": "",
    }
