"""International bank account numbers (ISO 13616), by country length and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_START = re.compile(r"[A-Z](?<!\w.)[A-Z][0-9]{2}(?=[ -]?[A-Z0-9]{2})")
# Length by country, from the registry of SWIFT.
_LENGTHS = {
    length: countries.split()
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM TL",
        24: "AD CZ DZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
}
_LENGTH = {country: length for length, countries in _LENGTHS.items() for country in countries}


def find_ibans(text: str) -> Iterator[Hit]:
    """Yield account numbers with right check digits (kind ``iban``), in capitals."""
    for match in _START.finditer(text):
        length = _LENGTH.get(match[0][:2])
        if length is None:
            continue
        end, written = _take(text, match.start(), length)
        if len(written) == length and _is_valid(written):
            yield Hit(match.start(), end, "iban")


def _take(text: str, start: int, length: int) -> tuple[int, str]:
    """Take ``length`` capitals and digits from ``start``, single spaces or hyphens between."""
    taken: list[str] = []
    position = start
    while position < len(text) and len(taken) < length:
        character = text[position]
        if "A" <= character <= "Z" or "0" <= character <= "9":
            taken.append(character)
        elif character not in " -" or text[position - 1] in " -":
            break
        position += 1
    if position < len(text) and text[position].isalnum():
        return position, ""
    return position, "".join(taken)


def _is_valid(written: str) -> bool:
    """Tell whether the number is 1 modulo 97 with its first four characters last (ISO 7064)."""
    return int("".join(str(int(c, 36)) for c in written[4:] + written[:4])) % 97 == 1
