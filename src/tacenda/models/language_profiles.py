"""Read the shipped n-gram frequencies by language, once their digest has been checked."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .store import verified_file

DEFAULT_LANGUAGES = "languages"
LANGUAGES_FILE = "ngrams.txt.gz"
ENGLISH = "en"
_LONGEST = 4
_STEP = 20.0
"""Steps of the file in one nat."""


def character_ngrams(word: str) -> Iterator[str]:
    """Yield a word's n-grams of one to four characters, with ``_`` at both ends of the word."""
    marked = f"_{word}_"
    for length in range(1, _LONGEST + 1):
        for start in range(len(marked) - length + 1):
            gram = marked[start : start + length]
            if gram != "_":
                yield gram


@dataclass(frozen=True, slots=True, eq=False)
class LanguageProfiles:
    """N-gram likelihoods by language.

    Attributes:
        languages: ISO 639-1 codes.
        rows: the row of each n-gram.
        losses: [n-grams, languages], by how much the log-likelihood is below that of the likeliest
            language, in nats.
    """

    languages: tuple[str, ...]
    rows: dict[str, int]
    losses: NDArray[np.float32]

    @classmethod
    def load(cls, source: str | Path = DEFAULT_LANGUAGES) -> LanguageProfiles:
        """Return the profiles of a shipped model, or of a folder that contains one.

        Raises:
            ModelError: if it is missing, damaged or of another kind.
        """
        _, path = verified_file(source, LANGUAGES_FILE, "has no languages")
        text = gzip.decompress(path.read_bytes()).decode()
        header, *lines = text.split("\n")
        rows = {line[: line.index(" ")]: place for place, line in enumerate(lines)}
        numbers = " ".join(line[line.index(" ") + 1 :] for line in lines)
        losses = np.fromstring(numbers, dtype=np.float32, sep=" ").reshape(len(lines), -1)
        return cls(tuple(header.split()), rows, losses / np.float32(_STEP))

    def likelihoods(self, words: Sequence[str]) -> dict[str, float]:
        """Return the log-likelihoods of words by language, in nats, up to a constant."""
        places = [
            self.rows[gram]
            for word in words
            for gram in character_ngrams(word)
            if gram in self.rows
        ]
        sums = -self.losses[places].sum(axis=0) if places else np.zeros(len(self.languages))
        return dict(zip(self.languages, map(float, sums), strict=True))


@cache
def shipped_profiles() -> LanguageProfiles:
    """Return the profiles shipped with this package."""
    return LanguageProfiles.load()
