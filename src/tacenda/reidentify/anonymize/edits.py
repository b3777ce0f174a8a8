"""Replacement options of entities, for the search of edits.

A *level* is the index of an entity's replacement: ``KEPT`` for the original words, 0 for the most
specific of its options, the last for ``***``. An edit is a level; the levels of all entities give a
text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...document import Assessment, Decision, Document, Effect, Reason, Replacement, RuleKind
from ...policy import Policy
from ...rewrite.generalize.options import propose_options
from ...rewrite.rewrite import rewrite
from ...text.information import information_of
from ..attackers.base import TIE, Attacker, log_sum
from ..attackers.encoder import MASK, WORDS, BiEncoder, JointAttacker, JointDocument
from ..attackers.encoder import read as read_for_encoder
from ..attackers.lexical import AdditiveAttacker, Contributions, WordContribution, additive_scores
from ..panel import Panel, panel_of
from ..tokens import TokenizedDocument, read_words
from .anonymize import AttackResult, attack_results, check_k
from .linked_units import named_words
from .objective import row_of
from .units import entity_units

KEPT: Final = -1

Write: TypeAlias = Callable[[Sequence[int]], str]
"""Returns the text that levels, one an entity, give."""


@dataclass(frozen=True, slots=True)
class EntityOptions:
    """An entity and its options.

    Attributes:
        words: places of its words in the document, at least one.
        mentions: number of its mentions, and so of replacements.
        texts: its options as text, the most specific first; ``***`` last.
        kept: share of its information in each option, in [0, 1].
        information: of all its mentions, in nats.
    """

    words: tuple[int, ...]
    mentions: int
    texts: tuple[str, ...]
    kept: tuple[float, ...]
    information: float

    def lost(self, level: int) -> float:
        """Return the loss of information at a level, in nats."""
        return 0.0 if level == KEPT else self.information * (1 - self.kept[level])


# The log-odds of the person by an attacker after changes of levels.
#
# Additive attackers work incrementally: with S the scores at some levels, the words of the entity's
# present level are subtracted and those of its new level added, for the few people with those
# words. All other attackers read the whole text anew.


_LEFT_AT_LEAST: Final = 1e-6
"""Share of a sum that must be left for a difference to be trusted; it then has ten digits."""
_HIGHEST: Final = 500.0
"""How far a score may be above the highest one before, so that its exponential is finite."""

Change = tuple[int, int]
"""The number of an offer, and the level that it would be at."""


class EditReader(Protocol):
    """The log-odds of a person by an attacker, for a document at given levels."""

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        ...

    def log_odds_after(
        self, levels: Sequence[int], changes: Sequence[Change]
    ) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        ...


class BlackBoxReader:
    """Reader of any attacker, by its scores of every text; see ``EditReader``.

    Args:
        attacker: the attacker.
        person: number of the person to hide.
        reader: returns the document at some levels.
    """

    def __init__(
        self,
        attacker: Attacker,
        person: int,
        reader: Callable[[tuple[int, ...]], TokenizedDocument],
    ) -> None:
        self._attacker = attacker
        self._person = person
        self._read = reader

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return log_odds_of(self._attacker.rank(self._read(tuple(levels))).scores, self._person)

    def log_odds_after(
        self, levels: Sequence[int], changes: Sequence[Change]
    ) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        return np.array([self.log_odds(with_change(levels, change)) for change in changes])


class AdditiveReader:
    """Reader of an additive attacker; see ``EditReader``.

    Each mention counts with the words of its option. The actual text may have a word less where
    neighbours are joined; the difference decides nothing.

    Args:
        attacker: the attacker.
        document: the original.
        person: number of the person to hide.
        offers: the entities with their options.
    """

    def __init__(
        self,
        attacker: AdditiveAttacker,
        document: TokenizedDocument,
        person: int,
        offers: Sequence[EntityOptions],
    ) -> None:
        contributions = attacker.contributions(document)
        entities = document.unmasked()
        for offer in offers:
            entities[list(offer.words)] = True
        self._rest: NDArray[np.float64] = attacker.scores(document, entities[None, :])[0]
        self._person = person
        self._says = [
            {KEPT: row_of(contributions, offer.words, attacker.n_people)}
            | {level: _option_row(attacker, offer, text) for level, text in enumerate(offer.texts)}
            for offer in offers
        ]

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return log_odds_of(self._scores(levels), self._person)

    def log_odds_after(
        self, levels: Sequence[int], changes: Sequence[Change]
    ) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        scores = self._scores(levels)
        rivals = scores.copy()
        rivals[self._person] = -np.inf
        height = float(rivals.max())
        weights = np.exp(rivals - height)
        total = float(weights.sum())
        log_odds = np.empty(len(changes))
        for place, (offer, level) in enumerate(changes):
            row = _difference(self._says[offer][levels[offer]], self._says[offer][level])
            mask = row.people == self._person
            row_scores = scores[row.people] + row.values
            risen = np.where(mask, -np.inf, row_scores - height)
            if len(risen) and risen.max() > _HIGHEST:
                remainder = 0.0
            else:
                remainder = total - float(weights[row.people].sum()) + float(np.exp(risen).sum())
            if remainder > _LEFT_AT_LEAST * total:
                own_score = float(scores[self._person] + row.values[mask].sum())
                log_odds[place] = own_score - height - float(np.log(remainder))
            else:
                anew = scores.copy()
                anew[row.people] = row_scores
                log_odds[place] = log_odds_of(anew, self._person)
        return log_odds

    def _scores(self, levels: Sequence[int]) -> NDArray[np.float64]:
        scores = self._rest.copy()
        for says, level in zip(self._says, levels, strict=True):
            people, values = says[level]
            scores[people] += values
        return scores


def _option_row(attacker: AdditiveAttacker, offer: EntityOptions, text: str) -> WordContribution:
    words = read_words(Document("option", text))
    row = row_of(attacker.contributions(words), range(len(words)), attacker.n_people)
    return WordContribution(row.people, offer.mentions * row.values)


def _difference(before: WordContribution, after: WordContribution) -> WordContribution:
    """Return the difference of two contributions, for people in order, each once."""
    people, places = np.unique(np.concatenate([before.people, after.people]), return_inverse=True)
    values = np.concatenate([-before.values, after.values])
    summed = np.bincount(places, weights=values, minlength=len(people)).astype(np.float64)
    return WordContribution(people, summed)


def with_change(levels: Sequence[int], change: Change) -> tuple[int, ...]:
    """Return the levels after a change."""
    number, level = change
    return (*levels[:number], level, *levels[number + 1 :])


def log_odds_of(scores: NDArray[np.float64], person: int) -> float:
    """Return the log-odds of a person, from those of everybody up to a constant, [people]."""
    return float(scores[person]) - log_sum(np.delete(scores, person))


# Edits to a bi-encoder: all variants of a text in few calls, each word looked up once.
#
# The words of the document and of all options are looked up when the search begins. A further word
# from the sentence around an option, such as a preposition, reads as a mask; decisions are made on
# the text itself (``EditObjective``).


_AT_ONCE: Final = 32
"""Variants a call of the encoder."""


class EncoderReader:
    """Reader of a bi-encoder, alone or with a classifier; see ``EditReader``.

    Args:
        attacker: the attacker.
        document: the original.
        person: number of the person to hide.
        offers: the entities with their options.
        reader: returns the document at some levels.
    """

    def __init__(
        self,
        attacker: BiEncoder | JointAttacker,
        document: TokenizedDocument,
        person: int,
        offers: Sequence[EntityOptions],
        reader: Callable[[tuple[int, ...]], TokenizedDocument],
    ) -> None:
        texts = [document.document.text, *(text for offer in offers for text in offer.texts)]
        everything = read_words(Document(document.document.id, "\n".join(texts)))
        view = attacker.opened(everything)
        self._words: Contributions | None = None
        self._rows: dict[str, int] = {}
        if isinstance(view, JointDocument):
            self._words = view.words
            self._rows = dict(zip(everything.keys, view.words.word_rows.tolist(), strict=True))
            view = view.encoder
        self._encoder = view
        self._places = {word: place for place, word in enumerate(view.reading.words)}
        self._person = person
        self._read = reader

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        return float(self._all([tuple(levels)])[0])

    def log_odds_after(
        self, levels: Sequence[int], changes: Sequence[Change]
    ) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        return self._all([with_change(levels, change) for change in changes])

    def _all(self, variants: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
        log_odds: list[float] = []
        for first in range(0, len(variants), _AT_ONCE):
            some = [self._read(levels) for levels in variants[first : first + _AT_ONCE]]
            log_odds += [log_odds_of(row, self._person) for row in self._scores(some)]
        return np.array(log_odds)

    def _scores(self, documents: Sequence[TokenizedDocument]) -> NDArray[np.float64]:
        """Return log-odds up to a constant a text, [texts, people]."""
        encoder = self._encoder
        readings = [read_for_encoder(document) for document in documents]
        places = np.zeros((len(readings), max(len(item.places) for item in readings)), np.int64)
        for row, reading in zip(places, readings, strict=True):
            indices = np.array([self._places.get(word, MASK) for word in reading.words])
            row[: len(reading.places)] = indices[reading.places]
        vectors = encoder.model.vectors("document", encoder.pieces, places)
        scores = (vectors * encoder.model.sharpness @ encoder.vectors.T).astype(np.float64)
        if self._words is not None:
            for row, document in zip(scores, documents, strict=True):
                rows = [self._rows[key] for key in document.keys if key in self._rows]
                contributions = Contributions(self._words.rows, np.array(rows, dtype=np.intp))
                unmasked = np.zeros((1, len(rows)), dtype=bool)
                row += WORDS * additive_scores(contributions, unmasked, len(row))[0]
        return scores


# Generalisation and suppression of a document's entities until no attacker finds the person.
#
# assessments ─ rewrite.offer ─▶ offers ─ search ─▶ levels ─ rewrite ─▶ text, and what it is taken for


# The objective of edits: no attacker has the person among its first K.
#
# Ranks are those of the text to be released. The effect of a single change may be computed faster
# (``EditReader``).


_TEXTS_KEPT = 256


class EditObjective:
    """Objective of edits against attackers: the current levels of a document's entities.

    Args:
        attackers: at least one.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
        write: returns the text at given levels.
        k: the person must not be among the first K.

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
        self._set_levels([KEPT] * len(offers))

    def set(self, offer: int, level: int) -> None:
        """Write something else of an entity."""
        levels = list(self.levels)
        levels[offer] = level
        self._set_levels(levels)

    def coarser_changes(self) -> list[Change]:
        """Return all changes to something less specific."""
        return [
            (number, level)
            for number, offer in enumerate(self.offers)
            for level in range(self.levels[number] + 1, len(offer.texts))
        ]

    def log_odds_drops(self, changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the drop of the log-odds by each change, [changes].

        Summed over the attackers with the person among their first K; over all if there are none.
        """
        open_ = [
            reader
            for reader, rank in zip(self._readers, self._ranks, strict=True)
            if rank <= self._k
        ] or self._readers
        drops = np.zeros(len(changes))
        for reader in open_:
            drops += reader.log_odds(self.levels) - reader.log_odds_after(self.levels, changes)
        return drops

    def lost(self, change: Change) -> float:
        """Return the loss of information by a change, in nats."""
        number, level = change
        offer = self.offers[number]
        return offer.lost(level) - offer.lost(self.levels[number])

    def _set_levels(self, levels: Sequence[int]) -> None:
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


# Greedy search for edits of least loss, then refinement.
#
# As Algorithm 1 of Morris et al. (2022), with "write this option of that entity" in place of "mask
# this word", and the drop of the log-odds per nat of information in place of the drop alone, so an
# entity is generalised before it is suppressed. The words of an option can make somebody else more
# probable, so old values are no bounds and every change is evaluated anew.


_LEAST_LOST: Final = 1e-3
"""Nats that any change counts as losing, so that one which loses nothing has a price too."""


def greedy_edits(objective: EditObjective) -> None:
    """Change the objective's levels until the person is hidden, or all entities are suppressed.

    Where no change makes the person less probable, the entity with the smallest rise is suppressed:
    as with masks it may still help in combination.
    """
    while not objective.hidden and (changes := objective.coarser_changes()):
        drops = objective.log_odds_drops(changes)
        if drops.max() > TIE:
            lost = np.array([max(objective.lost(change), _LEAST_LOST) for change in changes])
            worth = np.where(drops > TIE, drops / lost, -np.inf)
        else:
            last = [level == len(objective.offers[number].texts) - 1 for number, level in changes]
            worth = np.where(last, drops, -np.inf)
        objective.set(*changes[int(np.argmax(worth >= worth.max() - TIE))])


def refine_edits(objective: EditObjective, required: Collection[int] = ()) -> None:
    """Raise each entity but the required ones to its most specific level with the person still hidden.

    Later edits can make earlier ones needless, and so can words that are shown again and speak for others. The
    edits with the largest loss are tried first.
    """
    if not objective.hidden:
        return
    before: tuple[int, ...] = ()
    while before != tuple(objective.levels):
        before = tuple(objective.levels)
        edited = [number for number, level in enumerate(before) if level != KEPT]
        edited = [number for number in edited if number not in required]
        edited.sort(key=lambda number: -objective.offers[number].lost(before[number]))
        for number in edited:
            for better in range(KEPT, before[number]):
                objective.set(number, better)
                if objective.hidden:
                    break
            else:
                objective.set(number, before[number])


_GENERALIZE = "generalize"
_SUPPRESS = "suppress"


@dataclass(frozen=True, slots=True)
class Edited:
    """An edited document and its effect on attackers.

    Attributes:
        reached: whether no attacker has the person among its first K.
        text: the edited text.
        replacements: the edits, in order of the text.
        decisions: one an entity.
        words_changed: number of words of the original they replace.
        kept: share of the information of all entities left in the text, in [0, 1].
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
    """The entities of a document with their replacement options.

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
        """Return the decisions, one an entity, for levels, one an offer."""
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
        opening, closing = "[]" if self._policy.brackets == "square" else ("", "")
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
    *,
    people: People | None = None,
    hold_out: bool = True,
) -> Edited:
    """Return the document with edits to hide the person, by greedy search for the least loss.

    One family of attackers is held out, and with ``people`` the name is always masked, as in ``anonymize``.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        assessments: one an entity; their risks do not count, attackers decide.
        policy: says how options are written.
        people: the background knowledge.
        hold_out: whether one family of several only judges.

    Raises:
        InputError: if nobody can hide among so few people.
    """
    check_k(k, attackers[0].n_people)
    options = EditSpace(document, assessments, policy, k)
    panel = panel_of(attackers, document.document) if hold_out else Panel(tuple(attackers), ())
    objective = EditObjective(panel.guides, document, person, options.offers, options.write, k)
    name = "" if people is None else people.person(person).name
    named = set(named_words(document, name))
    required = {
        number for number, offer in enumerate(options.offers) if not named.isdisjoint(offer.words)
    }
    for number in required:
        objective.set(number, len(options.offers[number].texts) - 1)
    greedy_edits(objective)
    refine_edits(objective, required)
    decisions = options.decisions(objective.levels)
    text, replacements = rewrite(document.document, decisions, policy)
    words = read_words(Document(document.document.id, text))
    information = sum(item.information for item in options.offers)
    lost = sum(
        item.lost(level) for item, level in zip(options.offers, objective.levels, strict=True)
    )
    results = attack_results(panel, words, words.unmasked(), person)
    return Edited(
        reached=min(result.rank for result in results) > k and not named_words(words, name),
        text=text,
        replacements=replacements,
        decisions=decisions,
        words_changed=int(document.masked([edit.original for edit in replacements]).sum()),
        kept=1 - lost / information if information else 1.0,
        attack_results=results,
    )
