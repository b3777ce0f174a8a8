"""The server of annotation mode, and the address by which each person comes in."""

from __future__ import annotations

import socket
from collections.abc import Collection, Mapping

import uvicorn

from ..web.security import Access
from .application import LOOPBACK, application
from .service import Annotating


def addresses(listener: socket.socket, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the address that each person opens in a browser, with their key."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return {name: f"http://{shown}:{port}/?token={key}" for name, key in keys.items()}


def server(annotating: Annotating, access: Access, names: Collection[str] = ()) -> uvicorn.Server:
    """Return a server of the application.

    Args:
        annotating: the project.
        access: who may come in.
        names: by which it may be called besides those of loopback.
    """
    app = application(annotating, access, (*LOOPBACK, *names))
    # No access log: addresses hold the keys.
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, lifespan="off"
    )
    return uvicorn.Server(config)
