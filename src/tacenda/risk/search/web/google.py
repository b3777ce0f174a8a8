"""Google: the Custom Search JSON API, version 1; a hundred results a query at most.

Google takes no new customers for it, and has announced its end for January 2027.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from ....background.queries import Hit, Query
from ....errors import SearchError
from .client import JsonClient
from .paging import addresses, hits_of
from .wording import worded

BASE = "https://www.googleapis.com"
_A_PAGE = 10
_MOST = 100


class Google:
    """Searches by a programmable search engine of Google's.

    Args:
        client: what fetches.
        key: the API key.
        engine: the engine's id (``cx``).
        base: address of the service.
    """

    name = "Google Custom Search"
    exhaustive = False

    def __init__(self, client: JsonClient, key: str, engine: str, base: str = BASE) -> None:
        self._client = client
        # In a header, so that the key is in no log of addresses.
        self._headers = {"X-Goog-Api-Key": key}
        self._engine = engine
        self._url = base.rstrip("/") + "/customsearch/v1"

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return hits_of(self._pages(worded(query, 32, 2_000), count), min(count, _MOST))

    def _pages(self, words: str, count: int) -> Iterator[list[str]]:
        for start in range(1, _MOST, _A_PAGE):
            size = min(_A_PAGE, max(1, count - start + 1))
            parameters = {"cx": self._engine, "q": words, "num": size, "start": start}
            answer = self._client.fetch(f"{self._url}?{urlencode(parameters)}", self._headers)
            queries = answer.get("queries")
            if answer.get("kind") != "customsearch#search" or not isinstance(queries, dict):
                raise SearchError(f"{self.name}: this is no answer to a search.")
            # Without any result there are no `items`.
            yield addresses(answer.get("items", []), "link", self.name)
            if not queries.get("nextPage"):
                return
