"""The server of the application: an address to listen at, and a run until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Collection

import uvicorn

from .listening import address as place_of
from .listening import listen
from .loopback import LOOPBACK
from .service import Service
from .web.application import application
from .web.security.access import Access

__all__ = ["address", "listen", "server"]


def address(listener: socket.socket, access: Access, path: str = "/") -> str:
    """Return the address to open in a browser, with the token if there is one."""
    return place_of(listener, path, access.token)


def server(service: Service, access: Access, names: Collection[str] = ()) -> uvicorn.Server:
    """Return a server of the application.

    Args:
        service: projects, and what is done with them.
        access: who may come in.
        names: by which it may be called besides those of loopback.
    """
    app = application(service, access, (*LOOPBACK, *names))
    # No access log: addresses hold the token.
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, lifespan="on"
    )
    return uvicorn.Server(config)
