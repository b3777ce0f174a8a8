"""Routes of a document: original and result, entities, and changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from ...errors import InputError, in_one_line
from ...models.text_language import language_of
from ...reidentify.population.pipeline import statement_of
from ...reidentify.population.report import population_risk
from ...wording import act_in_words, counted
from ..events import Event, EventKind
from ..everywhere import others_with
from ..likely import likely_type
from ..review.redecide import Reviewed
from ..service import DocumentView, Service
from ..store.log import LogEntry, RevisionConflict
from .base import Person, TheService, page
from .layout import pages_of, placed_pages
from .permission import ApprovedDocumentId, DocumentId, approval_of
from .rows import marked
from .views import bound_at, update, whole, why


def summary(entries: Sequence[LogEntry]) -> str:
    """Return a sentence about others' events, such as ``Ann changed a type, Ben took something back``."""
    sentences = dict.fromkeys(f"{entry.person} {_did(entry)}" for entry in entries)
    return ", ".join(sentences) or "it was changed"


def _did(entry: LogEntry) -> str:
    if entry.event is not None:
        return act_in_words(entry.event.kind)
    return "took something back" if entry.undoes is not None else "brought something back"


router = APIRouter()
_LONGEST = 1000
"""Characters of a selection that its type is guessed from."""
_Revision = Annotated[int, Form(ge=0)]
_Anchor = Annotated[str, Form(alias="chosen", max_length=40)]


def _shown(
    service: TheService,
    id: DocumentId,
    revision: _Revision,
    previewed: Annotated[int | None, Form()] = None,
) -> Reviewed | None:
    """Return the state that the page shows, if cached: a revision, or the preview of a slider position there."""
    return _state(service, id, revision, previewed)


def _state(service: Service, id: int, revision: int, previewed: int | None) -> Reviewed | None:
    return service.at(id, revision, None if previewed is None else bound_at(previewed))


Shown = Annotated[Reviewed | None, Depends(_shown)]


@router.get("/documents/{id}")
def document(request: Request, service: TheService, person: Person, id: DocumentId) -> Response:
    """Show a document."""
    document_view = service.open(id)
    values = whole(document_view, service, person) | approval_of(request, document_view)
    return page.streamed(request, "document.html", **values)


@router.get("/documents/{id}/pages")
def pages(request: Request, service: TheService, id: DocumentId) -> Response:
    """Show the positions of marked text on the pages."""
    document_view = service.open(id)
    drawings = pages_of(service, document_view.row)
    placed = list(placed_pages(drawings, marked(document_view.reviewed)))
    return page(request, "_pages.html", row=document_view.row, pages=placed)


@router.get("/documents/{id}/pages/{number}")
def picture(service: TheService, id: DocumentId, number: int) -> Response:
    """Show a page of a PDF as a picture, without boxes."""
    drawings = pages_of(service, service.store.documents.get(id))
    return Response(drawings.picture(number), media_type="image/png")


@router.get("/documents/{id}/next")
def following(service: TheService, id: DocumentId) -> Response:
    """Redirect to the next unreviewed document in the project, or to the project if there is none."""
    row = service.store.documents.get(id)
    successor = service.store.lists.following(row.project, id)
    if successor is not None:
        return RedirectResponse(f"/documents/{successor.handle}", 303)
    return RedirectResponse(f"/projects/{service.project(row.project).handle}", 303)


@router.get("/documents/{id}/entity")
def entity(
    request: Request, service: TheService, person: Person, id: DocumentId, at: str
) -> Response:
    """Show the reasons for an entity's decision, and the possible changes."""
    return page(request, "_why.html", oob=True, **why(service.open(id), service, person, at))


@router.get("/documents/{id}/type")
def suggest_type(
    service: TheService,
    id: DocumentId,
    start: Annotated[int, Query(ge=0)],
    end: Annotated[int, Query(ge=1)],
) -> Response:
    """Suggest the type of words that nothing marked."""
    document = service.store.documents.text(id)
    words = document.text[start : min(end, start + _LONGEST)]
    type = likely_type(service.sanitizer, words, language_of(document))
    return Response(str(type), media_type="text/plain")


@router.get("/documents/{id}/population")
def population(
    request: Request, service: TheService, id: DocumentId, position: int | None = None
) -> Response:
    """Show how many people in the US fit the remaining text, at another bound if one is previewed."""
    document_view = (
        service.open(id) if position is None else service.preview(id, bound_at(position))
    )
    result = document_view.reviewed.sanitized
    is_english = language_of(result.document) == "en"
    risk = population_risk(result.text) if is_english else None
    return page(request, "_population.html", statement=risk and statement_of(risk))


@router.get("/documents/{id}/preview")
def preview(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    position: int,
    revision: int = -1,
    previewed: int | None = None,
    anchor: Annotated[str, Query(alias="chosen")] = "",
) -> Response:
    """Show the document at another bound, without deciding anything."""
    before = _state(service, id, revision, previewed)
    document_view = service.preview(id, bound_at(position))
    values = update(document_view, service, person, before, anchor) | {"is_preview": True}
    return page(request, "_update.html", **values, **approval_of(request, document_view))


@router.get("/documents/{id}/latest")
def latest(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: int,
    previewed: int | None = None,
    anchor: Annotated[str, Query(alias="chosen")] = "",
) -> Response:
    """Show the changes since a revision and their authors, or nothing if there are none."""
    if service.store.documents.get(id).revision == revision:
        return Response(status_code=204)
    document_view = service.open(id)
    since = summary(document_view.entries[max(0, revision) :])
    notice = f"In the meantime {since}. This is the current state."
    before = _state(service, id, revision, previewed)
    values = update(document_view, service, person, before, anchor, notice)
    return page(request, "_update.html", **values, **approval_of(request, document_view))


@router.post("/documents/{id}/changes")
def change(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    before: Shown,
    change: Annotated[str, Form(max_length=4_000_000)],
    anchor: _Anchor = "",
    unfinished: Annotated[bool, Form()] = False,
) -> Response:
    """Make a change, which is on disk before the page says so.

    A document with doubtful decisions is only marked as reviewed if the person confirms with
    ``unfinished``; these decisions still block a release.
    """

    def act() -> DocumentView:
        event = _change(change)
        if event.kind is EventKind.DONE and event.value == "yes" and not unfinished:
            _check_finished(service.open(id).reviewed)
        return service.change(id, person, revision, event)

    return _acted(request, service, person, id, anchor, before, act)


@router.post("/documents/{id}/approval")
def approve(
    request: Request,
    service: TheService,
    person: Person,
    id: ApprovedDocumentId,
    revision: _Revision,
    before: Shown,
    value: Annotated[str, Form(max_length=10)],
    anchor: _Anchor = "",
) -> Response:
    """Approve a reviewed document, or withdraw the approval."""

    def act() -> DocumentView:
        return service.sign(id, person, revision, Event(EventKind.APPROVE, value=value))

    return _acted(request, service, person, id, anchor, before, act)


@router.post("/documents/{id}/bound")
def bound(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    before: Shown,
    position: Annotated[int, Form()],
    anchor: _Anchor = "",
) -> Response:
    """Set the bound to a slider position."""

    def act() -> DocumentView:
        event = Event.of({"kind": "bound", "value": repr(bound_at(position))})
        return service.change(id, person, revision, event)

    return _acted(request, service, person, id, anchor, before, act)


@router.post("/documents/{id}/undo")
@router.post("/documents/{id}/redo")
def step(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    before: Shown,
    anchor: _Anchor = "",
) -> Response:
    """Undo the person's latest change, or redo the last one undone."""
    back = request.url.path.endswith("/undo")

    def act() -> DocumentView:
        return (service.undo if back else service.redo)(id, person, revision)

    return _acted(request, service, person, id, anchor, before, act)


def _acted(
    request: Request,
    service: Service,
    person: str,
    id: int,
    anchor: str,
    before: Reviewed | None,
    act: Callable[[], DocumentView],
) -> Response:
    """Return the answer to an event: what changes on the page, with a notice if there was a conflict."""
    notice, status = "", 200
    try:
        document_view = act()
        hint = _elsewhere(service, document_view)
    except RevisionConflict as conflict:
        status = 409
        notice = f"Not done: in the meantime {summary(conflict.since)}. This is the current state."
    except InputError as error:
        message = str(error)
        status, notice = 422, message if error.document else message[:1].upper() + message[1:]
    if notice:
        document_view = service.open(id)
        hint = ""
    values = update(
        document_view, service, person, before, anchor, notice or hint, warning=bool(notice)
    )
    return page(request, "_update.html", status, **values, **approval_of(request, document_view))


def _elsewhere(service: Service, view: DocumentView) -> str:
    """Return where else in the project the last added words occur, or nothing."""
    event = view.entries[-1].event if view.entries else None
    if event is None or event.kind is not EventKind.ADD:
        return ""
    others = others_with(service, view, event.spans[0])
    if not others:
        return ""
    words = event.spans[0].of(view.reviewed.sanitized.document.text)
    return f"“{words}” is in {counted(len(others), 'other document')}, too: {in_one_line(others)}. Press M to mask it in all of them."


def _check_finished(reviewed: Reviewed) -> None:
    """Refuse to finish while something would block a release."""
    count = len(reviewed.doubtful)
    if count:
        raise InputError(
            f"{counted(count, 'decision is', 'decisions are')} still open; decide first."
        )


def _change(text: str) -> Event:
    try:
        item: Any = json.loads(text)
    except ValueError:
        item = None
    if not isinstance(item, dict):
        raise InputError("a change must be a JSON object; reload the page.")
    return Event.of(item)
