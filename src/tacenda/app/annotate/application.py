"""The pages of annotation mode behind the guard of the review application."""

from __future__ import annotations

from collections.abc import Collection
from importlib import resources

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from ...errors import InputError, TacendaError
from ..store import Missing
from ..web.pages import login
from ..web.security import Access, Guard
from .pages import agreement, differences, documents, export, peer, work
from .pages.context import page
from .service import Annotating, Hidden
from .store import Late

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_STATUS = ((Missing, 404), (Hidden, 403), (Late, 409), (InputError, 422), (TacendaError, 400))


def application(
    annotating: Annotating, access: Access, hosts: Collection[str] = LOOPBACK
) -> ASGIApp:
    """Return the application, guarded.

    Args:
        annotating: the project.
        access: who may come in.
        hosts: names by which the server may be called.
    """
    app = FastAPI(title="tacenda annotate", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.annotating, app.state.access = annotating, access
    for module in (login, documents, work, peer, differences, agreement, export):
        app.include_router(module.router)
    for path, package in (("/static/annotate", "annotate"), ("/static", "web")):
        folder = str(resources.files(f"tacenda.app.{package}") / "static")
        app.mount(path, StaticFiles(directory=folder))
    app.add_exception_handler(TacendaError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return Guard(app, access, hosts)


def _refused(request: Request, error: Exception) -> Response:
    status = next(code for kind, code in _STATUS if isinstance(error, kind))
    return page(request, "problem.html", status, message=str(error))


def _invalid(request: Request, error: Exception) -> Response:
    """Say which field is wrong; never what stood in it, for it may be text."""
    faults = error.errors() if isinstance(error, RequestValidationError) else ()
    said = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
    return page(request, "problem.html", 422, message=said)


def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = "There is nothing at this address." if status == 404 else "This can't be asked for."
    return page(request, "problem.html", status, message=said)
