"""Numbers of bank accounts (ISO 13616) and payment cards, recognized by length, issuer and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...shipped import by_word, shipped_patterns, shipped_table
from .base import Hit

_PATTERNS = shipped_patterns("pattern_forms", "bank_numbers")

_START = re.compile(r"[A-Z](?<!\w.)[A-Z][0-9]{2}(?=[ -]?[A-Z0-9]{2})")
_LENGTH = {
    country: int(length) for country, length in by_word(shipped_table("iban_lengths")).items()
}
"""Length by country."""


def find_ibans(text: str) -> Iterator[Hit]:
    """Yield account numbers in capitals with valid check digits (kind ``iban``)."""
    for match in _START.finditer(text):
        length = _LENGTH.get(match[0][:2])
        if length is None:
            continue
        end, number = _take(text, match.start(), length)
        if len(number) == length and _has_iban_checksum(number):
            yield Hit(match.start(), end, "iban")


def _take(text: str, start: int, length: int) -> tuple[int, str]:
    """Take ``length`` capitals and digits from ``start``, with single spaces or hyphens between them."""
    characters: list[str] = []
    position = start
    while position < len(text) and len(characters) < length:
        character = text[position]
        if "A" <= character <= "Z" or "0" <= character <= "9":
            characters.append(character)
        elif character not in " -" or text[position - 1] in " -":
            break
        position += 1
    if position < len(text) and text[position].isalnum():
        return position, ""
    return position, "".join(characters)


def _has_iban_checksum(number: str) -> bool:
    """Return whether the number is 1 modulo 97 after moving its first four characters to the end (ISO 7064)."""
    return int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1


# Payment card numbers: issuer, length and Luhn check digit.


_CARD = _PATTERNS["card"]
_ISSUERS = _PATTERNS["issuers"]


def find_cards(text: str) -> Iterator[Hit]:
    """Yield payment card numbers (kind ``card``), unbroken or in the groups printed on cards."""
    for match in _CARD.finditer(text):
        digits = match[0].replace(" ", "").replace("-", "")
        if _ISSUERS.fullmatch(digits) and passes_luhn(digits):
            yield Hit(match.start(), match.end(), "card")


def passes_luhn(digits: str) -> bool:
    """Return whether the last digit is the check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) << (place & 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
