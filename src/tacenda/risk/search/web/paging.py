"""Pages of results to one list of hits, as all engines do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ....background.queries import Hit
from ....errors import SearchError
from .addresses import same_page


def hits_of(pages: Iterable[Sequence[str]], count: int) -> list[Hit]:
    """Return up to ``count`` hits; a page is fetched only where those before were too few.

    Args:
        pages: the addresses of each page of results, in order; an empty one is the last.
        count: how many.
    """
    found: dict[str, None] = {}
    for page in pages:
        before = len(found)
        found.update(dict.fromkeys(map(same_page, page)))
        # Some engines repeat their last page for ever.
        if len(found) >= count or len(found) == before:
            break
    return [Hit(address, 1 / rank) for rank, address in enumerate(list(found)[:count], 1)]


def addresses(results: Any, field: str, engine: str) -> list[str]:
    """Return ``field`` of each result.

    Raises:
        SearchError: if the results are not of that form.
    """
    if not isinstance(results, list):
        raise SearchError(f"{engine}: the results are no list; its format may have changed.")
    found: list[str] = []
    for result in results:
        address = result.get(field) if isinstance(result, dict) else None
        if not isinstance(address, str):
            raise SearchError(f"{engine}: a result has no {field!r}; its format may have changed.")
        found.append(address)
    return found
