"""Names that are nearly what stands in the text: spelling errors, variants.

Olstad et al., section 3.2.1, footnote 3: a term is a match if the edit distance is at most 15 % of
the length of the string.
"""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from .store import Store

SHARE = 0.15
_SHARE_OF_WORD = 0.34
_NUMBER = re.compile(r"\d+")


def nearest(store: Store, key: str, types: int) -> list[str]:
    """Return the names nearest to ``key``, all those equally near; none if none is near.

    Two names that begin with another letter or have other numbers in them are of two things.

    Args:
        store: the ontology.
        key: a folded name.
        types: mask of types of which a name must have one.
    """
    edits = int(len(key) * SHARE)
    if not edits:
        return []
    found: dict[int, list[str]] = {}
    numbers = _NUMBER.findall(key)
    for name in store.near(key, edits, types):
        if name[:1] != key[:1] or _NUMBER.findall(name) != numbers:
            continue
        distance = Levenshtein.distance(key, name, score_cutoff=edits)
        if distance <= edits and _same_words(key, name):
            found.setdefault(distance, []).append(name)
    return found[min(found)] if found else []


def _same_words(first: str, second: str) -> bool:
    """Tell whether two names have the same words but for spelling: "Haifa" is not "China"."""
    ours, theirs = first.split(), second.split()
    if len(ours) != len(theirs):
        longer, shorter = sorted((ours, theirs), key=len, reverse=True)
        rest = [word for word in longer if word not in shorter]
        return sum(map(len, rest)) - sum(len(word) for word in shorter if word not in longer) <= 4
    return all(
        Levenshtein.distance(one, other) <= max(1, len(one) * _SHARE_OF_WORD)
        for one, other in zip(ours, theirs, strict=True)
    )
