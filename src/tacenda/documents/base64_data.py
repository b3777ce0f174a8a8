"""Files within strings: what stands there in base64 is no text, though its characters are letters."""

from __future__ import annotations

import re

_SHORTEST = 200
"""Characters from which on letters and digits without a blank are a file, not a code."""
_URI = re.compile(r"data:[^\s,]{0,200};\s*base64\s*,\s*[A-Za-z0-9+/_%-]{16}", re.IGNORECASE)
_LINES = re.compile(r"\s*+(?:[A-Za-z0-9+/_-]{40,}+\s*+)++(?:[A-Za-z0-9+/_-]*+={0,2}\s*+)")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[A-Za-z]")


def holds_base64(text: str) -> bool:
    """Return whether a string is a file in base64 or hexadecimal, or has one in a ``data:`` address."""
    if "base64" in text.lower() and _URI.search(text):
        return True
    return (
        len(text) >= _SHORTEST
        and _LINES.fullmatch(text) is not None
        and _DIGIT.search(text) is not None
        and _LETTER.search(text) is not None
    )
