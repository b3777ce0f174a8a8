"""A document whose entities are generalised, or suppressed, until nobody is sure of whom it speaks.

assessments ─ rewrite.offer ─▶ offers ─ search ─▶ levels ─ rewrite ─▶ text, and what it is taken for
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...document import Assessment, Decision, Document, Effect, Reason, Replacement, RuleKind
from ...policy import Policy
from ...rewrite.generalize.options import propose_options
from ...rewrite.rewrite import rewrite
from ...text.information import information_of
from ..attackers.base import TIE, Attacker
from ..attackers.encoder import BiEncoder, JointAttacker
from ..attackers.lexical import AdditiveAttacker
from ..tokens import TokenizedDocument, read_words
from .anonymize import AttackResult, attack_result, check_k
from .edit_scores import (
    KEPT,
    AdditiveReader,
    BlackBoxReader,
    Change,
    EditReader,
    EncoderReader,
    EntityOptions,
    Write,
)
from .units import entity_units

# Entities to be written otherwise until no attacker has the person among its first K.
#
# What decides is the text as it will be released: ``ranks`` reads that. What a change is worth may
# be reckoned faster (``edit_readers``).


_TEXTS_KEPT = 256


class EditObjective:
    """Attackers, a document, a person, and what is written of its entities as it stands.

    Args:
        attackers: at least one.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
        write: returns the text of levels.
        k: the first K ranks that the person must not have.

    Attributes:
        offers: what may be written.
        levels: of each offer; all kept at first.
        hidden: whether no attacker has the person among its first K.
    """

    def __init__(
        self,
        attackers: Sequence[Attacker],
        document: TokenizedDocument,
        person: int,
        offers: Sequence[EntityOptions],
        write: Write,
        k: int,
    ) -> None:
        id = document.document.id

        @lru_cache(maxsize=_TEXTS_KEPT)
        def read(levels: tuple[int, ...]) -> TokenizedDocument:
            return read_words(Document(id, write(levels)))

        self.offers = tuple(offers)
        self._attackers = tuple(attackers)
        self._person = person
        self._read = read
        self._k = k
        self._readers = [
            _reader(attacker, document, person, offers, read) for attacker in attackers
        ]
        self._become([KEPT] * len(offers))

    def set(self, offer: int, level: int) -> None:
        """Write something else of an entity."""
        levels = list(self.levels)
        levels[offer] = level
        self._become(levels)

    def further(self) -> list[Change]:
        """Return all changes to something less specific."""
        return [
            (number, level)
            for number, offer in enumerate(self.offers)
            for level in range(self.levels[number] + 1, len(offer.texts))
        ]

    def falls(self, changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return how far the log-odds would fall by each change, [changes].

        Summed over the attackers that have the person among their first K; over all where none has.
        """
        open_ = [
            reader
            for reader, rank in zip(self._readers, self._ranks, strict=True)
            if rank <= self._k
        ] or self._readers
        drops = np.zeros(len(changes))
        for reader in open_:
            drops += reader.log_odds(self.levels) - reader.after(self.levels, changes)
        return drops

    def lost(self, change: Change) -> float:
        """Return the information that a change loses, in nats."""
        number, level = change
        offer = self.offers[number]
        return offer.lost(level) - offer.lost(self.levels[number])

    def _become(self, levels: Sequence[int]) -> None:
        self.levels = tuple(levels)
        words = self._read(self.levels)
        self._ranks = [attacker.rank(words).rank(self._person) for attacker in self._attackers]
        self.hidden = min(self._ranks) > self._k


def _reader(
    attacker: Attacker,
    document: TokenizedDocument,
    person: int,
    offers: Sequence[EntityOptions],
    reader: Callable[[tuple[int, ...]], TokenizedDocument],
) -> EditReader:
    """Return the reader for an attacker, a fast one where there is one."""
    if isinstance(attacker, AdditiveAttacker):
        return AdditiveReader(attacker, document, person, offers)
    if isinstance(attacker, BiEncoder | JointAttacker):
        return EncoderReader(attacker, document, person, offers, reader)
    return BlackBoxReader(attacker, person, reader)


# The edits that lose least of those that hide the person: greedy search, then taking back.
#
# As Algorithm 1 of Morris et al. (2022), with "write this option of that entity" in place of "mask this
# word", and the fall of the log-odds for each nat of information in place of the fall alone: so an
# entity is generalised before it is suppressed where that is enough. What an option adds can make
# somebody else more probable, so old values are no bounds and every change is valued anew.


_LEAST_LOST: Final = 1e-3
"""Nats that any change counts as losing, so that one which loses nothing has a price too."""


def greedy_edits(game: EditObjective) -> None:
    """Change the game's levels until the person is hidden, or all entities are suppressed.

    Where no change makes the person less probable, what harms least is suppressed: as with masks
    it may still help together with others.
    """
    while not game.hidden and (changes := game.further()):
        falls = game.falls(changes)
        if falls.max() > TIE:
            lost = np.array([max(game.lost(change), _LEAST_LOST) for change in changes])
            worth = np.where(falls > TIE, falls / lost, -np.inf)
        else:
            last = [level == len(game.offers[number].texts) - 1 for number, level in changes]
            worth = np.where(last, falls, -np.inf)
        game.set(*changes[int(np.argmax(worth >= worth.max() - TIE))])


def refine_edits(game: EditObjective) -> None:
    """Write of each entity the most specific thing that still hides the person.

    Later edits can make earlier ones needless. Those that lose most are tried first.
    """
    if not game.hidden:
        return
    edited = [number for number, level in enumerate(game.levels) if level != KEPT]
    edited.sort(key=lambda number: -game.offers[number].lost(game.levels[number]))
    for number in edited:
        level = game.levels[number]
        for better in range(KEPT, level):
            game.set(number, better)
            if game.hidden:
                break
        else:
            game.set(number, level)


_GENERALIZE = "generalize"
_SUPPRESS = "suppress"


@dataclass(frozen=True, slots=True)
class Edited:
    """What was written, and what it does.

    Attributes:
        reached: whether no attacker has the person among its first K.
        text: the document with the edits made.
        replacements: the edits, in order of the text.
        decisions: one an entity.
        words_changed: how many words of the original they replace.
        kept: share of the information of all entities that is left, in [0, 1].
        attack_results: one an attacker, of the text.
    """

    reached: bool
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    decisions: tuple[Decision, ...]
    words_changed: int
    kept: float
    attack_results: tuple[AttackResult, ...]


class EditSpace:
    """The entities of a document with what may be written of them.

    Args:
        document: the document.
        assessments: one an entity.
        policy: says how options are written.
        k: the person must not be among the first K.
    """

    def __init__(
        self,
        document: TokenizedDocument,
        assessments: Sequence[Assessment],
        policy: Policy,
        k: int,
    ) -> None:
        from ...rewrite.ontology import shipped

        self._document = document.document
        self._policy = policy
        self._k = k
        # As if all were masked, so that no option names another entity.
        candidates = [
            Decision(
                assessment.entity, True, _GENERALIZE, assessment.identifier, assessment.risk, ()
            )
            for assessment in assessments
        ]
        self._decisions = propose_options(self._document, candidates, policy, shipped())
        units = entity_units(document, [assessment.entity for assessment in assessments])
        places = {decision.entity.id: n for n, decision in enumerate(self._decisions)}
        self._places = [places[unit.entity] for unit in units]
        self.offers = tuple(
            self._offer(self._decisions[place], unit.words)
            for place, unit in zip(self._places, units, strict=True)
        )

    def decisions(self, levels: Sequence[int]) -> tuple[Decision, ...]:
        """Return the decisions, one an entity, that levels, one an offer, stand for."""
        decisions = [
            replace(decision, masked=False, operator="", choice=None)
            for decision in self._decisions
        ]
        for place, level in zip(self._places, levels, strict=True):
            if level != KEPT:
                decision = self._decisions[place]
                last = level == len(decision.options) - 1
                decisions[place] = replace(
                    decision,
                    operator=_SUPPRESS if last else _GENERALIZE,
                    choice=decision.options[level],
                    reasons=(Reason(RuleKind.ATTACK, Effect.EDIT, k=self._k),),
                )
        return tuple(decisions)

    def write(self, levels: Sequence[int]) -> str:
        """Return the text of levels, one an offer."""
        return rewrite(self._document, self.decisions(levels), self._policy)[0]

    def _offer(self, decision: Decision, words: tuple[int, ...]) -> EntityOptions:
        text = self._document.text
        opening, closing = "[]" if self._policy.brackets else ("", "")
        return EntityOptions(
            words=words,
            mentions=len(decision.entity.mentions),
            texts=tuple(f"{opening}{option.text}{closing}" for option in decision.options),
            kept=tuple(option.kept for option in decision.options),
            information=information_of(text, decision.entity),
        )


def edit(
    document: TokenizedDocument,
    person: int,
    attackers: Sequence[Attacker],
    k: int,
    assessments: Sequence[Assessment],
    policy: Policy,
) -> Edited:
    """Return the document with the edits that lose least of those found to hide the person.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        assessments: one an entity; their risks do not count, attackers decide.
        policy: says how options are written.

    Raises:
        InputError: if nobody can hide among so few people.
    """
    check_k(k, attackers[0].n_people)
    options = EditSpace(document, assessments, policy, k)
    game = EditObjective(attackers, document, person, options.offers, options.write, k)
    greedy_edits(game)
    refine_edits(game)
    decisions = options.decisions(game.levels)
    text, replacements = rewrite(document.document, decisions, policy)
    words = read_words(Document(document.document.id, text))
    information = sum(item.information for item in options.offers)
    lost = sum(item.lost(level) for item, level in zip(options.offers, game.levels, strict=True))
    return Edited(
        reached=game.hidden,
        text=text,
        replacements=replacements,
        decisions=decisions,
        words_changed=int(document.masked([edit.original for edit in replacements]).sum()),
        kept=1 - lost / information if information else 1.0,
        attack_results=tuple(
            attack_result(item, words, words.unmasked(), person) for item in attackers
        ),
    )
