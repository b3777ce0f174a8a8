"""How rare words are in pairs of texts and profiles (Morris et al. 2022, section 6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacenda.background.profiles import Person, terms
from tacenda.document import Document
from tacenda.reidentify.tokens import TokenizedDocument, read_words

from .pairs import read_pairs


class Frequencies:
    """IDF over documents and profiles together, as the paper counts it."""

    def __init__(self, documents: Iterable[Sequence[str]], people: Iterable[Person]) -> None:
        self._counts: Counter[str] = Counter()
        self._n = 0
        for words in documents:
            self._add(words)
        for person in people:
            self._add(terms(person))

    @classmethod
    def of_pairs(cls, *files: Path) -> Frequencies:
        """Return those of all texts and profiles of files of pairs."""
        frequencies = cls((), ())
        for file in files:
            for pair in read_pairs(file):
                frequencies._add(terms(pair.person))
                if pair.text is not None:
                    frequencies._add(read_words(Document(pair.person.id, pair.text)).keys)
        return frequencies

    def _add(self, words: Iterable[str]) -> None:
        self._counts.update(set(words))
        self._n += 1

    def idf(self, document: TokenizedDocument) -> NDArray[np.float64]:
        """Return log(n / texts with the word), [words]."""
        rarity = [math.log(self._n / max(self._counts[key], 1)) for key in document.keys]
        return np.array(rarity, dtype=np.float64)
