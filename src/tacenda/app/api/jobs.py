"""``/jobs``: many texts in the background. A job is a project without review."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from ...document import Document
from ...documents.writing import refuse_leaks
from ...errors import LeakError
from ...result import Result
from ..service import Service
from ..store.documents import NewDocument, Status
from ..web.base import TheService
from ..web.permission import JobId, TheIdentity, begin_project, scope_of
from .models import Job, Text

router = APIRouter(tags=["jobs"])
_MOST = 1000


def new_documents(texts: list[Text]) -> list[NewDocument]:
    """Return the texts of a request as documents; the program decides which ids it makes public."""
    return [
        NewDocument(Document(item.id, item.text, tuple(item.target)), declared=True)
        for item in texts
    ]


@router.post("/jobs", status_code=202)
def begin_job(request: Request, service: TheService, body: Job) -> dict[str, Any]:
    """Start a job; poll its progress at ``/jobs/{id}``, or give a ``webhook`` to be notified when it ends.

    If you give a webhook, the answer includes its ``webhook_secret``, only this once.
    """
    policy = body.policy(service.sanitizer.policy)
    if body.webhook:
        service.reach.check(body.webhook)
    project = begin_project(request, "job", new_documents(body.documents), policy, "job")
    progress = _progress(service, project.id)
    if body.webhook:
        progress["webhook_secret"] = service.set_webhook(project.id, body.webhook).secret
    return progress


@router.get("/jobs")
def list_jobs(service: TheService, identity: TheIdentity) -> list[dict[str, Any]]:
    """Return the progress of the key's jobs, the newest first."""
    projects = service.store.projects.all("job", scope_of(identity))
    return [_progress(service, job.id) for job in projects]


@router.get("/jobs/{id}")
def show_job(service: TheService, id: JobId) -> dict[str, Any]:
    """Return the progress of a job."""
    return _progress(service, id)


def _progress(service: Service, id: int) -> dict[str, Any]:
    counts = service.store.lists.counts(id)
    return {
        "id": service.project(id).handle,
        "status": "running" if counts.waiting else "done",
        "documents": counts.documents,
        "done": counts.ready,
        "failed": counts.failed,
    }


@router.get("/jobs/{id}/results")
def list_job_results(
    service: TheService,
    id: JobId,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST)] = 100,
) -> dict[str, Any]:
    """Return results in document order; ``next`` is the offset to continue from.

    The list ends at the first unfinished document, so nothing is skipped.
    """
    items: list[dict[str, Any]] = []
    documents = service.store.documents.of(id)
    for row in documents[offset : offset + limit]:
        if row.status is Status.WAITING:
            break
        if row.status is Status.FAILED:
            items.append({"id": row.name, "error": row.error})
        else:
            items.append(_result(row.name, service.open(row.id).reviewed.sanitized))
    following = offset + len(items)
    return {"results": items, "next": following if following < len(documents) else None}


def _result(name: str, sanitized: Result) -> dict[str, Any]:
    """Return the result of a document, or the reason it is withheld."""
    try:
        refuse_leaks(sanitized)
    except LeakError as error:
        return {"id": name, "error": str(error)}
    return sanitized.to_dict()


@router.delete("/jobs/{id}", status_code=204)
def delete_job(service: TheService, id: JobId) -> Response:
    """Stop a job and delete its texts."""
    service.delete_project(id)
    return Response(status_code=204)
