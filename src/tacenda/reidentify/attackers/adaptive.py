"""An attacker refitted on sanitized texts about other people: it has learned to use what masks leave.

    score(person) = Σ over evidence e of w(e) · score_e(person),  w(e) ≥ 0

Evidence comes from the other additive attackers (search, classifier, letters), from each kind of
typed value (``records``), and from *guesses*: a ridge regression from the words of sanitized texts to
the places, decades, numbers and other values of the people they are about,

    guess(person) = Σ over words, over values f of the person of effect(f | word) / sqrt(number of values)

plus a constant for each word that makes it at least 0. A year counts as a word and as its decade.
The weights come from a conditional logit of the right person against rivals (McFadden, 1974), like
an adversary who sees a release, knows some of its people, and asks what distinguishes them. Weights
aren't negative, so masking a word never raises a score, and the search for masks can use this
attacker like the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...background.people import People
from ...background.values import values_of
from ...errors import InputError
from ..tokens import STOP_WORDS, TokenizedDocument
from .lexical import AdditiveAttacker, Bm25, Contributions, NaiveBayes, WordContribution
from .ngrams import CharacterNgrams
from .records import M, RecordLinkage

Pairs = Sequence[tuple[TokenizedDocument, int]]
"""Sanitized texts, each with the number of the person it is about."""
LEAST_PAIRS: Final = 20
_TYPES: Final = ("place", "decade", "number", "value")
_LEAST_TEXTS: Final = 4
"""Texts of people with a value, from which on it is guessed."""
_RIDGE: Final = 0.1
"""Penalty of the regression, for each text."""
_GENERATION: Final = 8.0
"""Years: people whose first dates are further apart count as of another time."""
_RIVALS: Final = 100
"""Wrong people that are compared with the right one: the likeliest, and as many drawn."""
_PENALTY: Final = 0.01
_LINKED: Final = 0.5
_BEFORE: Final = {"bm25": 0.1, "bayes": 0.05, "ngrams": 0.1} | {
    f"guess {type}": 0.0 for type in _TYPES
}
"""Weights before anything is learned, ``_LINKED`` for typed values: what the texts never show keeps them."""
_STEPS: Final = 400


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """What the words of sanitized texts say about the values of the people they are about.

    Attributes:
        effects: the effect of each word on the values, [values].
        types: index of each value's type, [values].
        shares: each value's share in the values of its type that each person has, [values, people].
    """

    effects: dict[str, NDArray[np.float32]]
    types: NDArray[np.intp]
    shares: NDArray[np.float32]

    def effects_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the effects of words, [words, values]."""
        effects = np.zeros((len(words), len(self.types)), dtype=np.float32)
        for row, word in zip(effects, words, strict=True):
            for feature in _features(word):
                row += self.effects.get(feature, np.float32(0))
        return effects

    def rows(self, words: Sequence[str], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the evidence of each word with weights of the types, at least 0, [words, people]."""
        effects = self.effects_of(words) * weights[self.types].astype(np.float32)
        evidence = (effects @ self.shares).astype(np.float64)
        return np.asarray(evidence - evidence.min(axis=1, keepdims=True))

    def scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the evidence of a text by its distinct words, [types, people]."""
        effects = self.effects_of(words).sum(axis=0)
        of_type = [self.types == type for type in range(len(_TYPES))]
        return np.array([effects[some] @ self.shares[some] for some in of_type], dtype=np.float64)


def _features(word: str) -> Iterator[str]:
    yield word
    if len(word) == len("1897") and word.isdecimal():
        yield f"{word[:3]}0s"


def learn_guesses(people: People, pairs: Pairs) -> Guesses:
    """Learn which words are used about which values, from texts about people who have them."""
    texts = [
        {feature for word in _words(document) for feature in _features(word)}
        for document, _ in pairs
    ]
    counts = Counter(word for words in texts for word in words)
    vocabulary = [word for word, count in counts.items() if count > 1]
    has_word = np.array([[word in words for word in vocabulary] for words in texts], dtype=float)
    has_word -= has_word.mean(axis=0)
    types, shares = _shares(people, [number for _, number in pairs])
    targets = (shares - shares.mean(axis=1, keepdims=True))[:, [number for _, number in pairs]]
    products = has_word @ has_word.T + _RIDGE * len(pairs) * np.eye(len(pairs))
    effects = (has_word.T @ np.linalg.solve(products, targets.T)).astype(np.float32)
    return Guesses(dict(zip(vocabulary, effects, strict=True)), types, shares)


def _words(document: TokenizedDocument) -> list[str]:
    """Return the distinct words except stop words, in order."""
    return [key for key in dict.fromkeys(document.keys) if key not in STOP_WORDS]


def _shares(people: People, numbers: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return the type of each value that several of these people share, and everyone's shares of it, [values, people]."""
    counts: Counter[str] = Counter()
    for number in numbers:
        person = people.person(number)
        counts.update(values_of(person.name, person.profile, people.kinds).keys)
    keys = sorted(key for key, count in counts.items() if count >= _LEAST_TEXTS)
    types, rows = [], []
    for key in keys:
        if (name := key.split()[0]) in _TYPES:
            types.append(_TYPES.index(name))
            rows.append(np.zeros(len(people), dtype=np.float32))
            rows[-1][people.posting(key).people] = 1
    years = people.first_years
    for decade in np.unique(years[numbers][years[numbers] > 0] // 10):
        types.append(_TYPES.index("decade"))
        distance = (years - 10 * decade - 5) / _GENERATION
        rows.append(np.where(years > 0, np.exp(-(distance**2)), 0).astype(np.float32))
    shares = np.array(rows, dtype=np.float32).reshape(-1, len(people))
    indices = np.array(types, dtype=np.intp)
    for type in range(len(_TYPES)):
        some = indices == type
        shares[some] /= np.sqrt(np.maximum(np.square(shares[some]).sum(axis=0), 1))
    return indices, shares


class AdaptiveAttacker(AdditiveAttacker):
    """Ranks people by evidence whose weights are learned from sanitized texts about other people.

    Args:
        people: the background knowledge.
        pairs: sanitized texts about other people, at least ``LEAST_PAIRS``.
        seed: seed for drawing halves and rivals.

    Attributes:
        weights: the weight of each kind of evidence, by name.

    Raises:
        InputError: if there are too few pairs.
    """

    name = "adaptive"
    family = "adaptive"

    def __init__(self, people: People, pairs: Pairs, seed: int = 0) -> None:
        if len(pairs) < LEAST_PAIRS:
            raise InputError(
                f"{len(pairs)} sanitized texts are too few to learn from; at least {LEAST_PAIRS} "
                "of other people are needed."
            )
        self.n_people = len(people)
        self._records = RecordLinkage(people)
        self._lexical = (Bm25(people), NaiveBayes(people), CharacterNgrams(people))
        self._evidence = (
            *(attacker.name for attacker in self._lexical),
            *M,
            *(f"guess {type}" for type in _TYPES),
        )
        # Words are learned from one half of the texts, and their weight from the other half.
        random = np.random.default_rng(seed)
        order = random.permutation(len(pairs))
        halves = [[pairs[n] for n in some] for some in (order[0::2], order[1::2])]
        examples = []
        for learned, judged in (halves, halves[::-1]):
            self._guesses = learn_guesses(people, learned)
            examples += [self._example(document, number, random) for document, number in judged]
        before = np.array([_BEFORE.get(name, _LINKED) for name in self._evidence])
        self._weights = _fit(np.array(examples), before)
        self._guesses = learn_guesses(people, pairs)
        self.weights = dict(zip(self._evidence, map(float, self._weights), strict=True))

    def row(self, term: str) -> WordContribution:
        """Return a word's evidence about people's values."""
        (total,) = self._guesses.rows([term], self._weights[-len(_TYPES) :])
        people = np.flatnonzero(total).astype(np.int32)
        return WordContribution(people, total[people])

    def contributions(self, document: TokenizedDocument) -> Contributions:
        """Return a document as all its evidence, weighted."""
        keys = _words(document)
        occurrences = Counter(document.keys)
        guesses = self._guesses.rows(keys, self._weights[-len(_TYPES) :])
        # Each distinct word counts once, and an occurrence as its share of that.
        totals = {key: row / occurrences[key] for key, row in zip(keys, guesses, strict=True)}
        for weight, attacker in zip(self._weights, self._lexical, strict=False):
            if not weight:
                continue
            contributions = attacker.contributions(document)
            rows = dict(zip(document.keys, contributions.word_rows, strict=True))
            for key, total in totals.items():
                people, values = contributions.rows[rows[key]]
                total[people] += weight * values
        places = {key: n for n, key in enumerate(totals, 1)}
        rows_out = [WordContribution(np.zeros(0, np.int32), np.zeros(0))]
        for total in totals.values():
            having = np.flatnonzero(total).astype(np.int32)
            rows_out.append(WordContribution(having, total[having]))
        linked, kinds = self._records.typed(document)
        weights = [self._weight(kind) for kind in kinds]
        joint = [(words, row + len(rows_out)) for words, row in linked.joint if weights[row]]
        rows_out += [
            WordContribution(row.people, weight * row.values)
            for row, weight in zip(linked.rows, weights, strict=True)
        ]
        word_rows = np.array([places.get(key, 0) for key in document.keys], dtype=np.intp)
        return Contributions(tuple(rows_out), word_rows, tuple(joint))

    def _weight(self, kind: str) -> float:
        return float(self._weights[self._evidence.index(kind)]) if kind else 0.0

    def _example(
        self, document: TokenizedDocument, number: int, random: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the evidence for the right person and for rivals, [1 + rivals, evidence]."""
        unmasked = document.unmasked()[None, :]
        scores = [attacker.scores(document, unmasked)[0] for attacker in self._lexical]
        linked, kinds = self._records.typed(document)
        of_kind = {kind: np.zeros(self.n_people) for kind in M}
        for _, row in linked.joint:
            people, values = linked.rows[row]
            of_kind[kinds[row]][people] += values
        scores += of_kind.values()
        scores += list(self._guesses.scores(_words(document)))
        evidence = np.array(scores).T
        spread = np.maximum(evidence.std(axis=0), 1e-9)
        overall = (evidence / spread).sum(axis=1)
        overall[number] = -np.inf
        count = min(_RIVALS, self.n_people - 1)
        likely = np.argpartition(overall, -count)[-count:]
        others = np.delete(np.arange(self.n_people), number)
        rivals = random.choice(others, _RIVALS, replace=True)
        # All examples have the same number of rows; with few people, some rivals count more than
        # once.
        padded = np.resize(likely, _RIVALS)
        return np.asarray(evidence[np.concatenate([[number], padded, rivals])])


def adaptive_pair(people: People, pairs: Pairs) -> tuple[AdaptiveAttacker, AdaptiveAttacker]:
    """Return two attackers, each adapted to the texts of one half of the people.

    One can guide a search, and the other judge its results.

    Args:
        people: the background knowledge.
        pairs: sanitized texts, of at least ``LEAST_PAIRS`` people in each half.

    Raises:
        InputError: if there are too few pairs.
    """
    first = set(sorted({number for _, number in pairs})[::2])
    halves = [[pair for pair in pairs if (pair[1] in first) is own] for own in (True, False)]
    guide, judge = (AdaptiveAttacker(people, half) for half in halves)
    return guide, judge


def _fit(examples: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights >= 0 that make the first candidate in each row likeliest, [evidence].

    Uses projected gradient descent with momentum on the mean cross entropy, with evidence scaled to
    unit variance and a small penalty on the distance from the previous weights.

    Args:
        examples: [texts, candidates, evidence].
        before: [evidence].
    """
    spread = examples.std(axis=(0, 1))
    scale = np.maximum(spread, 1e-6)
    scaled = (examples - examples[:, :1]) / scale
    prior = before * scale
    weights = prior.copy()
    speed = np.zeros_like(weights)
    for step in range(_STEPS):
        logits = scaled @ weights
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        gradient = np.einsum("tc,tce->e", chances, scaled) / len(scaled)
        gradient += _PENALTY * (weights - prior)
        speed = 0.8 * speed - 0.1 * gradient / math.sqrt(1 + step / 50)
        weights = np.maximum(weights + speed, 0)
    return np.asarray(np.where(spread > 1e-6, weights / scale, before))
