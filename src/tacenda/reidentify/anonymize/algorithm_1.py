"""Algorithm 1 of Morris et al. (2022) as it is printed, for comparison with the search of this project.

One word after the other is masked, each time the one without which the guide gives the person the lowest probability,
until the person is not among its K most probable. Each occurrence of a word stands by itself, no word is dearer than
another, none is shown again, and at least one is masked. Stop words stay (section 6). Appendix B has a beam of the same.
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

    An encoder guides as in the paper, or the first attacker if there is none; the others only judge.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        name: the person's; with a part of it left, the person isn't hidden.
        width: of the beam; 1 is Algorithm 1.

    Raises:
        InputError: if no one can hide among so few people.
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
    """Return the mask for each K, bool [words] each; all words but stop words where nothing less hides the person.

    Raises:
        InputError: if no one can hide among so few people.
    """
    check_k(max(ks), guide.n_people)
    units = single_words(document)
    # Exactly: the faster objective of an encoder looks at some words only, and at the likeliest rivals.
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
    """Return a unit for each occurrence of a word but stop words."""
    return tuple(
        MaskUnit((place,)) for place, key in enumerate(document.keys) if key not in STOP_WORDS
    )


def _orders(
    objective: MaskingObjective, n_units: int, ks: Sequence[int]
) -> Sequence[Sequence[int]]:
    """The units that are masked for each K; which comes next doesn't depend on it."""
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
