"""Linkability: whether two documents about one person can be linked in a release.

This is the second test of WP216 (Article 29 Working Party, Opinion 05/2014, section 2.2.2). For
each pair of documents about one person, the attacker ranks the second among everybody else's
documents by its similarity to the first; the pair is linked if the second alone comes first. The
*control* ranks another person's document in its place.

    attackers   words        cosine of TF-IDF vectors of words
                characters   the same of runs of four characters, which keep spelling and style
                attributes   attributes that agree, less those that contradict (``closure``)
                any          linked by one of them
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ...rewrite.edits import MASK
from ...text.normal_form import fold_text
from ..rates import Rate, rate
from ..tokens import LABEL, read_words
from .inference import ReleaseCase
from .singling_out import predicates
from .values import Attribute, agree

_RUN: Final = 4
_SPREAD: Final = 0.25
"""Share of the documents above which a run of characters is uninformative and expensive."""


@dataclass(frozen=True, slots=True)
class LinkabilityReport:
    """The linkability test of a release.

    Attributes:
        n_pairs: number of pairs of documents about one person; no document is in two pairs.
        n_documents: number of documents in the release.
        attack: share of pairs linked, by attacker.
        control: share of other people's documents linked in their place, by attacker.
        linked: the pairs linked by any attacker, as document indexes.
    """

    n_pairs: int
    n_documents: int
    attack: Mapping[str, Rate]
    control: Mapping[str, Rate]
    linked: tuple[tuple[int, int], ...]

    @property
    def chance(self) -> float:
        """The success rate of a blind guess."""
        return 1 / max(1, self.n_documents - 1)


def link_documents(cases: Sequence[ReleaseCase]) -> LinkabilityReport | None:
    """Try to link documents about one person; None if nobody has two, or nobody else has one.

    Args:
        cases: the cases; those without a person are only candidates.
    """
    by_person: dict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.person:
            by_person[case.person].append(place)
    pairs = [
        (places[n], places[n + 1])
        for places in by_person.values()
        for n in range(0, len(places) - 1, 2)
    ]
    if not pairs or len(cases) - max(map(len, by_person.values())) < 2:
        return None
    hits: dict[str, list[bool]] = {}
    controls: dict[str, list[bool]] = {}
    for linker in attackers_of(cases):
        name = linker.name
        hits[name], controls[name] = [], []
        for first, second in pairs:
            scores = linker.similarity(first)
            own = by_person[cases[first].person]
            others = np.delete(scores, own)
            hits[name].append(bool(scores[second] > others.max()))
            # The next document is used as a stranger's.
            stranger = (first + 1) % len(cases)
            while stranger in own:
                stranger = (stranger + 1) % len(cases)
            rest = np.delete(scores, [*own, stranger])
            controls[name].append(bool(scores[stranger] > rest.max()))
    for table in (hits, controls):
        table["any"] = [any(row) for row in zip(*table.values(), strict=True)]
    return LinkabilityReport(
        len(pairs),
        len(cases),
        {name: rate(sum(row), len(pairs)) for name, row in hits.items()},
        {name: rate(sum(row), len(pairs)) for name, row in controls.items()},
        tuple(pair for pair, linked in zip(pairs, hits["any"], strict=True) if linked),
    )


_Similarity = Callable[[int], NDArray[np.float64]]
_Features = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class PairLinker:
    """How an attacker compares a release's documents with each other and with new texts.

    Attributes:
        name: the attacker's name.
        similarity: returns the similarity of the document at an index to all documents,
            [documents].
        features: returns a text's features, using the statistics of the release.
        compare: returns the similarity of two texts, given their features.
    """

    name: str
    similarity: _Similarity
    features: Callable[[Document], _Features]
    compare: Callable[[_Features, _Features], float]


def attackers_of(cases: Sequence[ReleaseCase]) -> Iterable[PairLinker]:
    """Yield each attacker on a release."""
    documents = [case.document for case in cases]
    yield linker_of_terms("words", documents, word_keys)
    yield linker_of_terms("characters", documents, _runs, _SPREAD)
    sets = [_attributes(document) for document in documents]
    yield PairLinker(
        "attributes",
        lambda place: np.array([_agreement(sets[place], other) for other in sets]),
        _attributes,
        _agreement,
    )


def linker_of_terms(
    name: str,
    documents: Sequence[Document],
    terms: Callable[[Document], Sequence[str]],
    spread: float = 1.0,
    *,
    by_rarity: bool = False,
) -> PairLinker:
    """Return an attacker that compares documents by their terms.

    Args:
        name: the attacker's name.
        documents: the documents of the release.
        terms: returns a document's terms.
        spread: terms in more than this share of documents are left out.
        by_rarity: whether a shared term adds the logarithm of one over its share of documents,
            regardless of how often it occurs and how long the documents are; by default the cosine
            is used.
    """
    vectors = _TermVectors([terms(document) for document in documents], spread, by_rarity)
    return PairLinker(
        name, vectors.similarity, lambda document: vectors.vector(terms(document)), _shared_weight
    )


def word_keys(document: Document) -> Sequence[str]:
    """Return the folded words of a document."""
    return read_words(document).keys


def _shared_weight(first: _Features, second: _Features) -> float:
    """Return the sum over shared features of the product of their weights."""
    return float(sum(weight * second[term] for term, weight in first.items() if term in second))


def _attributes(document: Document) -> dict[Attribute, str]:
    return dict(predicates(document.text))


def _runs(document: Document) -> list[str]:
    folded = " ".join(fold_text(LABEL.sub(" ", document.text).replace(MASK, " ")).split())
    return [folded[start : start + _RUN] for start in range(len(folded) - _RUN + 1)]


def _agreement(first: Mapping[Attribute, str], second: Mapping[Attribute, str]) -> float:
    shared = first.keys() & second.keys()
    return float(sum(1 if agree(key, first[key], second[key]) else -1 for key in shared))


class _TermVectors:
    """TF-IDF vectors of documents, with an index by term (Salton and Buckley, 1988).

    Args:
        documents: the terms of each document.
        spread: terms in more than this share of documents are left out.
        by_rarity: whether the product of two vectors is the rarity of their shared terms instead of
            the cosine.
    """

    def __init__(self, documents: Sequence[Sequence[str]], spread: float, by_rarity: bool) -> None:
        n = len(documents)
        self._by_rarity = by_rarity
        frequency = Counter(term for terms in documents for term in set(terms))
        most = max(2.0, spread * n)
        self._rarity = {
            term: np.log(n / count) for term, count in frequency.items() if 2 <= count <= most
        }
        self._vectors = [self.vector(terms) for terms in documents]
        postings: dict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
        for place, vector in enumerate(self._vectors):
            for term, weight in vector.items():
                postings[term][0].append(place)
                postings[term][1].append(weight)
        self._n = n
        self._postings = {
            term: (np.array(places), np.array(weights))
            for term, (places, weights) in postings.items()
        }

    def vector(self, terms: Sequence[str]) -> dict[str, float]:
        """Return the vector for terms; terms in fewer than two documents are left out."""
        counts = {term: n for term, n in Counter(terms).items() if term in self._rarity}
        if self._by_rarity:
            return {term: self._rarity[term] ** 0.5 for term in counts}
        weights = {term: (1 + np.log(n)) * self._rarity[term] for term, n in counts.items()}
        norm = float(np.sqrt(sum(weight**2 for weight in weights.values()))) or 1.0
        return {term: weight / norm for term, weight in weights.items()}

    def similarity(self, place: int) -> NDArray[np.float64]:
        """Return the product of a document with every document, [documents]."""
        scores = np.zeros(self._n)
        for term, weight in self._vectors[place].items():
            places, weights = self._postings[term]
            scores[places] += weight * weights
        return scores
