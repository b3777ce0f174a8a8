"""K-anonymous documents: mask until no attacker ranks the person among its first K."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...document import Assessment, Document, Replacement, Span
from ...errors import InputError
from ...policy import Policy
from ..attackers.base import Attacker
from ..attackers.encoder import BiEncoder, JointAttacker
from ..attackers.lexical import AdditiveAttacker
from ..panel import Panel, family_of, panel_of
from ..tokens import TokenizedDocument, read_words
from .linked_units import linked_units, named_words
from .objective import (
    AdditiveObjective,
    BlackBoxObjective,
    EncoderObjective,
    EnsembleObjective,
    MaskingObjective,
)
from .options import (
    Choice,
    Offer,
    choose_options,
    information_kept,
    information_of_words,
    offers_of,
    write,
)
from .search import beam, greedy, show
from .units import MaskUnit, mask_of, with_unit_of, word_units

_LOOKS_LIKE = 5
DEFAULT_K: Final = 10
"""The person must not be among the first K: who is second is found at the second guess."""
MARGIN: Final = 160
"""Rank that guiding attackers must give the person, as a multiple of K."""


@dataclass(frozen=True, slots=True)
class AttackResult:
    """An attacker's ranking of people for a masked document.

    Attributes:
        attacker: its name.
        rank: rank of the right person, from 1.
        probability: probability of the right person.
        looks_like: (person, probability) for the most probable people, best first.
        held_out: whether it wasn't used in the search.
    """

    attacker: str
    rank: int
    probability: float
    looks_like: tuple[tuple[int, float], ...]
    held_out: bool = False


@dataclass(frozen=True, slots=True)
class Anonymized:
    """A document to release, and what attackers make of it.

    Attributes:
        reached: whether no attacker, held out or not, ranks the person among its first K, and no
            part of the name is left.
        text: the released text.
        replacements: the masks, and what is written in place of masks, in text order.
        mask: whether each word is masked or replaced, [words].
        kept: share of all units' information that is left in the text, in [0, 1].
        attack_results: one per attacker, for the released text.
    """

    reached: bool
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    mask: NDArray[np.bool_]
    kept: float
    attack_results: tuple[AttackResult, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        """Masked or rewritten spans in order; adjacent spans are joined."""
        return tuple(each.original for each in self.replacements)

    @property
    def words_masked(self) -> int:
        """Number of words that are masked or replaced."""
        return int(self.mask.sum())


def anonymize(
    document: TokenizedDocument,
    person: int,
    attackers: Sequence[Attacker],
    k: int = DEFAULT_K,
    *,
    people: People | None = None,
    units: Sequence[MaskUnit] | None = None,
    quoted: Sequence[int] = (),
    assessments: Sequence[Assessment] = (),
    policy: Policy | None = None,
    hold_out: bool = True,
    margin: int = MARGIN,
    width: int = 1,
    lazy: bool = True,
) -> Anonymized:
    """Return the document with a small mask that keeps the person out of every attacker's first K.

    One family of attackers is held out: it judges the text and has no part in it. With ``people`` the search keeps a
    margin, so that whoever was not asked fails too: what the register links is masked together, the
    person's name and what few people share always, and guiding attackers must give the person a
    rank K' far above K. Where all words of an entity are masked, the most specific of its true options that
    leaves the person hidden is written.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        people: the background knowledge.
        units: sets of words to mask together; by default linked words if ``people`` is given,
            otherwise every distinct word except stop words.
        quoted: indexes of words to mask in any case, such as those by which a judge finds the
            person.
        assessments: assessments of the entities that may be replaced; their risks are ignored,
            since attackers decide.
        policy: says how options are written; None for the default policy.
        hold_out: whether one of several families only judges.
        margin: K' as a multiple of K, if ``people`` is given; less in a small store.
        width: beam width; 1 is greedy search.
        lazy: see ``search.greedy``.

    Raises:
        InputError: if no one can hide among so few people.
    """
    check_k(k, attackers[0].n_people)
    panel = panel_of(attackers, document.document) if hold_out else Panel(tuple(attackers), ())
    k_with_margin = k if people is None else margin_of(k, len(people), document, margin)
    task = _task_of(document, person, panel, k, people, units, quoted, k_with_margin)
    objective = task.objective(document, task.units)
    for unit in task.required:
        objective.mask(unit)
    lost = [information_of_words(document, unit.words) for unit in task.units]
    if width == 1:
        indices = greedy(objective, lost, k, lazy=lazy, masked=task.required)
    else:
        indices = beam(objective.copy(), len(task.units), k, width, masked=task.required)
        for unit in indices:
            objective.mask(unit)
    masked = [task.units[n] for n in (*task.required, *show(objective, indices, k, lost).masked)]
    mask = mask_of(masked, range(len(masked)), len(document))
    choices: list[Choice] = []
    policy = policy or Policy()
    offers: tuple[Offer, ...] = ()
    if assessments and objective.hides(k):
        offers = offers_of(document, mask, assessments, (*task.named, *quoted), policy, k)
    if offers:
        mask, choices = choose_options(
            document, masked, len(task.required), offers, task.objective, k
        )
    return _released(document, task, mask, choices, policy)


@dataclass(frozen=True, slots=True)
class _Task:
    """The settings of a search for a mask.

    Attributes:
        person: number of the person to hide.
        panel: the guiding and judging attackers.
        k: the person must not be among the first K.
        units: sets of words to mask together.
        required: units to mask in any case.
        goals: K' for each guide.
        name: the person's name; empty if unknown.
        named: indexes of the words of the name.
    """

    person: int
    panel: Panel
    k: int
    units: Sequence[MaskUnit]
    required: tuple[int, ...]
    goals: Sequence[int]
    name: str
    named: tuple[int, ...]

    def objective(
        self, document: TokenizedDocument, units: Sequence[MaskUnit]
    ) -> EnsembleObjective:
        """Return the guides' objective for a document and its units."""
        guides = self.panel.guides
        objectives = [make_objective(guide, document, self.person, units) for guide in guides]
        return EnsembleObjective(objectives, self.goals)


def _task_of(
    document: TokenizedDocument,
    person: int,
    panel: Panel,
    k: int,
    people: People | None,
    units: Sequence[MaskUnit] | None,
    quoted: Sequence[int],
    margin: int,
) -> _Task:
    """Return the task for a search; see ``anonymize``. ``margin`` determines K'."""
    linked = None if people is None else linked_units(document, person, people)
    if units is None:
        units = word_units(document) if linked is None else linked.units
    if quoted:
        units = with_unit_of(units, quoted)
    name = ""
    named: tuple[int, ...] = ()
    required: tuple[int, ...] = ()
    if people is not None and linked is not None:
        name = people.person(person).name
        named = named_words(document, name)
        crowds = linked.crowds_of(units)
        dated = linked.dated if only_judges_learned(panel) else ()
        required = required_units(units, named, crowds, margin, dated)
    if quoted and len(units) - 1 not in required:
        required = (*required, len(units) - 1)
    objectives = [make_objective(guide, document, person, units) for guide in panel.guides]
    goals = goals_of(objectives, len(units), k, margin)
    return _Task(person, panel, k, units, required, goals, name, named)


def _released(
    document: TokenizedDocument,
    task: _Task,
    mask: NDArray[np.bool_],
    choices: list[Choice],
    policy: Policy,
) -> Anonymized:
    """Return the release with as many of the chosen options as leave the person hidden."""
    while True:
        text, replacements = write(document, mask, policy, choices)
        words = read_words(Document(document.document.id, text))
        results = attack_results(task.panel, words, task.person)
        if not choices or all(result.rank > task.k for result in results if not result.held_out):
            break
        # The search's values for options are close to those of the text; options are dropped if the
        # text reveals more.
        choices.pop()
    kept = information_kept(document, task.units, mask, choices)
    for offer, _ in choices:
        mask[list(offer.words)] = True
    return Anonymized(
        reached=min(result.rank for result in results) > task.k
        and not named_words(words, task.name),
        text=text,
        replacements=replacements,
        mask=mask,
        kept=kept,
        attack_results=results,
    )


def attack_results(
    panel: Panel, document: TokenizedDocument, person: int
) -> tuple[AttackResult, ...]:
    """Return the rankings of all attackers in a panel for a released document, guides first."""
    return tuple(
        replace(attack_result(attacker, document, person), held_out=held_out)
        for held_out, attackers in ((False, panel.guides), (True, panel.judges))
        for attacker in attackers
    )


_FEWEST: Final = 8
"""Share of all people, 1 in so many, beyond which the margin does not go."""
_JITTER: Final = 0.25


def margin_of(k: int, n_people: int, document: TokenizedDocument, multiple: int = MARGIN) -> int:
    """Return K': ``multiple`` times K, less in a small store, varied by up to a quarter per document.

    If K' were the same for all documents, somebody who knows the method would know which ranks to
    look at.
    """
    digest = sha256(document.document.text.encode()).digest()
    share = int.from_bytes(digest[:8]) / 2**64
    goal = min(multiple * k, n_people // _FEWEST) * (1 + _JITTER * (2 * share - 1))
    return max(k, int(goal))


def goals_of(
    objectives: Sequence[MaskingObjective], n_units: int, k: int, margin: int
) -> list[int]:
    """Return K' for each attacker: the margin, or half of the rank reached by masking everything, but at least K.

    Even an attacker that learns nothing from a text considers some people more probable.
    """
    if margin == k:
        return [k] * len(objectives)
    goals = []
    for objective in objectives:
        blank = objective.copy()
        for unit in range(n_units):
            blank.mask(unit)
        goals.append(max(k, min(margin, blank.rank() // 2)))
    return goals


def required_units(
    units: Sequence[MaskUnit],
    named: Sequence[int],
    crowds: Sequence[int],
    margin: int,
    dated: Collection[int] = (),
) -> tuple[int, ...]:
    """Return the units that are always masked: those of the name, then what few people share, rarest first.

    Words in ``dated`` follow.
    """
    name = set(named)
    first = [n for n, unit in enumerate(units) if not name.isdisjoint(unit.words)]
    rare = [n for n, crowd in enumerate(crowds) if crowd <= margin and n not in set(first)]
    before = {*first, *rare}
    dates = set(dated)
    rest = [
        n for n, unit in enumerate(units) if n not in before and not dates.isdisjoint(unit.words)
    ]
    return (*first, *sorted(rare, key=lambda n: crowds[n]), *rest)


def only_judges_learned(panel: Panel) -> bool:
    """Return whether an encoder judges; its family then guides no search.

    An encoder has learned from whole texts about other people, and concludes from any date when the
    person lived. The guides only compare dates with the register, or know only sanitized texts. So
    all dates are masked.
    """
    return any(family_of(judge) == BiEncoder.family for judge in panel.judges)


def check_k(k: int, n_people: int) -> None:
    """Check that there are more than ``k`` people.

    Raises:
        InputError: unless ``k`` is at least 1 and below the number of people.
    """
    if not 1 <= k < n_people:
        raise InputError(
            f"k is {k}; it must be at least 1 and below the {n_people} people of the store."
        )


def make_objective(
    attacker: Attacker, document: TokenizedDocument, person: int, units: Sequence[MaskUnit]
) -> AdditiveObjective | EncoderObjective | BlackBoxObjective:
    """Return the objective against an attacker, a fast one if available."""
    if isinstance(attacker, AdditiveAttacker):
        return AdditiveObjective(attacker, document, person, units)
    if isinstance(attacker, BiEncoder | JointAttacker):
        return EncoderObjective(attacker, document, person, units)
    return BlackBoxObjective(attacker, document, person, units)


def attack_result(attacker: Attacker, document: TokenizedDocument, person: int) -> AttackResult:
    """Return an attacker's ranking of the person for a released document."""
    ranking = attacker.rank(document)
    looks_like = tuple((n, ranking.probability(n)) for n in ranking.best(_LOOKS_LIKE))
    return AttackResult(
        attacker.name, ranking.rank(person), ranking.probability(person), looks_like
    )
