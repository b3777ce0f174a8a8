"""QUANTITY: a bin around the amount, its unit, ``X`` (Olstad et al., section 3.1, and bins).

| original | options |
|---|---|
| ``23 €`` | between 10 and 50 € · between 10 and 100 € · X € |
| ``$1,654,120`` | between $1,000,000 and $5,000,000 · between $1,000,000 and $10,000,000 · $X |
| ``45 %`` | between 25 and 50 % · X % |
| ``more than 90 books`` | X books: a bin would not be true |
| ``sixth``, ``2/3``, ``15 x 10 mm`` | X, X, X mm |
"""

from __future__ import annotations

import re

from ...document import Document, Entity, Option
from .ages import age_candidates
from .amounts import Amount, parse_amount
from .bins import COARSE, FINE, around, share
from .candidate import Candidate
from .date_parsing import parse_month
from .durations import duration_candidates
from .finishing import finish, strings

AMOUNTS = 1e12
"""Scope of amounts: cents up to ten thousand million."""

_PERCENT = re.compile(r"\s?(?:%|per\s?cent\b)")
_MONEY = re.compile(r"[€£¥₺₽₹₴₪₩฿$]")


class Quantity:
    """Writes amounts as bins with their unit; ages and spans of time as those."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return bins, ``X`` with its unit, and ``***``."""
        originals = strings(document, entity)
        special = age_candidates(document, entity) or duration_candidates(document, entity)
        amounts = amount_candidates(originals)
        # Of an age only the unit is left to say, and not a bin of numbers as well.
        return finish(document, entity, [*special, amounts[-1]] if special else amounts)


def amount_candidates(originals: tuple[str, ...]) -> list[Candidate]:
    """Return what may be written instead of all of ``originals``, forms of one amount."""
    amounts = {parse_amount(original) for original in originals}
    first = parse_amount(originals[0])
    candidates = _bins(first) if len(amounts) == 1 else []
    if parse_month(first.after) is not None:  # a date that its detector took for an amount
        return [Candidate("X", "rule:unit", AMOUNTS, AMOUNTS)]
    return [*candidates, Candidate(f"{first.before}X{first.after}", "rule:unit", AMOUNTS, AMOUNTS)]


def _bins(amount: Amount) -> list[Candidate]:
    if amount.low is None:
        return []
    percent = _PERCENT.fullmatch(amount.after) is not None
    if percent:
        found = [("rule:share", share(amount.low, amount.high))]
    else:
        found = [
            ("rule:bin", around(amount.low, amount.high, FINE)),
            ("rule:magnitude", around(amount.low, amount.high, COARSE)),
        ]
    money = bool(amount.before) or _MONEY.search(amount.after) is not None
    grain = 0.1 if percent else 0.01 if money or amount.low != int(amount.low) else 1.0
    return [
        Candidate(
            bin.between(amount.before, amount.scale, amount.after),
            source,
            (bin.high - bin.low) * amount.factor / grain,
            AMOUNTS,
        )
        for source, bin in found
        if bin is not None
    ]
