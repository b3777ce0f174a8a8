"""A socket to serve at, and its address."""

from __future__ import annotations

import socket

from ..errors import InputError


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


def address(listener: socket.socket, path: str = "/", token: str = "") -> str:
    """Return the address to open in a browser, with a token if there is one."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{path}" + (f"?token={token}" if token else "")
