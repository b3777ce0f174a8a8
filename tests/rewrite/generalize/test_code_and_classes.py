"""CODE and names: what kind of thing it is, if that is said."""

from __future__ import annotations

import pytest

from tacenda.document import Document, SemanticType
from tacenda.rewrite.generalize.candidates import Generalisation
from tacenda.rewrite.generalize.options import rules
from tests.building import entity, mention
from tests.examples import for_each

from .offering import texts


@for_each(
    ("string", "text", "kind", "expected"),
    [
        ("4027/05", "The application (no. {}).", "application_number", "application number"),
        ("X123456", "His passport no. {}.", "", "passport number"),
        ("X123456", "His passport no. {}.", "identity_number", "passport number"),
        ("a@b.org", "Write to {}.", "", "e-mail address"),
        ("99/1", "In application no. 3 and case no. {}.", "", "case number"),
        ("99/1", "In this case it was him. A {}.", "", "number"),
        ("402", "A complaint about the driver on route {}.", "", "route number"),
        ("402", "A complaint about the bus ({}).", "identity_number", "route number"),
        ("402", "My application for a move from room {}.", "", "room number"),
        ("402-B", "My order was for item {}.", "", "product number"),
    ],
)
def test_a_code_is_of_the_kind_that_is_said_before_it(
    string: str, text: str, kind: str, expected: str
) -> None:
    """The pattern's kind counts, then the nearest word before, within the sentence."""
    assert texts(string, "CODE", text, kind)[0] == expected


@for_each(
    ("string", "type", "expected"),
    [
        ("University of Oslo", "ORG", ["university"]),
        ("St Mary's Hospital", "ORG", ["hospital"]),
        ("the Oslo District Court", "ORG", ["district court"]),
        ("Elm Street", "LOC", ["street"]),
        ("Labour Party", "ORG", ["political party"]),
        ("Telenor", "ORG", []),
        ("Larch Prize for Best First Novel", "MISC", ["literary award"]),
        ("2004 Summer Olympics", "MISC", ["sports competition"]),
        ("Harbour East constituency", "ORG", ["constituency"]),
        # A town, a series and an assembly.
        ("Lake Placid", "LOC", []),
        ("The Library of America series", "ORG", []),
        ("Electoral College", "ORG", []),
        # Its own class is no generalisation.
        ("hospital", "ORG", []),
    ],
)
def test_a_name_is_of_what_it_says(string: str, type: str, expected: list[str]) -> None:
    """A word of a class counts at the end of a name or before "of"."""
    assert texts(string, type) == expected


class Atlas:
    """An ontology of one town, which also knows less fitting things of it."""

    def describes(self, text: str) -> bool:
        return False

    def lookup(self, text: str, type: SemanticType, context: str) -> tuple[Generalisation, ...]:
        """Return the classes of Drammen."""
        if text != "Drammen" or "Norway" not in context:
            return ()
        return (
            Generalisation("city in Norway", "ontology:Q1", 100),
            Generalisation("Drammen municipality", "ontology:Q2", 10),
            Generalisation("Drammen", "ontology:Q3", 1),
            Generalisation("city", "ontology:Q515", 1e6),
        )


def test_an_ontology_says_what_a_name_is_of() -> None:
    """Its classes are options by population; those that name the thing again are not."""
    document = Document("d", "He left Drammen in Norway.")
    item = entity("e1", mention(document, "Drammen", "LOC"))
    found = rules(Atlas())[SemanticType.LOC].options(document, item)
    assert [option.text for option in found] == ["city in Norway", "city", "***"]
    assert [option.source for option in found] == ["ontology:Q1", "ontology:Q515", "suppress"]
    assert found[0].risk == pytest.approx(0.01)


def test_a_person_has_one_number() -> None:
    """PERSON N has the entity's number, whichever mention is looked at."""
    document = Document("d", "Ada Lovelace wrote; Lovelace did.")
    first, second = mention(document, "Ada Lovelace"), mention(document, "Lovelace", nth=1)
    item = entity("e4", first, second, number=4)
    found = rules()[SemanticType.PERSON].options(document, item)
    assert [option.text for option in found] == ["PERSON 4", "***"]


def test_mentions_that_contradict_one_another_have_no_common_class() -> None:
    """Two dates under one entity are held by what holds both; two kinds of codes by neither."""
    document = Document("d", "In 1991, in 1996. Passport no. 1111, tax no. 2222.")
    dates = entity(
        "e1", mention(document, "1991", "DATETIME"), mention(document, "1996", "DATETIME")
    )
    codes = entity("e2", mention(document, "1111", "CODE"), mention(document, "2222", "CODE"))
    found = rules()[SemanticType.DATETIME].options(document, dates)
    assert found[0].text == "date in the 1990s"
    assert [o.text for o in rules()[SemanticType.CODE].options(document, codes)] == [
        "number",
        "***",
    ]
