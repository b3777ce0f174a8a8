"""Build the shipped list of drugs: ``python -m tacenda_lab.train.drugs OUT DICTIONARY DRUGS NAMES...``.

DICTIONARY is ``drug_ner_dictionary.pkl.bz2`` of drug-named-entity-recognition 2.0.9, DRUGS ``drugs.json`` of dariusk/corpora, and
each of NAMES a list of its names of people. The list has the words that name drugs in patients' leaflets and no one in those lists.
"""

from __future__ import annotations

import bz2
import gzip
import json
import pickle
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tacenda.text.folding import fold_aligned
from tacenda.text.given_names import is_common_given_name

SHORTEST: Final = 5
_LEAFLETS: Final = frozenset({"medline_plus_id", "nhs_url"})
_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ]+")


class _Data(pickle.Unpickler):
    """Reader of a pickle of nothing but numbers, strings, lists and dictionaries."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is not data.")


def build(out: Path, dictionary: Path, drugs: Path, names: Sequence[Path]) -> int:
    """Write the list; return the number of its words."""
    people = {word for path in names for entry in _entries(path) for word in _folded(entry)}
    single = (word for entry in _entries(drugs) if entry.isalpha() for word in _folded(entry))
    words = {*_of_leaflets(dictionary), *single} - people
    kept = sorted(
        word for word in words if len(word) >= SHORTEST and not is_common_given_name(word)
    )
    out.write_bytes(gzip.compress("\n".join(kept).encode("ascii"), mtime=0))
    return len(kept)


def _of_leaflets(dictionary: Path) -> Iterator[str]:
    with bz2.open(dictionary) as file:
        data = _Data(file).load()
    drugs = data["drug_canonical_to_data"]
    for variant, canonical in data["drug_variant_to_canonical"].items():
        if variant.isalpha() and any(_LEAFLETS & drugs.get(name, {}).keys() for name in canonical):
            yield from _folded(variant)


def _entries(path: Path) -> Iterator[str]:
    for value in json.loads(path.read_text("utf-8")).values():
        yield from value if isinstance(value, list) else ()


def _folded(text: str) -> Iterator[str]:
    yield from (word for word in _WORD.findall(fold_aligned(text).text) if word.isascii())


if __name__ == "__main__":
    out, dictionary, drugs, *names = map(Path, sys.argv[1:])
    print(f"{build(out, dictionary, drugs, names)} words", file=sys.stderr)
