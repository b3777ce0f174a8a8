"""A page of a PDF keeps its words: a picture on it is covered alone, and one that becomes a picture has them under it."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pikepdf
import pypdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tacenda.documents.ocr.tesseract import Word
from tacenda.documents.pdf import glyphs, scans, writing
from tacenda.documents.pdf.page_pictures import PagePicture, with_pictures
from tacenda.documents.pdf.redaction import PageError

from .test_ocr import LINES, NAME, needs_tesseract, record_of, scanned_pdf, sheet, words_in, written

pytestmark = needs_tesseract


def page(draw: Callable[[Canvas], None]) -> bytes:
    """Return a PDF of one page."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(595, 842), invariant=1)
    draw(paper)
    paper.showPage()
    paper.save()
    return stream.getvalue()


def typed(paper: Canvas) -> None:
    """Draw lines of text above what is there."""
    paper.setFont("Helvetica", 12)
    for number, line in enumerate([*LINES[:2], "and nobody had answered"] * 4):
        paper.drawString(60, 700 - 30 * number, line)


def logo(*lines: str) -> ImageReader:
    """Return a picture of some words on a ground that a program reads."""
    return ImageReader(sheet(*lines, size=(1000, 60 + 60 * len(lines)), mode="RGB"))


def texts(data: bytes) -> tuple[str, str]:
    """Return the text of the first page by two programs, in one line each."""
    first = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    second = pypdf.PdfReader(io.BytesIO(data)).pages[0].extract_text()
    return " ".join(first.split()), " ".join(second.split())


def images(data: bytes) -> list[Image.Image]:
    """Return the pictures of a file."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        found = [each for each in streams if each.get("/Subtype") == "/Image"]
        return [pikepdf.PdfImage(each).as_pil_image() for each in found]


def test_a_background_leaves_the_text_of_its_page() -> None:
    """A picture that fills the page is covered by itself, if the letters above it are what there is to read."""
    ground = Image.effect_noise((200, 280), 30).convert("RGB").point(lambda value: 170 + value // 4)

    def draw(paper: Canvas) -> None:
        paper.drawImage(ImageReader(ground), 0, 0, 595, 842)
        typed(paper)

    output = written(record_of(page(draw), "pdf"))
    assert all("nobody had answered" in text and "Yalman" not in text for text in texts(output))
    assert not images(output)
    assert len(output) < 5_000


@pytest.mark.parametrize("is_under", [True, False])
def test_a_covered_picture_takes_its_words_along(is_under: bool) -> None:
    """Words that nobody sees, under a picture or in its text layer, go with it; those seen above it stay."""
    noise = Image.effect_noise((800, 300), 90).convert("RGB")

    def draw(paper: Canvas) -> None:
        layer = paper.beginText(70, 220)
        layer.setFont("Helvetica", 14)
        layer.setTextRenderMode(0 if is_under else 3)
        layer.textLine("Signed by Brigitte in Leeds")
        layer.setTextRenderMode(0)
        if is_under:
            paper.drawText(layer)
        paper.drawImage(ImageReader(noise), 60, 100, 400, 240)
        if not is_under:
            paper.drawText(layer)
        paper.setFont("Helvetica", 10)
        paper.drawString(70, 105, "Caption of the picture")
        typed(paper)

    output = written(record_of(page(draw), "pdf"))
    assert not images(output)
    for text in texts(output):
        assert "Caption of the picture" in text
        assert "nobody had answered" in text
        assert "Brigitte" not in text


def test_a_logo_is_repainted_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that only the second reading sees in a picture is painted over there; the text stays text."""
    reader = scans.words
    monkeypatch.setattr(
        scans,
        "words",
        lambda *arguments: [word._replace(text="Office") for word in reader(*arguments)],
    )

    def draw(paper: Canvas) -> None:
        paper.drawImage(logo(f"Office of {NAME}"), 60, 740, 400, 48)
        typed(paper)

    output = written(record_of(page(draw), "pdf"))
    assert all("nobody had answered" in text for text in texts(output))
    (image,) = images(output)
    assert "Yalman" not in words_in(image.convert("RGB"))
    assert image.width == 1000


@pytest.mark.parametrize("mode", ["1", "L"])
def test_a_page_that_becomes_a_picture_has_its_words_under_it(mode: str) -> None:
    """Each word stands where it is seen, without the masked ones; black and white stays so, and small."""
    image = Image.new("L", (1240, 1754), 255)
    for number, line in enumerate([*LINES[:2]] * 3):
        font = ImageFont.load_default(30)
        ImageDraw.Draw(image).text((110, 200 + 120 * number), line, fill=0, font=font)
    stream = io.BytesIO()
    image.convert(mode).save(stream, "PDF", resolution=150)
    data = stream.getvalue()
    output = written(record_of(data, "pdf"))
    for text in texts(output):
        assert text.count("The applicant complained that the length of") == 3
        assert text.count("PERSON 1") == 3
        assert "Yalman" not in text
    (image,) = images(output)
    assert image.mode == mode
    assert mode == "L" or len(output) < 2 * len(data)
    view = pypdfium2.PdfDocument(output)[0]
    seen = np.asarray(view.render(scale=2).to_pil().convert("L"))
    assert seen[:100].min() > 200  # not turned inside out
    box = view.get_textpage().get_charbox(view.get_textpage().get_text_range().index("applicant"))
    assert (
        seen[
            int(2 * (842 - box[3])) : int(2 * (842 - box[1])), int(2 * box[0]) : int(2 * box[2])
        ].min()
        < 128
    )


def test_words_of_any_script_are_under_a_picture() -> None:
    """Three programs read them, and no dot of them is drawn."""
    words = ("Γιώργος", "обжаловал", "判決", "“naïve”", "𐌰𐌱")
    image = Image.new("L", (400, 300), 255)
    rows = [
        Word(word, (20, 40 * n, 200, 40 * n + 24), 90.0, (n, n)) for n, word in enumerate(words)
    ]
    stream = io.BytesIO()
    image.save(stream, "JPEG")
    image = Image.open(stream)
    picture = PagePicture(1, (200.0, 150.0), image, stream.getvalue(), tuple(rows))
    output = with_pictures(page(typed), [picture])
    assert texts(output) == (" ".join(words),) * 2
    (ours,) = glyphs.pages(output)
    assert "".join(glyph.text for glyph in ours.glyphs).split() == [*words]
    (view,) = pypdfium2.PdfDocument(output)
    assert np.asarray(view.render(scale=1).to_pil().convert("L")).min() > 250


def test_a_file_for_an_archive_is_none_any_more() -> None:
    """PDF/A is read, and a line says that what is written isn't."""
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(page(typed))) as pdf:
        with pdf.open_metadata() as metadata:
            metadata["pdfaid:part"], metadata["pdfaid:conformance"] = "2", "B"
        pdf.save(stream)
    record = record_of(stream.getvalue(), "pdf")
    assert [note for note in record.notes if note.startswith("is PDF/A")]
    assert b"pdfaid" not in written(record)
    assert not record_of(page(typed), "pdf").notes


def test_what_was_written_is_read_again() -> None:
    """The words under a picture say what it shows, so they are said once."""
    again = record_of(written(record_of(scanned_pdf(), "pdf")), "pdf").document.text
    assert again.count("The applicant complained that the length of") == 1
    assert "Yalman" not in again.replace("Mr Yal", "")


def test_no_page_is_read_by_ocr_again_for_another_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pages that can't be edited are known before the first one is painted and read again."""
    record = record_of(scanned_pdf(typed=f"Typed for {NAME}", width=240), "pdf")
    edits = iter([PageError([1], "page 1 is odd"), None])
    edited, painted = writing._Editing._edited_in_place, writing.page_pictures
    calls: list[int] = []

    def odd(self: writing._Editing) -> bytes:
        error = next(edits)
        if error is not None:
            raise error
        return edited(self)

    def counted(data: bytes, pages: dict[int, object], *rest: object) -> object:
        calls.extend(pages)
        return painted(data, pages, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(writing._Editing, "_edited_in_place", odd)
    monkeypatch.setattr(writing, "page_pictures", counted)
    container = record.container
    assert container is not None
    container = getattr(container, "container", container)
    from .conftest import mask_strings

    container.write(record, mask_strings(record.document, NAME, "Mr Yalman"))
    assert calls == [1]


def test_no_dots_of_a_finished_page_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's picture waits in its packed form, so that a scan of many pages doesn't need memory for all of them."""
    record = record_of(scanned_pdf(), "pdf")
    painted = writing.page_pictures
    waiting: list[bool] = []

    def watched(*arguments: object) -> object:
        pictures = painted(*arguments)  # type: ignore[arg-type]
        waiting.extend(bool(getattr(each.image, "tile", None)) for each in pictures)
        return pictures

    monkeypatch.setattr(writing, "page_pictures", watched)
    container = getattr(record.container, "container", None)
    assert container is not None
    from .conftest import mask_strings

    container.write(record, mask_strings(record.document, NAME))
    assert waiting == [True]
