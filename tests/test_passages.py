"""Where a mention may not go on."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Span
from tacenda.text.passages import Passages
from tests.examples import for_each
from tests.growth import assert_linear

PROSE = (
    "When she came back to the village in the spring of that year, her uncle {0}\n"
    "{1} had already left the house by the river, and nobody could say to her where\n"
    "he had gone. She stayed with the neighbours until the end of the summer, and then\n"
    "went on to the coast.\n"
)


def parts(text: str, between: str) -> int:
    """Return in how many passages ``Galip``, what is between, and ``Yalman`` lie."""
    start = text.index("Galip")
    return len(Passages.of(text).split(Span(start, text.index(between, start) + len(between) + 6)))


def test_a_name_may_be_broken_over_the_end_of_a_wrapped_line() -> None:
    """Prose that is wrapped at a width is one passage."""
    assert parts(PROSE.format("Galip", "Yalman"), "\n") == 1


def test_a_divided_word_is_in_one_passage() -> None:
    """Nobody is two people for a hyphen at the end of a line, however short it is."""
    text = "by Galip Yal-\nman"
    assert len(Passages.of(text).split(Span(3, len(text)))) == 1


@for_each(
    "text",
    [
        PROSE.format("Galip", "\nYalman"),
        PROSE.format("Galip", "  \nYalman"),
        PROSE.format("Galip\f", "Yalman"),
        PROSE.format("Galip", "- Yalman"),
        PROSE.format("Galip", "2. Yalman"),
        PROSE.format("Galip", "Yalman: he"),
        PROSE.format("Galip", "> Yalman"),
        PROSE.format("Galip", "[Yalman]"),
        PROSE.format("Galip", "   Yalman"),
        PROSE.format("Galip |", "Yalman"),
        PROSE.format("Galip", "Yalman\tx"),
        "Dear Galip\nYalman",
        "Our teacher at the village school by the river is Galip\nYalman is her pupil, and lives in it",
        "The first line is as long as a whole paragraph would be. " * 4 + "Galip\nYalman",
        "| Galip | Yalman |",
        "Galip   Yalman",
        "Galip\tYalman",
        "Galip\u2028Yalman",
    ],
)
def test_lines_items_fields_and_cells_are_passages(text: str) -> None:
    """Whatever is no wrapped prose parts what stands on both sides."""
    begin = text.index("Galip")
    end = text.index("Yalman") + 6
    assert len(Passages.of(text).split(Span(begin, end))) > 1


def test_the_mark_of_an_item_is_in_no_part() -> None:
    """What makes a list, a heading or a quotation stays, even where a mention takes it along."""
    text = "# Ada\n\n- Bo\n  * Cy\n> > Di"
    passages = Passages.of(text)
    assert [part.of(text) for part in passages.split(Span(0, len(text)))] == [
        "Ada",
        "Bo",
        "Cy",
        "Di",
    ]
    assert [part.of(text) for part in passages.split(Span(7, 11))] == ["Bo"]


def test_a_long_item_may_be_wrapped() -> None:
    """The lines of an item that stand under its text are one passage."""
    text = "- " + PROSE.format("Galip", "Yalman").replace("\n", "\n  ")
    assert parts(text, "\n  ") == 1


def test_records_of_one_length_are_no_wrapped_prose() -> None:
    """Lines that all begin anew are a list, however alike their lengths are."""
    line = "{} came to the village school by the river in the year of {}\n"
    text = "".join(
        line.format(name, name) for name in ("Galip", "Yalmn", "Berta", "Clara", "Doris")
    )
    passages = Passages.of(text)
    assert len(passages.split(Span(0, len(text)))) == 5


texts = st.text(st.sampled_from("aB9 |\t\n\r\f\u2028-:"), max_size=200) | st.lists(
    st.sampled_from(
        ["Galip", "went", "to the", "- x", "|", "\t", "\n", "\n\n", "\f", "   ", "y" * 60]
    ),
    max_size=40,
).map(" ".join)


@given(text=texts, data=st.data())
def test_parts_cover_all_but_what_parts_them(text: str, data: st.DataObject) -> None:
    """No letter is lost, no part reaches over a page, and lines are within passages."""
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    passages = Passages.of(text)
    for pieces in (passages.split(span), passages.lines(span)):
        assert all(span.contains(piece) for piece in pieces)
        kept = "".join(piece.of(text) for piece in pieces)
        assert re.sub(r"[\s|-]", "", kept) == re.sub(r"[\s|-]", "", span.of(text))
    assert not any(re.search(r"[\n\f\t|]", part.of(text)) for part in passages.lines(span))
    for part in passages.split(span):
        assert not passages.parted(part.start, part.end)
        assert not re.search(r"[\f\t|]|\n\s*\n", part.of(text))


@for_each("unit", [" ", "\n", "\t|", "x", "word ", "- a\n", "y" * 70 + "\n", " \n"])
def test_time_is_linear(unit: str) -> None:
    """A million characters of anything are parted at once."""
    assert_linear(lambda size: Passages.of(unit * (size // len(unit))), 100_000)
