"""A query as search engines read it: phrases in quotes, OR between the strings of a part."""

from __future__ import annotations

from ....background.queries import Query
from ....errors import SearchError


def worded(query: Query, most_words: int, most_characters: int) -> str:
    """Return the query within an engine's limits; with one string a part if it is too long.

    Raises:
        SearchError: if it is too long even so.
    """
    full = " ".join(_group(part) for part in query.parts)
    short = " ".join(_quoted(part[0]) for part in query.parts)
    for text in (full, short):
        if len(text.split()) <= most_words and len(text) <= most_characters:
            return text
    raise SearchError(
        f"the query has {len(short.split())} words and {len(short)} characters, more than the "
        f"{most_words} and {most_characters} that the engine takes."
    )


def _group(part: tuple[str, ...]) -> str:
    phrases = " OR ".join(map(_quoted, part))
    return f"({phrases})" if len(part) > 1 else phrases


def _quoted(string: str) -> str:
    return '"' + " ".join(string.replace('"', " ").split()) + '"'
