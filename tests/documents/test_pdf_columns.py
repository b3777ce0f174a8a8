"""Columns of a PDF are read one after the other, however narrow the gutter between them."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

pytest.importorskip("pypdf")
pytest.importorskip("pdfminer")
pytest.importorskip("reportlab")

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tacenda.documents.hyphenation import joined_words
from tacenda.documents.inspection.pdf import objects
from tacenda.documents.pdf.glyphs import Glyph
from tacenda.documents.pdf.layout import page_pieces

from .test_pdf_placing import everything, read, sanitized

SIZE = 10.0
HEAD, TAIL = "Brunn", "hofer"
WORDS = (
    "the roof of a house was repaired in spring and tiles were carried up by hand while some new gutter "
    "had been fitted to it so that rain from every side could run down into one large barrel near its door"
).split()
Column = list[list[str]]
"""Words of each line."""


def column(chance: random.Random, rows: int, width: float, font: str) -> Column:
    """Return as many words as there is room for, and in one place the divided name."""
    place = chance.randrange(rows - 1)
    lines: Column = []
    for number in range(rows):
        line = [TAIL] if number == place + 1 else []
        end = f" {HEAD}-" if number == place else ""
        while True:
            word = chance.choice(WORDS)
            if stringWidth(" ".join([*line, word]) + end, font, SIZE) > width:
                break
            line.append(word)
        lines.append([*line, end.strip()] if end else line)
    return lines


def placed(
    columns: list[Column], gutter: float, width: float, font: str, *, by_row: bool, justified: bool
) -> Iterator[tuple[float, float, str]]:
    """Yield the words of columns side by side, with their places."""
    places = [(number, row) for number, lines in enumerate(columns) for row in range(len(lines))]
    for number, row in sorted(places, key=lambda place: place[:: -1 if by_row else 1]):
        line = columns[number][row]
        x, y = 50 + number * (width + gutter), 740 - 12.0 * row
        blank = stringWidth(" ", font, SIZE)
        if justified and len(line) > 1:
            spare = width - sum(stringWidth(word, font, SIZE) for word in line)
            blank = spare / (len(line) - 1)
        for word in line:
            yield x, y, word
            x += stringWidth(word, font, SIZE) + blank


@st.composite
def pages(draw: st.DrawFn) -> tuple[int, int, str, bool, list[tuple[float, float, str]]]:
    """Return numbers of columns and rows, the font, whether lines are justified, and the words."""
    number, rows, gutter = draw(st.integers(2, 3)), draw(st.integers(2, 30)), draw(st.floats(6, 18))
    font = draw(st.sampled_from(("Helvetica", "Times-Roman", "Courier")))
    by_row, justified = draw(st.booleans()), draw(st.booleans())
    chance = random.Random(draw(st.integers(0, 2**32)))
    width = (495 - (number - 1) * gutter) / number
    columns = [column(chance, rows, width, font) for _ in range(number)]
    words = list(placed(columns, gutter, width, font, by_row=by_row, justified=justified))
    return number, rows, font, justified, words


@given(pages())
def test_columns_are_told_by_the_white_space_of_many_lines(
    page: tuple[int, int, str, bool, list[tuple[float, float, str]]],
) -> None:
    """Where there are lines enough; a gutter of a typewriter's blank needs more."""
    number, rows, font, justified, words = page
    assume(rows >= (20 if font == "Courier" and justified else 12))
    glyphs: list[Glyph] = []
    for start, y, word in words:
        x = start
        for letter in word:
            advance = stringWidth(letter, font, SIZE)
            glyphs.append(Glyph(letter, x, y, advance, 0.0, 0.0, SIZE))
            x += advance
    text = "".join(piece for piece, _ in page_pieces(glyphs))
    assert joined_words(text, [()] * len(text))[0].count(HEAD + TAIL) == number


@given(pages())
@settings(max_examples=10, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_a_name_divided_in_a_column_is_never_left(
    page: tuple[int, int, str, bool, list[tuple[float, float, str]]],
) -> None:
    """A page with too few lines to tell has boxes where another program reads a name."""
    *_, font, _, words = page
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    paper.setFont(font, SIZE)
    for x, y, word in words:
        paper.drawString(x, y, word)
    paper.save()
    written = everything(sanitized(stream.getvalue(), HEAD + TAIL))
    assert HEAD.casefold() not in written
    assert TAIL not in written


def test_a_word_divided_at_the_end_of_a_cell_is_put_together() -> None:
    """With the cell below it, also where another cell stands between them."""
    rows = [
        ("Clerk", "Anna Brunn-", "Ulm"),
        ("of town", "hofer, aged", "and"),
        ("", "forty", "Bonn"),
    ]
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    for row, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            paper.drawString(72 + 150 * place, 720 - 14 * row, cell)
    paper.save()
    text = read(stream.getvalue()).document.text
    assert text == "Clerk\tAnna Brunnhofer,\tUlm\nof town\taged\tand\nforty\tBonn"


@pytest.mark.parametrize("is_kept", [False, True])
def test_another_program_finds_a_divided_word_in_whatever_order(is_kept: bool) -> None:
    """It is left if its parts are in the text, though other words are read between them."""
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    paper.drawString(72, 720, "it is by Brunn-")
    paper.drawString(72, 706, "other words" if is_kept else "words")
    paper.drawString(200, 706, "hofer" if is_kept else "other")
    paper.save()
    found = [passage.text for passage in objects(stream.getvalue()) if "Brunn" in passage.text]
    assert any("Brunn-\nhofer" in text for text in found) == is_kept
