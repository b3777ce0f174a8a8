"""Build the shipped list of ordinary words: ``python -m tacenda_lab.train.ordinary_words OUT DICT``.

DICT is WordNet's folder ``dict``. The list has its lemmas of one word that are written in small letters.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Final

from .lexicons import read_synsets

SHORTEST: Final = 3
_PARTS: Final = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))


def build(out: Path, wordnet: Path) -> int:
    """Write the list of the words of WordNet; return how many it has."""
    lemmas = (
        lemma.partition("(")[0]
        for name, letter in _PARTS
        for synset in read_synsets(wordnet / f"data.{name}", letter).values()
        for lemma in synset.lemmas
    )
    words = sorted({word for word in lemmas if _is_ordinary(word)})
    out.write_bytes(gzip.compress("\n".join(words).encode("ascii"), mtime=0))
    return len(words)


def _is_ordinary(word: str) -> bool:
    return len(word) >= SHORTEST and word.isascii() and word.isalpha() and word.islower()


if __name__ == "__main__":
    print(f"{build(*map(Path, sys.argv[1:]))} words", file=sys.stderr)
