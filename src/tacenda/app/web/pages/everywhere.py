"""One decision in all documents of a project: first where, then done."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from ...batch import apply, reach
from ..permission import DocumentId
from .context import Person, TheService, page
from .document import entity_id

router = APIRouter()


@router.get("/documents/{id}/everywhere")
def where(
    request: Request, service: TheService, id: DocumentId, entity: str, action: str
) -> Response:
    """Show the documents that name the entity."""
    opened = service.open(id)
    name, label = entity_id(opened, entity)
    reaches = reach(service, opened, name, action)
    return page(
        request,
        "_everywhere.html",
        reaches=reaches,
        action=action,
        label=label,
        entity=entity,
        document=opened.row.handle,
    )


@router.post("/documents/{id}/everywhere")
def do(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    entity: Annotated[str, Form(max_length=40)],
    action: Annotated[str, Form(max_length=40)],
) -> Response:
    """Do it in every other document."""
    opened = service.open(id)
    name, _ = entity_id(opened, entity)
    changed = apply(service, person, reach(service, opened, name, action), action)
    return page(request, "_everywhere_done.html", action=action, changed=changed)
