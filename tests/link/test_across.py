"""People in several documents, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.link.across import NamesAcross
from tacenda.link.linking import link
from tests.examples import for_each


def keys(texts: Sequence[str], *names: str) -> list[str]:
    """Return the key of each name, in a document of it alone beside the texts."""
    across = NamesAcross([*texts, *(f"It was {name}." for name in names)])
    found = []
    for name in names:
        document = Document("d", f"It was {name}.")
        span = Span(7, 7 + len(name))
        mention = Mention(span, SemanticType.PERSON, 1.0, 1.0, MentionSource.NEURAL)
        entities = link(document, [mention])
        found.append(across.keys(document, entities)[entities[0].id])
    return found


@for_each(
    ("texts", "name", "other"),
    [
        ((), "Galip Yalman", "Mr Galip Yalman"),
        ((), "Galip Yalman", "Yalman, Galip"),
        ((), "Galip Yalman", "Dr Yalman"),
        ((), "Galip Yalman", "G. Yalman"),
        ((), "Galip Yalman", "Galip Mehmet Yalman"),
        ((), "Liz Marchetti", "Elizabeth Marchetti"),
        ((), "Mr Yalman", "Yalman"),
        (("Yesterday Galip Yalman left. Counsel agreed.",), "Mr Yalman", "Galip Yalman"),
        (("We met Galip\nYalman.",), "Galip Yalman", "Mr Yalman"),
        (("Holm GmbH\nAnna Berg\nLeeds Road",), "Anna Berg", "Ms Berg"),
        (("Mr John Smith and Mrs Mary Smith",), "Mr Smith", "John Smith"),
    ],
)
def test_names_that_leave_no_doubt_are_one_persons(
    texts: Sequence[str], name: str, other: str
) -> None:
    """They have one key."""
    first, second = keys(texts, name, other)
    assert first == second != ""


@for_each(
    ("texts", "name", "other"),
    [
        ((), "Galip Yalman", "Ali Yalman"),
        (("Galip Yalman and Ali Yalman",), "Mr Yalman", "Galip Yalman"),
        (("Galip Yalman", "He knew A. Yalman. Ali\nYalman came."), "Yalman", "Galip Yalman"),
        (("Anna Yalman", "Yalman, Peter"), "Mr Yalman", "Anna Yalman"),
        (("Anna Maria Berg and Anna Sofia Berg",), "Anna Berg", "Anna Maria Berg"),
        (("Alexander Stone and Alexandra Stone",), "Alex Stone", "Alexandra Stone"),
        ((), "Mr Smith", "Mrs Smith"),
        (("Mr Smith and Mrs Smith",), "Smith", "Mr Smith"),
        ((), "John Smith", "John Smith Jr."),
        (("Mr Kim Berg and Ms Kim Berg",), "Mr Kim Berg", "Ms Kim Berg"),
        (("PC Khan and Sgt Khan",), "PC Khan", "Sgt Khan"),
        (("Galip Yalman and Galip Demir",), "Galip", "Galip Demir"),
    ],
)
def test_names_that_leave_a_doubt_are_two_peoples(
    texts: Sequence[str], name: str, other: str
) -> None:
    """Their keys differ, or are empty."""
    first, second = keys(texts, name, other)
    assert first != second or not first


def test_a_given_name_alone_stays_in_its_document() -> None:
    """It has no key."""
    assert keys((), "Anna", "GY", "G.Y.") == ["", "", ""]


def test_the_order_of_texts_does_not_matter() -> None:
    """The keys are the same."""
    texts = ["Anna Berg and Mr Berg", "Ms Berg met Axel Berg", "A. Berg, Anna Maria Berg"]
    names = [name for text in texts for name in re.split(" and | met |, ", text)]
    assert keys(texts, *names) == keys(texts[::-1], *names)


POLISH = (
    "Wczoraj {} wpłacił całą kwotę i złożył podpis w urzędzie miasta.",
    "Sprawę {} przekazano do sądu i nie było żadnych uwag do jej treści.",
)


@for_each(
    ("name", "inflected", "is_one"),
    [
        ("Jan Kowalski", "Kowalskiego", True),
        ("Piotr Nowak", "Nowaka", True),
        ("Piotr Nowak", "Nowakiem", True),
        ("Maria Zaręba", "Zarębę", True),
        ("Maria Zaręba", "Marii Zaręby", True),
        ("Jan Kowalski", "Nowaka", False),
        ("Maria Zaręba", "Zarębska", False),
    ],
)
def test_an_inflected_name_is_that_of_the_nominative_in_another_document(
    name: str, inflected: str, is_one: bool
) -> None:
    """Whichever document is read first, and whatever word begins the sentence with the name."""
    texts = [frame.format(each) for frame, each in zip(POLISH, (name, inflected), strict=True)]
    for order in (texts, texts[::-1]):
        across = NamesAcross(order)
        found = []
        for text, surface in zip(texts, (name, inflected), strict=True):
            span = Span(text.index(surface), text.index(surface) + len(surface))
            mention = Mention(span, SemanticType.PERSON, 1.0, 1.0, MentionSource.NEURAL)
            document = Document("d", text)
            found += across.keys(document, link(document, [mention])).values()
        assert (found[0] == found[1] != "") is is_one


def test_a_name_that_another_person_has_is_not_an_inflected_form() -> None:
    """Neither of a second person in the documents."""
    texts = [*POLISH, "Zenon Nowaka nie przyszedł na spotkanie, bo był chory."]
    texts[:2] = texts[0].format("Piotr Nowak"), texts[1].format("Nowaka")
    across = NamesAcross(texts)
    found = []
    for text, surface in zip(texts, ("Piotr Nowak", "Nowaka", "Zenon Nowaka"), strict=True):
        span = Span(text.index(surface), text.index(surface) + len(surface))
        mention = Mention(span, SemanticType.PERSON, 1.0, 1.0, MentionSource.NEURAL)
        document = Document("d", text)
        found += across.keys(document, link(document, [mention])).values()
    assert found[0] != found[1]
