"""A document: original and result, entities, and what a person does about them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from ....errors import InputError
from ...release import document_audit, document_file
from ...review.change import Change
from ...service import Opened, Service
from ...store.log import Stale
from ..entity_view import entity_views
from ..figures import bound_at
from ..permission import DocumentId
from .context import Person, TheService, page
from .queue import attachment
from .told import told
from .view import entity_at, update, whole, why

router = APIRouter()
_Revision = Annotated[int, Form(ge=0)]
_Chosen = Annotated[str, Form(max_length=40)]
_Whole = Annotated[bool, Form()]


@router.get("/documents/{id}")
def document(request: Request, service: TheService, person: Person, id: DocumentId) -> Response:
    """Show a document."""
    return page(request, "document.html", **whole(service.open(id), person))


@router.get("/documents/{id}/entity")
def entity(request: Request, service: TheService, id: DocumentId, at: str) -> Response:
    """Show why an entity is masked or kept, and what can be done about it."""
    return page(request, "_why.html", **why(service.open(id), service, at))


@router.get("/documents/{id}/preview")
def preview(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    position: int,
    chosen: str = "",
) -> Response:
    """Show the document at another bound; nothing is decided yet."""
    opened = service.preview(id, bound_at(position))
    values = update(opened, service, person, None, chosen)
    return page(request, "_update.html", **values)


@router.post("/documents/{id}/changes")
def change(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    change: Annotated[str, Form(max_length=4_000_000)],
    chosen: _Chosen = "",
    whole: _Whole = False,
) -> Response:
    """Make a change; it is on disk before the page says so."""

    def act() -> Opened:
        return service.change(id, person, revision, _change(change))

    return _acted(request, service, person, id, revision, chosen, whole, act)


@router.post("/documents/{id}/bound")
def bound(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    position: Annotated[int, Form()],
    chosen: _Chosen = "",
) -> Response:
    """Set the bound to a place of the slider."""

    def act() -> Opened:
        made = Change.of({"kind": "bound", "value": repr(bound_at(position))})
        return service.change(id, person, revision, made)

    return _acted(request, service, person, id, revision, chosen, True, act)


@router.post("/documents/{id}/undo")
@router.post("/documents/{id}/redo")
def step(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    revision: _Revision,
    chosen: _Chosen = "",
) -> Response:
    """Take back the person's latest change, or bring back what they took back last."""
    back = request.url.path.endswith("/undo")

    def act() -> Opened:
        return (service.undo if back else service.redo)(id, person, revision)

    return _acted(request, service, person, id, revision, chosen, False, act)


@router.get("/documents/{id}/result")
def result(
    service: TheService, id: DocumentId, format: str = "text", allow_leaks: bool = False
) -> Response:
    """Give out the document as it stands."""
    return attachment(document_file(service, id, format, allow_leaks=allow_leaks))


@router.get("/documents/{id}/audit")
def audit(service: TheService, id: DocumentId, format: str = "json") -> Response:
    """Give out the record of what was decided about the document."""
    return attachment(document_audit(service, id, format))


def _acted(
    request: Request,
    service: Service,
    person: str,
    id: int,
    revision: int,
    chosen: str,
    whole: bool,
    act: Callable[[], Opened],
) -> Response:
    """Return what changed on the page; if others were faster, what they did, and why."""
    before = None if whole else service.at(id, revision)
    try:
        opened = act()
    except Stale as stale:
        notice = f"Not done, for in the meantime {told(stale.since)}. Here is how it stands now."
        values = update(service.open(id), service, person, None, chosen, notice, warning=True)
        return page(request, "_update.html", 409, **values)
    except InputError as error:
        values = update(service.open(id), service, person, None, chosen, str(error), warning=True)
        return page(request, "_update.html", 422, **values)
    return page(request, "_update.html", **update(opened, service, person, before, chosen))


def _change(text: str) -> Change:
    try:
        item: Any = json.loads(text)
    except ValueError:
        item = None
    if not isinstance(item, dict):
        raise InputError("a change is a JSON object; load the page again.")
    return Change.of(item)


def entity_id(opened: Opened, at: str) -> tuple[str, str]:
    """Return id and label of the entity at a span of the page.

    Raises:
        InputError: if there is none.
    """
    view = entity_at(entity_views(opened.reviewed), at)
    if view is None:
        raise InputError("there is no entity at that place any more; load the page again.")
    return view.id, view.label
