"""A threshold that minds the price: what costs many words must be riskier to be masked.

To hide one more entity is worth the same whichever it is; what is lost needlessly grows with its
words. The cheapest set of edits that leaves a given number of entities therefore masks from odds
on that grow with the words (the Lagrangian of the program in ``bound.py``, at one exchange rate
for all documents). Whole proportion trusts the probabilities too much, so the policy's ``economy``
is an exponent: 0 is one threshold for all, 1 is proportion.
"""

from __future__ import annotations

import re
from math import nextafter

from ..document import Document, Entity
from .bound import LIKELY

TYPICAL = 3
"""Words at which the threshold is the policy's own."""

_BELOW_LIKELY = nextafter(LIKELY, 0.0)
_WORD = re.compile(r"\w+")


def words_in(text: str) -> int:
    """Return how many words, numbers and dates' parts a text has."""
    return len(_WORD.findall(text))


def words_of(document: Document, entity: Entity) -> int:
    """Return how many words of the text all mentions of the entity have."""
    return sum(words_in(mention.span.of(document.text)) for mention in entity.mentions)


def highest_asking(risk: float, words: int, economy: float) -> float:
    """Highest threshold at which an entity of this risk is masked, the inverse of ``asked``.

    Args:
        risk: in [0, 1].
        words: of all mentions.
        economy: the exponent, in [0, 1].
    """
    if risk >= LIKELY:
        return risk
    odds = risk / (1 - risk)
    price: float = (max(1, words) / TYPICAL) ** economy
    # From one half on a threshold is meant literally.
    return min(odds / (price + odds), _BELOW_LIKELY)


def asked(threshold: float, words: int, economy: float) -> float:
    """Return the risk from which an entity is masked, in [0, 1].

    What is more likely than not to need masking is never spared for its price: the result is above
    that only if ``threshold`` is.

    Args:
        threshold: of the policy.
        words: of all mentions.
        economy: the exponent, in [0, 1].
    """
    if threshold >= LIKELY:
        return threshold
    price: float = (max(1, words) / TYPICAL) ** economy
    odds = price * threshold / (1 - threshold)
    return min(LIKELY, odds / (1 + odds))
