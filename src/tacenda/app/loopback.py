"""Which addresses only this machine reaches."""

from __future__ import annotations

from ipaddress import ip_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names by which a machine calls itself."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches ``host``."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
