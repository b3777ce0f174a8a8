"""Amounts of money: ``EUR 3,000``, ``€23``, ``3,000 euros (EUR)``, ``two million dollars``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.word_lists import ordered_words, word_list_of
from .base import Hit, alternation, before

# Names of currencies: ISO 4217 codes (including those of past decades), symbols and words.


CODES = word_list_of("amounts_codes")
"""Codes of three capitals."""

SIGNS = "€£¥₺₽₹₴₪₩฿$"
"""Signs of one character; before an amount or after it."""

ABBREVIATIONS = ("zł", "kr", "Kč", "Fr", "Rs")
"""Short forms before an amount."""

WORDS = word_list_of("amounts_currency_words")
"""Words that stand after an amount."""


# English number words, as one alternation for patterns that count something.


_WORDS = ordered_words("amounts_number_words")

NUMBER_WORDS = "|".join(
    sorted([*_WORDS, *(word.capitalize() for word in _WORDS)], key=len, reverse=True)
)
"""``one`` to ``ninety``, small or capitalised; for use inside a group."""

SCALES = r"hundred|thousand|million|billion|trillion"
"""Multipliers of a number; for use inside a group."""


# Atomic, so that no number is matched again in a shorter form.
_MORE_DIGITS = (
    r"(?>[0-9]{0,2}(?:(?:[,.'’]|\s)[0-9]{3,4}(?![0-9])){1,6}(?:[.,][0-9]{1,2}(?![0-9]))?"
    r"|[0-9]{0,14}(?:[.,][0-9]{1,3}(?![0-9]))?)"
)
_SCALE = (
    rf"(?:(?:[\s-](?:{SCALES})(?![a-z])){{1,2}}"
    r"|\s?(?:m|bn|k|M|K|mln|mio)(?![A-Za-z0-9]))?"
)
_AMOUNT = rf"\s?[0-9]{_MORE_DIGITS}{_SCALE}(?:[,.]-)?(?!\w)"
_CODE_FIRST = re.compile(rf"[A-Z](?<!\w.)(?P<rest>[A-Z]{{2}}){_AMOUNT}")
_SIGN_FIRST = re.compile(rf"[{SIGNS}]{_AMOUNT}")
_ABBREVIATION_FIRST = re.compile(rf"{alternation(ABBREVIATIONS)}\.?{_AMOUNT}")
_COUNTRY = re.compile(r"(?:US|CA|AU|HK|NZ|[ACSR])\Z")
_NUMBER_FIRST = re.compile(
    rf"[0-9](?<!\w[0-9])(?<![0-9][.,'’][0-9]){_MORE_DIGITS}{_SCALE}"
    rf"(?:(?P<sign>\s?[{SIGNS}])|[\s-](?P<first>[^\W\d_]{{2,11}})\b(?:\s(?P<second>[^\W\d_]{{2,11}})\b(?:\s(?P<third>[^\W\d_]{{2,11}})\b)?)?)"
)
_AFTER_NAME = re.compile(r"(?:\ssterling)?(?:\s?\([A-Z]{3}(?:\)|(?=\s)))?")
_WORD = re.compile(r"\s" + alternation(word for word in WORDS if len(word) > 2) + r"(?![A-Za-z])")
_SPELLED = before(
    rf"(?<![\w-])(?:{NUMBER_WORDS}|{SCALES}|(?:a|several)\s(?:{SCALES}))"
    rf"(?:(?:\s|-|\sand\s)(?:{NUMBER_WORDS}|{SCALES})){{0,8}}\s(?:[A-Z][a-z]{{2,11}}\s)?"
)
_RATIO = re.compile(r"INR\s?[0-9]{1,2}\.[0-9]")
"""A value of blood (international normalized ratio), no rupees."""
_CURRENCIES = WORDS | CODES


def find_money(text: str) -> Iterator[Hit]:
    """Yield amounts with a currency, in digits or in words (kind ``money``)."""
    for match in _CODE_FIRST.finditer(text):
        if match[0][:3] in CODES and not _RATIO.fullmatch(match[0]):
            yield Hit(match.start(), match.end(), "money")
    for match in _SIGN_FIRST.finditer(text):
        country = _COUNTRY.search(text, max(0, match.start() - 2), match.start())
        yield Hit(country.start() if country else match.start(), match.end(), "money")
    for match in _ABBREVIATION_FIRST.finditer(text):
        if not (match.start() and text[match.start() - 1].isalnum()):
            yield Hit(match.start(), match.end(), "money")
    for match in _NUMBER_FIRST.finditer(text):
        end = _end_of_currency(match)
        if end >= 0:
            yield Hit(match.start(), _end_of_name(text, end), "money")
    for match in _WORD.finditer(text):
        number = _SPELLED.match(text, match.start() + 1)
        if number is not None:
            yield Hit(number.start(), _end_of_name(text, match.end()), "money")


def _end_of_currency(match: re.Match[str]) -> int:
    """Return where the currency after the number ends; -1 if there is none."""
    if match["sign"] is not None:
        return match.end("sign")
    first = match["first"]
    if first in _CURRENCIES:
        return match.end("first")
    # 3,000 Turkish liras; 500 old zlotys; 1,579 New Turkish liras.
    if first[0].isupper() or first in {"old", "new"}:
        if match["second"] in _CURRENCIES:
            return match.end("second")
        if match["third"] in _CURRENCIES:
            return match.end("third")
    return -1


def _end_of_name(text: str, end: int) -> int:
    """Return the end of ``sterling`` or of a bracketed code after a currency's name."""
    match = _AFTER_NAME.match(text, end)
    return end if match is None else match.end()
