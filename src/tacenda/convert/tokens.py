"""Tokens for formats that annotate tokens instead of characters: words and other characters.

A word is a run of letters, digits, underscores and combining marks; every other character that is
no white space is a token of its own. White space belongs to none.
"""

from __future__ import annotations

import re
import unicodedata

from ..document import Span

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(text: str) -> tuple[Span, ...]:
    """Return the tokens of a text, in order and disjoint."""
    if not text.isascii():
        # Marks are no letters to the pattern; in their place stands one, offsets stay.
        marks = {ord(c): "x" for c in set(text) if unicodedata.category(c)[0] == "M"}
        text = text.translate(marks)
    return tuple(Span(*found.span()) for found in _TOKEN.finditer(text))
