"""The server of the application: an address to listen at, and a run until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Collection

import uvicorn

from ..errors import InputError
from .service import Service
from .web.application import LOOPBACK, application
from .web.security import Access


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one.

    Raises:
        InputError: if the address can't be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # From now on: a browser may be faster than the start of the server.
        listener.listen()
    except OSError as error:
        listener.close()
        raise InputError(
            f"can't listen at {host}:{port} ({error.strerror}); choose another with --port."
        ) from None
    return listener


def address(listener: socket.socket, access: Access, path: str = "/") -> str:
    """Return the address to open in a browser, with the token if there is one."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    token = f"?token={access.token}" if access.token else ""
    return f"http://{shown}:{port}{path}{token}"


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
