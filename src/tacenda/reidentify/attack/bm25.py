"""BM25 over the words of profiles (Robertson and Zaragoza, 2009): search as an attack.

The "IR ReID" of Morris et al. (2022), section 3. A word's weight there is the log-odds that a
profile with it is the one sought, so the sum is taken as log-odds too: p is its softmax.
"""

from __future__ import annotations

import math
from typing import Final

from ...background.people import People
from .additive import AdditiveAttacker, Row

K1: Final = 1.2
B: Final = 0.75


class Bm25(AdditiveAttacker):
    """Ranks people as a search engine ranks pages.

    Args:
        people: the background knowledge.
    """

    name = "bm25"

    def __init__(self, people: People) -> None:
        self._people = people
        self.n_people = len(people)
        average = max(people.n_words / len(people), 1.0)
        self._damping = K1 * (1 - B + B * people.lengths / average)

    def row(self, term: str) -> Row:
        """Return idf · tf (k1 + 1) / (tf + k1 (1 − b + b · length / average))."""
        people, counts = self._people.posting(term)
        with_it = len(people)
        idf = math.log(1 + (self.n_people - with_it + 0.5) / (with_it + 0.5))
        return Row(people, idf * counts * (K1 + 1) / (counts + self._damping[people]))
