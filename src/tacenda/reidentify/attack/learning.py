"""Learning translations from pairs of document and profile: expectation maximisation.

IBM model 1 (Brown et al., 1993) on the sets of words of each side. The pairs must be of people who
are not attacked: it is what is true of people in general that is to be learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from .translation import Translations

AT_LEAST: Final = 5
"""A word must be in so many documents, or profiles: what is rarer can't be learned of."""
ITERATIONS: Final = 4

Pair = tuple[Collection[str], Collection[str]]
"""The words of a document, and those of the profile of the person it is about."""


def learn(
    pairs: Sequence[Pair], *, at_least: int = AT_LEAST, iterations: int = ITERATIONS
) -> Translations:
    """Return which words of documents go with which words of profiles.

    Args:
        pairs: at least one with a word that is in ``at_least`` documents, and likewise a profile's.
        at_least: see ``AT_LEAST``.
        iterations: of expectation maximisation.

    Raises:
        ValueError: if no word is frequent enough.
    """
    documents, profiles = [set(d) for d, _ in pairs], [set(p) for _, p in pairs]
    counts = Counter(word for document in documents for word in document)
    words = _frequent(counts, at_least)
    features = _frequent(Counter(f for profile in profiles for f in profile), at_least)
    if not words or not features:
        raise ValueError(f"no word is in {at_least} of {len(pairs)} pairs; give more pairs.")
    blocks = [
        np.ix_(
            sorted(words[word] for word in document if word in words),
            sorted(features[feature] for feature in profile if feature in features),
        )
        for document, profile in zip(documents, profiles, strict=True)
    ]
    table = np.full((len(words), len(features)), 1 / len(words), dtype=np.float32)
    for _ in range(iterations):
        expected = np.zeros_like(table)
        for block in blocks:
            likely = table[block]
            expected[block] += likely / np.maximum(likely.sum(axis=1, keepdims=True), 1e-30)
        table = expected / np.maximum(expected.sum(axis=0), 1e-30)
    total = sum(counts.values())
    shares = np.array([counts[word] / total for word in words])
    return Translations(words, tuple(features), table, shares)


def _frequent(counts: Counter[str], at_least: int) -> dict[str, int]:
    frequent = sorted(word for word, n in counts.items() if n >= at_least)
    return {word: place for place, word in enumerate(frequent)}
