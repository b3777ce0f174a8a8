"""What is open to whom: the one place where an address's id becomes the number of a thing.

Every route that names a project, a document or a job takes its number from here, so that none forgets to
ask; what is not open to somebody answers as if it were not there, and what is done goes into the log of
accesses.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from ...errors import InputError
from ..service import Service
from ..store.database import Missing
from .security.keys import Identity


class Forbidden(InputError):
    """Something that is open to the owner of a project, or to an administrator, alone."""


def identity_of(request: Request) -> Identity:
    """Return who asks."""
    identity: Identity = request.state.identity
    return identity


def scope_of(identity: Identity) -> str | None:
    """Return whose things are open to somebody; None if everybody's are."""
    return None if identity.is_admin else identity.name


def note(request: Request, handle: str) -> None:
    """Write what a request does into the log of accesses."""
    service: Service = request.app.state.service
    place = request.scope["path"].replace(handle, "{id}")
    service.note(identity_of(request).name, f"{request.method} {place}", handle)


def _project(request: Request, id: str) -> int:
    service: Service = request.app.state.service
    number = service.store.projects.number(id, scope_of(identity_of(request)))
    note(request, id)
    return number


def _document(request: Request, id: str) -> int:
    service: Service = request.app.state.service
    number = service.store.projects.document_number(id, scope_of(identity_of(request)))
    note(request, id)
    return number


def _job(request: Request, id: str) -> int:
    number = _project(request, id)
    service: Service = request.app.state.service
    if service.project(number).purpose != "job":
        raise Missing("there is no job of that id.")
    return number


def _own_project(request: Request, id: str) -> int:
    number = _project(request, id)
    service: Service = request.app.state.service
    identity = identity_of(request)
    if not identity.is_admin and service.project(number).owner != identity.name:
        raise Forbidden("only the owner of the project can do that.")
    return number


def _admin(request: Request) -> Identity:
    identity = identity_of(request)
    if not identity.is_admin:
        raise Forbidden("only an administrator can do that.")
    return identity


TheIdentity = Annotated[Identity, Depends(identity_of)]
ProjectId = Annotated[int, Depends(_project)]
OwnProjectId = Annotated[int, Depends(_own_project)]
"""Of a project of the person's own; that of another one who shares it is refused."""
DocumentId = Annotated[int, Depends(_document)]
JobId = Annotated[int, Depends(_job)]
Admin = Annotated[Identity, Depends(_admin)]
