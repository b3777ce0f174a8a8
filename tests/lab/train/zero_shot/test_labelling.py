"""Who wins where silver labels overlap."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import SemanticType, Span
from tacenda_lab.train.silver_labels import (
    find_quantities,
    merge_names,
    resolve_overlaps,
    silver_annotation,
    with_holder,
    with_title,
    without_boilerplate,
)

TEXT = "On 3 May the Turkish Football Federation saw Parkinson's disease in two Turkish men at Two Oaks."


def at(string: str, type: str) -> tuple[Span, SemanticType]:
    """Return the first occurrence of a string in TEXT with a type."""
    start = TEXT.index(string)
    return Span(start, start + len(string)), SemanticType(type)


def test_the_form_wins_then_the_longer_then_the_term() -> None:
    """A date beats a name in it; a name a term in it; a term a name in it and one as long; all a count."""
    turkish = (Span(72, 79), SemanticType.LOC)
    assert turkish[0].of(TEXT) == "Turkish"
    found = resolve_overlaps(
        patterns=[at("3 May", "DATETIME")],
        names=[
            at("May", "PERSON"),
            at("Turkish Football Federation", "ORG"),
            at("Parkinson", "PERSON"),
            at("Two Oaks", "LOC"),
            turkish,
        ],
        terms=[
            at("Turkish", "DEM"),
            at("Football", "MISC"),
            at("Parkinson's disease", "DEM"),
            (turkish[0], SemanticType.DEM),
        ],
        quantities=[at("3", "QUANTITY"), at("two", "QUANTITY"), at("Two", "QUANTITY")],
    )
    assert [(span.of(TEXT), type) for span, type in found] == [
        ("3 May", "DATETIME"),
        ("Turkish Football Federation", "ORG"),
        ("Parkinson's disease", "DEM"),
        ("two", "QUANTITY"),
        ("Turkish", "DEM"),
        ("Two Oaks", "LOC"),
    ]
    assert all(each.mask is None for each in silver_annotation(found))


spans = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda x: Span(x[0], x[0] + x[1])),
    max_size=5,
)


@given(spans, spans, spans, spans)
def test_nothing_overlaps_and_everything_is_covered_or_beaten(
    patterns: list[Span], names: list[Span], terms: list[Span], quantities: list[Span]
) -> None:
    """What stays is in order without overlaps; what does not stay overlaps something that does."""
    given_ = [
        [(span, SemanticType(type)) for span in group]
        for group, type in zip(
            (patterns, names, terms, quantities),
            ("DATETIME", "ORG", "DEM", "QUANTITY"),
            strict=True,
        )
    ]
    found = resolve_overlaps(*given_)
    for (one, _), (other, _) in pairwise(found):
        assert one.end <= other.start
    for span, type in (each for group in given_ for each in group):
        assert (span, type) in found or any(span.overlaps(stays) for stays, _ in found)


def test_parts_of_a_name_side_by_side_are_one() -> None:
    """Nothing but a space is between them and they are of one type; a full stop alone is no mention."""
    text = "Kingdom of Belgium. Oslo, Bergen"

    def labelled(*found: tuple[str, str]) -> list[tuple[Span, SemanticType]]:
        starts = [(text.index(string), string, type) for string, type in found]
        return [(Span(n, n + len(s)), SemanticType(type)) for n, s, type in starts]

    parts = labelled(("Kingdom of", "LOC"), ("Belgium", "LOC"), (".", "LOC"))
    cities = labelled(("Oslo", "LOC"), ("Bergen", "LOC"))
    whole = labelled(("Kingdom of Belgium", "LOC"))
    assert merge_names(text, [*parts, *cities]) == [*whole, *cities]
    assert merge_names("a nurse nurse", labelled()) == []
    other = labelled(("Kingdom of", "LOC"), ("Belgium", "ORG"))
    assert merge_names(text, other) == other


def test_terms_of_every_text_are_boilerplate() -> None:
    """A term in more than a fifth of the texts is dropped from all; a name is not, nor a rare term."""
    texts = ["Human Rights of Ann, nurse", *["human rights of Ann"] * 9]
    human = (Span(0, 12), SemanticType.DEM)
    ann = (Span(16, 19), SemanticType.PERSON)
    nurse = (Span(21, 26), SemanticType.DEM)
    labels = [[human, ann, nurse], *[[human, ann]] * 9]
    assert without_boilerplate(texts, labels) == [[ann, nurse], *[[ann]] * 9]


def test_a_person_takes_the_title_along() -> None:
    """``Mr Smith`` is one name; a place takes nothing along, and a word that ends like a title is none."""
    text = "Mr Smith saw Dr. Jones at St Mr Paul, palmr Berg"

    def grown(string: str, type: str) -> str:
        start = text.index(string)
        return with_title(text, Span(start, start + len(string)), SemanticType(type))[0].of(text)

    assert grown("Smith", "PERSON") == "Mr Smith"
    assert grown("Jones", "PERSON") == "Dr. Jones"
    assert grown("Paul", "LOC") == "Paul"
    assert grown("Berg", "PERSON") == "Berg"


def test_a_nationality_takes_its_holder_along() -> None:
    """``British national`` is one attribute; ``British law`` and ``British nationality`` are not."""
    text = "British nationals, British law, British nationality"
    places = [n for n in range(len(text)) if text.startswith("British", n)]
    found = [with_holder(text, Span(n, n + 7)).of(text) for n in places]
    assert found == ["British nationals", "British", "British"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("66% of two hundred shares", ["66%", "two hundred"]),
        ("a plot of 1,250 square metres", ["1,250 square metres"]),
        ("forty-five per cent of five attacks", ["forty-five per cent", "five"]),
        ("Article 6 guarantees, section 12 says, no. 4 shows", []),
        ("in 2009 the court, of 2010 and", []),
        ("two of them", []),
    ],
)
def test_quantities_have_a_unit_or_count_things(text: str, expected: list[str]) -> None:
    """Numbers of provisions, years and numbers that count nothing are none."""
    assert [span.of(text) for span in find_quantities(text)] == expected
