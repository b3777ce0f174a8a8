"""Tell the number or date of a law from that of a case or an event.

The annotators of TAB leave ``Law no. 2935``, ``the 1991 Act`` and ``the Law of 6 June 1990``
alone nine times in ten: what everybody is subject to says nothing of a person.
"""

from __future__ import annotations

import re

from .context import before

_SINGULAR = (
    "Law Act Decree Decree-Law Code Ordinance Convention Regulation Directive Constitution Treaty "
    "Protocol Statute Rule Resolution Recommendation Circular Instruction Order Bill Amendment "
    "Covenant Charter"
).split()
_NAMES = (*_SINGULAR, *(f"{name}s" for name in _SINGULAR), "law", "decree", "laws")
_NAME = "(?:" + "|".join(_NAMES) + ")"

_NUMBERED = before(
    rf"\b(?:{_NAME}|Articles?|[Ss]ections?|[Pp]aragraphs?|[Ss]chedules?|Series|Gazette|OJ"
    r"|Instrument|Bulletin|ETS|CETS|[Vv]olume|[Pp]ages?|[Ii]ssues?)"
    r"(?:\s[A-Z]{1,3})?,?\s?\(?(?:[Nn]os?\.?|[Nn]umbers?)?\s?(?:\([A-Z]{2,4}\)\s)?"
    r"(?:[Nn]o\.?\s?)?(?:[A-Z]{1,2}\s)?"
)
_DATED = before(
    rf"\b{_NAME}(?:,?\s\(?(?:[Nn]o\.?|[Nn]umber)\s?[\w/-]{{1,12}}\)?)?,?\s(?:of|from|dated)\s"
    rf"|\b{_NAME}\s",
    endings=(" of", " from", " dated", *_NAMES),
)
_NAMED_AFTER = re.compile(rf"\s(?:\(?[A-Z][\w'’-]{{1,20}}\)?\s){{0,3}}{_NAME}\b")
# The day on which the Convention's system changed for everybody.
_IN_FORCE_AFTER = re.compile(r",?\s(?:when|the\sdate\s(?:on|of)\s\w{2,5})\s(?:the\s)?Protocol\b")


def numbers_statute(text: str, start: int) -> bool:
    """Tell whether the number at ``start`` is that of a law, an article or a page."""
    return _NUMBERED.match(text, start) is not None


def dates_statute(text: str, start: int, end: int) -> bool:
    """Tell whether the date ``[start, end)`` is part of the name of a law."""
    return (
        _NAMED_AFTER.match(text, end) is not None
        or _IN_FORCE_AFTER.match(text, end) is not None
        or _DATED.match(text, start) is not None
    )
