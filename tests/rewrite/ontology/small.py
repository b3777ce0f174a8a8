"""An ontology of a few things, built as the shipped one is."""

from __future__ import annotations

from pathlib import Path

from tacenda.rewrite.ontology import KnowledgeBase
from tacenda.rewrite.ontology.store import OntologyStore
from tacenda_lab.train.ontology.compile import compile_ontology
from tacenda_lab.train.ontology.hierarchy import Hierarchy, Thing, read_tree

NORWAY = ("Northern Europe", "Europe")
AMERICA = ("North America", "the Americas")


def small_hierarchy() -> Hierarchy:
    """Return the classes written by hand, with cities of two countries."""
    hierarchy = Hierarchy(read_tree().classes)
    hierarchy.in_country("city", "Norway", NORWAY)
    hierarchy.in_country("city", "United States", AMERICA)
    hierarchy.in_country("city", "United Kingdom", NORWAY)
    hierarchy.add("Q1", "kit player", ["musician"], "Q1")
    return hierarchy


THINGS = (
    Thing(("Drammen",), ("city in Norway",), 4.8, "geonames:1", ("Buskerud", "Norway")),
    Thing(("Oslo", "Christiania"), ("city in Norway",), 6.0, "geonames:2", ("Norway",)),
    Thing(("Chicago",), ("city in the United States", "big city"), 6.4, "geonames:3"),
    Thing(("Chicago",), ("game",), 5.3, "Q3"),
    Thing(("Cambridge",), ("city in the United Kingdom",), 5.1, "g:4", ("United Kingdom",)),
    Thing(("Cambridge",), ("city in the United States",), 5.0, "g:5", ("United States",)),
    Thing(("University of Oslo",), ("university",), 4.2, "hipo:6"),
    Thing(("Skorb FC",), ("football club",), 4.6, "openfootball:7"),
    Thing(("Telenor",), ("company",), 4.7, "lists:1"),
    Thing(("drummer",), ("Q1",), 5.0, "Q8", common=True),
    Thing(("bakery",), ("business",), 5.0, "wordnet:n9", common=True),
    Thing(("novel",), ("literary work",), 5.0, "tacenda", common=True),
    Thing(("blade",), ("product",), 5.0, "wordnet:n11", common=True),
    Thing(("speaker",), ("position",), 5.0, "Q12", common=True),
    Thing(("Norwegian",), ("nationality",), 7.0, "demonym:norwegian"),
)


def small_knowledge(folder: Path) -> KnowledgeBase:
    """Return it, written to and read from a file."""
    path = folder / "ontology.sqlite"
    compile_ontology(small_hierarchy(), THINGS, {"musician": 600_000}, {}, path)
    return KnowledgeBase(OntologyStore(path))
