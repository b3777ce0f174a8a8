"""Letters that a page of text draws as shapes are read by OCR, and no shape of a masked one is left."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pikepdf
import pypdfium2
import pytest
import reportlab
from PIL import Image, ImageChops
from reportlab.pdfgen.canvas import Canvas

from tacenda.documents import pdf
from tacenda.documents.ocr import scans as ocr
from tacenda.documents.ocr import tesseract
from tacenda.documents.ocr.tesseract import OcrSettings, Word
from tacenda.documents.pdf import glyphs
from tacenda.documents.record import Origin, SourceDocument
from tacenda.errors import InputError
from tests.examples import for_each

from .conftest import mask_strings
from .test_ocr import NAME, needs_tesseract, record_of, words_in, written
from .test_pdf_pictures import page, texts, typed

LINE = f"Written by {NAME}"


def outlined(paper: Canvas, line: str, size: float, *, at_once: bool = False) -> None:
    """Draw a line from the origin as the outlines of its letters, each as a path or all as one."""
    pens = pytest.importorskip("fontTools.pens.recordingPen")
    files = pytest.importorskip("fontTools.ttLib")
    font = files.TTFont(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    letters, names = font.getGlyphSet(), font.getBestCmap()
    scale = size / font["head"].unitsPerEm
    path, x = paper.beginPath(), 0.0
    for letter in line:
        pen = pens.DecomposingRecordingPen(letters)
        letters[names[ord(letter)]].draw(pen)
        for operator, points in pen.value:
            _add(path, operator, [(x + scale * a, scale * b) for a, b in points])
        x += scale * letters[names[ord(letter)]].width
        if not at_once:
            paper.drawPath(path, stroke=0, fill=1)
            path = paper.beginPath()
    paper.drawPath(path, stroke=0, fill=1)


def _add(path: Any, operator: str, points: list[tuple[float, float]]) -> None:
    """Draw a part of a letter; of each quadratic curve the points in between, as straight lines."""
    if operator == "closePath":
        path.close()
    elif operator == "moveTo":
        path.moveTo(*points[0])
    else:
        for point in points:
            path.lineTo(*point)


def letter(
    line: str = LINE,
    *,
    at_once: bool = False,
    size: float = 14,
    matrix: tuple[float, ...] = (1, 0, 0, 1, 60, 760),
) -> bytes:
    """Return a page of text with a line of outlines."""

    def draw(paper: Canvas) -> None:
        typed(paper)
        paper.transform(*matrix)
        outlined(paper, line, size, at_once=at_once)

    return page(draw)


def beside_text(draw: Callable[[Canvas], None]) -> Callable[[Canvas], None]:
    """Return a drawing of text and of something else."""

    def both(paper: Canvas) -> None:
        typed(paper)
        draw(paper)

    return both


def blob(paper: Canvas, x: float, y: float, size: float, corners: int, random: Random) -> None:
    """Draw a round shape with corners at any distance."""
    path = paper.beginPath()
    points = []
    for number in range(corners):
        angle, radius = math.tau * number / corners, size * random.uniform(0.25, 0.5)
        points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    path.close()
    paper.drawPath(path, stroke=0, fill=1)


def emblem(paper: Canvas) -> None:
    """Draw five leaves of different shapes in a row, none like a letter."""
    for number in range(5):
        path = paper.beginPath()
        x, y = 60 + 26 * number, 760
        path.moveTo(x, y)
        for step in range(number + 1):
            path.curveTo(x + 5, y + 3, x + 20, y + 4, x + 22 - step, y + 22)
        path.curveTo(x + 15, y + 20, x + 2, y + 18, x, y)
        path.close()
        paper.drawPath(path, stroke=0, fill=1)


def chart(paper: Canvas) -> None:
    """Draw a table with rules and rounded cells, bars, and the points of a chart."""
    for number in range(12):
        x = 60 + 30 * number
        paper.rect(x, 100, 20, 5 + 3 * number, stroke=1, fill=1)
        paper.circle(x, 200 + number, 3, stroke=0, fill=1)
        paper.roundRect(x, 240, 26, 14, 3, stroke=1, fill=1)
        paper.rect(60, 300 + 15 * number, 400, 0.5, stroke=0, fill=1)
        paper.rect(x, 300, 0.5, 180, stroke=0, fill=1)
        paper.line(x, 100, x + 30, 130)


def points(paper: Canvas) -> None:
    """Draw the many points of a chart as circles, diamonds and crosses."""
    random = Random(1)
    for number in range(3000):
        x, y = random.uniform(60, 500), random.uniform(60, 400)
        if number % 2:
            paper.circle(x, y, 3, stroke=0, fill=1)
        else:
            blob(paper, x, y, 6, 10, random)


def list_marks(paper: Canvas) -> None:
    """Draw bullets, check marks and stars at the begin of lines."""
    random = Random(2)
    for number in range(20):
        paper.circle(50, 60 + 15 * number, 2, stroke=0, fill=1)
        blob(paper, 60, 60 + 15 * number, 8, 7, random)
        blob(paper, 70, 60 + 15 * number, 8, 10, random)


def map_of_islands(paper: Canvas) -> None:
    """Draw islands of all sizes at any place."""
    random = Random(3)
    for _ in range(400):
        x, y, size = random.uniform(60, 500), random.uniform(60, 400), random.uniform(3, 30)
        blob(paper, x, y, size, random.randint(5, 30), random)


def bars(paper: Canvas) -> None:
    """Draw the profile of a graph as one large path, and a pie of slices."""
    path = paper.beginPath()
    path.moveTo(60, 100)
    for number in range(200):
        path.lineTo(60 + 2 * number, 100 + 40 * abs(math.sin(number / 7)))
    path.close()
    paper.drawPath(path, stroke=1, fill=1)
    for number in range(8):
        paper.wedge(60, 200, 100, 240, 45 * number, 45, stroke=1, fill=1)


def areas(data: bytes) -> tuple[Any, ...]:
    """Return the lines of the first page whose shapes may be letters."""
    return next(iter(glyphs.pages(data))).outlines


def drawn(data: bytes) -> Image.Image:
    """Return the first page as it is seen."""
    return pypdfium2.PdfDocument(data)[0].render(scale=300 / 72).to_pil().convert("RGB")


def operators(data: bytes) -> set[str]:
    """Return the names of the operators of the first page."""
    with pikepdf.open(io.BytesIO(data)) as file:
        return {str(each.operator) for each in pikepdf.parse_content_stream(file.pages[0])}


def read(data: bytes) -> SourceDocument:
    """Return the record of a file read in this process, where its reading can be replaced."""
    (record,) = pdf.read(io.BytesIO(data), Origin("-", "a", "pdf", "", OcrSettings()))
    return record


def written_here(record: SourceDocument, string: str) -> bytes:
    """Return the file with a string masked, written in this process."""
    assert record.container is not None
    return record.container.write(record, mask_strings(record.document, string, text="[PERSON 1]"))


@for_each("at_once", [False, True])
@for_each("size", [7, 14, 30])
def test_a_line_of_outlines_is_one_area(size: float, at_once: bool) -> None:
    """The area reaches from the first letter to the last, whatever paths they are in."""
    (area,) = areas(letter(size=size, at_once=at_once))
    left, bottom, right, top = area.box
    assert area.is_certain
    assert 60 <= left < 60 + 0.2 * size
    assert right - left > 0.5 * size * (len(LINE) - 1)
    assert 760 - 0.3 * size < bottom < top < 760 + size


@pytest.mark.parametrize("matrix", [(0, 1, -1, 0, 560, 400), (0, -1, 1, 0, 40, 700)])
def test_a_line_upwards_or_downwards_is_one_area(matrix: tuple[float, ...]) -> None:
    """It is as long as across the page."""
    ((_, bottom, _, top), is_certain, is_readable) = areas(letter(matrix=matrix))[0]
    assert is_certain
    assert is_readable
    assert top - bottom > 7 * (len(LINE) - 1)


def test_two_letters_are_an_area() -> None:
    """They are tried, and reported if they are not read, beside longer lines and alone."""

    def both(paper: Canvas, lines: tuple[str, ...]) -> None:
        for line in lines:
            paper.translate(0, 100)
            outlined(paper, line, 14)

    assert len(areas(page(partial(both, lines=(LINE, "Bo"))))) == 2
    ((_, is_certain, _),) = areas(page(partial(both, lines=("Bo",))))
    assert not is_certain


@for_each("angle", [2, 20, 45, 100, 200, 340])
def test_letters_on_a_slope_are_certain(angle: int) -> None:
    """At any angle, whatever their size."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for size in (8, 30):
        found = areas(letter(size=size, matrix=(c, s, -s, c, 300, 400)))
        assert sum(line.is_certain and not line.is_readable for line in found) >= 9


@for_each("size", [8, 14, 20])
@for_each("radius", [3, 4, 5, 8, 12, 40, -3, -4, -5, -8, -12, -40])
def test_letters_on_a_curve_are_certain(radius: float, size: float) -> None:
    """Each letter of a seal stands at another angle, all are found, however tight the curve, in sizes of the letters."""
    line = "WrttenbyGudrunHavorsen" if abs(radius) > 3 else "WrttenbyGudrunHavo"

    def draw(paper: Canvas) -> None:
        for number, sign in enumerate(line):
            paper.saveState()
            paper.translate(300, 400)
            paper.rotate(-math.degrees(0.78 * number / radius))
            paper.translate(0, radius * size)
            outlined(paper, sign, size)
            paper.restoreState()

    assert sum(line.is_certain for line in areas(page(draw))) == len(line)


@for_each("operator", ["S", "s", "B", "F", "f", "W n", "W* n"])
def test_letters_of_any_path_are_certain(operator: str) -> None:
    """Stroked, filled, or clipping what is drawn after them."""
    data = letter()
    with pikepdf.open(io.BytesIO(data)) as file:
        (content,) = [file.pages[0].Contents]
        drawing = content.read_bytes()
        assert drawing.count(b" f*\n") + drawing.count(b"\nf*") > 9
        content.write(re.sub(rb"\bf\*", operator.encode(), drawing))
        stream = io.BytesIO()
        file.save(stream)
    assert any(line.is_certain for line in areas(stream.getvalue()))


def test_letters_of_single_strokes_are_certain() -> None:
    """A plotter draws each as some lines, each a path of its own."""
    letters = {
        "A": "0,0 2,6 4,0|1,2 3,2", "K": "0,0 0,6|4,6 0,2 4,0", "M": "0,0 0,6 2,3 4,6 4,0", "N": "0,0 0,6 4,0 4,6",
        "E": "4,0 0,0 0,6 4,6|0,3 3,3", "R": "0,0 0,6 4,6 4,3 0,3|2,3 4,0", "S": "0,0 4,0 4,3 0,4 0,6 4,6", "Z": "0,6 4,6 0,0 4,0",
        "W": "0,6 1,0 2,4 3,0 4,6",
    }  # fmt: skip

    def draw(paper: Canvas) -> None:
        for number, sign in enumerate("MARKSNZEWAK"):
            for stroke in letters[sign].split("|"):
                corners = [tuple(map(float, corner.split(","))) for corner in stroke.split()]
                for (a, b), (c, d) in pairwise(corners):
                    x, y = 60 + 12 * number, 700
                    paper.line(x + 2 * a, y + 2 * b, x + 2 * c, y + 2 * d)

    assert any(line.is_certain for line in areas(page(draw)))


@needs_tesseract
def test_letters_on_a_slope_are_covered() -> None:
    """They are not read, so nothing of them stays, and a note says so."""
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    record = record_of(letter(matrix=(c, s, -s, c, 300, 380)), "pdf")
    assert any("not read" in note and "covered" in note for note in record.notes)
    assert not areas(written(record, "Galip"))


@pytest.mark.parametrize("draw", [typed, chart, points, bars])
def test_graphics_are_no_letters(draw: Callable[[Canvas], None]) -> None:
    """Rules, cells, bars, slices, points of a chart and marks of a list cost no reading."""
    assert areas(page(draw)) == ()


def test_islands_are_not_certainly_letters() -> None:
    """Among shapes of all kinds some stand on a line, but too few to be more than tried."""
    assert not any(line.is_certain for line in areas(page(map_of_islands)))


@needs_tesseract
def test_graphics_stay() -> None:
    """A page with shapes that are not read as letters is edited in place, keeps them all, and a note says so."""

    def draw(paper: Canvas) -> None:
        emblem(paper)
        map_of_islands(paper)

    data = page(beside_text(draw))
    record = record_of(data, "pdf")
    assert record.notes == (
        "page 1: shapes that may be letters were not read, and stay: check them.",
    )
    output = written(record)
    assert all("nobody had answered" in text and "Yalman" not in text for text in texts(output))
    # Of the lines of text from 700 points down to 370 some are masked.
    for box in ((0, 0, 595, 842 - 720), (0, 842 - 360, 595, 842)):
        before, after = (
            pypdfium2.PdfDocument(each)[0].render().to_pil().convert("L").crop(box)
            for each in (data, output)
        )
        assert ImageChops.difference(before, after).getextrema()[1] < 40


@needs_tesseract
def test_outlines_of_a_name_are_gone() -> None:
    """They are read with the text, and the page becomes a picture without what is masked."""
    record = record_of(letter("Written by Gudrun Halvorsen", at_once=True), "pdf")
    assert record.document.text.endswith("\n\nWritten by Gudrun Halvorsen")
    output = written(record, "Gudrun Halvorsen")
    assert "f*" not in operators(output)
    assert all("nobody had answered" in text and "Halv" not in text for text in texts(output))
    rest = words_in(drawn(output))
    assert "Written by" in rest
    assert "Halv" not in rest
    assert "Gudr" not in rest


@needs_tesseract
def test_outlines_stay_where_nothing_of_them_is_masked() -> None:
    """The page is edited in place, and the line stays as it was drawn."""
    output = written(record_of(letter("Written by Gudrun Halvorsen"), "pdf"))
    assert areas(output)
    assert all("Yalman" not in text for text in texts(output))


def letters(line: str, count: int) -> bytes:
    """Return pages of text with the same line of outlines."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(595, 842), invariant=1)
    for number in range(count):
        typed(paper)
        paper.drawString(60, 300, f"Page {number}")
        paper.translate(60, 760)
        outlined(paper, line, 14)
        paper.showPage()
    paper.save()
    return stream.getvalue()


@needs_tesseract
def test_a_letterhead_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outlines that are the same on many pages cost one reading, and one more when the file is written."""
    readings: list[str] = []
    monkeypatch.setattr(tesseract, "_MOST_AT_ONCE", 1)
    monkeypatch.setattr(ocr, "words", partial(counted, readings, ocr.words))
    record = read(letters("Written by Gudrun Halvorsen", 5))
    assert record.document.text.count("Gudrun Halvorsen") == 5
    assert len(readings) == 1
    output = written_here(record, NAME)
    assert len(readings) == 2
    assert [len(each.outlines) for each in glyphs.pages(output)] == [1] * 5


@needs_tesseract
def test_a_name_that_only_the_second_reading_sees_is_gone_from_each_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pages with the same outlines are looked at once, and all become pictures."""
    reader = ocr.words

    def other(*arguments: Any, **options: Any) -> list[Word]:
        return [word._replace(text="Office") for word in reader(*arguments, **options)]

    monkeypatch.setattr(ocr, "words", other)
    record = read(letters(LINE, 2))
    monkeypatch.undo()
    assert "Written" not in record.document.text
    output = written_here(record, NAME)
    assert [len(each.outlines) for each in glyphs.pages(output)] == [0, 0]


def counted(
    readings: list[str], reader: Callable[..., Any], *arguments: Any, **options: Any
) -> Any:
    """Call a function, and count that."""
    readings.append(reader.__name__)
    return reader(*arguments, **options)


@needs_tesseract
def test_letters_under_their_outlines_are_said_once() -> None:
    """A layer of invisible text says what the outlines show, and both go."""

    def draw(paper: Canvas) -> None:
        typed(paper)
        text = paper.beginText(60, 760)
        text.setTextRenderMode(3)
        text.setFont("Helvetica", 15)
        text.setHorizScale(108)
        text.textOut("Written by Gudrun Halvorsen")
        paper.drawText(text)
        paper.translate(60, 760)
        outlined(paper, "Written by Gudrun Halvorsen", 14)

    record = record_of(page(draw), "pdf")
    assert record.document.text.count("Halvorsen") == 1
    assert not areas(written(record, "Gudrun Halvorsen"))


@needs_tesseract
def test_outlines_that_are_not_surely_read_are_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word of low confidence is text, and nothing of it stays."""
    reader = ocr.words

    def unsure(*arguments: Any, **options: Any) -> list[Word]:
        return [
            word._replace(confidence=30.0) if word.text == "Halvorsen" else word
            for word in reader(*arguments, **options)
        ]

    monkeypatch.setattr(ocr, "words", unsure)
    record = read(letter("Written by Gudrun Halvorsen"))
    monkeypatch.undo()
    assert "Gudrun Halvorsen" in record.document.text
    assert any("not read" in note and "covered" in note for note in record.notes)
    output = written(record, "Galip")
    assert not areas(output)
    rest = words_in(drawn(output))
    assert "Gudrun" in rest
    assert "Halv" not in rest


@needs_tesseract
def test_outlines_that_no_program_reads_are_covered() -> None:
    """So many different shapes on a line are letters, even if they are mirrored."""
    record = record_of(letter("Written by Gudrun Halvorsen", matrix=(-1, 0, 0, 1, 300, 760)), "pdf")
    assert any("not read" in note and "covered" in note for note in record.notes)
    assert not areas(written(record, "Galip"))


@needs_tesseract
def test_outlines_upwards_are_read() -> None:
    """What is read is masked, as across the page."""
    data = letter("Written by Gudrun Halvorsen", matrix=(0, 1, -1, 0, 560, 400))
    record = record_of(data, "pdf")
    assert "Gudrun Halvorsen" in record.document.text
    assert not areas(written(record, "Gudrun Halvorsen"))


def test_outlines_without_the_program_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pictures are not to be read, the page is named; if they are to stay, it is reported."""
    monkeypatch.setenv(tesseract.LANGUAGES, "off")
    with pytest.raises(InputError, match=r"page 1 has letters drawn as shapes.*--pictures keep"):
        record_of(letter(), "pdf")
    monkeypatch.setenv(tesseract.PICTURES, "keep")
    record = record_of(letter(), "pdf")
    assert "page 1: shapes" in record.notes[0]
    assert areas(written(record, "Galip"))


@pytest.mark.parametrize("draw", [emblem, map_of_islands])
def test_graphics_without_the_program_stay(
    draw: Callable[[Canvas], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shapes that are hardly letters refuse no file."""
    monkeypatch.setenv(tesseract.LANGUAGES, "off")
    data = page(beside_text(draw))
    assert len(areas(written(record_of(data, "pdf")))) == len(areas(data))
