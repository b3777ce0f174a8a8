"""A string is linked to what it names, and to nothing of another type."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.document import SemanticType
from tacenda.rewrite.ontology import KnowledgeBase

from .small import small_knowledge


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    """The ontology of a few things."""
    return small_knowledge(tmp_path_factory.mktemp("ontology"))


@pytest.mark.parametrize(
    ("text", "type", "step", "first"),
    [
        ("Drammen", "LOC", "exact", "city in Norway"),
        ("DRAMMEN", "LOC", "exact", "city in Norway"),
        ("Chicago, Illinois", "LOC", "part", "big city"),
        ("Skorb", "ORG", "contained", "football club"),
        ("Univeristy of Oslo", "ORG", "approximate", "university"),
        ("Nordlys Bakery", "ORG", "head", "bakery"),
        ("Nordlys & Sons", "ORG", "type", "company"),
        ("Real Nordlys FC", "ORG", "type", "football club"),
        ("Xyzzy", "ORG", "type", "organization"),
        ("Speaker of the Parliament of Ghana", "DEM", "head", "speaker"),
        ("drummers", "DEM", "exact", "kit player"),
        ("Norwegian", "DEM", "exact", "nationality"),
    ],
)
def test_each_step_finds_its_example(
    knowledge: KnowledgeBase, text: str, type: str, step: str, first: str
) -> None:
    """Exact before contained before approximate before the head noun before the type."""
    link = knowledge.link(text, SemanticType(type))
    assert link is not None
    assert link.step == step
    assert knowledge.lookup(text, SemanticType(type))[0].text == first


def test_a_place_is_not_linked_to_a_game(knowledge: KnowledgeBase) -> None:
    """Chicago is a city as LOC, and the game only as MISC."""
    texts = [each.text for each in knowledge.lookup("Chicago", SemanticType.LOC)]
    assert "game" not in texts
    assert "big city" in texts
    assert knowledge.lookup("Chicago", SemanticType.MISC)[0].text == "game"


def test_what_cannot_be_told_apart_is_said_in_common(knowledge: KnowledgeBase) -> None:
    """Cambridge is a city of one of two countries, until the text names one."""
    texts = [each.text for each in knowledge.lookup("Cambridge", SemanticType.LOC)]
    assert "town or city" in texts
    assert not any("United" in text for text in texts)
    near = knowledge.lookup("Cambridge", SemanticType.LOC, "Cambridge in the United Kingdom, where")
    assert near[0].text == "city in the United Kingdom"


def test_options_go_from_special_to_general(knowledge: KnowledgeBase) -> None:
    """Populations rise along the options."""
    found = knowledge.lookup("Drammen", SemanticType.LOC)
    populations = [each.population for each in found]
    assert populations == sorted(populations)
    assert {"city in Norway", "city in Europe", "city", "place in Norway", "place"} <= {
        each.text for each in found
    }


def test_a_title_is_not_a_common_noun(knowledge: KnowledgeBase) -> None:
    """Blade with a capital is a film that nobody listed, and no product."""
    assert knowledge.lookup("Blade", SemanticType.MISC) == ()
    assert knowledge.lookup("blade", SemanticType.MISC)[0].text == "product"


def test_the_sentence_says_what_a_name_is_of(knowledge: KnowledgeBase) -> None:
    """The novel Ubik is a novel."""
    link = knowledge.link("Ubik", SemanticType.MISC, 'wrote the novel "Ubik" in 1969')
    assert link is not None
    assert (link.step, link.head) == ("said", "novel")


def test_people_and_dates_have_no_ontology(knowledge: KnowledgeBase) -> None:
    """A PERSON is never linked."""
    assert knowledge.lookup("Oslo", SemanticType.PERSON) == ()


def test_people_counted_are_the_population_of_an_occupation(knowledge: KnowledgeBase) -> None:
    """Musicians are as many as the statistics say, not as the ontology has names of them."""
    found = {each.text: each.population for each in knowledge.lookup("drummer", SemanticType.DEM)}
    assert found["musician"] == 600_000


def test_a_name_is_no_option_of_its_own(tmp_path: Path) -> None:
    """Christiania is not said to be in Christiania, nor is Norwegian a Norwegian."""
    knowledge = small_knowledge(tmp_path)
    for name in ("Christiania", "Oslo", "bakery", "Norwegian"):
        for type in ("LOC", "ORG", "DEM", "MISC"):
            for each in knowledge.lookup(name, SemanticType(type)):
                assert name.lower() not in each.text.lower()
