"""A picture that nobody reads is covered, in every format and with or without OCR; a plain one stays."""

from __future__ import annotations

import base64
import io
import os
import random
import zipfile
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tacenda.documents.ocr import scans
from tacenda.documents.ocr.tesseract import LANGUAGES, PICTURES
from tacenda.documents.pictures import has_edges, kept_picture
from tacenda.errors import InputError

from .building_docx import build, paragraph
from .test_ocr import NAME, needs_tesseract, packed, record_of, written

DRAWS = int(os.environ.get("TACENDA_PICTURE_DRAWS", "4"))
_FONTS = Path(reportlab.__file__).with_name("fonts")
_GIVEN = "Galip Anna Priya Tomasz Oluwaseun Katarina Bjarne Maeve Dmitri Linh".split()
_FAMILY = "Yalman Berg Nair Kowalczyk Quintela Adeyemi Horvat Thorsen Gallagher Sokolov".split()
_TURNS = (0, 0, 0, 90, 180, 270, 15, -8)
_INKS = ((0, 255), (0, 255), (255, 0), (90, 200), (128, 146))


def lettering(chance: random.Random, name: str) -> Image.Image:
    """Return a picture of a name: large or small, print or slanted, turned, faint or blurred."""
    size = chance.choice((17, 25, 34, 42, 66))
    file = chance.choice(("Vera.ttf", "VeraIt.ttf", "VeraBd.ttf"))
    font = ImageFont.truetype(str(_FONTS / file), size)
    lines = [name] if chance.random() < 0.5 else [f"To the board, from {name}", "on Monday"]
    ink, paper = chance.choice(_INKS)
    width = int(max(map(font.getlength, lines))) + 20
    image = Image.new("L", (width, int(1.5 * size * len(lines))), paper)
    for number, line in enumerate(lines):
        place = 10, int(1.5 * size * number)
        ImageDraw.Draw(image).text(place, line, fill=ink, font=font)
    blurred = image.filter(ImageFilter.GaussianBlur(chance.choice((0, 0, 0.8, 1.6))))
    return blurred.rotate(chance.choice(_TURNS), expand=True, fillcolor=255)


def page(chance: random.Random, name: str) -> bytes:
    """Return a PDF of a page with pictures of a name within text and beside it, one of them hidden."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(595, 842), invariant=1)
    paper.setFont("Helvetica", 11)
    for number in range(8):
        paper.drawString(
            60, 780 - 90 * number, "The board has met in the month of May and has decided."
        )
    for number in range(chance.randrange(1, 5)):
        image = lettering(chance, name)
        dots = chance.choice((2.0, 300 / 72, 8.0))
        x, y = chance.choice((60, 300)), 700 - 180 * number
        width, height = image.width / dots, image.height / dots
        if chance.random() < 0.2:
            paper.drawInlineImage(image, x, y, width, height)
        else:
            paper.drawImage(ImageReader(image), x, y, width, height)
        if chance.random() < 0.2:
            paper.setFillGray(1)
            paper.rect(x, y, width, height, stroke=0, fill=1)
            paper.setFillGray(0)
    paper.showPage()
    paper.save()
    return stream.getvalue()


def pictures(data: bytes) -> list[Image.Image]:
    """Return every picture of a file that has an edge in it: of the page, inline ones too, and of its objects."""
    (sheet,) = pypdfium2.PdfDocument(data)
    drawn = sheet.get_objects(filter=(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,))
    found = [each.get_bitmap().to_pil() for each in drawn]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        images = [each for each in streams if each.get("/Subtype") == "/Image"]
        found += [pikepdf.PdfImage(each).as_pil_image() for each in images]
    return [image for image in found if has_edges(image)]


def strings(name: str, data: bytes, monkeypatch: pytest.MonkeyPatch, languages: str) -> bytes:
    """Return a PDF in which the name is masked where it is read."""
    monkeypatch.setenv(LANGUAGES, languages)
    record = record_of(data, "pdf")
    return written(record, name if name in record.document.text else "May")


@needs_tesseract
def test_no_name_is_left_in_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Upright or turned, neither on the page as another reading sees it nor in the objects of the file."""
    for seed in range(DRAWS):
        chance = random.Random(seed)
        name = f"{chance.choice(_GIVEN)} {chance.choice(_FAMILY)}"
        output = strings(name, page(chance, name), monkeypatch, "eng")
        (sheet,) = pypdfium2.PdfDocument(output)
        views = [(sheet.render(scale=300 / 72).to_pil().convert("L"), 0)]
        for image in pictures(output):
            framed = Image.new("L", (image.width + 80, image.height + 80), 255)
            framed.paste(image.convert("L"), (40, 40))
            views += ((framed, turn) for turn in range(4))
        for image, turn in views:
            text = " ".join(word.text for word in scans.seen(image, turn, "eng", "a"))
            assert not any(part in text for part in name.split()), seed


def test_without_a_program_no_picture_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """None that has an edge, on the page or hidden."""
    for seed in range(5 * DRAWS):
        chance = random.Random(seed)
        data = page(chance, NAME)
        assert pictures(data)
        assert not pictures(strings(NAME, data, monkeypatch, "off")), seed


def test_a_picture_without_an_edge_is_plain() -> None:
    """Colours and gradients stay; faint letters, letters in transparency and damaged files don't."""
    gradient = Image.linear_gradient("L")
    faint = Image.new("L", (200, 60), 128)
    ImageDraw.Draw(faint).text((10, 10), NAME, fill=140, font=ImageFont.load_default(30))
    hidden = Image.new("RGBA", (200, 60), (0, 0, 0, 255))
    hidden.putalpha(faint.point(lambda value: 255 if value > 128 else 0))
    for plain in (
        gradient,
        gradient.convert("RGB"),
        Image.new("1", (9, 9)),
        Image.new("P", (9, 9)),
    ):
        assert not has_edges(plain)
        assert kept_picture(packed(plain, "PNG"), keeps=False) is not None
    assert kept_picture(packed(gradient, "JPEG"), keeps=False) is not None
    for other in (faint, hidden):
        assert has_edges(other)
        assert kept_picture(packed(other, "PNG"), keeps=False) is None
        assert kept_picture(packed(other, "PNG"), keeps=True) is not None
    assert kept_picture(packed(gradient, "PNG")[:60], keeps=False) is None
    assert not has_edges(faint, [((0, 0), (200, 0), (200, 60), (0, 60))])


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("format", ["docx", "html", "markdown", "pdf"])
def test_a_picture_that_nobody_reads_leaves_only_if_it_is_kept(
    format: str, keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One rule for all formats, and a note that says how many pictures are covered, and how to keep them."""
    monkeypatch.setenv(LANGUAGES, "off")
    monkeypatch.setenv(PICTURES, "keep" if keeps else "cover")
    picture = packed(lettering(random.Random(3), NAME), "PNG")
    address = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    drawing = (
        '<w:p><w:r><w:drawing><pic:pic><a:blip r:embed="p1"/></pic:pic></w:drawing></w:r></w:p>'
    )
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    paper.drawString(60, 700, "Dear board")
    paper.drawImage(ImageReader(io.BytesIO(picture)), 60, 500, 200, 40)
    paper.save()
    files = {
        "docx": build(
            paragraph("Dear board") + drawing,
            ties=(("p1", "image", "media/a.png"),),
            files={"word/media/a.png": picture},
        ),
        "html": f"<p>Dear board</p><img src='{address.replace(':', '&colon;')}'>"
        f'<p style="background: url({address})">A</p>'.encode(),
        "markdown": f"Dear board\n\n![a]({address})\n".encode(),
        "pdf": stream.getvalue(),
    }
    record = record_of(files[format], format)
    output = written(record, "Dear")
    assert (
        any("covered" in note and "--pictures keep" in note for note in record.notes) is not keeps
    )
    if format == "pdf":
        with pikepdf.open(io.BytesIO(output)) as pdf:
            streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
            assert any(each.get("/Subtype") == "/Image" for each in streams) is keeps
    elif format == "docx":
        pictures = [
            name
            for name in zipfile.ZipFile(io.BytesIO(output)).namelist()
            if "media/picture" in name
        ]
        assert bool(pictures) is keeps
    else:
        assert (base64.b64encode(picture)[:200] in output) is keeps


def test_what_a_page_draws_without_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters as outlines among pages of text: without OCR the page is named, unless it is kept."""
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    paper.drawString(60, 700, "Dear board")
    paper.showPage()
    paper.rect(100, 100, 300, 200, stroke=1, fill=1)
    paper.showPage()
    paper.save()
    monkeypatch.setenv(LANGUAGES, "off")
    with pytest.raises(InputError, match=r"page 2 has no text.*--pictures keep"):
        record_of(stream.getvalue(), "pdf")
    monkeypatch.setenv(PICTURES, "keep")
    assert record_of(stream.getvalue(), "pdf").document.text == "Dear board\f"
