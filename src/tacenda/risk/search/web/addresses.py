"""Addresses of pages, written alike where they mean the same page."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

_TRACKING = ("utm_", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid")


def same_page(url: str) -> str:
    """Return ``url`` without scheme, ``www.``, fragment, tracking and a slash at its end.

    What can't be taken apart is returned as it is.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url
    if not host:
        return url
    kept = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not name.lower().startswith(_TRACKING)
    ]
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    return place + parts.path.rstrip("/") + (f"?{urlencode(kept)}" if kept else "")
