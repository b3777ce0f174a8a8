"""A listening socket, its address, and which addresses only this machine can reach."""

from __future__ import annotations

import socket
from ipaddress import ip_address

from ..errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names by which a machine calls itself."""


def is_loopback(host: str) -> bool:
    """Return whether ``host`` can be reached only from this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 picks a free port.

    Raises:
        InputError: if the address isn't available.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Listen now: a browser may connect before the server has started.
        listener.listen()
    except OSError as error:
        listener.close()
        raise InputError(
            f"can't listen on {host}:{port} ({error.strerror}); choose another with --port."
        ) from None
    return listener


def address(listener: socket.socket, path: str = "/", token: str = "") -> str:
    """Return the address to open in a browser, with a token if there is one."""
    host, port = listener.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{path}" + (f"?token={token}" if token else "")
