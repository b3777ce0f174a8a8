"""Permissions: the one place where an address's id becomes the number of a thing.

Every route of a project, a document or a job takes its number from here, so that no check is
forgotten. An object without permission answers as if it did not exist, and every access is logged.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from ..annotation.service import AnnotationProject, AnnotationService
from ..store import Store
from ..store.database import NotFound, PermissionDenied
from .keys import Identity


def identity_of(request: Request) -> Identity:
    """Identity of a request."""
    identity: Identity = request.state.identity
    return identity


def scope_of(identity: Identity) -> str | None:
    """Person to filter projects by; None for administrators and guests of one place."""
    return None if identity.is_admin or identity.place else identity.name


def note(request: Request, handle: str) -> None:
    """Write a request into the log of accesses."""
    place = request.scope["path"].replace(handle, "{id}")
    person = identity_of(request).name
    _store(request).accesses.note(person, f"{request.method} {place}", handle)


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _project(request: Request, id: str) -> int:
    number = _store(request).projects.number(id, scope_of(identity_of(request)))
    note(request, id)
    return number


def _document(request: Request, id: str) -> int:
    number = _store(request).projects.document_number(id, scope_of(identity_of(request)))
    note(request, id)
    return number


def _job(request: Request, id: str) -> int:
    number = _project(request, id)
    if _store(request).projects.get(number).purpose != "job":
        raise NotFound("there is no job of that id.")
    return number


def _own_project(request: Request, id: str) -> int:
    number = _project(request, id)
    identity = identity_of(request)
    if not identity.is_admin and _store(request).projects.get(number).owner != identity.name:
        raise PermissionDenied("only the owner of the project can do that.")
    return number


def _annotation(request: Request, id: str) -> AnnotationProject:
    annotations: AnnotationService = request.app.state.annotations
    scope = scope_of(identity_of(request))
    number = _store(request).projects.number(id, scope, annotation=True)
    note(request, id)
    return annotations.project(number)


def _admin(request: Request) -> Identity:
    identity = identity_of(request)
    if not identity.is_admin:
        raise PermissionDenied("only an administrator can do that.")
    return identity


TheIdentity = Annotated[Identity, Depends(identity_of)]
ProjectId = Annotated[int, Depends(_project)]
OwnProjectId = Annotated[int, Depends(_own_project)]
"""Of a project of the person's own; that of another one who shares it is refused."""
DocumentId = Annotated[int, Depends(_document)]
TheAnnotation = Annotated[AnnotationProject, Depends(_annotation)]
"""The annotation project of an address."""
JobId = Annotated[int, Depends(_job)]
Admin = Annotated[Identity, Depends(_admin)]
