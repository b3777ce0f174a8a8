"""A project: its documents, how far each is, and what comes next."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ...export import of_project
from ...service import Service
from ...store import Status
from .context import TheService, page

router = APIRouter()


@router.get("/projects/{id}")
def project(request: Request, service: TheService, id: int) -> Response:
    """Show a project."""
    return page(request, "queue.html", **_values(service, id))


@router.get("/projects/{id}/queue")
def queue(request: Request, service: TheService, id: int) -> Response:
    """Show the list alone, for a page that is open already."""
    return page(request, "_queue.html", **_values(service, id))


@router.get("/projects/{id}/result")
def result(service: TheService, id: int, format: str = "text") -> Response:
    """Give out all documents that are analysed, as they stand."""
    ready = [row for row in service.store.documents.of(id) if row.status is Status.READY]
    file = of_project([(row, service.open(row.id).reviewed.sanitized) for row in ready], format)
    return attachment(file.content, file.media_type, file.name)


@router.post("/projects/{id}/delete")
def delete(service: TheService, id: int) -> Response:
    """Delete a project with its texts and decisions; htmx goes to the list of projects."""
    service.project(id)
    service.delete_project(id)
    return Response(status_code=204, headers={"HX-Redirect": "/"})


def attachment(content: bytes, media_type: str, name: str) -> Response:
    """Return a file to save, never to show: a sanitized page is not one of ours."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


def _values(service: Service, id: int) -> dict[str, Any]:
    documents = service.store.documents.of(id)
    to_review = [row for row in documents if row.status is Status.READY and not row.summary.done]
    return {
        "project": service.project(id),
        "documents": documents,
        "done": sum(row.summary.done for row in documents),
        "waiting": sum(row.status is Status.WAITING for row in documents),
        "following": to_review[0] if to_review else None,
    }
