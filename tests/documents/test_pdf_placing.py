"""However a PDF places its letters, a name in it is read as one, and gone from what is written."""

from __future__ import annotations

import contextlib
import io
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.ocr.tesseract import is_installed
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.examples import for_each

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("pdfminer")
pytest.importorskip("reportlab")

from tacenda.documents.pdf.glyphs import Glyph, TooMuchError, pages  # noqa: E402
from tacenda.documents.pdf.layout import page_pieces  # noqa: E402
from tests.growth import assert_within  # noqa: E402

from .building_pdf import PLACINGS, built, by_letter, by_line, edited  # noqa: E402
from .test_pdf_redaction import redacted  # noqa: E402

NAMES = ("Galip Yalman", "Anna Griffith", "José Núñez", "Zoë Fleischmann", "Maria del Carmen Ruiz")
SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)


def read(data: bytes) -> documents.SourceDocument:
    """Return the record, or raise what the file is refused for."""
    (item,) = documents.read("-", "pdf", stdin=io.BytesIO(data))
    if isinstance(item, documents.Failure):
        raise item.error
    return item


def sanitized(data: bytes, *names: str) -> bytes:
    """Return the PDF that is written, with names masked."""
    record = read(data)
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, SANITIZER.sanitize(record.document.text, target=names))
    sink.close()
    return output.getvalue()


def everything(data: bytes) -> str:
    """Return all that another reader finds in a PDF: objects, unpacked streams, text, as letters."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    # Packed bytes spell four letters by chance.
    unpacked = re.sub(rb"stream\r?\n.*?endstream", b"", data, flags=re.DOTALL)
    parts = [unpacked.decode("latin-1"), repr(reader.metadata)]
    for number in range(1, len(reader.xref[0]) + 1):
        thing = reader.get_object(number)
        parts.append(repr(thing))
        if hasattr(thing, "get_data") and "/Length1" not in thing:  # outlines are no letters
            parts.append(thing.get_data().decode("latin-1"))
    parts += [page.extract_text() for page in reader.pages]
    folded = unicodedata.normalize("NFKD", "\n".join(parts))
    return re.sub(r"[\W_]", "", folded).casefold()


@for_each("placing", PLACINGS)
def test_no_way_of_placing_letters_saves_a_name(placing: str) -> None:
    """Names are read as they are written, on every page, and no part of one is left."""
    pages = [[f"{words} {name}" for name in NAMES] for words in ("In the case of", "On behalf of")]
    data = built(pages[0], ["another page"], pages[1], draw=PLACINGS[placing])
    text = re.sub(r"\s+", " ", read(data).document.text)
    written = everything(sanitized(data, *NAMES))
    for name in NAMES:
        assert text.count(unicodedata.normalize("NFC", name)) >= len(pages)
        for word in name.split():
            if len(word) > 3:
                folded = unicodedata.normalize("NFKD", word)
                assert re.sub(r"\W", "", folded).casefold() not in written


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(rotate: int) -> None:
    """The rotation of a page turns its text, and its lines stay lines."""
    record = read(built(["Dear Galip Yalman,", "hello"], draw=by_letter, rotate=rotate))
    assert record.document.text == "Dear Galip Yalman,\nhello"


def test_columns_are_read_one_after_the_other() -> None:
    """A line of one column is not continued in the other; what stands above comes first."""

    def draw(paper: Any, lines: list[str]) -> None:
        paper.drawString(72, 760, "A title that goes over both of the columns, from left to right")
        for number, line in enumerate(lines):
            paper.drawString(72, 720 - 14 * number, f"left column {line} runs")
            paper.drawString(330, 720 - 14 * number, f"right column {line} runs")

    words = ["one", "two", "three", "four", "five"]
    text = read(built(words, draw=draw)).document.text
    assert text.split("\n") == [
        "A title that goes over both of the columns, from left to right",
        "",
        *(f"left column {word} runs" for word in words),
        *(f"right column {word} runs" for word in words),
    ]


def test_the_cells_of_a_table_are_read_row_by_row() -> None:
    """Short cells stand in their row, parted by a tab."""

    def draw(paper: Any, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            for column, cell in enumerate(line.split("|")):
                paper.drawString(72 + 150 * column, 720 - 14 * number, cell)

    rows = ["Name|Town|Age", "Anna Berg|Ulm|46", "Tom Smith|Bonn|9", "Ida Holm|Ulm|12"]
    text = read(built(rows, draw=draw)).document.text
    assert text == "\n".join(rows).replace("|", "\t")


def test_paragraphs_are_parted_by_an_empty_line() -> None:
    """A distance larger than that of lines is one."""

    def draw(paper: Any, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            paper.drawString(72, 720 - 14 * number - 12 * (number > 1), line)

    assert (
        read(built(["a b", "c d", "e f", "g h"], draw=draw)).document.text == "a b\nc d\n\ne f\ng h"
    )


def test_raised_letters_stay_in_their_line() -> None:
    """The mark of a footnote makes no line of its own."""

    def draw(paper: Any, lines: list[str]) -> None:
        paper.drawString(72, 720, "on the 3")
        paper.setFont("Helvetica", 7)
        paper.drawString(72 + paper.stringWidth("on the 3", "Helvetica", 11), 724, "rd")
        paper.setFont("Helvetica", 11)
        paper.drawString(72, 706, "of May")

    assert read(built(["x"], draw=draw)).document.text == "on the 3rd\nof May"


def test_a_field_that_is_only_drawn_is_read() -> None:
    """What a form shows is text, even where its value is missing."""

    def without_value(thing: Any) -> None:
        if thing.get("/Subtype") == "/Widget":
            for key in ("/V", "/DV", "/TU", "/T"):
                thing.pop(key, None)

    data = edited(built(["Galip Yalman"], draw=PLACINGS["as_fields"]), without_value)
    assert read(data).document.text == "Form\n\nGalip Yalman"


def test_a_page_that_is_only_a_picture_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan among other pages leaves an empty page, and a note that names it, where nothing reads scans."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "off")

    def draw(paper: Any, lines: list[str]) -> None:
        if lines == ["scan"]:
            paper._code.append("q 500 0 0 700 50 50 cm BI /W 2 /H 1 /CS /G /BPC 8 ID xA EI Q")
        else:
            by_line(paper, lines)

    record = read(built(["Dear Galip"], ["scan"], ["hello"], draw=draw))
    assert record.document.text == "Dear Galip\f\fhello"
    assert [note.split(":")[0] for note in record.notes] == [
        "page 2",
        "1 picture is covered, since possible text in them was not read; TACENDA_OCR_LANGUAGES (or --ocr-languages) "
        "switches the recognition of text (OCR) off; --pictures keep leaves them unchanged",
    ]


def _without_map(thing: Any) -> None:
    thing.pop("/ToUnicode", None)


def test_letters_that_nobody_can_know_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a map to Unicode and OCR the page is named, and its text is not taken for another."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "off")
    data = edited(built(["Dear", "x"], ["Galip Yalman"], draw=PLACINGS["embedded"]), _without_map)
    with pytest.raises(InputError, match=r"page 1 has letters that can't be known.*OCR|tesseract"):
        read(data)


@pytest.mark.skipif(not is_installed(), reason="needs the program tesseract")
def test_letters_that_cannot_be_known_are_read_by_ocr() -> None:
    """The page keeps its letters; what OCR reads of them is masked, and they go."""
    data = edited(built(["Dear", "Galip Yalman"], draw=PLACINGS["embedded"]), _without_map)
    assert read(data).document.text.split() == ["Dear", "Galip", "Yalman"]
    output = redacted(data, "Yalman")
    text = read(output).document.text
    assert "Galip" in text
    assert "Yalman" not in text
    assert not any(page.pictures for page in pages(output))


def test_names_of_glyphs_that_say_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code whose glyph has a name of its own has no letter, whatever the usual code says."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "off")
    generic = pypdf.generic

    def rename(thing: Any) -> None:
        if thing.get("/Type") == "/Font":
            names = [generic.NumberObject(65)]
            names += [generic.NameObject(f"/g{number}x") for number in range(58)]
            thing[generic.NameObject("/Encoding")] = generic.DictionaryObject(
                {generic.NameObject("/Differences"): generic.ArrayObject(names)}
            )

    with pytest.raises(InputError, match="can't be known"):
        read(edited(built(["Galip Yalman"], draw=by_line), rename))


def test_letters_that_make_no_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every letter stands alone, no name could be found."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "off")

    def draw(paper: Any, lines: list[str]) -> None:
        for number, letter in enumerate("GalipYalmanwentaway"):
            paper.drawString(72 + 40 * (number % 7), 720 - 60 * number, letter)
            paper.drawString(72 + 40 * (number % 5), 100 + 3000 * number, letter)

    with pytest.raises(InputError, match="form no words"):
        read(built(["x"], draw=draw))


def page_text(glyphs: list[Glyph]) -> str:
    """Return the text of a page."""
    return "".join(text for text, _ in page_pieces(glyphs))


def placed(*words: str, size: float = 10.0) -> list[Glyph]:
    """Return glyphs from left to right as they are seen, each of half the font's width."""
    shown = " ".join(words)
    return [Glyph(c, 5.0 * n, 0, 5.0, 0, 0, size) for n, c in enumerate(shown) if c != " "]


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (("ןמלי", "פילג"), "גליפ ילמן"),
        (("12", "ןב", "פילג"), "גליפ בן 12"),
        (("Anna", "Berg", "רבד", "רמאש", "אוה"), "הוא שאמר דבר Anna Berg"),
        (("this", "is", "ןמלי", "פילג", "over", "here"), "this is גליפ ילמן over here"),
        (("(ןמלי)", "פילג"), "גליפ (ילמן)"),
    ],
)
def test_right_to_left_is_read_in_its_order(seen: tuple[str, ...], text: str) -> None:
    """Letters that lie from left to right on the page are put in the order of speech."""
    assert page_text(placed(*seen)) == text


@pytest.mark.parametrize(("accent", "letter", "text"), [("\u00a8", "o", "ö"), ("\u00b4", "e", "é")])
def test_an_accent_drawn_over_a_letter_is_of_it(accent: str, letter: str, text: str) -> None:
    """Old typesetting draws two glyphs, which are one letter."""
    glyphs = [*placed("M"), Glyph(accent, 5.5, 1, 4, 0, 0, 10), Glyph(letter, 5, 0, 5, 0, 0, 10)]
    assert page_text(glyphs) == f"M{text}"


@given(st.lists(st.text("abc", min_size=1, max_size=2), min_size=4, max_size=40))
def test_words_of_one_or_two_letters_stay_words(words: list[str]) -> None:
    """Blanks are told from the gaps inside words, also if most gaps of a line are blanks."""
    assume(2 * sum(len(word) == 2 for word in words) >= len(words))
    assert page_text(placed(*words)) == " ".join(words)


@given(st.integers(0, 60))
def test_the_dots_of_a_table_of_contents_leave_its_words(dots: int) -> None:
    """Dots that are far apart say nothing about the gaps between letters."""
    words = ["2.2", "Letters", "to", "Galip", "Yalman", *"." * dots, "31"]
    assert page_text(placed(*words)) == " ".join(words)


def test_a_symbol_alone_may_be_unknown() -> None:
    """The mark of a list item is no letter of a word."""
    glyphs = [Glyph("", -20, 0, 5, 0, 0, 10), *placed("Dear", "Galip")]
    assert page_text(glyphs) == "\ufffd Dear Galip"


def test_many_pages_stay_many() -> None:
    """A name at the end of a page and one at the beginning of the next leave two pages."""
    data = built(*[["Anna Berg"]] * 12, draw=by_line)
    written = sanitized(data, "Anna Berg")
    assert len(pypdf.PdfReader(io.BytesIO(written)).pages) == 12


def _read_letters(step: float, size: int) -> None:
    glyphs = [Glyph("ab"[n % 2], step * n, 0, 5.0, 0, 0, 10) for n in range(size)]
    with contextlib.suppress(TooMuchError):
        page_text(glyphs)


@pytest.mark.parametrize("step", [0.0, 0.01, 40.0])
def test_time_is_bounded_however_letters_lie(step: float) -> None:
    """Thousands of letters at one place, or far apart, take not much longer than in a line."""
    assert_within(
        10, lambda size: _read_letters(step, size), lambda size: _read_letters(5.0, size), 20_000
    )


@pytest.mark.skipif(not is_installed(), reason="needs the program tesseract")
def test_letters_that_neither_map_nor_ocr_knows_are_covered() -> None:
    """Ink that nobody can read goes with its letters, and a message says where; the rest of the page stays."""

    def draw(paper: Any, lines: list[str]) -> None:
        PLACINGS["embedded"](paper, lines)
        paper.setLineWidth(1.5)
        for step in range(40) if lines[0].startswith("Galip") else ():
            paper.line(66 + 3 * step, 716, 78 + 3 * step, 734)
            paper.line(78 + 3 * step, 716, 66 + 3 * step, 734)

    data = edited(
        built(["Dear reader", "of this letter"], ["Galip Yalman"], draw=draw), _without_map
    )
    record = read(data)
    assert "reader" in record.document.text
    assert "Yalman" not in record.document.text
    assert any("page 2" in note and "not read" in note for note in record.notes)
    first, second = pages(redacted(data, "letter"))
    assert len(first.glyphs) > len("Dear reader")
    assert not any(glyph.text.strip() and glyph.text != " " for glyph in second.glyphs)


def test_a_line_of_prose_goes_on_in_the_next() -> None:
    """A name that a line of a paragraph breaks is one mention; lines that end before their edge stay lines."""
    lines = [
        "The application was lodged on Monday by Galip",
        "Yalman and his sister, who had lived in Ankara.",
        "They asked the court for a copy of the old file",
        "and left.",
        "Anna",
        "Berg",
    ]
    data = built(lines, draw=by_line)
    text = read(data).document.text
    assert "Galip Yalman and his sister" in text
    assert text.endswith("left.\nAnna\nBerg")
    output = redacted(data, "Galip Yalman")
    assert "galip" not in everything(output)
    assert "yalman" not in everything(output)
