"""Brave Search: its Web Search API, version 1."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from ....background.queries import Hit, Query
from ....errors import SearchError
from .client import JsonClient
from .paging import addresses, hits_of
from .wording import worded

BASE = "https://api.search.brave.com"
_A_PAGE = 20
_MOST_PAGES = 10


class Brave:
    """Searches by Brave Search.

    Args:
        client: what fetches.
        key: the subscription token.
        base: address of the service.
    """

    name = "Brave Search"
    exhaustive = False

    def __init__(self, client: JsonClient, key: str, base: str = BASE) -> None:
        self._client = client
        self._headers = {"X-Subscription-Token": key}
        self._url = base.rstrip("/") + "/res/v1/web/search"

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return hits_of(self._pages(worded(query, 50, 400), min(count, _A_PAGE)), count)

    def _pages(self, words: str, size: int) -> Iterator[list[str]]:
        for offset in range(_MOST_PAGES):
            parameters = {"q": words, "count": size, "offset": offset, "result_filter": "web"}
            answer = self._client.fetch(f"{self._url}?{urlencode(parameters)}", self._headers)
            web, asked = answer.get("web"), answer.get("query")
            if answer.get("type") != "search" or not isinstance(web, dict | None):
                raise SearchError(f"{self.name}: this is no answer to a search.")
            # Without any result there is no `web` at all.
            yield addresses(web.get("results"), "url", self.name) if web else []
            if not isinstance(asked, dict) or asked.get("more_results_available") is not True:
                return
