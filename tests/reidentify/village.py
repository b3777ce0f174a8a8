"""A village of invented people, small enough to reckon by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person
from tacenda.document import Document
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import Attacker
from tacenda.reidentify.tokens import TokenizedDocument, read_words

VILLAGERS = (
    Person("anna", "Anna Berg", (("town", "Bergen"), ("job", "baker"), ("born", "1966-03-04"))),
    Person("bela", "Bela Kun", (("town", "Bergen"), ("job", "smith"), ("born", "1971-05-06"))),
    Person("carl", "Carl Lund", (("town", "Lund"), ("job", "baker"), ("born", "1966-07-08"))),
    Person("dora", "Dora Lind", (("town", "Oslo"), ("job", "nurse"), ("born", "1980-01-02"))),
    Person("emil", "Emil Falk", (("town", "Oslo"), ("job", "pilot"), ("born", "1990-12-30"))),
)
ABOUT_ANNA = "Anna is a baker in Bergen. She was born on 4 March 1966. Anna bakes."


def store(path: Path, villagers: Iterable[Person] = VILLAGERS) -> People:
    """Return a store of people at a path."""
    with PeopleBuilder(path) as builder:
        for person in villagers:
            builder.add(person)
    return People(path)


def word_attackers(people: People) -> tuple[Attacker, ...]:
    """Return the attackers to whom a text is its words: what they do can be reckoned."""
    return (*open_attackers("bm25", people), *open_attackers("bayes", people))


def worded(text: str, id: str = "letter") -> TokenizedDocument:
    """Return a text with its words."""
    return read_words(Document(id, text))
