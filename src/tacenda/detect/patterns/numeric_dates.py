"""Dates in digits: ``12.03.1994``, ``3/12/2004``, ``1994-03-12``, with a time of day or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit
from .statutes import dates_statute, numbers_statute

_TIME = (
    r"(?:(?:T|,?\s)[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
    r"(?:\s?Z|\s?[+-][0-9]{2}:?[0-9]{2})?(?!\w))?"
)
_DATE = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,/:-][0-9])(?:"
    r"[0-9]?(?P<sep>[./-])\s?(?P<middle>[0-9]{1,2})(?P=sep)\s?(?P<last>[12][0-9]{3}|[0-9]{2})"
    r"|[0-9]{3}(?P<iso>[./-])(?P<month>[0-9]{2})(?P=iso)(?P<day>[0-9]{2}))"
    rf"(?![0-9]|[A-SU-Za-z]|[./-][0-9]){_TIME}"
)


def find_numeric_dates(text: str) -> Iterator[Hit]:
    """Yield dates in digits that are possible in one order of day, month and year at least."""
    for match in _DATE.finditer(text):
        start, end = match.span()
        if match["iso"] is not None:
            year = int(match[0][:4])
            possible = 1000 <= year <= 2999 and 1 <= int(match["month"]) <= 12
            possible = possible and 1 <= int(match["day"]) <= 31
        else:
            one = int(match[0][: match.start("sep") - start])
            two = int(match["middle"])
            possible = 1 <= min(one, two) <= 12 and max(one, two) <= 31
            # Two-digit years look like section numbers: 1.2.33 is one, 01.02.33 is a date.
            if len(match["last"]) == 2:
                possible = possible and end - start >= 7 and not numbers_statute(text, start)
        if possible:
            yield Hit(start, end, "statute_date" if dates_statute(text, start, end) else "date")
