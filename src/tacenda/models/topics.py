"""Linear topic classifiers: the kind of a text, and the occupation in a biography.

A classifier is a multinomial logistic regression on which words a text has, not how often. With
weights W [words, labels], a word's evidence for a label is W[word, label] − mean(W[word, :]): what
it adds to the label's logit above average. Evidence is additive, so the share that is left after
sanitizing can be computed without classifying again. ``Classifier.agreement`` says how often the
prediction stays the same at a given share, measured by the recipe (``tacenda lab train topics`` of
``tacenda-lab``) on held-out texts.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .store import verified_file

DEFAULT_TOPICS: Final = "topics-en"
TOPICS_FILE: Final = "topics.json.gz"


@dataclass(frozen=True, slots=True)
class Prediction:
    """A label and its probability in [0, 1]."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class Classifier:
    """A linear classifier over the words of a text.

    Attributes:
        name: name of the set of labels: ``kind``, ``occupation``.
        labels: at least two.
        within: the label of the first classifier that a text must have for this classifier to
            apply; empty for all texts.
        rows: row of each known word, in lowercase.
        weights: in nats, [words, labels].
        biases: in nats, [labels].
        curve: how often the prediction stays the same if 0, 1/n, 2/n, …, 1 of the evidence for it
            is left; from 0 to 1, never falling.
    """

    name: str
    labels: tuple[str, ...]
    within: str
    rows: dict[str, int] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)
    biases: NDArray[np.float64] = field(repr=False)
    curve: tuple[float, ...] = field(repr=False)

    def predict(self, words: Iterable[str]) -> Prediction | None:
        """Return the likeliest label of a text with these words, or None if no word is known."""
        rows = [self.rows[word] for word in set(words) if word in self.rows]
        if not rows:
            return None
        logits = self.biases + self.weights[sorted(rows)].sum(axis=0)
        odds = np.exp(logits - logits.max())
        best = int(odds.argmax())
        return Prediction(self.labels[best], float(odds[best] / odds.sum()))

    def evidence_left(self, label: str, original: Set[str], sanitized: Set[str]) -> float | None:
        """Return the share of the evidence for a label that is left, in [0, 1].

        The evidence consists of the original's words that support the label. Words that were
        written instead also count, for or against the label. Returns None if no word of the
        original supports the label.

        Args:
            label: one of ``labels``.
            original: the words of the original.
            sanitized: the words of the sanitized text.
        """
        total = self._evidence(label, original).clip(min=0).sum()
        if not total > 0:
            return None
        shared = self._evidence(label, original & sanitized).clip(min=0).sum()
        gain = self._evidence(label, sanitized - original).sum()
        return float(min(1.0, max(0.0, (shared + gain) / total)))

    def agreement(self, evidence_left: float) -> float:
        """Return the probability that the prediction stays the same at a share of its evidence."""
        knots = np.linspace(0, 1, len(self.curve))
        return float(np.interp(evidence_left, knots, self.curve))

    def _evidence(self, label: str, words: Set[str]) -> NDArray[np.float64]:
        rows = sorted(self.rows[word] for word in words if word in self.rows)
        weights = self.weights[rows]
        evidence: NDArray[np.float64] = weights[:, self.labels.index(label)] - weights.mean(axis=1)
        return evidence


@cache
def load_classifiers(source: str | Path = DEFAULT_TOPICS) -> tuple[Classifier, ...]:
    """Return the classifiers of a model, starting with the one for all texts.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or has no classifiers.
    """
    name, path = verified_file(source, TOPICS_FILE, "has no classifiers of topics")
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
        return tuple(map(_classifier, data["classifiers"]))
    except (
        OSError,
        EOFError,
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        IndexError,
    ) as error:
        raise ModelError(f"{name}: {TOPICS_FILE} is malformed; rebuild it.") from error


def _classifier(raw: dict[str, Any]) -> Classifier:
    words, labels = raw["words"], tuple(map(str, raw["labels"]))
    curve = tuple(map(float, raw["curve"]))
    weights = np.array(list(words.values()), dtype=np.float64) * float(raw["scale"])
    biases = np.array(raw["biases"], dtype=np.float64)
    if weights.shape != (len(words), len(labels)) or biases.shape != (len(labels),):
        raise ValueError(f"{weights.shape} weights for {len(words)} words, {len(labels)} labels")
    if len(labels) < 2 or curve != tuple(sorted(curve)) or (curve[0], curve[-1]) != (0.0, 1.0):
        raise ValueError("labels or curve")
    rows = {str(word): row for row, word in enumerate(words)}
    return Classifier(str(raw["name"]), labels, str(raw["within"]), rows, weights, biases, curve)
