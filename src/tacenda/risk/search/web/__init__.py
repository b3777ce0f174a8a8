"""Web search engines as back ends; standard library only, off unless allowed.

engines     ``open_engine``: by name, keys from the environment, the switch that allows it
searxng, brave, google      one adapter each
client      requests with spacing, retries and back-off; what never gets into a message
cache       answers on disk, under hashed names
wording, paging, addresses  queries out, results in
"""

from __future__ import annotations

from pathlib import Path

from ....background.queries import SearchBackend
from .cache import CachedBackend
from .engines import ENGINES, open_engine

__all__ = ["ENGINES", "CachedBackend", "open_backend", "open_engine"]


def open_backend(name: str, allow_network: bool, cache: Path | None) -> SearchBackend:
    """Return a search engine; with its answers on disk where a folder for them is named."""
    engine = open_engine(name, allow_network=allow_network)
    return engine if cache is None else CachedBackend(engine, cache.expanduser())
