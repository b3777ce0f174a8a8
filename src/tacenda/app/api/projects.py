"""``/projects``, ``/documents`` and ``/access-log``: reviews, and who did what, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import Response

from ...document import Decision
from ..audit import document_audit, project_audit
from ..events import Event, EventKind
from ..export import document_file, project_file
from ..release import checklist, release, released_file
from ..review.redecide import options_of
from ..service import DocumentView, Service
from ..store.documents import StoredDocument
from ..store.projects import Project, ProjectRole
from ..web.base import Person, TheAccess, TheService, attachment, uploaded
from ..web.permission import (
    Admin,
    ApprovedDocumentId,
    ApprovedProjectId,
    DocumentId,
    OwnProjectId,
    ProjectId,
    TheIdentity,
    begin_project,
    check_assignment,
    check_members,
    scope_of,
)
from .jobs import new_documents
from .models import Approval, Assignment, Members, NewProject, NewWebhook, SentChange

router = APIRouter(tags=["review"])
downloads = APIRouter(tags=["review"])
"""Results and records as files; the pages have the same addresses, without the prefix."""
administration = APIRouter(tags=["administration"])


@router.get("/projects")
def list_projects(service: TheService, identity: TheIdentity) -> list[dict[str, Any]]:
    """Return the projects, the newest first."""
    return [_named(item) for item in service.store.projects.all(person=scope_of(identity))]


@router.post("/projects", status_code=201)
def begin_project_with_texts(
    request: Request, service: TheService, body: NewProject
) -> dict[str, Any]:
    """Create a project."""
    project = begin_project(
        request, body.name, new_documents(body.documents), linked=body.same_tags
    )
    return _project(service, project.id)


@router.post("/projects/files", status_code=201)
def begin_project_with_files(
    request: Request,
    service: TheService,
    name: Annotated[str, Form(min_length=1, max_length=200)],
    files: list[UploadFile],
    target: Annotated[list[str] | None, Form()] = None,
    same_tags: Annotated[bool, Form()] = True,
) -> dict[str, Any]:
    """Create a project from files: .docx, PDF, HTML, Markdown, text, JSONL, CSV or TAB's JSON."""
    project = begin_project(request, name, uploaded(files, target or ()), linked=same_tags)
    return _project(service, project.id)


@router.get("/projects/{id}")
def show_project(service: TheService, id: ProjectId) -> dict[str, Any]:
    """Return a project with the state of its documents."""
    return _project(service, id)


@router.put("/projects/{id}/members")
def set_people(
    service: TheService, access: TheAccess, id: OwnProjectId, body: Members
) -> dict[str, Any]:
    """Share the project with exactly the people who have these keys, in addition to its owner."""
    lists = {
        ProjectRole.REVIEWER: body.names,
        ProjectRole.APPROVER: body.approvers,
        ProjectRole.OWNER: body.owners,
    }
    members = {name: part for part in ProjectRole for name in lists[part]}
    check_members(access, service.store, id, members)
    service.share(id, members, body.four_eyes)
    return _project(service, id)


@router.post("/projects/{id}/assignments")
def assign_documents(
    service: TheService, identity: TheIdentity, id: ProjectId, body: Assignment
) -> dict[str, Any]:
    """Assign documents to a reviewer; owners can assign them to anyone, others only to themselves."""
    check_assignment(service.store, identity, id, body.documents, body.assignee)
    service.assign(id, body.documents, body.assignee)
    return _project(service, id)


@router.put("/projects/{id}/webhook")
def set_webhook(service: TheService, id: OwnProjectId, body: NewWebhook) -> dict[str, Any]:
    """Notify an address when the project or job is analyzed, and when it is released.

    The ``secret`` that signs messages is shown only this once. If the project is already analyzed,
    a message is sent at once. Messages are JSON with ``id``, ``event``, ``project``, ``at`` and
    numbers of documents; their header ``X-Tacenda-Signature`` is ``t=TIME,v1=`` and the hexadecimal
    HMAC-SHA256 of ``TIME.BODY``.
    """
    webhook = service.set_webhook(id, body.url)
    return {"url": webhook.url, "secret": webhook.secret}


@router.get("/projects/{id}/webhook")
def show_webhook(service: TheService, id: OwnProjectId) -> dict[str, Any]:
    """Return the project's webhook address, and its latest deliveries with their outcomes."""
    deliveries = service.store.deliveries
    return {
        "url": deliveries.webhook(id).url,
        "deliveries": [asdict(item) for item in deliveries.of(id)],
    }


@router.delete("/projects/{id}/webhook", status_code=204)
def remove_webhook(service: TheService, id: OwnProjectId) -> Response:
    """Remove the webhook; pending deliveries are dropped."""
    service.set_webhook(id, "")
    return Response(status_code=204)


@router.delete("/projects/{id}", status_code=204)
def delete_project(service: TheService, id: OwnProjectId) -> Response:
    """Delete a project with all its data."""
    service.delete_project(id)
    return Response(status_code=204)


@router.get("/documents/{id}")
def show_document(service: TheService, id: DocumentId) -> dict[str, Any]:
    """Return the current state of a document, with the revision that a change must name."""
    return _document(service.open(id))


@router.post("/documents/{id}/changes")
def change_document(
    service: TheService, person: Person, id: DocumentId, body: SentChange
) -> dict[str, Any]:
    """Make a change; 409 if the document is at another revision."""
    return _document(service.change(id, person, body.revision, Event.of(body.change)))


@router.get("/documents/{id}/entities")
def list_entities(
    service: TheService,
    id: DocumentId,
    options: Annotated[bool, Query(description="With the possible replacements.")] = False,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> dict[str, Any]:
    """Return the entities of a document with their decisions, in text order.

    With ``options``, also what each can be generalized to, from specific to general. ``next`` is
    the offset to continue from.
    """
    view = service.open(id)
    decisions = view.reviewed.sanitized.decisions
    items = [_entity(service, view, item, options) for item in decisions[offset : offset + limit]]
    following = offset + len(items)
    return {
        "revision": view.row.revision,
        "entities": items,
        "next": following if following < len(decisions) else None,
    }


@router.get("/projects/{id}/release")
def show_checklist(service: TheService, id: ProjectId) -> dict[str, Any]:
    """Return the checks that a project must pass before its release, and its releases."""
    return {
        "checks": [
            {
                "name": check.name,
                "settled": check.is_settled,
                "open": [{"document": row.handle, "reason": reason} for row, reason in check.open],
            }
            for check in checklist(service, id)
        ],
        "releases": [
            {"at": item.at, "person": item.person, "sha256": item.digest}
            for item in service.store.releases.of(id)
        ],
    }


@router.post("/projects/{id}/release", status_code=201)
def release_project(service: TheService, person: Person, id: ApprovedProjectId) -> dict[str, Any]:
    """Release a project whose checklist is settled; otherwise answer 422 with what is open."""
    item = release(service, id, person)
    return {"at": item.at, "person": item.person, "sha256": item.digest}


@downloads.get("/projects/{id}/releases/{digest}", response_class=Response)
def download_release(service: TheService, id: ProjectId, digest: str) -> Response:
    """Return the files of the latest release, if nothing has changed since."""
    return attachment(released_file(service, id, digest))


@downloads.get("/projects/{id}/releases/{digest}/record", response_class=Response)
def download_released_record(service: TheService, id: ProjectId, digest: str) -> Response:
    """Return the record of the latest release. It is private, since it says who is protected and who reviewed."""
    return attachment(released_file(service, id, digest, private=True))


@router.post("/documents/{id}/approval")
def approve_document(
    service: TheService, person: Person, id: ApprovedDocumentId, body: Approval
) -> dict[str, Any]:
    """Approve a reviewed document, or withdraw the approval; 409 at another revision."""
    change = Event(EventKind.APPROVE, value="yes" if body.approved else "no")
    return _document(service.sign(id, person, body.revision, change))


@router.get("/documents/{id}/log")
def show_document_log(service: TheService, id: DocumentId) -> list[dict[str, Any]]:
    """Return who did what to a document and when, in order."""
    return [
        {
            "id": entry.id,
            "person": entry.person,
            "at": entry.at,
            "change": entry.event.as_object() if entry.event else None,
            "undoes": entry.undoes,
            "redoes": entry.redoes,
        }
        for entry in service.open(id).entries
    ]


@downloads.get("/projects/{id}/result", response_class=Response)
def download_project_draft(
    service: TheService, id: ProjectId, format: str = "same", allow_leaks: bool = False
) -> Response:
    """Return all analyzed documents: same (in their original format), text, pdf, html, json, masks.

    Answers 422 if masked strings are left in one, unless ``allow_leaks`` is set.
    """
    return attachment(project_file(service, id, format, allow_leaks=allow_leaks))


@downloads.get("/projects/{id}/audit", response_class=Response)
def download_project_record(service: TheService, id: ProjectId, format: str = "json") -> Response:
    """Return who decided what, when and why, without the masked text: json, or html to print.

    missed: what people masked that the policy had left, on the texts with its masks, for `tacenda audit bound`.
    training: the originals of the reviewed documents with what was masked, for `tacenda lab train adapt`.
    """
    return attachment(project_audit(service, id, format))


@downloads.get("/documents/{id}/result", response_class=Response)
def download_document_draft(
    service: TheService, id: DocumentId, format: str = "text", allow_leaks: bool = False
) -> Response:
    """Return the document's current state: same (in its original format), text, pdf, html, json or masks.

    Answers 422 if masked strings are left in it, unless ``allow_leaks`` is set.
    """
    return attachment(document_file(service, id, format, allow_leaks=allow_leaks))


@downloads.get("/documents/{id}/audit", response_class=Response)
def download_document_record(service: TheService, id: DocumentId, format: str = "json") -> Response:
    """Return who decided what, when and why, without the masked text: json, or html to print."""
    return attachment(document_audit(service, id, format))


def _entity(
    service: Service, view: DocumentView, decision: Decision, with_options: bool
) -> dict[str, Any]:
    entity = decision.entity
    item: dict[str, Any] = {
        "id": entity.id,
        "type": str(entity.type),
        "spans": [[mention.span.start, mention.span.end] for mention in entity.mentions],
        "risk": decision.risk,
        "decision": "mask" if decision.masked else "keep",
        "operator": decision.operator,
        "by_hand": entity.id in view.reviewed.verdicts,
    }
    if with_options:
        options = options_of(view.reviewed, view.project.policy, entity.id, service.sanitizer.parts)
        item["options"] = [option.text for option in options]
    return item


def _project(service: Service, id: int) -> dict[str, Any]:
    project = service.project(id)
    documents = [_row(row) for row in service.store.documents.of(id)]
    return _named(project) | {
        "owner": project.owner,
        "members": list(service.store.projects.members(id)),
        "roles": {name: str(part) for name, part in service.store.projects.parts(id).items()},
        "four_eyes": project.four_eyes,
        "same_tags": project.linked,
        "documents": documents,
    }


def _named(project: Project) -> dict[str, Any]:
    return {"id": project.handle, "name": project.name, "created": project.created}


def _row(row: StoredDocument) -> dict[str, Any]:
    return {
        "id": row.handle,
        "name": row.name,
        "status": str(row.status),
        "format": row.format,
        "error": row.error,
        "notes": list(row.notes),
        "revision": row.revision,
        "assignee": row.assignee,
        "summary": row.summary.as_object(),
    }


def _document(view: DocumentView) -> dict[str, Any]:
    return _row(view.row) | {
        "by_hand": sorted(view.reviewed.verdicts),
        "bound": view.reviewed.bound,
        "result": view.reviewed.sanitized.to_dict(),
    }


@administration.get("/access-log")
def list_accesses(
    service: TheService,
    _: Admin,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
    before: Annotated[int | None, Query(ge=1)] = None,
) -> dict[str, Any]:
    """Return who did what to which project or document, the newest first, without any text.

    Send ``next`` as ``before`` to continue.
    """
    entries = service.store.accesses.latest(limit, before)
    return {
        "entries": [asdict(entry) for entry in entries],
        "next": entries[-1].id if len(entries) == limit else None,
    }
