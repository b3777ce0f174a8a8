"""What routes find in a request."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from ...service import Service
from ...worker import Worker
from ..labels import IDENTIFIERS, TYPES
from ..security import Access

_ENVIRONMENT = Environment(
    loader=PackageLoader("tacenda.app.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals |= {"types": TYPES, "identifiers": IDENTIFIERS, "oob": False}


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _worker(request: Request) -> Worker:
    worker: Worker = request.app.state.worker
    return worker


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def _person(request: Request) -> str:
    return str(request.state.person)


TheService = Annotated[Service, Depends(_service)]
TheWorker = Annotated[Worker, Depends(_worker)]
TheAccess = Annotated[Access, Depends(_access)]
Person = Annotated[str, Depends(_person)]


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a template as an answer."""
    proof = getattr(request.state, "proof", "")
    values = {"proof": proof, "person": getattr(request.state, "person", "")} | values
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(values), status)
