"""The application: pages, REST API, annotation and static files behind the guard."""

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
from ...errors import InputError, TacendaError
from ...text.decoding import writable
from ..annotation import routes as annotation
from ..annotation.service import AnnotationService
from ..api import routers as api_routers
from ..api.projects import downloads
from ..listening import LOOPBACK
from ..service import Service
from ..store import Store
from ..store.database import NotFound, PermissionDenied
from ..store.log import RevisionConflict
from ..store.projects import OverQuota
from ..webhooks import Messenger
from ..worker import Worker
from . import (
    routes_api,
    routes_decisions,
    routes_document,
    routes_home,
    routes_projects,
    routes_release,
    routes_tables,
)
from .access import Access
from .base import answer_errors, page
from .guard import Guard

_AT_ONCE = 4
_STATUS = (
    (NotFound, 404),
    (PermissionDenied, 403),
    (OverQuota, 429),
    (RevisionConflict, 409),
    (InputError, 422),
    (TacendaError, 400),
)


def application(
    store: Store,
    access: Access,
    hosts: Collection[str] = LOOPBACK,
    service: Service | None = None,
) -> ASGIApp:
    """Return the application behind its guard.

    Args:
        store: the store of projects.
        access: tokens, keys and sessions.
        hosts: the server's host names.
        service: the review service, or None for annotation only, without a recognizer.
    """
    worker = None if service is None else Worker(service)
    messenger = None if service is None else Messenger(store.deliveries, service.reach)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        # Deciding is CPU-bound: a few at a time, first come, first served, finish sooner than
        # twenty that take turns.
        current_default_thread_limiter().total_tokens = _AT_ONCE
        if worker is None or messenger is None:
            yield
            return
        worker.start()
        messenger.start()
        try:
            yield
        finally:
            worker.stop()
            messenger.stop()

    app = FastAPI(
        title="tacenda",
        version=__version__,
        description="Text sanitization that decides by risk. Send `Authorization: Bearer KEY`.",
        docs_url=None,  # its page would load scripts from elsewhere; see ``routes_api``
        redoc_url=None,
        openapi_url=None if service is None else "/api/v1/openapi.json",
        lifespan=running,
    )
    app.state.store, app.state.service, app.state.worker = store, service, worker
    app.state.access, app.state.annotations = access, AnnotationService(store)
    app.state.begun = routes_home.BegunProjects()
    pages = [routes_projects.entry, annotation.router]
    if service is not None:
        pages += [routes_home.router, routes_projects.router, routes_document.router]
        pages += [routes_decisions.router, routes_release.router, routes_tables.router]
        pages += [routes_api.router, downloads]
        for router in api_routers:
            app.include_router(router, prefix="/api/v1")
    for router in pages:
        app.include_router(router, include_in_schema=False)
    app.add_api_route("/health", _health, include_in_schema=False)
    folder = str(resources.files("tacenda.app.web") / "static")
    app.mount("/static", StaticFiles(directory=folder), name="static")
    answer_errors(app, _STATUS, _problem)
    return Guard(app, access, hosts)


async def _health() -> dict[str, str]:
    return {"status": "ok"}


def _problem(request: Request, status: int, message: str) -> Response:
    root, _, rest = request.url.path.lstrip("/").partition("/")
    if root == "api":
        later = {"Retry-After": str(OverQuota.wait)} if status == 429 else None
        return JSONResponse({"error": writable(message)}, status, later)
    if root == "annotation":
        base = f"/annotation/{rest.partition('/')[0]}"
        return page(request, "annotation/problem.html", status, message=message, base=base)
    return page(request, "problem.html", status, heading="That did not work", message=message)
