"""Word lists of the corpora project (dariusk/corpora): JSON, as lists or as trees of words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tacenda.errors import InputError

# Keys under which a list says something about itself.
_NOTES = frozenset(("description", "source", "sources", "url", "license", "symbol", "credits"))


def load_list(path: Path) -> Any:
    """Return the content of a list.

    Raises:
        InputError: if it is missing or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as a JSON list of words ({error}).", str(path)) from error


def words_of(content: Any, headings: bool = False) -> Iterator[str]:
    """Yield the words of a list in their order, without its notes.

    Args:
        content: of the list, or a part of it.
        headings: whether keys with further words below them are words, too.
    """
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for item in content:
            yield from words_of(item, headings)
    elif isinstance(content, dict):
        for key, item in content.items():
            if key not in _NOTES:
                if headings:
                    yield key
                yield from words_of(item, headings)
