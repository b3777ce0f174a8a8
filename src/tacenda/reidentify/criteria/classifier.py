"""A classifier that an adversary fits to texts about other people whose attributes they know.

It is multinomial naive Bayes over the words in a text (McCallum and Nigam, 1998), smoothed with the
words of all classes (Jelinek and Mercer, 1980). Its temperature is chosen by leaving out each
training person in turn, so that probabilities are calibrated for people it never saw. Nothing is
shipped: anyone who has a release and knows some of its people can fit it, and it learns what
sanitizing leaves in texts of this kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = Sequence[str]
_SMOOTHING: Final = 0.5
"""Weight of the words of all classes together: a word that a class lacks is not proof against it."""
_TEMPERATURES: Final = tuple(1.5**power for power in range(17, -2, -1))
_LEAST: Final = 2
"""Texts of a value, and texts with a word, from which something can be learned of it."""
_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """Words that several texts share, with their indexes."""

    numbers: dict[str, int]

    @classmethod
    def of(cls, texts: Sequence[Words]) -> _Vocabulary:
        counts = Counter(word for words in texts for word in set(words))
        vocabulary = sorted(word for word, count in counts.items() if count >= _LEAST)
        return cls({word: number for number, word in enumerate(vocabulary)})

    def read(self, words: Words) -> NDArray[np.int64]:
        """Return the indexes of a text's known words, without duplicates, in order."""
        numbers = {self.numbers[word] for word in words if word in self.numbers}
        return np.array(sorted(numbers), dtype=np.int64)


class _Row(NamedTuple):
    """A training text: its word indexes and its class."""

    words: NDArray[np.int64]
    value: int


class AttributeClassifier:
    """Classifies texts by the value of an attribute.

    Args:
        texts: the words of each training text.
        values: the attribute's values, one per text.
        people: id of the person that each text is about.

    Attributes:
        classes: values that at least two texts have, in alphabetical order; may be empty.
    """

    def __init__(
        self, texts: Sequence[Words], values: Sequence[str], people: Sequence[str]
    ) -> None:
        counts = Counter(values)
        self.classes = sorted(value for value, count in counts.items() if count >= _LEAST)
        number = {value: idx for idx, value in enumerate(self.classes)}
        known = [place for place, value in enumerate(values) if value in number]
        self._known = len(known) / max(len(values), 1)
        self._vocabulary = _Vocabulary.of([texts[place] for place in known])
        self._counts = np.zeros((len(self.classes), len(self._vocabulary.numbers)))
        self._texts = np.zeros(len(self.classes))
        rows: dict[str, list[_Row]] = {}
        for place in known:
            words, value = self._vocabulary.read(texts[place]), number[values[place]]
            rows.setdefault(people[place], []).append(_Row(words, value))
            self._counts[value, words] += 1
            self._texts[value] += 1
        self._totals = self._counts.sum(axis=1)
        self._of_all = self._counts.sum(axis=0) / max(self._totals.sum(), 1)
        self._temperature = self._calibrated(list(rows.values()))

    def guess(self, words: Words) -> tuple[str, float]:
        """Return the likeliest value and its probability; empty and 0 if there are fewer than two classes."""
        if len(self.classes) < 2:
            return "", 0.0
        scores = self._scores(self._vocabulary.read(words)) / self._temperature
        probabilities = _softmax(scores + self._prior())
        best = int(np.argmax(probabilities))
        return self.classes[best], self._known * float(probabilities[best])

    def _prior(self) -> NDArray[np.float64]:
        prior: NDArray[np.float64] = np.log(self._texts / self._texts.sum())
        return prior

    def _scores(
        self, words: NDArray[np.int64], left_out: Sequence[_Row] = ()
    ) -> NDArray[np.float64]:
        """Return the log-likelihood of words, [classes], optionally as if some texts hadn't been learned."""
        counts = self._counts[:, words]
        totals = self._totals.copy()
        for row in left_out:
            counts[row.value] -= np.isin(words, row.words, assume_unique=True)
            totals[row.value] -= len(row.words)
        rates = counts / np.maximum(totals, 1)[:, None]
        shares = (1 - _SMOOTHING) * rates + _SMOOTHING * self._of_all[words]
        scores: NDArray[np.float64] = np.log(shares).sum(axis=1)
        scores -= scores.max()
        return scores

    def _calibrated(self, people: Sequence[Sequence[_Row]]) -> float:
        """Return the temperature that makes texts likeliest when their person is left out."""
        if not people:
            return 1.0
        scores = np.array([self._scores(row.words, rows) for rows in people for row in rows])
        values = np.array([row.value for rows in people for row in rows])
        prior = self._prior()

        def loss(temperature: float) -> float:
            logits = scores / temperature + prior
            logits -= logits.max(axis=1, keepdims=True)
            norms = np.log(np.exp(logits).sum(axis=1))
            return float((norms - logits[np.arange(len(values)), values]).sum())

        return min(_TEMPERATURES, key=loss)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(scores - scores.max())
    result: NDArray[np.float64] = weights / weights.sum()
    return result


def held_out(
    texts: Sequence[Words], values: Sequence[str], people: Sequence[str]
) -> Iterator[tuple[int, AttributeClassifier]]:
    """Yield each text's index, and a classifier that saw no text about the same person.

    Args:
        texts: words of each text.
        values: the attribute's values, one per text.
        people: id of the person that each text is about.
    """
    fold_of = {person: number % _FOLDS for number, person in enumerate(sorted(set(people)))}
    for fold in range(_FOLDS):
        learning = [place for place, person in enumerate(people) if fold_of[person] != fold]
        classifier = AttributeClassifier(
            [texts[place] for place in learning],
            [values[place] for place in learning],
            [people[place] for place in learning],
        )
        for place, person in enumerate(people):
            if fold_of[person] == fold:
                yield place, classifier
