"""``/projects`` and ``/documents``: what people review, for programs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from fastapi.responses import Response

from ...corpora import as_object
from ..intake import from_upload
from ..release import document_audit, document_file, project_audit, project_file
from ..review import Change
from ..service import Opened, Service
from ..store import StoredDocument
from ..web.pages.context import Person, TheService, TheWorker
from ..web.pages.queue import attachment
from .jobs import new_documents
from .models import Project, SentChange

router = APIRouter(tags=["review"])


@router.get("/projects")
def projects(service: TheService) -> list[dict[str, Any]]:
    """Return the projects, the newest first."""
    return [
        {"id": item.id, "name": item.name, "created": item.created}
        for item in service.store.projects.all()
    ]


@router.post("/projects", status_code=201)
def begin(service: TheService, worker: TheWorker, body: Project) -> dict[str, Any]:
    """Begin a project."""
    project = service.add_project(body.name, new_documents(body.documents))
    worker.wake()
    return _project(service, project.id)


@router.post("/projects/files", status_code=201)
def begin_with_files(
    service: TheService,
    worker: TheWorker,
    name: Annotated[str, Form(min_length=1, max_length=200)],
    files: list[UploadFile],
    target: Annotated[list[str] | None, Form()] = None,
) -> dict[str, Any]:
    """Begin a project with files: .docx, PDF, HTML, Markdown, text, JSONL, CSV or JSON of TAB."""
    documents = [
        new
        for file in files
        for new in from_upload(file.filename or "", file.file.read(), target or ())
    ]
    project = service.add_project(name, documents)
    worker.wake()
    return _project(service, project.id)


@router.get("/projects/{id}")
def project(service: TheService, id: int) -> dict[str, Any]:
    """Return a project with the state of its documents."""
    return _project(service, id)


@router.get("/projects/{id}/result", response_class=Response)
def project_result(service: TheService, id: int, format: str = "same") -> Response:
    """Return all documents that are analysed: same (as they came), text, pdf, html, json, masks."""
    return attachment(project_file(service, id, format))


@router.get("/projects/{id}/audit", response_class=Response)
def project_record(service: TheService, id: int, format: str = "json") -> Response:
    """Return who decided what, when and why, without what was masked: json, or html to print."""
    return attachment(project_audit(service, id, format))


@router.get("/documents/{id}")
def document(service: TheService, id: int) -> dict[str, Any]:
    """Return a document as it stands, with the revision that a change must name."""
    return _document(service.open(id))


@router.post("/documents/{id}/changes")
def change(service: TheService, person: Person, id: int, body: SentChange) -> dict[str, Any]:
    """Make a change; 409 if the document is at another revision."""
    return _document(service.change(id, person, body.revision, Change.of(body.change)))


@router.get("/documents/{id}/result", response_class=Response)
def result(service: TheService, id: int, format: str = "text") -> Response:
    """Return the document as it stands: same (as it came), text, pdf, html, json or masks."""
    return attachment(document_file(service, id, format))


@router.get("/documents/{id}/audit", response_class=Response)
def record(service: TheService, id: int, format: str = "json") -> Response:
    """Return who decided what, when and why, without what was masked: json, or html to print."""
    return attachment(document_audit(service, id, format))


@router.get("/documents/{id}/log")
def log(service: TheService, id: int) -> list[dict[str, Any]]:
    """Return who did what to a document, when; in order."""
    return [
        {
            "id": entry.id,
            "person": entry.person,
            "at": entry.at,
            "change": entry.change.as_object() if entry.change else None,
            "undoes": entry.undoes,
            "redoes": entry.redoes,
        }
        for entry in service.open(id).entries
    ]


def _project(service: Service, id: int) -> dict[str, Any]:
    found = service.project(id)
    documents = [_row(row) for row in service.store.documents.of(id)]
    return {"id": id, "name": found.name, "created": found.created, "documents": documents}


def _row(row: StoredDocument) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "status": str(row.status),
        "format": row.format,
        "error": row.error,
        "notes": list(row.notes),
        "revision": row.revision,
        "summary": row.summary.as_object(),
    }


def _document(opened: Opened) -> dict[str, Any]:
    return _row(opened.row) | {
        "by_hand": sorted(opened.reviewed.verdicts),
        "bound": opened.reviewed.bound,
        "result": as_object(opened.reviewed.sanitized),
    }
