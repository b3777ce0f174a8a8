"""A picture that nobody reads is covered, in every format and with or without OCR; a plain one stays."""

from __future__ import annotations

import base64
import email
import io
import os
import random
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pikepdf
import pypdfium2
import pytest
import reportlab
from odf.draw import Frame
from odf.draw import Image as OdfImage
from odf.opendocument import OpenDocumentText
from odf.text import P
from pikepdf import Dictionary, Name
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from pptx import Presentation
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
    for seed in range(2 * DRAWS):
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


def holding(picture: bytes, format: str) -> bytes:
    """Return a file with some text and a picture, which HTML and PDF show in several ways."""
    stream = io.BytesIO()
    address = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    match format:
        case "docx":
            drawing = '<w:p><w:r><w:drawing><pic:pic><a:blip r:embed="p1"/></pic:pic></w:drawing></w:r></w:p>'
            return build(
                paragraph("Dear board") + drawing,
                ties=(("p1", "image", "media/a.png"),),
                files={"word/media/a.png": picture},
            )
        case "pptx":
            show = Presentation()
            slide = show.slides.add_slide(show.slide_layouts[5])
            slide.shapes.title.text = "Dear board"
            slide.shapes.add_picture(io.BytesIO(picture), 0, 0)
            show.save(stream)
        case "odt":
            document = OpenDocumentText()
            lines = P(text="Dear board")
            frame = Frame(width="5cm", height="2cm")
            frame.addElement(OdfImage(href=document.addPicture("a.png", "image/png", picture)))
            lines.addElement(frame)
            document.text.addElement(lines)
            document.save(stream)
        case "html":
            percent = "".join(f"%{byte:02x}" for byte in picture)
            return (
                f"<p>Dear board</p><img src='{address.replace(':', '&colon;')}'><img src={address}>"
                f"<img src='{address.replace('image/png', 'text/plain')}'>"
                f'<p style="background: url({address})">A</p><img srcset="{address} 2x">'
                f"<img src='data:image/png,{percent}'><script>a = '{address}'</script>"
            ).encode()
        case "markdown":
            return f"Dear board\n\n![a]({address})\n\n![b]\n\n[b]: <{address}>\n".encode()
        case "text":
            return f"Dear board\n\n{address}\n".encode()
        case "eml":
            message = EmailMessage()
            message["Subject"] = "A"
            message.set_content("Dear board")
            message.add_alternative(f"<p>Dear board</p><img src='{address}'>", subtype="html")
            message.add_attachment(picture, maintype="image", subtype="png", filename="a.png")
            return bytes(message)
        case "pdf":
            paper = Canvas(stream, invariant=1)
            paper.drawString(60, 700, "Dear board")
            paper.drawImage(ImageReader(io.BytesIO(picture)), 60, 500, 200, 40)
            paper.save()
    return stream.getvalue()


def shown(data: bytes, format: str) -> list[Image.Image]:
    """Return the pictures in a file that have an edge."""
    if format == "pdf":
        return pictures(data)
    if format in ("docx", "pptx", "odt"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        found = [archive.read(n) for n in archive.namelist() if n.endswith((".png", ".jpg"))]
    else:
        text = data.decode()
        if format == "eml":
            parts = email.message_from_bytes(data).walk()
            leaves = [part for part in parts if not part.is_multipart()]
            assert not any("image" in part.get_content_type() for part in leaves)
            text = "".join(str(part.get_payload(decode=True)) for part in leaves)
        found = [base64.b64decode(each) for each in re.findall(r"base64,([\w+/]+=*)", text)]
        found += map(unquote_to_bytes, re.findall(r"png,([\w%]+)", text))
    images = [Image.open(io.BytesIO(each)) for each in found]
    return [image for image in images if has_edges(image)]


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize(
    "format", ["docx", "pptx", "odt", "html", "markdown", "text", "eml", "pdf"]
)
def test_a_picture_that_nobody_reads_leaves_only_if_it_is_kept(
    format: str, keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One rule for all formats, and a note that says how many pictures are covered, and how to keep them."""
    monkeypatch.setenv(LANGUAGES, "off")
    monkeypatch.setenv(PICTURES, "keep" if keeps else "cover")
    for seed in range(1 if keeps else DRAWS):
        data = holding(packed(lettering(random.Random(seed), NAME), "PNG"), format)
        record = record_of(data, format)
        assert bool(shown(written(record, "Dear"), format)) is keeps
        notes = [note for note in record.notes if "covered" in note]
        assert all("--pictures keep" in note for note in notes)
        assert bool(notes) is not keeps


@pytest.mark.parametrize("end", ["~\n>", "~>", "~> "])
def test_what_stands_after_an_inline_picture_is_read(end: str) -> None:
    """Wherever the line ends in the mark of its end, by which programs find the text again."""
    stream = io.BytesIO()
    paper = Canvas(stream, invariant=1)
    data = base64.a85encode(bytes(range(0, 256, 2))).decode()
    code = f"q 200 0 0 40 60 600 cm BI /W 16 /H 8 /CS /G /BPC 8 /F /A85 ID {data}{end}\nEI Q"
    paper._code.append(code)
    paper.drawString(60, 700, f"Dear {NAME}")
    paper.save()
    record = record_of(stream.getvalue(), "pdf")
    assert record.document.text == f"Dear {NAME}"
    output = written(record)
    assert not pictures(output)
    assert NAME not in pypdfium2.PdfDocument(output)[0].get_textpage().get_text_range()


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("place", ["pattern", "mask"])
def test_a_picture_in_a_pattern_or_mask_leaves_only_if_it_is_kept(
    place: str, keeps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads such pictures, nor can they be covered one by one."""
    monkeypatch.setenv(PICTURES, "keep" if keeps else "cover")
    stream = io.BytesIO()
    with pikepdf.open(
        io.BytesIO(holding(packed(lettering(random.Random(1), NAME), "PNG"), "pdf"))
    ) as pdf:
        resources = pdf.pages[0].Resources
        (font,), (picture,) = resources.Font.keys(), resources.XObject.values()
        inner = pdf.make_stream(
            b"q 200 0 0 40 0 0 cm /I Do Q",
            BBox=[0, 0, 200, 40],
            Resources=Dictionary(XObject=Dictionary(I=picture)),
        )
        del resources.XObject
        if place == "pattern":
            inner.PatternType, inner.PaintType, inner.TilingType = 1, 1, 1
            inner.XStep, inner.YStep = 200, 40
            resources.Pattern = Dictionary(A=inner)
            drawing = b"/Pattern cs /A scn 0 0 200 40 re f"
        else:
            inner.Type, inner.Subtype = Name.XObject, Name.Form
            inner.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
            resources.ExtGState = Dictionary(
                A=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=inner))
            )
            drawing = b"/A gs 0 0 200 40 re f"
        text = f"BT {font} 12 Tf 60 700 Td (Dear board) Tj ET ".encode()
        pdf.pages[0].Contents = pdf.make_stream(text + drawing)
        pdf.save(stream)
    record = record_of(stream.getvalue(), "pdf")
    assert bool(pictures(written(record, "Dear"))) is keeps
    assert any("1 picture is covered" in note for note in record.notes) is not keeps


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
