"""What routes find in a request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from ....wording import TYPES, entities_left
from ...annotate.beside import Beside
from ...service import Service
from ...worker import Worker
from ..labels import IDENTIFIERS
from ..security.access import Access
from ..templating import Pages

page = Pages(
    "tacenda.app.web", types=TYPES, identifiers=IDENTIFIERS, entities_left=entities_left, oob=False
)


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _worker(request: Request) -> Worker:
    worker: Worker = request.app.state.worker
    return worker


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def _beside(request: Request) -> Beside:
    beside: Beside = request.app.state.beside
    return beside


def _person(request: Request) -> str:
    return str(request.state.person)


TheService = Annotated[Service, Depends(_service)]
TheWorker = Annotated[Worker, Depends(_worker)]
TheAccess = Annotated[Access, Depends(_access)]
TheAnnotations = Annotated[Beside, Depends(_beside)]
Person = Annotated[str, Depends(_person)]
