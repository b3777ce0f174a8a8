"""A project: its documents, how far each is, and what comes next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from ...export.results import Download
from ...release import project_audit, project_file
from ...service import Service
from ...store.documents import Status
from ..permission import OwnProjectId, ProjectId, TheIdentity
from .context import TheAccess, TheAnnotations, TheService, page

router = APIRouter()


@router.get("/projects/{id}")
def project(
    request: Request,
    service: TheService,
    access: TheAccess,
    annotations: TheAnnotations,
    identity: TheIdentity,
    id: ProjectId,
) -> Response:
    """Show a project."""
    values = _values(service, id)
    values |= {"annotates": not access.by_key, "annotated": annotations.exists(id)}
    own = identity.is_admin or values["project"].owner == identity.name
    values |= {"own": own, "shares": access.by_key, "members": service.store.projects.members(id)}
    return page(request, "queue.html", **values)


@router.get("/projects/{id}/queue")
def queue(request: Request, service: TheService, id: ProjectId) -> Response:
    """Show the list alone, for a page that is open already."""
    return page(request, "_queue.html", **_values(service, id))


@router.get("/projects/{id}/result")
def result(
    service: TheService, id: ProjectId, format: str = "text", allow_leaks: bool = False
) -> Response:
    """Give out all documents that are analysed, as they stand."""
    return attachment(project_file(service, id, format, allow_leaks=allow_leaks))


@router.get("/projects/{id}/audit")
def audit(service: TheService, id: ProjectId, format: str = "json") -> Response:
    """Give out the record of what was decided about them."""
    return attachment(project_audit(service, id, format))


@router.post("/projects/{id}/delete")
def delete(service: TheService, annotations: TheAnnotations, id: OwnProjectId) -> Response:
    """Delete a project with all that is made of it; htmx goes to the list of projects."""
    annotations.delete(id)
    service.delete_project(id)
    return Response(status_code=204, headers={"HX-Redirect": "/"})


@router.post("/projects/{id}/members")
def share(
    service: TheService, id: OwnProjectId, names: Annotated[str, Form(max_length=10_000)] = ""
) -> Response:
    """Let these people work with the project too, and nobody else; htmx loads the page again."""
    service.share(id, names.replace(",", " ").split())
    return Response(status_code=204, headers={"HX-Refresh": "true"})


def attachment(file: Download) -> Response:
    """Return a file to save, never to show: a sanitized page is not one of ours."""
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.content, media_type=file.media_type, headers=headers)


def _values(service: Service, id: int) -> dict[str, Any]:
    documents = service.store.documents.of(id)
    to_review = [row for row in documents if row.status is Status.READY and not row.summary.done]
    project = service.project(id)
    return {
        "project": project,
        "background": Path(project.background).name,
        "documents": documents,
        "done": sum(row.summary.done for row in documents),
        "waiting": sum(row.status is Status.WAITING for row in documents),
        "following": to_review[0] if to_review else None,
    }
