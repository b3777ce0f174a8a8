"""The application: pages, REST API and static files behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib import resources

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from ...errors import InputError, TacendaError
from ...version import __version__
from ..api import routers as api_routers
from ..service import Service
from ..store import Missing, Stale
from ..worker import Worker
from .pages import document, everywhere, login, projects, queue
from .pages.context import page
from .security import Access, Guard
from .security.limits import TOO_LARGE

_AT_ONCE = 4
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def application(service: Service, access: Access, hosts: Collection[str] = LOOPBACK) -> ASGIApp:
    """Return the application, guarded.

    Args:
        service: projects, and what is done with them.
        access: who may come in.
        hosts: names by which the server may be called.
    """
    worker = Worker(service)

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
    for router in (login.router, projects.router, queue.router, document.router):
        app.include_router(router, include_in_schema=False)
    app.include_router(everywhere.router, include_in_schema=False)
    for router in api_routers:
        app.include_router(router, prefix="/api/v1")
    folder = str(resources.files("tacenda.app.web") / "static")
    app.mount("/static", StaticFiles(directory=folder), name="static")
    app.add_exception_handler(TacendaError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return Guard(app, access, hosts)


_STATUS = ((Missing, 404), (Stale, 409), (InputError, 422), (TacendaError, 400))


def _refused(request: Request, error: Exception) -> Response:
    return _said(
        request, next(code for kind, code in _STATUS if isinstance(error, kind)), str(error)
    )


_WORDS = {404: "There is nothing at this address.", 405: "That is not done here.", 413: TOO_LARGE}


def _invalid(request: Request, error: Exception) -> Response:
    """Say which field is wrong; never what stood in it, for it may be text."""
    faults = error.errors() if isinstance(error, RequestValidationError) else ()
    said = "; ".join(
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in faults
    )
    return _said(request, 422, said)


def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _said(request, status, _WORDS.get(status, "The request is none."))


def _said(request: Request, status: int, message: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status)
    return page(request, "problem.html", status, heading="That did not work", message=message)
