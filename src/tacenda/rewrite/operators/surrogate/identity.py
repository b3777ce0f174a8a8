"""Identity numbers: of a range that is never given out, where the scheme has one.

| scheme | range | kept by |
|---|---|---|
| US Social Security | areas 900 to 999, groups 01 to 49 (no taxpayer number either) | SSA, IRS |
| UK NHS | 999, with its check digit: for tests | NHS Digital |
| UK National Insurance | prefix QQ | HMRC |

A number of another scheme that has check digits is not made up: a right one may be somebody's.
"""

from __future__ import annotations

import random
import re

from stdnum.gb import nhs

from .shapes import filled, like

_SOCIAL_SECURITY = re.compile(r"[0-9]{3}([ -])[0-9]{2}\1[0-9]{4}")
_NATIONAL_INSURANCE = re.compile(r"[A-Z]{2}(?: ?[0-9]{2}){3} ?[A-D]")
_TRIES = 40
_NHS = re.compile(r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{4}")


def national(string: str, source: random.Random) -> str | None:
    """Return a number of the same scheme that nobody has; None where none is kept."""
    if _SOCIAL_SECURITY.fullmatch(string):
        area = f"9{source.randrange(100):02}{source.randrange(1, 50):02}"
        return filled(string, f"{area}{source.randrange(1, 10_000):04}")
    if _NATIONAL_INSURANCE.fullmatch(string):
        return "QQ" + like(string[2:-1], source) + string[-1]
    if _NHS.fullmatch(string) and nhs.is_valid(string):
        # A tenth of all bodies have no check digit.
        bodies = (f"999{source.randrange(1_000_000):06}" for _ in range(_TRIES))
        made = (f"{body}{check}" for body in bodies for check in range(10))
        number = next(filter(nhs.is_valid, made), None)
        return None if number is None else filled(string, number)
    return None


def coded(string: str, source: random.Random) -> str | None:
    """Return a number of the same form, of a national scheme where it is one of these."""
    return national(string, source) or like(string, source)
