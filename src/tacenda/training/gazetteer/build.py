"""Build a gazetteer: read the sources, compile the terms, write the folder that is shipped."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from ...models.store import digest
from ...models.tables import TERMS_FILE
from ..wikidata_json import open_dump
from ..wordnet_database import licence
from .candidate import Candidate
from .card import card
from .compile import compile_terms, write_terms
from .wikidata_dump import read_dump
from .wikidata_slice import read_slice
from .word_lists import read_lists
from .wordnet import read_wordnet

_SLICE = "a slice of Wikidata (classes stand for properties)"
_DUMP = "a full Wikidata dump (values of the properties that at least {n} people have)"


def build_from_slice(folder: Path, lists: Path, wordnet: Path, out: Path) -> Path:
    """Build from a Wikidata slice, word lists and WordNet; return the folder written.

    Raises:
        InputError: if a source can't be read.
    """
    return _build(read_slice(folder), lists, wordnet, out, 1, _SLICE)


def build_from_dump(
    dump: str,
    lists: Path,
    wordnet: Path,
    out: Path,
    least_uses: int,
    progress: Callable[[], None],
) -> Path:
    """Build from a Wikidata JSON dump instead of a slice; return the folder written.

    Args:
        dump: path of the dump, plain or .gz or .bz2; ``-`` is stdin.
        lists: folder of the word lists.
        wordnet: WordNet's folder ``dict``.
        out: folder to write; its name is the gazetteer's.
        least_uses: how many people must have a value.
        progress: called after each entity.

    Raises:
        InputError: if a source can't be read.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=out.parent) as folder,
        open_dump(dump) as lines,
    ):
        candidates = read_dump(lines, Path(folder, "names.gz"), dump, progress)
        return _build(candidates, lists, wordnet, out, least_uses, _DUMP.format(n=least_uses))


def _build(
    wikidata: Iterable[Candidate],
    lists: Path,
    wordnet: Path,
    out: Path,
    least_uses: int,
    described: str,
) -> Path:
    sources = chain(read_lists(lists), read_wordnet(wordnet), wikidata)
    compiled = compile_terms(sources, least_uses)
    out.mkdir(parents=True, exist_ok=True)
    write_terms(compiled.groups, out)
    (out / "WORDNET-LICENCE").write_text(licence(wordnet), encoding="utf-8")
    (out / "CARD.md").write_text(card(out.name, compiled, described), encoding="utf-8")
    digests = {name: digest(out / name) for name in (TERMS_FILE, "WORDNET-LICENCE")}
    (out / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    return out
