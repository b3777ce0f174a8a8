"""Texts with mentions as HTML, masked texts and pictures."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.annotation.annotation import DocumentAnnotation, MarkedMention
from tacenda.app.annotation.comparison import HeatCell, triangle
from tacenda.app.annotation.rendering import (
    joined,
    masked_parts,
    parts_html,
    text_html,
    written,
    written_parts,
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


def _shown(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


@given(_marked())
def test_every_piece_knows_its_place(case: tuple[str, list[MarkedMention]]) -> None:
    """Overlaps or not: pieces follow one another, and each begins where it says."""
    text, mentions = case
    html = str(text_html(text, mentions))
    assert len(_shown(html)) == len(text)
    position = 0
    for start, string in re.findall(r'<span [^>]*data-o="(\d+)"[^>]*>([^<]*)</span>', html):
        assert int(start) == position
        position += len(unescape(string))
    assert position == len(text)
    ids = re.findall(r'id="m-([^"]*)"', html)
    assert len(set(ids)) == len(ids)


def test_a_mention_inside_another_is_there_to_be_chosen() -> None:
    """The shorter one is on top; both have a piece that can be reached."""
    mentions = [
        MarkedMention(Span(0, 9), SemanticType.ORG, 1),
        MarkedMention(Span(4, 6), SemanticType.LOC, 2),
    ]
    html = str(text_html("Bank of X & Y", mentions))
    assert 'id="m-0-9"' in html
    assert 'class="m LOC undecided several" data-o="4" data-s="4-6"' in html


def test_markup_in_a_text_is_text() -> None:
    """In pieces, in labels, in masked texts and in pictures."""
    text = '<b>"x"</b>'
    mention = MarkedMention(Span(0, len(text)), SemanticType.LOC, 1)
    for html in (
        text_html(text, [mention]),
        parts_html([(text, None), (text, Span(0, 1))], "stars"),
        triangle(["a", text], {("a", text): HeatCell(text, 0.5)}, "", text),
    ):
        assert "<b>" not in html
        assert '="x"' not in html


@given(_marked())
def test_masked_characters_are_stars(case: tuple[str, list[MarkedMention]]) -> None:
    """Every character of a DIRECT or QUASI mention but white space, and no other (TAB, Figure 2)."""
    text, mentions = case
    masked = joined(masked_parts(text, DocumentAnnotation(tuple(mentions))))
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
    assert masked == "".join(expected)


def test_replacements_are_written_in_brackets_but_for_stars() -> None:
    """Of overlapping spans nothing of the original is left."""
    text = "Ada Byron of London"
    assert written(text, {Span(0, 9): "PERSON 1", Span(13, 19): "***"}) == "[PERSON 1] of ***"
    assert written(text, {Span(0, 9): "a", Span(4, 12): "b"}) == "[a] London"
    assert written_parts(text, {}) == [(text, None)]


def test_a_triangle_has_a_cell_a_pair() -> None:
    """Hotter cells have a higher class; pairs without a figure say so."""
    svg = str(
        triangle(
            ["a", "b", "c"],
            {("a", "b"): HeatCell("7", 1.0), ("b", "c"): HeatCell("1", 0.01)},
            "0",
            "t",
        )
    )
    assert re.findall(r'<rect class="(heat-\d)"', svg) == ["heat-5", "heat-0", "heat-1"]
    assert "style=" not in svg
