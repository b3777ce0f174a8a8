"""Telephone numbers: candidates of bounded length, found by form and judged by phonenumbers' tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .base import Hit, before

DEFAULT_REGIONS = (
    "GB", "US", "DE", "FR", "IT", "ES", "NL", "BE", "AT", "CH", "IE", "PL", "SE", "NO", "DK",
    "FI", "PT", "GR", "CZ", "TR",
)  # fmt: skip
"""Regions whose national numbers are recognised; international ones always are."""

_MARKS = r"[ ./()-]"
_CANDIDATE = re.compile(
    r"[+(0-9](?<![\w+./,#§-].)(?:(?<=\()\+?[0-9]|(?<=\+)[0-9]|(?<=[0-9]))"
    rf"(?:{_MARKS}{{0,3}}[0-9]){{5,14}}(?![0-9]|[/.,:-][0-9])(?:\s?(?:x|ext\.?)\s?[0-9]{{1,5}})?(?!\w)"
)
_ANNOUNCED = before(
    r"\b(?:[Tt]el(?:ephone|efon)?|TEL|[Pp]hone|PHONE|[Mm]obile|[Mm]ob|[Cc]ell(?:phone)?|[Ff]ax|FAX"
    r"|[Cc]all|[Dd]ial|[Tt]ext|[Ww]hats[Aa]pp|[Ss]MS|[Hh]otline|[Ee]xt(?:ension)?|[Rr]ing)\b"
    r"(?:\s(?:me|us|him|her))?(?:\s(?:on|at))?\.?(?:\s?\(?(?:home|work|mobile|office|direct|[Nn]o|[Nn]umber|[Nn]r|[MmHhWwOo])\b\.?\)?)?"
    r"(?:\s(?:is|was|number))?\s?[:=]?\s?"
)
# Internal numbers: a pager's without its word, an extension's with its word unless a colon
# separates them.
_SHORT_NUMBER = re.compile(
    r"\b(?:(?i:bleep(?:ed)?|pager|paged|pgr|dect)(?:\s(?i:no\.?|number|on|is|nr\.?))?\s?[:#]?\s?(?P<pager>#?[0-9]{2,6})"
    r"|(?P<extension>(?i:ext(?:ension|n)?\b\.?|x)\s?#?[0-9]{3,6})|(?i:ext(?:ension|n)?)\s?:\s?(?P<number>[0-9]{2,6}))(?![\w]|[.,/-][0-9])"
)
# Groups as people write them: no lone digits except a leading 0 or 1, and at most six groups.
_GROUPS = re.compile(r"[0-9]+")
_NORTH_AMERICAN = re.compile(
    r"(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"
)


class PhoneFinder:
    """Finds telephone numbers (kind ``phone``).

    A number follows a word such as ``tel.``; or it is international (``+`` or ``00``) and has a
    valid length for its country; or it is written in North American groups or starts with 0, and is
    valid in one of the regions.

    Args:
        regions: uppercase ISO 3166 codes of the regions whose national numbers count.
    """

    def __init__(self, regions: Sequence[str] = DEFAULT_REGIONS) -> None:
        self.regions = tuple(regions)

    def __call__(self, text: str) -> Iterator[Hit]:
        """Yield the numbers in ``text``."""
        for match in _CANDIDATE.finditer(text):
            number = match[0]
            groups = _GROUPS.findall(number)
            if len(groups) > 6 or sum(map(len, groups)) < 6:
                continue
            if self._is_phone(text, match.start(), number, groups):
                # A bracket that is closed after the number belongs to the sentence.
                is_open = number.startswith("(") and ")" not in number
                yield Hit(match.start() + is_open, match.end(), "phone")
        for match in _SHORT_NUMBER.finditer(text):
            yield Hit(*match.span(match.lastgroup or 0), "phone")

    def _is_phone(self, text: str, start: int, number: str, groups: list[str]) -> bool:
        digits = "".join(groups)
        if _ANNOUNCED.match(text, start) is not None:
            return True
        if "+" in number:
            return _is_possible(number)
        if digits.startswith("00"):
            return _is_possible("+" + digits[2:])
        if _NORTH_AMERICAN.fullmatch(number):
            return any(_is_valid(digits, region) for region in self.regions if region in _NANP)
        if digits[0] != "0" or len(digits) < 9 or "/" in number or min(map(len, groups)) < 2:
            return False
        return any(_is_valid(digits, region) for region in self.regions if region not in _NO_TRUNK)


_NANP = frozenset({"US", "CA", "PR", "JM", "TT", "BS", "BB", "DO"})
_NO_TRUNK = _NANP | {"ES", "PT", "PL", "NO", "DK", "CZ", "GR", "EE", "LV", "LU", "MT", "CY", "IS"}


# The tables are loaded with the first candidate, since most texts have none and loading takes a
# while.


def _is_valid(number: str, region: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False


def _is_possible(number: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, None))
    except phonenumbers.NumberParseException:
        return False
