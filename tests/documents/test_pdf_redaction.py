"""A PDF keeps its pages: masked glyphs are gone from the content, and boxes stand in their place."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdf
import pypdfium2
import pytest
import reportlab
from pikepdf import Array, Dictionary, Name, String
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tacenda import documents
from tacenda.documents.ocr.scans import scanned
from tacenda.documents.ocr.tesseract import LANGUAGES, PICTURES
from tacenda.documents.pdf.fonts import prune_fonts
from tacenda.documents.writing import writer
from tacenda.errors import InputError, LeakError
from tests.examples import for_each

from .building_pdf import PLACINGS, VERA, built, by_line
from .conftest import mask_strings

NAME = "Galip Yalman"
SECRET = "Zephyrine"
"""Planted beside the pages, and nowhere on them."""
LINES = ["To the court in the case of Galip Yalman", "We write on behalf of Galip Yalman", "and go"]


def record_of(data: bytes) -> documents.SourceDocument:
    """Return the record, or raise what the file is refused for."""
    (item,) = documents.read("-", "pdf", stdin=io.BytesIO(data))
    if isinstance(item, documents.Failure):
        raise item.error
    return item


def redacted(data: bytes, *strings: str, text: str = "[PERSON 1]") -> bytes:
    """Return the PDF that is written, with strings masked."""
    record = record_of(data)
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, mask_strings(record.document, *(strings or (NAME,)), text=text))
    sink.close()
    return output.getvalue()


def drawn(draw: Callable[[Canvas], None]) -> bytes:
    """Return a PDF of one page."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(400, 300), invariant=1)
    paper.setFont("Helvetica", 12)
    draw(paper)
    paper.showPage()
    paper.save()
    return stream.getvalue()


def everything(data: bytes) -> bytes:
    """Return all bytes of a file, packed and unpacked, and the text by two programs."""
    parts = [data]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for item in pdf.objects:
            parts.append(repr(item).encode())
            if isinstance(item, pikepdf.Stream):
                parts.append(item.read_raw_bytes())
                with contextlib.suppress(pikepdf.PdfError):
                    parts.append(item.read_bytes())
    text = pypdfium2.PdfDocument(data)
    parts += [page.get_textpage().get_text_range().encode() for page in text]
    parts += [page.extract_text().encode() for page in pypdf.PdfReader(io.BytesIO(data)).pages]
    return b"\n".join(parts)


def dots(data: bytes, page: int = 0) -> Any:
    """Return a page as ``(height, width, 3)`` dots, one a point."""
    return np.asarray(pypdfium2.PdfDocument(data)[page].render(scale=1).to_pil().convert("RGB"))


def test_the_page_stays_and_a_box_with_the_tag_stands_there() -> None:
    """The dots under the box are black or the tag's, all others are as they were."""
    data = built(LINES[:1], draw=by_line)
    output = redacted(data)
    before, after = dots(data).astype(int), dots(output).astype(int)
    changed = np.argwhere(np.abs(before - after).max(axis=2) > 60)
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0)
    assert 60 < right - left < 140
    assert bottom - top < 16
    assert after[top + 1, left + 1].max() < 60
    text = pypdfium2.PdfDocument(output)[0].get_textpage().get_text_range()
    assert text.count("PERSON 1") == 1
    assert "To the court in the case of" in text


@for_each("placing", PLACINGS)
def test_no_dot_beside_the_boxes_changes(placing: str) -> None:
    """However the letters are placed, those that stay are where they were."""
    data = built(["the river and a village", "here it flows"], draw=PLACINGS[placing])
    output = redacted(data, "village")
    assert b"village" not in everything(output)
    if placing not in ("as_notes", "outside", "invisible"):
        assert np.abs(dots(data).astype(int) - dots(output)).max(axis=2).any()


def _plant(pdf: pikepdf.Pdf) -> None:
    """Hide a secret wherever a PDF can hold text that its page doesn't draw."""
    page = pdf.pages[0]
    stream = pdf.make_stream
    pdf.docinfo["/Title"] = pdf.docinfo["/Secret"] = SECRET
    with pdf.open_metadata() as metadata:
        metadata["dc:description"] = SECRET
    pdf.attachments[f"{SECRET}.txt"] = pikepdf.AttachedFileSpec(pdf, SECRET.encode())
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(SECRET, 0))
    root = pdf.Root
    root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{SECRET}')"))
    root.AA = Dictionary(WC=Dictionary(S=Name.JavaScript, JS=stream(SECRET.encode())))
    root.Names["/JavaScript"] = Dictionary(
        Names=Array([String(SECRET), Dictionary(S=Name.JavaScript, JS=String(SECRET))])
    )
    root.Names["/Dests"] = Dictionary(Names=Array([String(SECRET), Array([page.obj, Name.Fit])]))
    root.Dests = Dictionary({f"/{SECRET}": Array([page.obj, Name.Fit])})
    root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(SECRET))]))
    root.Lang = String(SECRET)
    root.PieceInfo = Dictionary(App=Dictionary(Private=String(SECRET)))
    element = Dictionary(S=Name.Span, ActualText=String(SECRET), Alt=String(SECRET), Pg=page.obj)
    root.StructTreeRoot = Dictionary(K=Array([pdf.make_indirect(element)]))
    page.obj.Thumb = stream(SECRET.encode())
    page.obj.PieceInfo = Dictionary(App=Dictionary(Private=String(SECRET)))
    page.obj.Metadata = stream(SECRET.encode())
    link = Dictionary(
        Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=Dictionary(S=Name.URI, URI=String(SECRET))
    )
    note = Dictionary(
        Subtype=Name.Text, Rect=Array([9, 9, 9, 9]), T=String(SECRET), RC=String(SECRET), F=2
    )
    page.obj.Annots = Array([pdf.make_indirect(link), pdf.make_indirect(note)])
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(SECRET)))
    root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(OFF=Array([group])))
    page.Resources.Properties = Dictionary({"/L": group, f"/{SECRET}": Dictionary(MCID=0)})
    font = next(iter(page.Resources.Font.keys()))
    page.contents_add(
        f"/OC /L BDC BT {font} 12 Tf 1 0 0 1 50 50 Tm ({SECRET}) Tj ET EMC\n"
        f"/Span << /ActualText ({SECRET}) >> BDC EMC /{SECRET} BMC EMC /{SECRET} MP\n"
        f"% {SECRET}\n".encode()
    )
    form = stream(f"BT {font} 12 Tf ({SECRET}) Tj ET".encode())
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 99, 99])
    form.Resources = page.Resources
    page.Resources["/XObject"] = Dictionary({f"/{SECRET}": form})  # drawn by nobody
    mask = Dictionary(Type=Name.Mask, S=Name.Alpha, G=form)
    page.Resources.ExtGState = Dictionary({f"/{SECRET}": Dictionary(SMask=mask)})
    pattern = stream(f"BT {font} 12 Tf ({SECRET}) Tj ET".encode())
    pattern.PatternType = pattern.PaintType = pattern.TilingType = 1
    pattern.BBox, pattern.XStep, pattern.YStep = Array([0, 0, 9, 9]), 9, 9
    pattern.Resources = page.Resources
    page.Resources.Pattern = Dictionary({f"/{SECRET}": pattern})
    page.contents_add(f"q /Pattern cs /{SECRET} scn 380 280 5 5 re f Q q /{SECRET} gs Q".encode())
    pdf.trailer[f"/{SECRET}"] = String(SECRET)


def test_what_no_page_draws_is_gone() -> None:
    """Every place beside the content of the pages is left behind, whether or not it is masked."""
    data = io.BytesIO()
    with pikepdf.open(io.BytesIO(built(LINES, draw=by_line))) as pdf:
        _plant(pdf)
        pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    assert everything(data.getvalue()).count(SECRET.encode()) > 30
    output = redacted(data.getvalue())
    assert SECRET.encode() not in everything(output)
    assert SECRET.encode("utf-16-be") not in everything(output)
    with pikepdf.open(io.BytesIO(output)) as pdf:
        assert set(pdf.Root.keys()) == {"/Type", "/Pages"}
        assert not set(pdf.pages[0].obj.keys()) & {"/Annots", "/Metadata", "/Thumb"}


def test_earlier_versions_are_gone() -> None:
    """A file that was changed by adding to it holds its first version; the output doesn't."""
    first = built([f"Dear {SECRET}"], draw=by_line)
    stream = io.BytesIO(first)
    update = pypdf.PdfWriter(stream, incremental=True)
    page = update.pages[0]
    contents = pypdf.generic.DecodedStreamObject()
    contents.set_data(b"BT /F1 12 Tf 72 700 Td (Dear Galip Yalman) Tj ET")
    page[pypdf.generic.NameObject("/Contents")] = update._add_object(contents)
    both = io.BytesIO()
    update.write(both)
    assert both.getvalue().startswith(first)
    assert SECRET.encode() not in everything(redacted(both.getvalue()))


def _in_vera(paper: Canvas) -> None:
    pdfmetrics.registerFont(TTFont(VERA, Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"))
    paper.drawString(30, 200, "signed by the")
    paper.setFont(VERA, 12)
    paper.drawString(120, 200, "Quixzq")


def test_a_font_of_the_name_alone_goes_with_it() -> None:
    """The letters of a subset font would tell the name of which they were."""
    output = redacted(drawn(_in_vera), "Quixzq")
    with pikepdf.open(io.BytesIO(output)) as pdf:
        fonts = [
            item for item in pdf.objects if isinstance(item, Dictionary) and "/BaseFont" in item
        ]
        assert {str(font.BaseFont) for font in fonts} == {"/Helvetica"}
        assert not any("/FontFile2" in item for item in pdf.objects if isinstance(item, Dictionary))


def test_a_font_forgets_the_letters_of_the_name() -> None:
    """Maps and widths are of the letters that are still drawn."""

    def draw(paper: Canvas) -> None:
        pdfmetrics.registerFont(
            TTFont(VERA, Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
        )
        paper.setFont(VERA, 12)
        paper.drawString(30, 200, "signed by Zephyr")

    output = redacted(drawn(draw), "Zephyr")
    with pikepdf.open(io.BytesIO(output)) as pdf:
        maps = [
            item.ToUnicode.read_bytes() for item in pdf.objects if "/ToUnicode" in dict_of(item)
        ]
    letters = {
        chr(int(code, 16)) for each in maps for code in re.findall(rb"> <([0-9a-f]{4})>", each)
    }
    assert letters == set("signed by ")


def dict_of(item: Any) -> Any:
    """Return a dictionary, or an empty one."""
    return item if isinstance(item, Dictionary) else {}


def test_widths_of_glyphs_by_number_are_forgotten() -> None:
    """Those of the letters that are still drawn stay, whichever way they are written."""
    pdf = pikepdf.new()
    widths = Array([1, Array([500, 600, 700]), 10, 12, 300, 20, 21, 800])
    down = Array([2, Array([-900, 250, 880]), 10, 40, -800, 250, 880])
    inner = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.CIDFontType2, W=widths, W2=down)
    )
    fonts = [
        pdf.make_indirect(
            Dictionary(Subtype=Name.Type0, Encoding=Name(code), DescendantFonts=Array([each]))
        )
        for code, each in (("/Identity-H", inner), ("/UniGB-UCS2-H", Dictionary(W=widths)))
    ]
    pdf.Root.Fonts = Array(fonts)
    drawn = {b"\0\x02": "b", b"\0\x0b": "x"}
    prune_fonts(pdf, {font.objgen[0]: drawn for font in fonts})
    assert Array([2, Array([600]), 11, Array([300])]) == inner.W
    assert Array([2, Array([-900, 250, 880]), 11, Array([-800, 250, 880])]) == inner.W2
    assert widths == fonts[1].DescendantFonts[0].W


def test_chinese_in_a_font_of_the_reader() -> None:
    """Codes of two bytes are found, and the others stay."""

    def draw(paper: Canvas) -> None:
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
        paper.setFont("STSong-Light", 14)
        paper.drawString(30, 200, "我的名字是王小明今天")

    output = redacted(drawn(draw), "王小明")
    text = pypdfium2.PdfDocument(output)[0].get_textpage().get_text_range()
    assert "我的名字是" in text
    assert "今天" in text
    assert not set("王小明") & set(text)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_page_gets_its_boxes_where_they_belong(rotation: int) -> None:
    """The page is seen turned, and cut to a part of it."""
    data = io.BytesIO()
    with pikepdf.open(io.BytesIO(built(LINES, draw=by_line))) as pdf:
        pdf.pages[0].obj.Rotate = rotation
        pdf.pages[0].obj.MediaBox = Array([-20, 10, 620, 800])
        pdf.pages[0].obj.CropBox = Array([40, 60, 500, 780])
        pdf.save(data)
    output = redacted(data.getvalue())
    before, after = dots(data.getvalue()).astype(int), dots(output).astype(int)
    assert 500 < np.count_nonzero(np.abs(before - after).max(axis=2) > 60) < 3000


def test_a_form_drawn_twice_loses_what_is_masked_where_it_is() -> None:
    """A header is one object for all pages, and stays one where nothing differs."""

    def draw(paper: Canvas, lines: list[str]) -> None:
        if not paper.hasForm("head"):
            paper.beginForm("head")
            paper.setFont("Helvetica", 12)
            paper.drawString(72, 780, "Office of Galip Yalman, page")
            paper.endForm()
        paper.doForm("head")
        by_line(paper, lines)

    output = redacted(built(LINES, LINES, LINES, draw=draw))
    assert b"Galip" not in everything(output)
    with pikepdf.open(io.BytesIO(output)) as pdf:
        forms = [
            i for i in pdf.objects if isinstance(i, pikepdf.Stream) and i.get("/Subtype") == "/Form"
        ]
    assert len(forms) == 1


def _scan(paper: Canvas, mode: str = "RGB") -> None:
    """Draw a page that is a picture, with its text invisible above it."""
    picture = Image.new("RGB", (400, 300), "white")
    chance = np.random.default_rng(7)
    dotted = np.asarray(picture).copy()
    dotted[80:112, 20:380] = chance.integers(0, 200, (32, 360, 3), dtype=np.uint8)
    paper.drawImage(ImageReader(Image.fromarray(dotted).convert(mode)), 0, 0, 400, 300)
    text = paper.beginText(30, 200)
    text.setTextRenderMode(3)
    text.textOut("Dear Galip Yalman, hello")
    paper.drawText(text)


@pytest.mark.parametrize("mode", ["RGB", "L", "1"])
def test_a_scan_with_text_under_it_is_painted_over(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A box above a picture that is kept hides nothing: the picture itself is black there."""
    monkeypatch.setenv(PICTURES, "keep")
    output = redacted(drawn(lambda paper: _scan(paper, mode)))
    with pikepdf.open(io.BytesIO(output)) as pdf:
        (picture,) = [i for i in pdf.objects if isinstance(i, pikepdf.Stream) and "/Width" in i]
        pixels = np.asarray(pikepdf.PdfImage(picture).as_pil_image().convert("L"))
    assert pixels[92:100, 64:120].max() == 0
    assert pixels[92:100, 200:300].max() > 60


def test_metadata_of_a_photograph_goes() -> None:
    """What a camera says of itself is no pixel."""

    def draw(paper: Canvas) -> None:
        exif = Image.Exif()
        exif[0x010E] = SECRET
        stream = io.BytesIO()
        Image.new("RGB", (8, 8), "red").save(stream, "JPEG", exif=exif, comment=SECRET.encode())
        stream.seek(0)
        paper.drawImage(ImageReader(stream), 200, 100, 50, 50)
        paper.drawString(30, 200, f"Dear {NAME}")

    data = drawn(draw)
    output = redacted(data)
    assert SECRET.encode() not in everything(output)


def test_letters_that_are_drawings_lose_the_drawing() -> None:
    """The drawings of a Type 3 font's unused letters go."""
    data = io.BytesIO()
    with pikepdf.open(io.BytesIO(built(["x"], draw=by_line))) as pdf:
        letters = {f"/{c}": pdf.make_stream(b"600 0 d0 0 0 500 500 re f") for c in "DearGlip"}
        codes = sorted("DearGlip")
        differences = Array([item for c in codes for item in (ord(c), Name(f"/{c}"))])
        font = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, 0, 600, 600]),
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=Dictionary(letters),
            Encoding=Dictionary(Differences=differences),
            FirstChar=0,
            LastChar=127,
            Widths=Array([600] * 128),
        )
        pdf.pages[0].Resources.Font = Dictionary(T=pdf.make_indirect(font))
        content = b"BT /T 20 Tf 72 700 Td (Dear) Tj 80 0 Td (Galip) Tj ET"
        pdf.pages[0].obj.Contents = pdf.make_stream(content)
        pdf.save(data)
    output = redacted(data.getvalue(), "Galip")
    with pikepdf.open(io.BytesIO(output)) as pdf:
        (font,) = [i for i in pdf.objects if dict_of(i).get("/Subtype") == "/Type3"]
        assert set(font.CharProcs.keys()) == {"/D", "/e", "/a", "/r"}


def test_surrogates_are_written_where_they_fit() -> None:
    """A long text in a short box is left out, and the box stays."""
    data = built(["Dear Al, hello"], draw=by_line)
    text = pypdfium2.PdfDocument(redacted(data, "Al", text="Maximiliane von Hohenfels"))[0]
    assert "Maximiliane" not in text.get_textpage().get_text_range()


def test_a_page_that_would_change_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the edit moves what stays, nothing is written."""
    from tacenda.documents.pdf import glyphs, text

    monkeypatch.setenv(LANGUAGES, "off")
    monkeypatch.setattr(glyphs.Glyph, "gap", property(lambda _: 400.0), raising=False)
    data = drawn(lambda paper: paper.drawString(30, 200, f"Dear {NAME}, how are you today?"))
    (record,) = text.read(io.BytesIO(data), documents.Origin("a", "a", "pdf", "utf-8"))
    assert record.container is not None
    with pytest.raises(InputError, match="page 1 can't be edited"):
        record.container.write(record, mask_strings(record.document, NAME))


def test_the_other_part_of_a_divided_word_gets_a_box_too() -> None:
    """The check returns boxes over the letters of a word that are left in the line above, and none once they are there."""
    from tacenda.document import Document
    from tacenda.documents.pdf.checking import check
    from tacenda.documents.pdf.cleaning import cleaned
    from tacenda.documents.pdf.glyphs import pages
    from tacenda.documents.pdf.redaction import Box, Redaction, redaction, with_boxes
    from tacenda.documents.pdf.redaction import redacted as edited

    def draw(paper: Canvas) -> None:
        paper.drawString(30, 200, "Dear Yal-")
        paper.drawString(30, 186, "man, how are you?")

    data = drawn(draw)
    file = cleaned(data, "a")
    (page,) = pages(file.data)
    letters = [n for n, glyph in enumerate(page.glyphs) if glyph.y < 190][:3]
    removal = redaction(page, [("", letters)])
    masked = mask_strings(Document("a", "Dear Yalman"), "Yalman")

    def more(what: Redaction) -> dict[int, list[Box]]:
        output = edited(file.data, [page], [what])
        return check(data, output, [page], [what], file.comments, (), masked)

    rest = more(removal)
    assert [len(boxes) for boxes in rest.values()] == [len("Yal")]
    covered = with_boxes(page, removal, rest[1])
    assert "Yal" not in "".join(
        g.text for n, g in enumerate(page.glyphs) if n not in covered.removed
    )
    assert more(covered) == {}


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(("rise", "is_left"), [(3.4, False), (4.2, True)])
def test_letters_of_a_line_that_reaches_into_a_box_are_beside_it(
    rise: float, is_left: bool, is_known: bool
) -> None:
    """Programs place the middle of a letter differently: that of the edit decides which letters are under a box."""
    from dataclasses import replace

    from tacenda.document import Document
    from tacenda.documents.pdf.checking import check
    from tacenda.documents.pdf.cleaning import cleaned
    from tacenda.documents.pdf.glyphs import pages
    from tacenda.documents.pdf.redaction import Box, Redaction
    from tacenda.documents.pdf.redaction import redacted as edited

    def draw(paper: Canvas) -> None:
        paper.setFont("Helvetica", 12)
        paper.drawString(30, 200, "we saw no one")

    data = drawn(draw)
    file = cleaned(data, "a")
    drawn_pages = list(pages(file.data))
    if not is_known:
        glyphs = tuple(glyph._replace(text="") for glyph in drawn_pages[0].glyphs)
        drawn_pages = [replace(drawn_pages[0], glyphs=glyphs)]
    covered = [Redaction(frozenset(), (Box(28, 191 + rise, 100, 9, 0.0),))]
    output = edited(file.data, drawn_pages, covered)
    expected = (
        pytest.raises(LeakError, match="under a box") if is_left else contextlib.nullcontext()
    )
    with expected:
        check(
            data,
            output,
            drawn_pages,
            covered,
            file.comments,
            (),
            mask_strings(Document("a", ""), NAME),
        )


def test_another_program_sees_what_is_left_under_a_box() -> None:
    """The check is no part of the edit: a box drawn over the name alone is found out."""
    from tacenda.document import Document
    from tacenda.documents.pdf.checking import check
    from tacenda.documents.pdf.cleaning import cleaned
    from tacenda.documents.pdf.glyphs import pages
    from tacenda.documents.pdf.redaction import Redaction, redaction
    from tacenda.documents.pdf.redaction import redacted as edited

    from .conftest import mask_strings

    data = drawn(lambda paper: paper.drawString(30, 200, f"Dear {NAME}, how are you?"))
    file = cleaned(data, "a")
    drawn_pages = list(pages(file.data))
    letters = [n for n, glyph in enumerate(drawn_pages[0].glyphs) if 5 <= n < 17]
    boxes = redaction(drawn_pages[0], [("", letters)]).boxes
    covered = [Redaction(frozenset(), boxes)]
    output = edited(file.data, drawn_pages, covered)
    with pytest.raises(LeakError, match="under a box of page 1"):
        check(
            data,
            output,
            drawn_pages,
            covered,
            file.comments,
            (),
            mask_strings(Document("a", ""), NAME),
        )


def _over_an_inline_picture() -> bytes:
    """Return a page with a name on a picture that can't be painted over."""
    pixels = bytes(range(128, 256)).hex()
    code = f"q 200 0 0 20 20 195 cm BI /W 16 /H 8 /CS /G /BPC 8 /F /AHx ID {pixels}> EI Q"

    def draw(paper: Canvas) -> None:
        paper._code.append(code)
        paper.drawString(30, 200, f"Dear {NAME}")
        paper.drawString(30, 170, "thank you for your letter of Monday")

    return drawn(draw)


def test_a_page_that_cannot_be_edited_is_refused_without_ocr(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is left as it is, and the error says what to install."""
    monkeypatch.setenv(LANGUAGES, "off")
    monkeypatch.setenv(PICTURES, "keep")
    with pytest.raises(
        InputError, match=r"page 1 would change outside.*apt install tesseract-ocr.*--to pdf"
    ):
        redacted(_over_an_inline_picture())


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs the program tesseract")
def test_a_page_that_cannot_be_edited_becomes_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a box over the name, which is read again, and the words that are left under it."""
    monkeypatch.setenv(PICTURES, "keep")
    (page,) = pypdfium2.PdfDocument(redacted(_over_an_inline_picture()))
    first, second = page.get_textpage().get_text_range().split("\r\n")
    assert first.strip() in ("PERSON 1", "Dear PERSON 1")
    assert second.strip() == "thank you for your letter of Monday"
    image = page.render(scale=300 / 72).to_pil().convert("RGB")
    text = " ".join(word.text for word in scanned(image, "eng", "a").words)
    assert "Yalman" not in text
    assert "thank you for your letter" in text
