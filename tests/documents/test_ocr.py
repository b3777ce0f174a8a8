"""Pictures of text are read by Tesseract, and what is masked is gone from their pixels."""

from __future__ import annotations

import io
import random
import shutil
import struct
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from PIL.PngImagePlugin import PngInfo
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tacenda import documents
from tacenda.document import Document
from tacenda.documents.ocr import covering, scans, tesseract
from tacenda.documents.ocr.files import frames
from tacenda.documents.ocr.regions import unexplained
from tacenda.documents.writing import writer
from tacenda.errors import InputError

from .conftest import mask_strings

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="the program tesseract is not installed"
)
NAME = "Galip Yalman"
LINES = (
    "To the court in the case of Galip Yalman",
    "The applicant complained that the length of",
    "the proceedings had been too long. Mr Yal-",
    "man asked for an answer within the time",
)
SECRET = "Zephyrine"
"""Planted beside the pixels."""


def sheet(*lines: str, size: tuple[int, int] = (1000, 420), mode: str = "L") -> Image.Image:
    """Return a picture of lines of text."""
    image = Image.new(mode, size, "white" if mode == "RGB" else 255)
    write(image, lines or LINES, (60, 60))
    return image


def write(
    image: Image.Image, lines: tuple[str, ...], place: tuple[int, int], fill: int = 0
) -> None:
    """Draw lines of text."""
    colour = (fill,) * 3 if image.mode == "RGB" else fill
    for number, line in enumerate(lines):
        x, y = place
        font = ImageFont.load_default(34)
        ImageDraw.Draw(image).text((x, y + 60 * number), line, fill=colour, font=font)


def scribble(image: Image.Image, left: int, top: int) -> None:
    """Draw what looks like a signature."""
    steps = np.arange(250)
    points = np.stack(
        (left + 1.3 * steps, top + 40 * np.sin(steps / 9) * np.cos(steps / 31)), axis=1
    )
    ImageDraw.Draw(image).line([tuple(point) for point in points.tolist()], fill=0, width=4)


def packed(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return the file of a picture."""
    output = io.BytesIO()
    image.save(output, kind, **options)
    return output.getvalue()


def record_of(data: bytes, format: str, **options: object) -> documents.SourceDocument:
    """Return the record, or raise what the file is refused for."""
    (item,) = documents.read("-", format, stdin=io.BytesIO(data), **options)  # type: ignore[arg-type]
    if isinstance(item, documents.Failure):
        raise item.error
    return item


def written(record: documents.SourceDocument, *strings: str) -> bytes:
    """Return the file with strings masked."""
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask_strings(record.document, *(strings or (NAME,)), text="[PERSON 1]"))
    sink.close()
    return output.getvalue()


def words_in(image: Image.Image, turn: int = 0) -> str:
    """Return what a second reading finds."""
    return " ".join(word.text for word in scans.seen(image, turn, "eng", "a"))


@needs_tesseract
@pytest.mark.parametrize(("format", "kind"), [("png", "PNG"), ("jpeg", "JPEG")])
def test_masked_words_are_gone_from_the_pixels(format: str, kind: str) -> None:
    """Where a name stood is one colour with the tag on it, also a divided one; the rest stays."""
    before = sheet(mode="RGB")
    record = record_of(packed(before, kind), format)
    assert record.document.text.replace("\n\n", "\n").splitlines() == [
        "To the court in the case of Galip Yalman",
        "The applicant complained that the length of",
        "the proceedings had been too long. Mr Yalman",
        "asked for an answer within the time",
    ]
    after = Image.open(io.BytesIO(written(record, NAME, "Mr Yalman")))
    assert (after.size, after.format) == (before.size, kind)
    rest = words_in(after)
    assert "Yal" not in rest
    assert "Galip" not in rest
    assert "applicant complained" in rest
    changed = np.abs(np.asarray(after.convert("L"), int) - np.asarray(before.convert("L"), int))
    assert changed[120:180].max() < 60  # the second line
    assert changed[60:100, 520:].max() > 200


@needs_tesseract
def test_pictures_on_their_side_are_read_and_stay_there() -> None:
    """A page turned by a quarter is read upright, and its boxes lie where its words are."""
    before = sheet().transpose(Image.Transpose.ROTATE_270)
    record = record_of(packed(before, "PNG"), "png")
    assert NAME in record.document.text
    after = Image.open(io.BytesIO(written(record)))
    assert after.size == before.size
    rest = words_in(after, turn=1)
    assert NAME not in rest
    assert "complained" in rest


@needs_tesseract
def test_columns_are_read_one_after_another() -> None:
    """A sentence goes on in the next line of its column, not in the column beside it."""
    image = Image.new("L", (1400, 620), 255)
    left = (
        "The court found that the",
        "applicant, Mr Galip",
        "Yalman, had waited for",
        "nine years.",
    )
    right = (
        "Nobody else had written",
        "to the registry of the",
        "chamber about it, or",
        "replied.",
    )
    write(image, left * 2, (60, 60))
    write(image, right * 2, (780, 60))
    text = record_of(packed(image, "PNG"), "png").document.text.replace("\n", " ")
    assert "applicant, Mr Galip Yalman, had waited" in text
    assert "registry of the chamber" in text


@needs_tesseract
@pytest.mark.parametrize("keeps", [False, True])
def test_what_cannot_be_read_is_reported_and_covered(keeps: bool) -> None:
    """A signature, and words too faint to be read, are named with their boxes, and painted over."""
    image = sheet(size=(1000, 800))
    scribble(image, 500, 400)
    write(image, ("faint words of another hand",), (60, 600), fill=214)
    data = packed(image.filter(ImageFilter.GaussianBlur(0.6)), "PNG")
    record = record_of(data, "png", ocr=documents.OcrSettings(keeps_unread=keeps))
    (note,) = record.notes
    assert note.startswith("picture 1: 2 regions were not read")
    assert ("stay as they are: look at them" in note) is keeps
    output = np.asarray(Image.open(io.BytesIO(written(record))))
    assert (output[380:420, 520:800].max() == 0) is not keeps
    assert (output[610:640, 80:300].max() == 0) is not keeps


@needs_tesseract
def test_numbers_of_a_table_without_rules_are_read() -> None:
    """Single numbers far from one another, which a reading by columns leaves out, are read by themselves."""
    chance = random.Random(8)
    image = Image.new("L", (2480, 1400), 255)
    font = ImageFont.truetype(str(Path(reportlab.__file__).with_name("fonts") / "Vera.ttf"), 33)
    cells = []
    for number in range(66):
        left, top = 170 + 360 * (number % 6), 172 + 90 * (number // 6)
        texts = (
            f"{chance.randrange(10, 99)}",
            f"{100 * chance.random():.1f}",
            f"{chance.randrange(999, 99_999):,}",
        )
        cells.append(chance.choice(texts))
        ImageDraw.Draw(image).text((left, top), cells[-1], fill=0, font=font)
    scan = scans.scanned(image, "eng", "a")
    read = scan.text()[0].split()
    assert not scan.unread
    assert (Counter(cells) & Counter(read)).total() >= 60


@needs_tesseract
def test_nothing_stays_beside_the_pixels() -> None:
    """Texts of a PNG, EXIF, comments, tags, and what follows the end are gone."""
    image = sheet(LINES[0], size=(1000, 160), mode="RGB")
    exif = Image.Exif()
    exif[0x010E] = exif[0x013B] = SECRET
    info = PngInfo()
    info.add_text("Author", SECRET)
    info.add_itxt("Comment", SECRET, zip=True)
    files = {
        "png": packed(image, "PNG", pnginfo=info, exif=exif) + SECRET.encode(),
        "jpeg": packed(image, "JPEG", exif=exif, comment=SECRET.encode()) + SECRET.encode(),
        "tiff": packed(image, "TIFF", exif=exif, software=SECRET) + SECRET.encode(),
    }
    for format, data in files.items():
        assert SECRET.encode() in data
        output = written(record_of(data, format))
        assert SECRET.encode() not in output
        assert SECRET not in str(Image.open(io.BytesIO(output)).info)
        assert not [tag for tag in Image.open(io.BytesIO(output)).getexif() if tag > 0x8000]


@needs_tesseract
def test_letters_under_transparency_are_gone() -> None:
    """What is hidden by transparency is not in the file that leaves."""
    image = sheet().convert("RGBA")
    hidden = Image.new("RGBA", (900, 60), (255, 255, 255, 0))
    ImageDraw.Draw(hidden).text((0, 0), SECRET, fill=(0, 0, 0, 0), font=ImageFont.load_default(40))
    image.paste(hidden, (60, 340))
    output = Image.open(io.BytesIO(written(record_of(packed(image, "PNG"), "png"))))
    assert output.mode == "RGB"
    assert np.asarray(output)[340:400].min() == 255


@needs_tesseract
def test_a_picture_is_turned_as_its_camera_says() -> None:
    """The EXIF mark of orientation goes, and the pixels are turned instead."""
    exif = Image.Exif()
    exif[0x0112] = 6
    sideways = sheet(mode="RGB").transpose(Image.Transpose.ROTATE_90)
    record = record_of(packed(sideways, "JPEG", exif=exif, quality=95), "jpeg")
    assert NAME in record.document.text
    assert Image.open(io.BytesIO(written(record))).size == (1000, 420)


@needs_tesseract
def test_all_pictures_of_a_file_are_read() -> None:
    """A name of the first page of a fax is masked on the second too, with as many pages as before."""
    pages = [sheet(), sheet("A letter of Galip Yalman", "is on the second page")]
    pages = [page.convert("1") for page in pages]
    data = packed(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="group4")
    record = record_of(data, "tiff")
    assert record.document.text.count("\f") == 1
    output = Image.open(io.BytesIO(written(record)))
    assert output.n_frames == 2
    for number in range(2):
        output.seek(number)
        assert output.mode == "1"
        assert "Galip" not in words_in(output)


@needs_tesseract
def test_a_name_that_only_the_second_reading_sees_is_covered() -> None:
    """A name misread at first is found where the picture is read again."""
    image = sheet("To the court in the case of Galip Yalman", "and again to Galip Yalman")
    scan = scans.scanned(image, "eng", "a")
    sanitized = mask_strings(Document("a", scan.text()[0]), NAME)
    output, patches = covering.covered(image, (), scan, sanitized, "eng", "picture 1")
    assert len(patches) == 2
    assert "Galip" not in words_in(output)


def test_letters_of_a_page_are_read_and_rules_are_not_ink() -> None:
    """A table's lines are nothing to be read; a stamp beside a word is."""
    image = Image.new("L", (1200, 900), 255)
    draw = ImageDraw.Draw(image)
    draw.rectangle((100, 100, 1100, 400), outline=0, width=4)
    draw.line((100, 250, 1100, 262), fill=0, width=4)
    assert unexplained(image, ()) == []
    draw.ellipse((500, 600, 700, 800), outline=60, width=6)
    ((left, top, right, bottom),) = unexplained(image, ())
    assert (left, top) < (500, 600)
    assert (right, bottom) > (700, 800)
    assert unexplained(image, [(480, 580, 720, 820)]) == []


def test_bombs_are_refused() -> None:
    """A small file of very many dots is refused before its pixels are read."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        code = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + code

    for side in (60_000, 9_000):
        header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
        pixels = chunk(b"IDAT", zlib.compress(bytes(1_000_000)))
        bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels
        with pytest.raises(InputError, match="has a picture of more than 60,000,000 dots"):
            list(frames(bomb, ("PNG",), "a.png"))
    small = packed(
        sheet(size=(8, 8)), "TIFF", save_all=True, append_images=[sheet(size=(8, 8))] * 100
    )
    with pytest.raises(InputError, match="has more than 100 pictures"):
        list(frames(small, ("TIFF",), "a.tif"))


@needs_tesseract
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lambda: b"\x89PNG\r\n\x1a\n" + bytes(30), "isn't a PNG picture, or is damaged"),
        (lambda: packed(sheet(), "JPEG"), "isn't a PNG picture, or is damaged"),
        (lambda: packed(sheet(), "PNG")[:2000], "isn't a PNG picture, or is damaged"),
        (lambda: packed(Image.new("L", (500, 500), 255), "PNG"), "no text can be read"),
        (
            lambda: packed(sheet(), "PNG", save_all=True, append_images=[sheet("Anna")]),
            "is animated; save its pictures one by one",
        ),
    ],
    ids=["damaged", "JPEG", "cut off", "empty", "moving"],
)
def test_other_files_are_refused(data: Callable[[], bytes], message: str) -> None:
    """What is no picture of text is named as what it is."""
    with pytest.raises(InputError, match=message):
        record_of(data(), "png")


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Without Tesseract the error says what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"apt install tesseract-ocr\)"):
        tesseract.require("eng", "a.png")
    monkeypatch.setenv(tesseract.LANGUAGES, "off")
    with pytest.raises(InputError, match="switches the recognition of text"):
        tesseract.require(tesseract.settings().languages, "a.png")
    assert tesseract.settings("eng", "keep") == documents.OcrSettings("eng", keeps_unread=True)


@needs_tesseract
def test_a_missing_language_is_named_with_its_package() -> None:
    """A language without data is named, and the package that has it."""
    with pytest.raises(InputError, match=r"apt install tesseract-ocr-xyz-abc\)"):
        tesseract.require("eng+xyz_abc", "a.png")


@pytest.mark.parametrize(
    ("variable", "value"), [(tesseract.LANGUAGES, "eng; rm"), (tesseract.PICTURES, "perhaps")]
)
def test_settings_without_meaning_are_refused(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable with a value that means nothing is an error that names it."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError, match=variable):
        tesseract.settings()


def scanned_pdf(
    *, layer: tuple[int, int] | None = None, typed: str = "", width: int = 400
) -> bytes:
    """Return a PDF of a page with a picture of text, and typed text.

    Args:
        layer: how far the invisible words of the first line stand beside those of the picture.
        typed: the text.
        width: of the picture.
    """
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(400, 300), invariant=1)
    paper.drawImage(ImageReader(sheet()), 0, 0, width, 0.42 * width)
    if layer is not None:
        font, start = ImageFont.load_default(34), 60.0
        for word in LINES[0].split():
            text = paper.beginText(0.4 * start + layer[0], 131 + layer[1])
            text.setTextRenderMode(3)
            text.setFont("Helvetica", 14)
            text.setHorizScale(
                100 * 0.4 * font.getlength(word) / paper.stringWidth(word, "Helvetica", 14)
            )
            text.textOut(word)
            paper.drawText(text)
            start += font.getlength(f"{word} ")
    paper.drawString(24, 250, typed)
    paper.setAuthor(SECRET)
    paper.showPage()
    paper.save()
    return stream.getvalue()


@needs_tesseract
@pytest.mark.parametrize(
    ("layer", "typed", "width"),
    [(None, "", 400), ((0, 0), "", 400), (None, "Typed for Galip Yalman", 240)],
    ids=["a scan", "with a layer of text", "a picture in a text"],
)
def test_scans_in_a_pdf_are_read_and_painted_over(
    layer: tuple[int, int] | None, typed: str, width: int
) -> None:
    """Nothing of a name is left: no dot, no invisible text, no picture, no property."""
    record = record_of(scanned_pdf(layer=layer, typed=typed, width=width), "pdf")
    assert "Mr Yalman" in record.document.text
    assert record.document.text.count(NAME) == 1 + bool(typed)
    output = written(record, NAME, "Mr Yalman")
    (page,) = pypdfium2.PdfDocument(output)
    assert page.get_size() == (400, 300)
    assert "Yal" not in page.get_textpage().get_text_range()
    rest = words_in(page.render(scale=300 / 72).to_pil().convert("RGB"))
    assert "Yal" not in rest
    assert "applicant complained" in rest
    with pikepdf.open(io.BytesIO(output)) as pdf:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        assert sum(each.get("/Subtype") == "/Image" for each in streams) == 1
        assert SECRET not in repr(list(pdf.objects))


@needs_tesseract
def test_letters_drawn_as_outlines_are_gone() -> None:
    """A page whose letters are shapes is read as a picture, and no shape of a name is left."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(400, 300), invariant=1)
    font = ImageFont.load_default(24)
    for number, line in enumerate(LINES):
        mask = np.asarray(font.getmask(line, mode="1"))
        size = font.getmask(line, mode="1").size
        for row, column in np.argwhere(mask.reshape(size[::-1])):
            paper.rect(20 + 0.6 * column, 250 - 40 * number - 0.6 * row, 0.6, 0.6, stroke=0, fill=1)
    paper.showPage()
    paper.save()
    record = record_of(stream.getvalue(), "pdf")
    assert NAME in record.document.text
    output = written(record)
    with pikepdf.open(io.BytesIO(output)) as pdf:
        operators = {str(each.operator) for each in pikepdf.parse_content_stream(pdf.pages[0])}
    # One picture, and invisible words.
    assert operators == {"q", "cm", "Do", "Q", *"BT Tr Tf Tz Tm Tj ET".split()}


@needs_tesseract
@pytest.mark.parametrize("shift", [(3, 2), (-50, 0)])
def test_a_layer_beside_its_words_is_not_trusted(shift: tuple[int, int]) -> None:
    """The whole name in the picture is under a box, wherever the invisible letters stand."""
    data = scanned_pdf(layer=shift)
    (page,) = pypdfium2.PdfDocument(data)
    before = page.render(scale=300 / 72).to_pil().convert("RGB")
    boxes = [
        word.box
        for word in scans.scanned(before, "eng", "a").words
        if word.text in ("Galip", "Yalman")
    ]
    assert len(boxes) == 2
    record = record_of(data, "pdf")
    # Letters in the place of the words are not said twice.
    assert record.document.text.count(NAME) == (1 if shift == (3, 2) else 2)
    (page,) = pypdfium2.PdfDocument(written(record, NAME, "Mr Yalman"))
    assert "Yal" not in page.get_textpage().get_text_range()
    after = np.asarray(page.render(scale=300 / 72).to_pil().convert("L"))
    (left, top, _, bottom), (_, high, right, low) = boxes
    # The tag of the other box may reach into it.
    assert after[top:bottom, left : left + 3].mean() < 90
    assert after[high:low, right - 3 : right].mean() < 90


def test_a_scan_without_the_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pictures are not to be read, a scan is an error that says why."""
    monkeypatch.setenv(tesseract.LANGUAGES, "off")
    with pytest.raises(InputError, match=r"has no text layer.*switches the recognition"):
        record_of(scanned_pdf(), "pdf")
