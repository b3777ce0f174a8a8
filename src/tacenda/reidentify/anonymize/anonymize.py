"""K-anonymous documents: masked until no attacker has the person among its first K."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...document import Span
from ...errors import InputError
from ..attackers.base import Attacker, Ranking
from ..attackers.encoder import BiEncoder, JointAttacker
from ..attackers.lexical import AdditiveAttacker
from ..tokens import TokenizedDocument
from .objective import AdditiveObjective, BlackBoxObjective, EncoderObjective, EnsembleObjective
from .search import beam, greedy, shrink
from .units import MaskUnit, mask_of, masked_spans, word_units

_LOOKS_LIKE = 5


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What an attacker thinks of a masked document.

    Attributes:
        attacker: its name.
        rank: of the right person, from 1.
        probability: of the right person.
        looks_like: (person, probability) of the most probable people, the best first.
    """

    attacker: str
    rank: int
    probability: float
    looks_like: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Anonymized:
    """A mask and its effect on attackers.

    Attributes:
        reached: whether no attacker has the person among its first K.
        spans: the spans to suppress, neighbours joined, in order.
        mask: whether each word is masked, [words].
        words_masked: number of masked words.
        attack_results: one an attacker.
    """

    reached: bool
    spans: tuple[Span, ...]
    mask: NDArray[np.bool_]
    words_masked: int
    attack_results: tuple[AttackResult, ...]


def anonymize(
    document: TokenizedDocument,
    person: int,
    attackers: Sequence[Attacker],
    k: int,
    *,
    units: Sequence[MaskUnit] | None = None,
    width: int = 1,
    lazy: bool = True,
) -> Anonymized:
    """Return a small mask that keeps the person from the first K of every attacker.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        units: sets of words to mask together; distinct words but stop words if None.
        width: of the beam; 1 is greedy search.
        lazy: see ``search.greedy``.

    Raises:
        InputError: if nobody can hide among so few people.
    """
    check_k(k, attackers[0].n_people)
    chosen_units = tuple(word_units(document) if units is None else units)
    objectives = [
        make_objective(attacker, document, person, chosen_units) for attacker in attackers
    ]
    objective = EnsembleObjective(objectives, k)
    if width == 1:
        indices = greedy(objective, len(chosen_units), k, lazy=lazy)
    else:
        indices = beam(objective.copy(), len(chosen_units), k, width)
        for unit in indices:
            objective.mask(unit)
    indices = shrink(objective, indices, k, [len(unit.words) for unit in chosen_units])
    mask = mask_of(chosen_units, indices, len(document))
    return Anonymized(
        reached=objective.rank() > k,
        spans=masked_spans(document, mask),
        mask=mask,
        words_masked=int(mask.sum()),
        attack_results=tuple(
            attack_result(attacker, document, mask, person) for attacker in attackers
        ),
    )


def check_k(k: int, n_people: int) -> None:
    """Check that there are more than ``k`` people.

    Raises:
        InputError: unless ``k`` is at least 1 and below the number of people.
    """
    if not 1 <= k < n_people:
        raise InputError(
            f"k is {k}, and the store has {n_people} people; k must be at least 1 and below that."
        )


def make_objective(
    attacker: Attacker, document: TokenizedDocument, person: int, units: Sequence[MaskUnit]
) -> AdditiveObjective | EncoderObjective | BlackBoxObjective:
    """Return the objective against an attacker, a fast one where there is one."""
    if isinstance(attacker, AdditiveAttacker):
        return AdditiveObjective(attacker, document, person, units)
    if isinstance(attacker, BiEncoder | JointAttacker):
        return EncoderObjective(attacker, document, person, units)
    return BlackBoxObjective(attacker, document, person, units)


def attack_result(
    attacker: Attacker, document: TokenizedDocument, mask: NDArray[np.bool_], person: int
) -> AttackResult:
    """Return an attacker's ranking of the person, for a document with a mask, [words]."""
    ranking = Ranking(attacker.scores(document, mask[None, :])[0])
    looks_like = tuple((n, ranking.probability(n)) for n in ranking.best(_LOOKS_LIKE))
    return AttackResult(
        attacker.name, ranking.rank(person), ranking.probability(person), looks_like
    )
