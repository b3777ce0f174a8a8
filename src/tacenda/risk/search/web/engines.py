"""The engines by name, with their keys from the environment, and the switch that allows them.

| engine | environment |
|---|---|
| ``searxng`` | ``TACENDA_SEARXNG_URL``: address of the instance |
| ``brave`` | ``TACENDA_BRAVE_KEY`` |
| ``google`` | ``TACENDA_GOOGLE_KEY``, ``TACENDA_GOOGLE_ENGINE`` (the id, ``cx``) |
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from ....background.queries import SearchBackend
from ....errors import PolicyError
from .brave import Brave
from .client import JsonClient
from .google import Google
from .searxng import SearxNG

ENGINES = ("searxng", "brave", "google")
_SECONDS_BETWEEN_REQUESTS = 1.1


def open_engine(
    name: str, *, allow_network: bool = False, environment: Mapping[str, str] | None = None
) -> SearchBackend:
    """Return a search engine as a back end.

    A search sends strings of the document, and the name of the person to protect, to others. It
    has to be allowed by who runs it, in so many words.

    Args:
        name: one of ``ENGINES``.
        allow_network: that switch.
        environment: where keys are; the process's own by default.

    Raises:
        PolicyError: if it is not allowed, not known, or has no key.
    """
    if name not in ENGINES:
        raise PolicyError(f"search engine {name!r} is none of {', '.join(ENGINES)}.")
    if not allow_network:
        raise PolicyError(
            f"search engine {name!r} would be sent strings of the document and the names of the "
            "person to protect; allow it with --allow-network (allow_network=True), or search an "
            "index of your own with --background."
        )
    values = os.environ if environment is None else environment
    if name == "searxng":
        base = _needed(values, "TACENDA_SEARXNG_URL", "the address of an instance")
        if urlsplit(base).scheme not in ("http", "https"):
            raise PolicyError("TACENDA_SEARXNG_URL must begin with http:// or https://.")
        remedy = "look at TACENDA_SEARXNG_URL, and list json in search.formats of its settings.yml"
        return SearxNG(JsonClient(SearxNG.name, remedy, _SECONDS_BETWEEN_REQUESTS), base)
    if name == "brave":
        key = _needed(values, "TACENDA_BRAVE_KEY", "a subscription token")
        remedy = "look at TACENDA_BRAVE_KEY and its quota"
        return Brave(JsonClient(Brave.name, remedy, _SECONDS_BETWEEN_REQUESTS), key)
    key = _needed(values, "TACENDA_GOOGLE_KEY", "an API key")
    engine = _needed(values, "TACENDA_GOOGLE_ENGINE", "the id of a programmable search engine (cx)")
    remedy = "look at TACENDA_GOOGLE_KEY, TACENDA_GOOGLE_ENGINE and their quota"
    return Google(JsonClient(Google.name, remedy, _SECONDS_BETWEEN_REQUESTS), key, engine)


def _needed(values: Mapping[str, str], variable: str, what: str) -> str:
    value = values.get(variable, "").strip()
    if not value:
        raise PolicyError(f"the environment variable {variable} is empty; set it to {what}.")
    if not value.isascii() or not value.isprintable():
        raise PolicyError(f"the environment variable {variable} holds what no header can.")
    return value
