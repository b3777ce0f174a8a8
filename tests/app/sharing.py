"""What applications of one process share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, FastAPI


def share_routes(replace: Callable[[Any, str, Any], None]) -> None:
    """Build the routes of a router once: FastAPI does for each application, in a twentieth of a second and more.

    Routes read the application from the request; only ``dependency_overrides`` would be those of the first one.
    """
    shared: dict[tuple[Any, ...], tuple[APIRouter, list[Any]]] = {}
    include = FastAPI.include_router

    def include_shared(app: FastAPI, router: APIRouter, **options: Any) -> None:
        key = (id(router), *sorted(options.items()))
        if key in shared:
            app.router.routes.extend(shared[key][1])
            return
        number = len(app.router.routes)
        include(app, router, **options)
        shared[key] = router, app.router.routes[number:]

    replace(FastAPI, "include_router", include_shared)
