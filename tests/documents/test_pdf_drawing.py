"""Pages of a PDF as pictures, and the places of the characters on them, against another program's."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tacenda.documents.containers import drawn_pages
from tacenda.documents.pdf.drawing import DrawnFile, DrawnPage
from tacenda.documents.record import Origin
from tacenda.errors import InputError
from tests.examples import for_each

from .building_pdf import PLACINGS, built, by_line, turned
from .test_pdf_redaction import LINES, NAME, record_of, redacted

_SLACK = 0.01
_DARK = 40
_OTHERWISE = {
    *("divided", "out_of_order", "spaced_out_letters", "turned 90", "turned 180", "turned 270"),
    *("as_notes", "as_fields", "outside"),
}
"""Placings that another program reads as other words, and those that aren't on the page."""


def drawn(data: bytes) -> DrawnFile:
    """Return the pages of a file."""
    return drawn_pages(data, Origin("a.pdf", "a.pdf", "pdf", ""))


def _centres(data: bytes, name: str) -> list[tuple[float, float]]:
    """Return the middles of the letters of a name in a page, in shares of it, as pypdfium2 finds them."""
    page = pypdfium2.PdfDocument(data)[0]
    width, height = page.get_size()
    text = page.get_textpage()
    whole = text.get_text_range()
    found = []
    start = whole.find(name)
    while start >= 0:
        for index in range(start, start + len(name)):
            left, bottom, right, top = text.get_charbox(index)
            found.append(((left + right) / 2 / width, 1 - (bottom + top) / 2 / height))
        start = whole.find(name, start + len(name))
    return found


def _places(text: str, name: str) -> list[tuple[int, int]]:
    starts = [start for start in range(len(text)) if text.startswith(name, start)]
    return [(start, start + len(name)) for start in starts]


@for_each("name", sorted(PLACINGS.keys() - _OTHERWISE))
def test_a_name_lies_in_its_rectangles(name: str) -> None:
    """However it is drawn."""
    data = built(LINES, draw=PLACINGS[name])
    record = record_of(data)
    (page,) = drawn(data).pages
    text = record.document.text
    spans = _places(text, "Yalman")
    assert spans
    rectangles = [each for span in spans for each in page.rectangles(*span)]
    assert rectangles
    centres = _centres(data, "Yalman")
    assert centres
    for x, y in centres:
        assert any(
            each.left - _SLACK <= x <= each.left + each.width + _SLACK
            and each.top - _SLACK <= y <= each.top + each.height + _SLACK
            for each in rectangles
        )


def test_the_boxes_of_the_file_that_leaves_are_the_rectangles() -> None:
    """What is black in the one is covered in the other, and nothing else."""
    data = built(LINES, draw=by_line)
    record = record_of(data)
    (page,) = drawn(data).pages
    before, after = (
        np.asarray(pypdfium2.PdfDocument(each)[0].render(scale=3).to_pil().convert("L"))
        for each in (data, redacted(data, NAME, text="[X]"))
    )
    shown = np.zeros(after.shape, dtype=bool)
    high, wide = after.shape
    for span in _places(record.document.text, NAME):
        for each in page.rectangles(*span):
            rows = slice(round(each.top * high), round((each.top + each.height) * high))
            shown[rows, round(each.left * wide) : round((each.left + each.width) * wide)] = True
    black = (after < _DARK) & (before > _DARK)
    assert black.any()
    # The edges of a box fall between dots.
    assert np.count_nonzero(black & ~shown) < 0.03 * np.count_nonzero(black)
    assert np.count_nonzero(shown & (after > 200)) < 0.2 * np.count_nonzero(shown)


def test_a_name_over_two_lines_has_two_rectangles() -> None:
    """One a line, also where the span goes from page to page."""
    data = built(["Galip", "Yalman went"], ["and went on"], draw=by_line)
    record = record_of(data)
    first, second = drawn(data).pages
    text = record.document.text
    end = text.index("went on") + 4
    assert len(first.rectangles(0, text.index(" went"))) == 2
    assert len(first.rectangles(0, end)) == 2
    assert len(second.rectangles(0, end)) == 1
    assert (second.start, second.text) == (text.index("and"), "and went on")


@pytest.mark.parametrize("name", ["as_notes", "outside"])
def test_what_is_not_on_the_page_has_no_rectangle(name: str) -> None:
    """A comment, and what is drawn beside the page, are in the text all the same."""
    data = built(LINES, draw=PLACINGS[name])
    record = record_of(data)
    (page,) = drawn(data).pages
    spans = _places(record.document.text, NAME)
    assert spans
    assert not page.rectangles(*spans[-1])


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_turned_text_has_a_rectangle_a_line(angle: float) -> None:
    """Also where lines run upwards."""
    data = built(LINES, draw=turned(angle))
    record = record_of(data)
    (page,) = drawn(data).pages
    (start, end), *_ = _places(record.document.text, "Yalman")
    (found,) = page.rectangles(start, end)
    assert (found.height > found.width) == (angle != 180)


def test_pages_are_pictures() -> None:
    """As PNG in the proportions of the page; there is none beyond the last."""
    file = drawn(built(LINES, LINES, draw=by_line))
    image = Image.open(io.BytesIO(file.picture(2)))
    page: DrawnPage = file.pages[1]
    assert image.size[0] == pytest.approx(1400, abs=2)
    assert image.size[1] / image.size[0] == pytest.approx(page.height / page.width, abs=0.01)
    assert np.asarray(image.convert("L")).min() < _DARK
    for number in (0, 3):
        with pytest.raises(InputError, match=f"there is no page {number}"):
            file.picture(number)
    assert pickle.loads(pickle.dumps(file)).text == file.text


def test_damaged_files_have_no_pages() -> None:
    """The reason is said, not the text."""
    data = built(LINES, draw=by_line)
    with pytest.raises(InputError, match="damaged PDF"):
        drawn(data[: len(data) // 2])


def test_a_tree_of_pages_with_a_loop_is_read_as_other_programs_do() -> None:
    """PDFium finds its pages, and a name on them is masked."""
    looped = io.BytesIO()
    with pikepdf.open(io.BytesIO(built(LINES, draw=by_line))) as pdf:
        pdf.Root.Pages.Kids.append(pdf.Root.Pages)
        pdf.save(looped, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    assert len(drawn(looped.getvalue()).pages) == 1
    output = redacted(looped.getvalue(), NAME)
    assert NAME not in record_of(output).document.text
