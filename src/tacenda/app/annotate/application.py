"""The pages of annotation mode behind the guard of the review application."""

from __future__ import annotations

from collections.abc import Collection
from importlib import resources

from fastapi import FastAPI, Request
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ...errors import InputError, TacendaError
from ..loopback import LOOPBACK
from ..store.database import Missing
from ..web.pages import login
from ..web.refusals import answer_errors
from ..web.security.access import Access
from ..web.security.guard import Guard
from .pages import agreement, differences, documents, export, peer, work
from .pages.context import page
from .service import Annotating, Hidden
from .store import Late

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
    answer_errors(app, _STATUS, _said)
    return Guard(app, access, hosts)


def _said(request: Request, status: int, message: str) -> Response:
    return page(request, "problem.html", status, message=message)
