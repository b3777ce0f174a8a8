"""The application: pages, REST API and static files behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib import resources

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ..._version import __version__
from ...documents.decoding import writable
from ...errors import InputError, TacendaError
from ..annotate.beside import Beside
from ..annotate.server import server as annotation_server
from ..api import routers as api_routers
from ..loopback import LOOPBACK
from ..service import Service
from ..store.database import Missing
from ..store.log import Stale
from ..store.quota import OverQuota
from ..worker import Worker
from .pages import accesses, annotation, document, everywhere, login, projects, queue
from .pages.context import page
from .permission import Forbidden
from .refusals import answer_errors
from .security.access import Access
from .security.guard import Guard

_AT_ONCE = 4


def application(service: Service, access: Access, hosts: Collection[str] = LOOPBACK) -> ASGIApp:
    """Return the application, guarded.

    Args:
        service: projects, and what is done with them.
        access: who may come in.
        hosts: names by which the server may be called.
    """
    worker = Worker(service)
    beside = Beside(service, annotation_server)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        # Deciding is work for the processor: few at a time, first come first served, are all
        # sooner done than twenty that take turns.
        current_default_thread_limiter().total_tokens = _AT_ONCE
        worker.start()
        try:
            yield
        finally:
            worker.stop()
            beside.close()

    app = FastAPI(
        title="tacenda",
        version=__version__,
        description="Text sanitization that decides by risk. Send `Authorization: Bearer KEY`.",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=running,
    )
    app.state.service, app.state.worker, app.state.access = service, worker, access
    app.state.beside = beside
    for router in (login.router, projects.router, queue.router, document.router):
        app.include_router(router, include_in_schema=False)
    for router in (everywhere.router, annotation.router, accesses.router):
        app.include_router(router, include_in_schema=False)
    for router in api_routers:
        app.include_router(router, prefix="/api/v1")
    folder = str(resources.files("tacenda.app.web") / "static")
    app.mount("/static", StaticFiles(directory=folder), name="static")
    answer_errors(app, _STATUS, _said)
    return Guard(app, access, hosts)


_STATUS = (
    (Missing, 404),
    (Forbidden, 403),
    (OverQuota, 429),
    (Stale, 409),
    (InputError, 422),
    (TacendaError, 400),
)


def _said(request: Request, status: int, message: str) -> Response:
    if request.url.path.startswith("/api/"):
        later = {"Retry-After": str(OverQuota.wait)} if status == 429 else None
        return JSONResponse({"error": writable(message)}, status, later)
    return page(request, "problem.html", status, heading="That did not work", message=message)
