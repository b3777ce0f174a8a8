"""An attacker refitted on sanitized texts about other people: it has learned to use what masks leave.

    score(person) = Σ over evidence e of w(e) · score_e(person),  w(e) ≥ 0

Evidence comes from the other additive attackers (search, classifier, letters), from each kind of
typed value (``records``), and from *guesses*: words that are more frequent in sanitized texts about
people with some place, decade, number or value,

    guess(person) = Σ over words, over values f of the person of max(0, log p(f | word) / p(f)) / number of values

The weights come from a conditional logit of the right person against rivals (McFadden, 1974), like
an adversary who sees a release, knows some of its people, and asks what distinguishes them. Weights
aren't negative, so masking a word never raises a score, and the search for masks can use this
attacker like the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
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
"""Texts of people with a value, from which on its words are learned; and texts with a word."""
_PSEUDO: Final = 4.0
"""Texts of the whole that are counted beside those with a word."""
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
    """Words in sanitized texts, and the values of the people they are used about.

    Attributes:
        words: the row of each word.
        lift: max(0, log p(value | word) / p(value)), [words, values].
        types: index of each value's type, [values].
        people: the people who have each value.
        shares: for each value, one over the number of values of its type that each of its people
            has.
    """

    words: dict[str, int]
    lift: NDArray[np.float64]
    types: NDArray[np.intp]
    people: tuple[NDArray[np.int32], ...]
    shares: tuple[NDArray[np.float64], ...]

    def scores(self, word: str, type: int, n_people: int) -> NDArray[np.float64]:
        """Return a word's evidence about the values of a type, [people]."""
        scores = np.zeros(n_people)
        row = self.words.get(word)
        if row is not None:
            for value in np.flatnonzero((self.types == type) & (self.lift[row] > 0)):
                scores[self.people[value]] += self.lift[row, value] * self.shares[value]
        return scores


def learn_guesses(people: People, pairs: Pairs) -> Guesses:
    """Learn which words are used about which values, from texts about people who have them."""
    texts_of: dict[str, list[int]] = {}
    for n, (_, number) in enumerate(pairs):
        for key in _keys(people, number):
            texts_of.setdefault(key, []).append(n)
    values = [key for key, texts in texts_of.items() if len(texts) >= _LEAST_TEXTS]
    words_of = [set(document.keys) - STOP_WORDS for document, _ in pairs]
    counts = Counter(word for words in words_of for word in words)
    vocabulary = [word for word, count in counts.items() if count >= _LEAST_TEXTS]
    words = {word: n for n, word in enumerate(vocabulary)}
    has_word = np.zeros((len(pairs), len(words)))
    for n, some in enumerate(words_of):
        has_word[n, [words[word] for word in some if word in words]] = 1
    has_value = np.zeros((len(pairs), len(values)))
    for place, key in enumerate(values):
        has_value[texts_of[key], place] = 1
    prior = has_value.mean(axis=0)
    counts_joint = has_word.T @ has_value
    chance = (counts_joint + _PSEUDO * prior) / (has_word.sum(axis=0)[:, None] + _PSEUDO)
    lift = np.maximum(np.log(chance / np.maximum(prior, 1e-9)), 0)
    types = np.array([_TYPES.index(key.split()[0]) for key in values], dtype=np.intp)
    having = tuple(_having(people, key) for key in values)
    of_type = np.zeros((len(_TYPES), len(people)))
    for type, some_people in zip(types, having, strict=True):
        of_type[type, some_people] += 1
    shares = tuple(
        1 / of_type[type, some_people] for type, some_people in zip(types, having, strict=True)
    )
    return Guesses(words, lift, types, having, shares)


def _keys(people: People, number: int) -> Iterable[str]:
    """Return the values that a person shares with others."""
    person = people.person(number)
    values = values_of(person.name, person.profile, people.kinds)
    yield from (key for key in sorted(values.keys) if key.split()[0] in _TYPES)
    if values.first_year:
        yield f"decade {values.first_year // 10}"


def _having(people: People, key: str) -> NDArray[np.int32]:
    kind, _, value = key.partition(" ")
    if kind == "decade":
        return np.flatnonzero(people.first_years // 10 == int(value)).astype(np.int32)
    return people.posting(key).people


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
        total = np.zeros(self.n_people)
        first = len(self._evidence) - len(_TYPES)
        for type in range(len(_TYPES)):
            weight = self._weights[first + type]
            if weight:
                total += weight * self._guesses.scores(term, type, self.n_people)
        people = np.flatnonzero(total).astype(np.int32)
        return WordContribution(people, total[people])

    def contributions(self, document: TokenizedDocument) -> Contributions:
        """Return a document as all its evidence, weighted."""
        keys = list(dict.fromkeys(document.keys))
        totals = {key: np.zeros(self.n_people) for key in keys if key not in STOP_WORDS}
        for weight, attacker in zip(self._weights, self._lexical, strict=False):
            if not weight:
                continue
            contributions = attacker.contributions(document)
            rows = dict(zip(document.keys, contributions.word_rows, strict=True))
            for key, total in totals.items():
                people, values = contributions.rows[rows[key]]
                total[people] += weight * values
        for key, total in totals.items():
            people, values = self.row(key)
            total[people] += values
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
        for type in range(len(_TYPES)):
            total = np.zeros(self.n_people)
            for key in document.keys:
                if key not in STOP_WORDS:
                    total += self._guesses.scores(key, type, self.n_people)
            scores.append(total)
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
