"""Build the shipped table of word counts: ``python -m tacenda_lab.evaluation.word_counts OUT CORPUS...``.

Each CORPUS is JSON, gzipped, ``{id: text}``. The same input always gives the same result.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tacenda.text.information import count_words, format_counts

AT_LEAST: Final = 5
"""Rarer words are left out: they say more about a text's subject than about the language."""


def build(out: Path, corpora: Sequence[Path]) -> int:
    """Write a table of the words in some corpora, and return how many words it has."""
    counts = count_words(_texts(corpora), AT_LEAST)
    out.write_bytes(gzip.compress(format_counts(counts).encode("utf-8"), mtime=0))
    return len(counts)


def _texts(corpora: Sequence[Path]) -> Iterator[str]:
    for path in corpora:
        yield from json.loads(gzip.decompress(path.read_bytes())).values()


if __name__ == "__main__":
    first, *others = map(Path, sys.argv[1:])
    print(f"{build(first, others)} words", file=sys.stderr)
