"""An ontology of Wikidata's triples alone, by the rules of Olstad et al., section 3.2.

Every term has one class: the first value of the first property that it has, P31, P279, P8225, P361. A
term related to people (a subclass of person, however far) stays among these: *mother* is an instance
of kinship and a subclass of parent, and is climbed by parent up to person, as in the paper. No class is
written by hand, none is cut.

The paper's ontology has the terms related to people, countries and nationalities; for all others it asks
Wikidata. ``everything`` has what these answers would be, as far as the triples go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tacenda.errors import InputError
from tacenda.rewrite.ontology.store import FILE, TYPES, closure
from tacenda.text.normal_form import name_key

from ...live_ontology import PROPERTIES
from ..packages import Card, write_card
from ..wikidata import property_table, read_texts
from .compile import OntologyCounts, compile_ontology
from .hierarchy import ClassNode, Hierarchy, Thing, WikidataItem
from .wikidata import read_triples

PERSON: Final = "Q215627"
_HUMAN: Final = "Q5"
_COUNTRY, _SOVEREIGN_STATE, _NATIONALITY = "Q6256", "Q3624078", "Q231002"
_DEMONYM: Final = "P1549"
_LABEL = 5.0


class Membership:
    """The class of each term.

    Args:
        items: of Wikidata, with a label.
    """

    def __init__(self, items: Sequence[WikidataItem]) -> None:
        self.items = {item.id: item for item in items}
        self.people = self._below(PERSON)
        self._countries = self._below(_COUNTRY) | self._below(_SOVEREIGN_STATE)
        self._nationalities = self._below(_NATIONALITY)

    def above(self, id: str) -> str | None:
        """Return the class of a term; None at the top, which person is."""
        item = self.items.get(id)
        if item is None or id == PERSON:
            return None
        known = self.people if id in self.people else self.items.keys()
        return next(
            (
                value
                for property in PROPERTIES
                for value in item.statements.get(property, ())
                if value in known and value != id
            ),
            None,
        )

    def terms(self, *, everything: bool) -> Iterator[WikidataItem]:
        """Yield the terms that have a class, no person among them."""
        for item in self.items.values():
            values = item.statements.get("P31", ())
            if _HUMAN in values or self.above(item.id) is None:
                continue
            is_nationality = not self._nationalities.isdisjoint((item.id, *values))
            if everything or is_nationality or item.id in self.people or self.is_country(item):
                yield item

    def is_country(self, item: WikidataItem) -> bool:
        """Return whether an item is an instance of a kind of country."""
        return not self._countries.isdisjoint(item.statements.get("P31", ()))

    def _below(self, root: str) -> frozenset[str]:
        """Return a class and all its subclasses."""
        lower: dict[str, list[str]] = defaultdict(list)
        for item in self.items.values():
            for value in item.statements.get("P279", ()):
                lower[value].append(item.id)
        return frozenset(closure([root], lower.__getitem__))


def build_from_triples(folder: Path, out: Path, *, everything: bool) -> OntologyCounts:
    """Write the ontology of a folder with triples; return what is in it.

    Args:
        folder: KGTK tables; see `read_triples`. ``derived.P1549.tsv.gz``, if it is there, has the demonyms
            of countries.
        out: folder to write; its name is the ontology's.
        everything: whether terms that are not related to people are in it, too.

    Raises:
        InputError: if a table is missing or has other columns, or nothing is a term.
    """
    membership = Membership(read_triples(folder))
    things = list(_things(membership, _demonyms(folder), everything=everything))
    if not things:
        raise InputError("no term has a class; are P31 and P279 of these items?", str(folder))
    hierarchy = Hierarchy({})
    mask = sum(TYPES.values())
    waiting = [key for thing in things for key in thing.classes]
    while waiting:
        id = waiting.pop()
        if id not in hierarchy.classes:
            parent = membership.above(id)
            parents = () if parent is None else (parent,)
            hierarchy.classes[id] = ClassNode(membership.items[id].label, parents, mask, id)
            waiting += parents
    out.mkdir(parents=True, exist_ok=True)
    counts = compile_ontology(hierarchy, things, {}, {}, out / FILE, rules="paper")
    write_card(out, _card(counts, everything=everything), (FILE,))
    return counts


def _things(
    membership: Membership, demonyms: Mapping[str, Sequence[str]], *, everything: bool
) -> Iterator[Thing]:
    """Yield each name with the one term that it means: by its label before an alias, the older item."""
    ranked: dict[str, tuple[bool, int, str, str]] = {}
    for item in membership.terms(everything=everything):
        above = membership.above(item.id)
        if above is None:
            continue
        for is_alias, name in ((False, item.label), *((True, alias) for alias in item.aliases)):
            rank = is_alias, int(item.id[1:]), name, above
            ranked[name_key(name)] = min(ranked.get(name_key(name), rank), rank)
    for _, number, name, above in ranked.values():
        yield Thing((name,), (above,), _LABEL, f"Q{number}")
    for id, names in demonyms.items():
        if id in membership.items and membership.is_country(membership.items[id]):
            for name in names:
                if _NATIONALITY in membership.items and name_key(name) not in ranked:
                    yield Thing((name,), (_NATIONALITY,), _LABEL, id)


def _demonyms(folder: Path) -> dict[str, list[str]]:
    """Return the English demonyms of items; none without the table."""
    path = property_table(folder, _DEMONYM)
    result: dict[str, list[str]] = defaultdict(list)
    for id, name in read_texts(path) if path.exists() else ():
        result[id].append(name)
    return result


def _card(counts: OntologyCounts, *, everything: bool) -> Card:
    scope = "all items with a class" if everything else "people, countries and nationalities"
    text = (
        f"Ontology of Wikidata's triples alone, by the rules of Olstad et al. (2023), section 3.2: {scope}. "
        f"{counts.names:,} names, {counts.classes:,} classes, none written by hand."
    )
    command = "`tacenda lab build ontology --triples TRIPLES --out FOLDER`"
    return Card(text, "Wikidata: CC0.", command + (" with `--everything`." if everything else "."))
