"""The sentence says what a name is of; the last or first word of a name does, too."""

from __future__ import annotations

import pytest

from tacenda.document import SemanticType
from tacenda.rewrite.ontology.context import is_studied, long_form, nouns_said, takes_article
from tacenda.rewrite.ontology.heads import heads
from tests.examples import for_each


@for_each(
    ("text", "type", "context", "noun"),
    [
        ("Ubik", "MISC", 'wrote the novel "Ubik" in 1969', "novel"),
        ("Ubik", "MISC", "In Ubik, a short novel, he", "novel"),
        ("Ubik", "MISC", "known for Ubik (1969 novel).", "novel"),
        ("Zodiac", "MISC", "in films such as Loser (2000), Zodiac and 42.", "films"),
        ("Skorb", "ORG", "a footballer who plays as a striker for Skorb.", "sports team"),
        (
            "Skorb",
            "ORG",
            "an American football guard for the Nordlys Eagles and Skorb.",
            "sports team",
        ),
        ("Norisring", "MISC", "She competed in the 2006 Norisring.", "competition"),
        ("Golden Quill", "MISC", "was awarded the Golden Quill.", "award"),
        ("Lascar", "MISC", "best known as the author of Lascar.", "creative work"),
        ("Ordningen", "MISC", "under section 6 of the Ordningen.", "legal instrument"),
        ("Zodiac", "MISC", "an actor, his credits include Loser and Zodiac.", "creative work"),
        ("Skorb", "MISC", "a guitarist, he founded Skorb in 1999.", "band"),
        ("U19", "MISC", "a striker of Norway U19.", "sports team"),
        ("Player of the Year", "MISC", "was the Player of the Year.", "award"),
        ("Best Hat", "MISC", "was nominated for a Vik Award for Best Hat", "award"),
        ("Order of Vik", "MISC", "awarded the Golden Quill in 2000 and the Order of Vik", "award"),
        ("Top 12", "MISC", "a winger, he plays for Skorb in the Top 12.", "competition"),
        ("Lascar", "MISC", "an actress known for playing Tina Vik in Lascar", "creative work"),
        ("Lascar", "MISC", "acted in a production of Lascar", "creative work"),
        ("FM Vik", "ORG", "a host at FM Vik", "broadcaster"),
        ("it was all their fault", "MISC", 'he said "it was all their fault"', "quotation"),
        ("Vik", "LOC", "lives in the village of Vik.", "village"),
    ],
)
def test_the_sentence_says_the_class(text: str, type: str, context: str, noun: str) -> None:
    """Apposition, list and verb propose a noun."""
    assert noun in nouns_said(text, SemanticType(type), context)


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Skorb", "She signed a contract for Skorb."),
        ("Zodiac", "Films are dull. Zodiac is here."),
        ("Bees", "by Johnny Carson, Bees"),
        ("Skorb", "one of the founders, he founded Skorb in 1999."),
    ],
)
def test_the_sentence_says_nothing_else(text: str, context: str) -> None:
    """No team without sport, no list over the end of a sentence, no noun that is part of a name."""
    nouns = set(nouns_said(text, SemanticType.ORG, context))
    assert nouns.isdisjoint({"sports team", "films", "arson", "band"})


def test_what_somebody_studies_is_a_field() -> None:
    """Law that is studied, but none that is broken; a name is none."""
    assert is_studied("law", "His son studies law in Oslo.")
    assert is_studied("law", "a degree in economics and law")
    assert not is_studied("law", "His son breaks the law.")
    assert not is_studied("Law", "She studied Law")


def test_an_abbreviation_has_its_long_form() -> None:
    """In parentheses after it, in the same sentence."""
    sentence = "in the National Basketball League (NBL), with"
    assert long_form("NBL", sentence) == "National Basketball League"
    assert long_form("NBL", "in the NBL") == ""
    assert long_form("a longer name than that", sentence) == ""


def test_a_head_comes_with_its_preposition_first() -> None:
    """A secretary of state is a minister, a secretary of a club none."""
    ends = list(heads("secretary of state for defence"))
    assert ends.index("secretary of state") < ends.index("secretary of") < ends.index("secretary")
    assert "division" in list(heads("43rd (Wessex) Infantry Division"))


@pytest.mark.parametrize(
    ("text", "context", "stands"),
    [
        ("South", "injured in the South.", True),
        ("South", "the South of it, and the South.", True),
        ("Tulsa", "in the Tulsa area.", False),
        ("South", "in South.", False),
    ],
)
def test_a_name_with_an_article_is_told(text: str, context: str, stands: bool) -> None:
    """The article is the name's own if no noun follows."""
    assert takes_article(text, context) is stands
