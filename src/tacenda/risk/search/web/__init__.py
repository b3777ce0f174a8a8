"""Web search engines as back ends; standard library only, off unless allowed.

engines     ``open_engine``: by name, keys from the environment, the switch that allows it
searxng, brave, google      one adapter each
client      requests with spacing, retries and back-off; what never gets into a message
cache       answers on disk, under hashed names
wording, paging, addresses  queries out, results in
"""

from __future__ import annotations

from .cache import CachedBackend
from .engines import ENGINES, open_engine

__all__ = ["ENGINES", "CachedBackend", "open_engine"]
