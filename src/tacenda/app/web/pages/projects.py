"""The list of projects, and a new one from uploaded files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import Response

from ....errors import TacendaError
from ...intake import from_upload
from ...store.quota import OverQuota
from ..permission import TheIdentity, note, scope_of
from .context import Person, TheService, TheWorker, page

router = APIRouter()


@router.get("/")
def projects(request: Request, service: TheService, identity: TheIdentity) -> Response:
    """Show the projects that are open to the person."""
    items = []
    for project in service.store.projects.all(person=scope_of(identity)):
        documents = service.store.documents.of(project.id)
        done = sum(row.summary.done for row in documents)
        items.append({"project": project, "documents": len(documents), "done": done})
    return page(request, "projects.html", projects=items, admin=identity.is_admin)


@router.post("/projects")
def begin(
    request: Request,
    service: TheService,
    worker: TheWorker,
    person: Person,
    name: Annotated[str, Form(max_length=200)],
    files: list[UploadFile],
    target: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Begin a project; htmx goes to its page."""
    names = [target.strip()] if target.strip() else []
    try:
        documents = [
            document
            for file in files
            for document in from_upload(file.filename or "document.txt", file.file.read(), names)
        ]
        project = service.add_project(name.strip() or "Project", documents, owner=person)
    except OverQuota as error:
        return Response(str(error), 429, {"Retry-After": str(error.wait)}, "text/plain")
    except TacendaError as error:
        return Response(str(error), 422, media_type="text/plain")
    note(request, project.handle)
    worker.wake()
    return Response(status_code=204, headers={"HX-Redirect": f"/projects/{project.handle}"})
