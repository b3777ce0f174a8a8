"""Numbers of payment cards: issuer, length and Luhn's check digit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_CARD = re.compile(
    r"[2-6](?<![\w][2-6])(?<![0-9][.,/-][2-6])(?:"
    r"[0-9]{11,18}"
    r"|[0-9]{3}(?P<four>[ -])[0-9]{4}(?P=four)[0-9]{4}(?P=four)[0-9]{1,4}(?:(?P=four)[0-9]{3})?"
    r"|[0-9]{3}(?P<six>[ -])[0-9]{6}(?P=six)[0-9]{4,5})(?![\w]|[.,-][0-9])"
)
_ISSUERS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})"  # Visa
    r"|(?:5[1-5]|2[2-7])[0-9]{14}"  # Mastercard
    r"|3[47][0-9]{13}"  # American Express
    r"|3(?:0[0-59]|[689][0-9])[0-9]{11,13}"  # Diners Club
    r"|35[0-9]{14}"  # JCB
    r"|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"  # Discover
    r"|62[0-9]{14,17}"  # UnionPay
    r"|(?:50|5[6-9]|6[0-9])[0-9]{10,17}"  # Maestro
)


def find_cards(text: str) -> Iterator[Hit]:
    """Yield numbers of payment cards (kind ``card``), solid or in the groups printed on them."""
    for match in _CARD.finditer(text):
        digits = match[0].replace(" ", "").replace("-", "")
        if _ISSUERS.fullmatch(digits) and passes_luhn(digits):
            yield Hit(match.start(), match.end(), "card")


def passes_luhn(digits: str) -> bool:
    """Tell whether the last digit is the check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) << (place & 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
