"""What may be written of entities in place of what stands there, as the search of edits sees it.

A *level* says what is written of an entity: ``KEPT`` what stands there, 0 the most specific of its
options, the last one ``***``. An edit is a level; the levels of all entities give a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ..attackers.base import Attacker, log_sum
from ..attackers.encoder import MASK, WORDS, BiEncoder, JointAttacker, JointDocument
from ..attackers.encoder import read as read_for_encoder
from ..attackers.lexical import AdditiveAttacker, Contributions, WordContribution, additive_scores
from ..tokens import TokenizedDocument, read_words
from .objective import row_of

KEPT: Final = -1

Write: TypeAlias = Callable[[Sequence[int]], str]
"""Returns the text that levels, one an entity, give."""


@dataclass(frozen=True, slots=True)
class EntityOptions:
    """An entity and its options.

    Attributes:
        words: places of its words in the document, at least one.
        mentions: how often it is mentioned, so how often an option would be written.
        texts: its options as they are written, the most specific first; ``***`` last.
        kept: share of its information that each option keeps, in [0, 1].
        information: of all its mentions, in nats.
    """

    words: tuple[int, ...]
    mentions: int
    texts: tuple[str, ...]
    kept: tuple[float, ...]
    information: float

    def lost(self, level: int) -> float:
        """Return the information that is lost at a level, in nats."""
        return 0.0 if level == KEPT else self.information * (1 - self.kept[level])


# How sure an attacker would be of the person if something else were written of an entity.
#
# Additive attackers are asked incrementally: with S the scores at some levels, what the entity says
# now is subtracted and what it would say is added, for the few people who have those words. Others read
# the whole text anew.


_LEFT_AT_LEAST: Final = 1e-6
"""Share of a sum that must be left for a difference to be trusted; it then has ten digits."""
_HIGHEST: Final = 500.0
"""How far a score may be above the highest one before, so that its exponential is finite."""

Change = tuple[int, int]
"""The number of an offer, and the level that it would be at."""


class EditReader(Protocol):
    """An attacker, a document, a person, and what may be written of entities."""

    def log_odds(self, levels: Sequence[int]) -> float:
        """Return the log-odds of the person at some levels."""
        ...

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        ...


class BlackBoxReader:
    """Any attacker, who reads every text; see ``EditReader``.

    Args:
        attacker: who reads.
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

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
        """Return the log-odds after each change, made by itself, [changes]."""
        return np.array([self.log_odds(with_change(levels, change)) for change in changes])


class AdditiveReader:
    """An additive attacker; see ``EditReader``.

    What is written is taken for the words of the option at each mention. The text itself may have
    a word less, where neighbours are joined; nothing that decides rests on that.

    Args:
        attacker: who reads.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
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

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
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
    """Return what changes, for people in order, each once."""
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
# The words of the document and of all options are looked up when the search begins. A word that only
# the sentence around an option brings in, such as a preposition, is not among them and reads as a mask;
# what is decided is decided by the text itself (``edit_game``).


_AT_ONCE: Final = 32
"""Variants a call of the encoder."""


class EncoderReader:
    """A bi-encoder, alone or together with a classifier; see ``EditReader``.

    Args:
        attacker: who reads.
        document: the original.
        person: number of the person to hide.
        offers: what may be written.
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

    def after(self, levels: Sequence[int], changes: Sequence[Change]) -> NDArray[np.float64]:
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
