"""Times of day: ``10.30 a.m.``, ``14:30``, ``14h30``, ``at 9.15``, ``noon``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_HALF_DAY = r"(?:a\.m\.?|p\.m\.?|am\b|pm\b|AM\b|PM\b|noon\b|midnight\b|o['’]clock\b)"
_TIME = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,/:-][0-9])(?:"
    rf"[0-9]?(?:[.:][0-9]{{2}}){{0,2}}\s?{_HALF_DAY}"
    r"|(?:(?<=[01])[0-9]|(?<=2)[0-3])?(?::[0-5][0-9]){1,2}(?![\w:]|[.,-][0-9])(?:\s?(?:hours|hrs|h)\b)?"
    r"|(?:(?<=[01])[0-9]|(?<=2)[0-3])?h[0-5][0-9](?!\w)"
    r"|[0-9]{3}\s(?:hours|hrs)\b"
    r"|(?<=[Aa]t\s[0-9])(?:(?<=[01])[0-9]|(?<=2)[0-3])?\.[0-5][0-9](?![\w%]|[.,][0-9])"
    r")"
)
_WORDS = ("noon", "midnight", "midday")


def find_times(text: str) -> Iterator[Hit]:
    """Yield times of day (kind ``time``)."""
    for match in _TIME.finditer(text):
        yield Hit(match.start(), match.end(), "time")
    for word in _WORDS:
        start = text.find(word)
        while start >= 0:
            end = start + len(word)
            if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                yield Hit(start, end, "time")
            start = text.find(word, end)
