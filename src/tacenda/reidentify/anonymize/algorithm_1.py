"""Algorithm 1 of Morris et al. (2022) as printed, for comparison with tacenda's own search.

Words are masked one at a time, always the word whose removal makes the person least probable to the
guide, until the person isn't among the guide's K most probable. Every occurrence of a word is
separate, all words cost the same, none is shown again, and at least one is masked. Stop words stay
(section 6). Appendix B describes a beam search variant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ...policy import Policy
from ..attackers.base import TIE, Attacker
from ..attackers.lexical import AdditiveAttacker
from ..panel import Panel, family_of
from ..tokens import STOP_WORDS, TokenizedDocument, read_words
from .anonymize import Anonymized, attack_results, check_k
from .linked_units import named_words
from .objective import AdditiveObjective, BlackBoxObjective, MaskingObjective
from .options import information_kept, write
from .search import beam
from .units import MaskUnit, mask_of

_ENCODER = "encoder"
"""Family of the paper's guide."""


def anonymize_by_algorithm_1(
    document: TokenizedDocument,
    person: int,
    attackers: Sequence[Attacker],
    k: int,
    *,
    name: str = "",
    width: int = 1,
) -> Anonymized:
    """Return the document with the mask of Algorithm 1, judged by all attackers.

    An encoder is the guide, as in the paper, or the first attacker if there is no encoder; the
    others only judge.

    Args:
        document: the document.
        person: index of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        name: the person's name; if part of it is left, the person isn't hidden.
        width: beam width; 1 is Algorithm 1.

    Raises:
        InputError: if there are too few people to hide among.
    """
    guide = next((each for each in attackers if family_of(each) == _ENCODER), attackers[0])
    panel = Panel((guide,), tuple(each for each in attackers if each is not guide))
    (mask,) = masks(document, person, guide, [k], width=width)
    text, replacements = write(document, mask, Policy())
    words = read_words(Document(document.document.id, text))
    results = attack_results(panel, words, person)
    return Anonymized(
        reached=min(result.rank for result in results) > k and not named_words(words, name),
        text=text,
        replacements=replacements,
        mask=mask,
        kept=information_kept(document, single_words(document), mask),
        attack_results=results,
    )


def masks(
    document: TokenizedDocument, person: int, guide: Attacker, ks: Sequence[int], *, width: int = 1
) -> list[NDArray[np.bool_]]:
    """Return the mask for each K, bool [words]; it covers all words except stop words if nothing less hides the person.

    Raises:
        InputError: if there are too few people to hide among.
    """
    check_k(max(ks), guide.n_people)
    units = single_words(document)
    # Computed exactly: the faster objective for encoders only looks at some words and the likeliest
    # rivals.
    objective: MaskingObjective = (
        AdditiveObjective(guide, document, person, units)
        if isinstance(guide, AdditiveAttacker)
        else BlackBoxObjective(guide, document, person, units)
    )
    orders = (
        _orders(objective, len(units), ks)
        if width == 1
        else [beam(objective, len(units), k, width, least=1) for k in ks]
    )
    return [mask_of(units, order, len(document)) for order in orders]


def single_words(document: TokenizedDocument) -> tuple[MaskUnit, ...]:
    """Return one unit per occurrence of a word, except stop words."""
    return tuple(
        MaskUnit((place,)) for place, key in enumerate(document.keys) if key not in STOP_WORDS
    )


def _orders(
    objective: MaskingObjective, n_units: int, ks: Sequence[int]
) -> Sequence[Sequence[int]]:
    """Return the units masked for each K, which share one order."""
    rest, order = list(range(n_units)), list[int]()
    orders: dict[int, list[int]] = {}
    while rest and len(orders) < len(set(ks)):
        log_odds = objective.log_odds_after(rest)
        unit = rest.pop(int(np.argmax(log_odds <= log_odds.min() + TIE)))
        objective.mask(unit)
        order.append(unit)
        for k in ks:
            if k not in orders and objective.hides(k):
                orders[k] = list(order)
    return [orders.get(k, order) for k in ks]
