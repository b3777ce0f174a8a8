"""Texts with mentions as HTML, masked texts and pictures."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.annotation.annotation import MarkedMention
from tacenda.app.annotation.comparison import HeatCell
from tacenda.app.annotation.rendering import (
    annotated_rows,
    replaced_rows,
    replacements,
    written,
)
from tacenda.document import IdentifierType, SemanticType, Span


@st.composite
def _marked(draw: st.DrawFn) -> tuple[str, list[MarkedMention]]:
    text = draw(st.text(min_size=1, max_size=60))
    starts = st.integers(0, len(text) - 1)
    spans = draw(
        st.lists(
            starts.flatmap(lambda s: st.integers(s + 1, len(text)).map(lambda e: Span(s, e))),
            unique=True,
            max_size=6,
        )
    )
    kinds = st.sampled_from(IdentifierType)
    return text, [MarkedMention(span, SemanticType.LOC, 1, draw(kinds)) for span in spans]


def _html(text: str, mentions: list[MarkedMention]) -> str:
    return "".join(row.html for row in annotated_rows(text, mentions))


def _applied(text: str, mentions: list[MarkedMention]) -> str:
    """Return the text as others read it."""
    parts, position = [], 0
    for change in replacements(text, mentions):
        parts += [text[position : change.start], change.text]
        position = change.end
    return "".join([*parts, text[position:]])


@given(_marked())
def test_every_piece_knows_its_place(case: tuple[str, list[MarkedMention]]) -> None:
    """Overlaps or not: pieces follow one another in their row, which begins where it says."""
    text, mentions = case
    labelled = []
    for row in annotated_rows(text, mentions):
        original = re.search(r'data-start="(\d+)" [^>]*>(.*?)</div>', row.html, re.DOTALL)
        assert original is not None
        shown = unescape(re.sub(r"<[^>]*>", "", original[2]))
        assert len(shown) == len(row.row.text)
        assert row.row.text == text[int(original[1]) :][: len(shown)]
        position = int(original[1])
        for piece in row.row.marks:
            assert position <= piece.start < piece.end
            position = piece.end
        labelled += re.findall(r'role="button" [^>]*data-s="([^"]*)"', original[2])
    assert len(set(labelled)) == len(labelled)


def test_a_mention_inside_another_is_there_to_be_chosen() -> None:
    """The shorter one is on top; both have a piece that can be reached."""
    mentions = [
        MarkedMention(Span(0, 9), SemanticType.ORG, 1),
        MarkedMention(Span(4, 6), SemanticType.LOC, 2),
    ]
    html = _html("Bank of X & Y", mentions)
    assert re.findall(r'role="button" [^>]*data-s="([^"]*)">([^<]*)<', html) == [
        ("0-9", "Bank"),
        ("4-6", " o"),
    ]
    assert 'class="m LOC doubtful NOT_CONFIDENTIAL several"' in html


def test_markup_in_a_text_is_text() -> None:
    """In pieces, in labels and in masked texts."""
    text = '<b>"x"</b>'
    mention = MarkedMention(Span(0, len(text)), SemanticType.LOC, 1)
    for html in (
        _html(text, [mention]),
        "".join(row.html for row in replaced_rows(text, [])),
    ):
        assert "<b>" not in html
        assert '="x"' not in html


@given(_marked())
def test_masked_characters_are_stars(case: tuple[str, list[MarkedMention]]) -> None:
    """Every character of a DIRECT or QUASI mention but white space, and no other (TAB, Figure 2)."""
    text, mentions = case
    covered = {
        offset
        for mention in mentions
        if mention.identifier is not IdentifierType.NO_MASK
        for offset in range(mention.span.start, mention.span.end)
    }
    expected = (
        "*" if offset in covered and not char.isspace() else char
        for offset, char in enumerate(text)
    )
    assert _applied(text, mentions) == "".join(expected)


def test_replacements_are_written_in_brackets_but_for_stars() -> None:
    """Of overlapping spans nothing of the original is left."""
    text = "Ada Byron of London"
    assert written(text, {Span(0, 9): "PERSON 1", Span(13, 19): "***"}) == "[PERSON 1] of ***"
    assert written(text, {Span(0, 9): "a", Span(4, 12): "b"}) == "[a] London"
    assert written(text, {}) == text


def test_a_peer_reads_nothing_of_the_original() -> None:
    """What is masked is stars, and no attribute has what they stand for or of which type it is."""
    mention = MarkedMention(Span(0, 3), SemanticType.PERSON, 1, IdentifierType.DIRECT)
    (row,) = replaced_rows("Ada of London", [mention])
    assert '<mark class="r">***</mark> of London' in row.html
    assert "Ada" not in row.html
    assert "PERSON" not in row.html


def test_colours_say_what_happens() -> None:
    """Direct and quasi-identifiers are masked, the rest is kept, and what nobody decided is doubtful."""
    kinds = (IdentifierType.DIRECT, IdentifierType.QUASI, IdentifierType.NO_MASK, None)
    text = "a b c d"
    mentions = [
        MarkedMention(Span(2 * place, 2 * place + 1), SemanticType.LOC, place, kind)
        for place, kind in enumerate(kinds)
    ]
    outcomes = re.findall(r'class="m LOC (\w+)', _html(text, mentions))
    assert outcomes == ["masked", "masked", "kept", "doubtful"]


def test_hotter_cells_have_a_higher_class() -> None:
    """Even the coldest differs from a pair without a figure, which has class 0."""
    assert [HeatCell("", heat).shade for heat in (0.0, 0.01, 0.5, 1.0)] == [1, 1, 2, 5]
