"""SearXNG, a search engine one can run oneself: its JSON format (Search API of its documentation).

``search.formats`` in its ``settings.yml`` must list ``json``, else it answers with status 403.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from ....background.queries import Hit, Query
from ....errors import SearchError
from .client import JsonClient
from .paging import addresses, hits_of
from .wording import worded

_MOST_PAGES = 10


class SearxNG:
    """Searches by an instance of SearXNG.

    Args:
        client: what fetches.
        base: address of the instance.
    """

    name = "SearXNG"
    exhaustive = False

    def __init__(self, client: JsonClient, base: str) -> None:
        self._client = client
        self._url = base.rstrip("/") + "/search"

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return up to ``count`` hits, the best first; see ``SearchBackend``."""
        return hits_of(self._pages(worded(query, 100, 2_000)), count)

    def _pages(self, words: str) -> Iterator[list[str]]:
        for number in range(1, _MOST_PAGES + 1):
            # By POST, so that the query is in no server's log of addresses.
            form = urlencode({"q": words, "format": "json", "pageno": number}).encode()
            answer = self._client.fetch(self._url, form=form)
            found = addresses(answer.get("results"), "url", self.name)
            silent = answer.get("unresponsive_engines") or ()
            if number == 1 and not found and silent:
                # Nothing found, and nobody looked: that is no answer.
                raise SearchError(f"{self.name}: {len(silent)} of its engines did not respond.")
            yield found
