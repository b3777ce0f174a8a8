"""Probability of an entity in its context, reduced to the features of a classifier.

The log-probabilities of a span become their minimum, maximum, median, mean and sum (``privacy_risk_indicators``,
section 5.1), as it is or in a way of ours, `Context`:

| | ``entire`` | ``short`` (ours) |
|---|---|---|
| read around a span | a window of the model's own length | 62 subwords |
| hidden | the span | all mentions of its entity |
| asked for | all subwords of the span | those up to half the window |
| features of an entity | of each mention by itself; the riskiest counts | the means of its first three mentions |
| of the regression | these five, and the type | mean and sum for each type, too |
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tacenda.document import Document, Entity, Evidence, IdentifierType, SemanticType, Span
from tacenda.errors import ModelError
from tacenda.models.networks import Question
from tacenda.models.store import read_text
from tacenda.risk.combined_risk import probability
from tacenda.risk.indicators import Finding


class Context(StrEnum):
    """How much of a text the language model is shown."""

    SHORT = "short"
    ENTIRE = "entire"


# Subwords of a text for a language model, and windows in which parts are hidden.


READ: Final = 62
"""Subwords around a mention that are read in a short context: what is further away changes little, and costs."""


class LanguageModelProtocol(Protocol):
    """Protocol of a masked language model for indicators."""

    @property
    def name(self) -> str:
        """Name that weights fitted to this model's answers are stored under."""
        ...

    @property
    def window(self) -> int:
        """Number of subwords in a window, not counting special ones."""
        ...

    @property
    def mask_id(self) -> int:
        """Id of the mask token."""
        ...

    def pieces(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Return (id, start, end) of each subword of a text; offsets are code points."""
        ...

    def answer(self, questions: Sequence[Question]) -> Sequence[NDArray[np.floating]]:
        """Return log p of the targets of each question, in nats."""
        ...


class Subwords:
    """The subwords of one text.

    Attributes:
        ids: int64 [n].
        mask_id: id of the mask token.
        window: number of subwords in a window.
    """

    def __init__(
        self, model: LanguageModelProtocol, text: str, context: Context = Context.SHORT
    ) -> None:
        pieces = model.pieces(text)
        self.ids = np.array([piece[0] for piece in pieces], dtype=np.int64)
        self._starts = [piece[1] for piece in pieces]
        self._ends = [piece[2] for piece in pieces]
        is_entire = context is Context.ENTIRE
        self.window = model.window if is_entire else min(model.window, READ)
        self._most = self.window if is_entire else max(1, self.window // 2)
        self.mask_id = model.mask_id

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, span: Span) -> range:
        """Return the subwords that overlap a span, or an empty range if none do."""
        first = bisect_left(self._ends, span.start + 1)
        return range(first, max(first, bisect_left(self._starts, span.end)))

    def within(self, spans: Sequence[Span]) -> NDArray[np.bool_]:
        """Return whether each subword overlaps any of the spans, bool [n]."""
        mask = np.zeros(len(self.ids), dtype=bool)
        for span in spans:
            part = self.of(span)
            mask[part.start : part.stop] = True
        return mask

    def hiding(self, spans: Sequence[Span]) -> NDArray[np.int64]:
        """Return the ids with all subwords of ``spans`` replaced by the mask."""
        return np.where(self.within(spans), self.mask_id, self.ids)

    def question(self, ids: NDArray[np.int64], targets: range) -> Question:
        """Return the question for ``targets``, with as much context on both sides as possible.

        Args:
            ids: int64 [n], of this text, with hidden subwords masked.
            targets: the subwords to predict. If they fill more than half of a short window, only
                the first ones are predicted.
        """
        targets = targets[: self._most]
        start = (targets.start + targets.stop - self.window) // 2
        start = max(0, min(start, len(self.ids) - self.window))
        window = ids[start : start + self.window]
        return Question(
            ids=tuple(window.tolist()),
            places=tuple(place - start for place in targets),
            targets=tuple(self.ids[targets.start : targets.stop].tolist()),
        )

    def whole(self, span: Span) -> list[Question]:
        """Return the questions for all subwords of a span with these hidden. It is a single question if they fit in a window."""
        ids, targets = self.hiding([span]), self.of(span)
        parts = (targets[at : at + self._most] for at in range(0, len(targets), self._most))
        return [self.question(ids, part) for part in parts]


REDUCTIONS: Final = ("min", "max", "median", "mean", "sum")
MENTIONS: Final = 3
"""Mentions of an entity that are asked about: the first ones."""


def log_probabilities(
    document: Document,
    entities: Sequence[Entity],
    model: LanguageModelProtocol,
    mentions: int = MENTIONS,
) -> list[list[NDArray[np.floating]]]:
    """Return log p of each subword of each entity's first mentions, in nats.

    All other mentions of the entity are hidden as well. Other entities are shown.

    Args:
        document: the document.
        entities: the entities to measure.
        model: the language model.
        mentions: number of mentions per entity, at most.
    """
    subwords = Subwords(model, document.text)
    questions, asked_by = [], []
    for number, entity in enumerate(entities):
        spans = [mention.span for mention in entity.mentions]
        ids = subwords.hiding(spans)
        for targets in map(subwords.of, spans[:mentions]):
            # The model may have no subword for a mention, such as a lone control character.
            if targets:
                questions.append(subwords.question(ids, targets))
                asked_by.append(number)
    answers: list[list[NDArray[np.floating]]] = [[] for _ in entities]
    for number, answer in zip(asked_by, model.answer(questions), strict=True):
        answers[number].append(answer)
    return answers


def surprisal(
    document: Document, entity: Entity, lead: str, model: LanguageModelProtocol
) -> float | None:
    """Return −log p of an entity's first mention, in nats, or None if the model has no subword for it.

    Args:
        document: the document.
        entity: the entity, with all mentions hidden.
        lead: text to put right before the first mention; may be empty.
        model: the language model.
    """
    spans = [mention.span for mention in entity.mentions]
    start, n = spans[0].start, len(lead)
    text = document.text[:start] + lead + document.text[start:]
    moved = [span if span.start < start else Span(span.start + n, span.end + n) for span in spans]
    subwords = Subwords(model, text)
    targets = subwords.of(moved[0])
    if not targets:
        return None
    (answer,) = model.answer([subwords.question(subwords.hiding(moved), targets)])
    return -float(answer.sum())


def features(
    document: Document,
    entities: Sequence[Entity],
    model: LanguageModelProtocol,
    mentions: int = MENTIONS,
) -> NDArray[np.float64]:
    """Return the reductions of ``REDUCTIONS`` for each entity, float64 [n, 5], in nats.

    Rows of entities without a subword of the model are NaN. See ``log_probabilities``.
    """
    return np.array(
        [_reduction(values) for values in log_probabilities(document, entities, model, mentions)]
    ).reshape(-1, len(REDUCTIONS))


def _reduction(mentions: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    if not mentions:
        return np.full(len(REDUCTIONS), np.nan)
    rows = [
        (values.min(), values.max(), np.median(values), values.mean(), values.sum())
        for values in (mention.astype(np.float64) for mention in mentions)
    ]
    mean: NDArray[np.float64] = np.mean(rows, axis=0)
    return mean


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Features of the entities that a language model was asked about.

    Attributes:
        features: float64 [n, 5], in nats; NaN where the model has no subword.
        owners: number of the entity of each row, ascending. Each entity has at least one row.
    """

    features: NDArray[np.float64]
    owners: NDArray[np.int64]

    @property
    def sums(self) -> NDArray[np.float64]:
        """The lowest summed log-probability of each entity, NaN for one without a subword."""
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        column = self.features[:, REDUCTIONS.index("sum")]
        lowest: NDArray[np.float64] = np.fmin.reduceat(column, starts) if len(starts) else column
        return lowest

    def rows(self, entities: Sequence[Entity], context: Context) -> list[dict[str, float]]:
        """Return the features and types of the rows, by name."""
        types = [entities[number].type for number in self.owners]
        return feature_rows(self.features, types, context)

    def riskiest(self, findings: Sequence[Finding | None]) -> list[Finding | None]:
        """Return a finding per entity: of the findings of its rows, the one with the highest value."""
        highest: dict[int, Finding | None] = {}
        for number, finding in zip(self.owners.tolist(), findings, strict=True):
            best = highest.setdefault(number, finding)
            if finding and (best is None or finding.evidence.value > best.evidence.value):
                highest[number] = finding
        return list(highest.values())


def read_entities(
    document: Document,
    entities: Sequence[Entity],
    model: LanguageModelProtocol,
    context: Context,
) -> Readings:
    """Return the features of entities, with a row per mention in an entire context and a row per entity in a short one."""
    if context is Context.SHORT:
        return Readings(features(document, entities, model), np.arange(len(entities)))
    subwords = Subwords(model, document.text, context)
    questions: list[Question] = []
    counts: list[int] = []
    owners: list[int] = []
    for number, entity in enumerate(entities):
        asked = list(filter(None, (subwords.whole(mention.span) for mention in entity.mentions)))
        for group in asked or [[]]:
            questions += group
            counts.append(len(group))
            owners.append(number)
    answers = iter(model.answer(questions))
    rows = [
        _reduction([np.concatenate([next(answers) for _ in range(count)])] if count else [])
        for count in counts
    ]
    return Readings(np.array(rows).reshape(-1, len(REDUCTIONS)), np.array(owners, dtype=np.int64))


def feature_rows(
    matrix: NDArray[np.float64], types: Sequence[SemanticType], context: Context = Context.SHORT
) -> list[dict[str, float]]:
    """Return features and type of each row by name, for the logistic regression.

    In a short context, mean and sum are repeated under the type's name, since a value that is
    surprising for a date may be usual for an organization.
    """
    rows = []
    for row, type in zip(matrix, types, strict=True):
        values = dict(zip(REDUCTIONS, map(float, row), strict=True))
        repeated = ("mean", "sum") if context is Context.SHORT else ()
        of_type = {f"{name} of {type}": values[name] for name in repeated}
        rows.append({**values, **of_type, f"type {type}": 1.0})
    return rows


# A logistic regression over the log-probabilities and the type of an entity
# (``privacy_risk_indicators``, section 5.1). It is fitted by ``train/language_risk.py``.


LANGUAGE = "language"
_HALF = 0.5


class LanguageRisk:
    """Indicator of entities by their probability in context, by logistic regression.

    Args:
        model: the language model.
        weights: by the name of the feature; see ``feature_rows``.
        context: what the model was shown when they were fitted.
    """

    def __init__(
        self,
        model: LanguageModelProtocol,
        weights: Mapping[str, float],
        context: Context = Context.SHORT,
    ) -> None:
        self._model = model
        self._weights = dict(weights)
        self._context = context

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity; None where the model has no subword for it."""
        readings = read_entities(document, entities, self._model, self._context)
        return readings.riskiest(
            [
                None if math.isnan(row["sum"]) else _finding(row["sum"], chance(self._weights, row))
                for row in readings.rows(entities, self._context)
            ]
        )


def chance(weights: Mapping[str, float], row: Mapping[str, float]) -> float:
    """Return the probability that an entity with these features is masked."""
    odds = sum(weights.get(name, 0.0) * value for name, value in row.items())
    odds += weights.get("constant", 0.0)
    return probability(odds)


def _finding(sum_: float, value: float) -> Finding:
    statement = (
        f"A language model gives it a log-probability of {sum_:.1f} where it stands; of entities of "
        f"its type that are as surprising, {value:.2f} were masked."
    )
    identifier = IdentifierType.QUASI if value >= _HALF else IdentifierType.NO_MASK
    return Finding(Evidence(LANGUAGE, value, statement), identifier)


# Loading the fitted weights, after checking their digest.


DEFAULT_LANGUAGE_RISK = "language-risk-en"
LANGUAGE_RISK_FILE = "language-risk.json"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A risk threshold, with the shares of training entities on each side that were masked.

    Attributes:
        at: the threshold.
        risky: share of masked entities beyond it.
        other: share of masked entities among the rest.
    """

    at: float
    risky: float
    other: float


@dataclass(frozen=True, slots=True)
class LanguageRiskWeights:
    """Fitted thresholds and weights of the indicators with a language model.

    Attributes:
        model: name of the language model, up to its digest.
        surprise: of the summed log-probability of an entity, in nats; below it is risky.
        together: of the joint log-probability of several entities, in nats; below it is risky.
        alone: of the rise, in nats, of the log-probability of the direct identifiers when an entity
            is shown and all others are hidden; above it is risky.
        among: the same with all others shown.
        weights: of the logistic regression, by name of the feature.
        types: of a regression by types alone, for comparison.
        source: where the language model is: ``hf:NAME``, or a folder; empty for the shipped one.
        context: what it was shown.
    """

    model: str
    surprise: Threshold
    together: Threshold
    alone: Threshold
    among: Threshold
    weights: Mapping[str, float]
    types: Mapping[str, float]
    source: str = ""
    context: Context = Context.SHORT

    def as_json(self) -> str:
        """Return the content of ``LANGUAGE_RISK_FILE``."""
        fields = asdict(self)
        if not self.source:
            del fields["source"]
        return json.dumps(fields, indent=1) + "\n"


@cache
def load_language_risk(source: str | Path = DEFAULT_LANGUAGE_RISK) -> LanguageRiskWeights:
    """Return fitted thresholds and weights, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or has other content.
    """
    name, text = read_text(source, LANGUAGE_RISK_FILE, "was fitted to no language model")
    try:
        data = json.loads(text)
        names = ("surprise", "together", "alone", "among")
        thresholds = {
            key: Threshold(*(float(data[key][part]) for part in ("at", "risky", "other")))
            for key in names
        }
        weights, types = (
            {str(key): float(weight) for key, weight in data[part].items()}
            for part in ("weights", "types")
        )
        return LanguageRiskWeights(
            model=str(data["model"]),
            **thresholds,
            weights=weights,
            types=types,
            source=str(data.get("source", "")),
            context=Context(data.get("context", Context.SHORT)),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{name}: {LANGUAGE_RISK_FILE} has no thresholds and weights; rebuild it."
        ) from error


# Zero-shot: an entity is risky if its summed log-probability is below a threshold.
#
# ``explicit_risk_measures``, section 3.2.1; there the threshold is -3.5 for one RoBERTa, here it is
# chosen for one model on annotated documents, of which nothing else is learned.


THRESHOLD = "language_threshold"


class LanguageThreshold:
    """Indicator of entities by their summed log-probability alone.

    Args:
        model: the language model.
        threshold: an entity below ``at`` is risky. Its value is the share of masked entities on its
            side.
        context: what the model was shown when it was fitted.
    """

    def __init__(
        self,
        model: LanguageModelProtocol,
        threshold: Threshold,
        context: Context = Context.SHORT,
    ) -> None:
        self._model = model
        self._threshold = threshold
        self._context = context

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity; None where the model has no subword for it."""
        sums = read_entities(document, entities, self._model, self._context).sums
        return [
            None if np.isnan(log_probability) else self._finding(float(log_probability))
            for log_probability in sums
        ]

    def _finding(self, log_probability: float) -> Finding:
        risky = log_probability < self._threshold.at
        value = self._threshold.risky if risky else self._threshold.other
        statement = (
            f"A language model gives it a log-probability of {log_probability:.1f} where it stands, "
            f"{'below' if risky else 'not below'} the threshold of {self._threshold.at:.1f}."
        )
        identifier = IdentifierType.QUASI if risky else IdentifierType.NO_MASK
        return Finding(Evidence(THRESHOLD, value, statement), identifier)


# A language model with a cache of its answers.
#
# A document is decided in rounds that each add a few entities, and several indicators need the same
# answers.


_MOST = 4_000


class CachedLanguageModel:
    """A language model with a cache of recent answers.

    Args:
        model: the language model.
        capacity: number of cached answers; the oldest are dropped first.
    """

    def __init__(self, model: LanguageModelProtocol, capacity: int = _MOST) -> None:
        self._model = model
        self._most = capacity
        self._answers: dict[Question, NDArray[np.floating]] = {}

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def window(self) -> int:
        """The model's."""
        return self._model.window

    @property
    def mask_id(self) -> int:
        """The model's."""
        return self._model.mask_id

    def pieces(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Return (id, start, end) of each subword of a text."""
        return self._model.pieces(text)

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Return log p of the targets of each question, in nats."""
        # Kept here until the end, since another thread may drop them in the meantime.
        entries = {question: self._answers.get(question) for question in questions}
        new = [question for question, answer in entries.items() if answer is None]
        answers = dict(zip(new, self._model.answer(new), strict=True))
        self._answers.update(answers)
        for question in list(self._answers)[: max(0, len(self._answers) - self._most)]:
            self._answers.pop(question, None)
        hits = {question: answer for question, answer in entries.items() if answer is not None}
        return [
            answers[question] if question in answers else hits[question] for question in questions
        ]
