"""Permissions: the only place where an id in an address is resolved to a number.

Every route of a project, document or job takes its number from here, so that no check is forgotten.
Without permission, an object seems not to exist, and every access is logged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import Depends, Request

from ...errors import InputError
from ...policy import Policy
from ..annotation.service import AnnotationProject
from ..service import DocumentView, Service
from ..store import Store
from ..store.database import NotFound, PermissionDenied
from ..store.documents import NewDocument
from ..store.projects import Project, ProjectRole
from ..worker import Worker
from .access import Access
from .base import TheAnnotations, TheStore
from .keys import KeyIdentity


def identity_of(request: Request) -> KeyIdentity:
    """Return the identity of a request."""
    identity: KeyIdentity = request.state.identity
    return identity


TheIdentity = Annotated[KeyIdentity, Depends(identity_of)]


def scope_of(identity: KeyIdentity) -> str | None:
    """Return the person to filter projects by, or None for administrators and guests of one place."""
    return None if identity.is_admin or identity.place else identity.name


def _note(request: Request, handle: str) -> None:
    """Write a request to the access log."""
    store: Store = request.app.state.store
    place = request.scope["path"].replace(handle, "{id}")
    store.accesses.note(identity_of(request).name, f"{request.method} {place}", handle)


def begin_project(
    request: Request,
    name: str,
    documents: Sequence[NewDocument],
    policy: Policy | None = None,
    purpose: str = "review",
    *,
    linked: bool = True,
) -> Project:
    """Create a project for the person asking; see ``Service.add_project``.

    Raises:
        OverQuota: if they would exceed their quota.
        InputError: if there is no document, or a name to protect has no letter.
    """
    service: Service = request.app.state.service
    worker: Worker = request.app.state.worker
    owner = identity_of(request).name
    project = service.add_project(name, documents, policy, purpose, owner, linked=linked)
    _note(request, project.handle)
    worker.wake()
    return project


def _project(request: Request, store: TheStore, identity: TheIdentity, id: str) -> int:
    number = store.projects.number(id, scope_of(identity))
    _note(request, id)
    return number


def _document(request: Request, store: TheStore, identity: TheIdentity, id: str) -> int:
    number = store.projects.document_number(id, scope_of(identity))
    _note(request, id)
    return number


def _annotation(
    request: Request,
    store: TheStore,
    annotations: TheAnnotations,
    identity: TheIdentity,
    id: str,
) -> AnnotationProject:
    number = store.projects.number(id, scope_of(identity), annotation=True)
    _note(request, id)
    return annotations.project(number)


ProjectId = Annotated[int, Depends(_project)]
DocumentId = Annotated[int, Depends(_document)]
TheAnnotation = Annotated[AnnotationProject, Depends(_annotation)]
"""The annotation project of an address."""


def _job(store: TheStore, id: ProjectId) -> int:
    if store.projects.get(id).purpose != "job":
        raise NotFound("no job has that id.")
    return id


def part_in(store: Store, identity: KeyIdentity, project: int) -> ProjectRole | None:
    """Return a person's role in a project; administrators are owners of all projects."""
    return (
        ProjectRole.OWNER if identity.is_admin else store.projects.part_of(project, identity.name)
    )


def _insist(store: Store, identity: KeyIdentity, project: int, needed: ProjectRole) -> None:
    part = part_in(store, identity, project)
    if part is None or not part.covers(needed):
        people = "the owner" if needed is ProjectRole.OWNER else "an approver or an owner"
        raise PermissionDenied(f"only {people} of the project can do that.")


def approval_of(request: Request, view: DocumentView) -> dict[str, Any]:
    """Return values for a page: whether a person approves documents, and why not this one.

    The refusal itself is in ``sign_off.check_sign_off`` and ``ApprovedDocumentId``; this only keeps
    the page from offering it.
    """
    part = part_in(request.app.state.store, identity_of(request), view.project.id)
    is_approver = part is not None and part.covers(ProjectRole.APPROVER)
    reviewed = view.sign_offs.reviewed
    words = "" if is_approver else "an approver has to approve it"
    if view.project.four_eyes and reviewed is not None and reviewed.person == request.state.person:
        words = "another person has to approve it"
    return {"is_approver": is_approver, "no_approval": words}


def check_assignment(
    store: Store, identity: KeyIdentity, project: int, handles: Sequence[str], assignee: str
) -> None:
    """Refuse to assign documents to others, unless an owner does.

    Raises:
        PermissionDenied: if someone else takes documents that are assigned, or gives back documents
            that aren't theirs.
    """
    if part_in(store, identity, project) is ProjectRole.OWNER:
        return
    holders = {row.assignee for row in store.documents.of(project) if row.handle in handles}
    if assignee not in ("", identity.name) or holders - {"", identity.name}:
        raise PermissionDenied(
            "only the owner of the project can assign documents to others; you can take unassigned ones."
        )


def check_members(access: Access, store: Store, project: int, names: Iterable[str]) -> None:
    """Refuse new members who can't log in.

    Raises:
        InputError: if some have no key; names them.
    """
    key_names = access.names | store.projects.parts(project).keys()
    unknown = [name for name in names if name not in key_names]
    if access.by_key and unknown:
        listing = ", ".join(repr(name[:100]) for name in unknown[:10])
        raise InputError(f"no key is named {listing}; the members are unchanged.")


def _own_project(store: TheStore, identity: TheIdentity, id: ProjectId) -> int:
    _insist(store, identity, id, ProjectRole.OWNER)
    return id


def _approved_project(store: TheStore, identity: TheIdentity, id: ProjectId) -> int:
    _insist(store, identity, id, ProjectRole.APPROVER)
    return id


def _approved_document(store: TheStore, identity: TheIdentity, id: DocumentId) -> int:
    _insist(store, identity, store.documents.get(id).project, ProjectRole.APPROVER)
    return id


def _admin(identity: TheIdentity) -> KeyIdentity:
    if not identity.is_admin:
        raise PermissionDenied("only an administrator can do that.")
    return identity


JobId = Annotated[int, Depends(_job)]
OwnProjectId = Annotated[int, Depends(_own_project)]
"""Number of a project of the person's own; another one who shares it is refused."""
ApprovedProjectId = Annotated[int, Depends(_approved_project)]
"""Number of a project that the person may release."""
ApprovedDocumentId = Annotated[int, Depends(_approved_document)]
"""Number of a document that the person may approve."""
Admin = Annotated[KeyIdentity, Depends(_admin)]
