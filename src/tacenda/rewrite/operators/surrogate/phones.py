"""Telephone numbers of ranges that are kept for fiction, of the countries that keep one.

| country | range | kept by |
|---|---|---|
| GB | 07700 900000-900999, 01632 960000-960999, 020 7946 0000-0999 | Ofcom |
| US, CA | 555-0100 to 555-0199 of any area | NANPA |
| FR | 01 99 00 00 00-99 99, 06 39 98 00 00-99 99 | ARCEP |
| DE | 030 23125 000-999, 0171 39200 00-99 | Bundesnetzagentur |
| AU | 02 5550 0000-0999, 0491 570 156-159 | ACMA |
| SE | 08-465 004 00-99, 070-174 06 05-34 | PTS |
"""

from __future__ import annotations

import random
import re

from .shapes import like

# Country code; the national number without its leading 0; how many digits at its end are free,
# and the first and last of them. A mobile number is one that begins with the first entry's digits.
_RANGES: dict[str, tuple[tuple[str, str, int, int, int], ...]] = {
    "44": (("7", "7700900", 3, 0, 999), ("2", "2079460", 3, 0, 999), ("", "1632960", 3, 0, 999)),
    "33": (("6", "639980", 3, 0, 999), ("7", "639980", 3, 0, 999), ("", "19900", 4, 0, 9999)),
    "49": (("1", "17139200", 2, 0, 99), ("", "3023125", 3, 0, 999)),
    "61": (("4", "491570", 3, 156, 159), ("", "255500", 3, 0, 999)),
    "46": (("7", "7017406", 2, 5, 34), ("", "846500", 3, 400, 499)),
}
_AREAS = ("202", "212", "305", "312", "404", "415", "503", "617", "702", "713")
_NORTH_AMERICAN = re.compile(r"(?:\+?1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]?[2-9]\d{2}[ .-]?\d{4}")
_EXTENSION = re.compile(r"\s?(?:x|ext\.?)\s?\d{1,5}$", re.IGNORECASE)
_HOME = "GB"


def phone(string: str, source: random.Random) -> str | None:
    """Return a number in the layout of ``string``; None of countries that keep none, or for none."""
    extension = _EXTENSION.search(string)
    if extension:
        made = phone(string[: extension.start()], source)
        tail = like(extension[0], source)
        return None if made is None else made + _only_digits(tail, extension[0])
    written = "".join(filter(str.isdigit, string))
    international = "+" in string or written.startswith("00")
    if _NORTH_AMERICAN.fullmatch(string.strip()):
        lead = written[:-10]
        return _filled(string, f"{lead}{source.choice(_AREAS)}55501{source.randrange(100):02}")
    if not _is_possible(string if "+" in string else written, international):
        return None
    if international:
        digits = written.removeprefix("00") if "+" not in string else written
        code = _country(digits)
        if code not in _RANGES:
            return None
        prefix = written[: written.index(code) + len(code)]
        trunk = "0" if written[len(prefix) :].startswith("0") else ""
        return _laid_out(string, prefix + trunk, written[len(prefix + trunk) :], code, source)
    if re.match(r"0[127]", written) and len(written) in (10, 11):
        return _laid_out(string, "0", written[1:], "44", source)
    return None


def _is_possible(number: str, international: bool) -> bool:
    """Tell whether a number is as long as those of its country, or of the United Kingdom, are."""
    import phonenumbers

    if international and not number.startswith("+"):
        number = "+" + number.removeprefix("00")
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, _HOME))
    except phonenumbers.NumberParseException:
        return False


def _country(digits: str) -> str:
    return next((code for code in _RANGES if digits.startswith(code)), "")


def _laid_out(string: str, prefix: str, national: str, code: str, source: random.Random) -> str:
    ranges = _RANGES[code]
    _, base, free, low, high = next(entry for entry in ranges if national.startswith(entry[0]))
    number = f"{prefix}{base}{source.randint(low, high):0{free}}"
    made = _filled(string, number)
    slots = sum(map(str.isdigit, string))
    return made.rstrip(" -./(") + number[slots:]


def _filled(string: str, digits: str) -> str:
    """Return ``string`` with its digits replaced, one by one."""
    rest = iter(digits)
    return "".join(next(rest, "") if sign.isdigit() else sign for sign in string)


def _only_digits(made: str, written: str) -> str:
    """Return ``written`` with the digits of ``made``: the word for extension stays."""
    return "".join(new if old.isdigit() else old for new, old in zip(made, written, strict=True))
