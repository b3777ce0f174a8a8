"""Presentations: every slide, note and comment is text, and nothing else tells a masked name."""

from __future__ import annotations

import io
import zipfile
import zlib
from functools import partial
from typing import Any

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from tacenda import documents
from tacenda.documents.pictures import blank_picture
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tests.examples import for_each

from . import conftest
from .building_docx import entries
from .conftest import mask_strings
from .test_docx_planted import SPELLINGS, survivors

NAME = "Galip Yalman"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def presentation(said: str = "Salt and bread") -> Any:
    """Return a presentation with a string in every place that a user can write in."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = f"Title {said}"
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for number, word in enumerate(said.split(" ")):
        run = paragraph.add_run()
        run.text = word if not number else f" {word}"
        run.font.bold = bool(number)
    table = slide.shapes.add_table(1, 2, 0, 0, Inches(2), Inches(1)).table
    table.cell(0, 1).text = f"cell {said}"
    group = slide.shapes.add_group_shape()
    box = group.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(1), Inches(1))
    box.text_frame.text = f"box {said}"
    box._element.nvSpPr.cNvPr.set("descr", f"alternative {said}")
    box.click_action.hyperlink.address = f"https://example.org/?q={said.replace(' ', '+')}"
    data = CategoryChartData()
    data.categories = [f"category {said}"]
    data.add_series(f"series {said}", (1.5,))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(2), Inches(2), data)
    slide.shapes.add_picture(io.BytesIO(blank_picture()), 0, 0)
    slide.notes_slide.notes_text_frame.text = f"note {said}"
    hidden = deck.slides.add_slide(deck.slide_layouts[5])
    hidden.shapes.title.text = f"hidden {said}"
    hidden._element.set("show", "0")
    deck.slide_masters[0].shapes[0].text_frame.text = f"master {said}"
    deck.core_properties.title = f"document {said}"
    deck.core_properties.author = said
    deck.core_properties.last_modified_by = said
    return deck


PLACES = (
    "Title", "cell", "box", "alternative", "category", "series", "note", "hidden", "master", "document"
)  # fmt: skip


def saved(deck: Any) -> bytes:
    """Return the file of a presentation."""
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


items_of = partial(conftest.items_of, format="pptx")
sanitized = partial(conftest.sanitized, format="pptx", name=NAME)


def with_entries(
    data: bytes, files: dict[str, bytes], changes: dict[str, tuple[str, str]]
) -> bytes:
    """Return an archive with further entries, and with strings of its own replaced."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for name, content in {**entries(data), **files}.items():
            if name in changes:
                content = content.decode().replace(*changes[name], 1).encode()
            archive.writestr(name, content)
    return output.getvalue()


def shapes_of(data: bytes) -> list[tuple[str, str]]:
    """Return kind and text of all shapes on all slides."""
    deck = pptx.Presentation(io.BytesIO(data))
    return [
        (type(shape).__name__, shape.text_frame.text if shape.has_text_frame else "")
        for slide in deck.slides
        for shape in slide.shapes
    ]


def test_a_presentation_without_personal_data_comes_back() -> None:
    """Slides, order, shapes, layouts, notes, chart and picture, by another reader."""
    data = saved(presentation())
    (record,) = items_of(data)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    before, after = (pptx.Presentation(io.BytesIO(each)) for each in (data, output.getvalue()))
    assert shapes_of(output.getvalue()) == shapes_of(data)
    assert [slide.slide_layout.name for slide in after.slides] == [
        slide.slide_layout.name for slide in before.slides
    ]
    first = after.slides[0]
    assert first.notes_slide.notes_text_frame.text == "note Salt and bread"
    (chart,) = (shape.chart for shape in first.shapes if shape.has_chart)
    assert list(chart.plots[0].categories) == ["category Salt and bread"]
    assert list(chart.plots[0].series[0].values) == [1.5]
    assert after.slides[1]._element.get("show") == "0"
    assert after.core_properties.title == "document Salt and bread"
    assert after.core_properties.author == ""


def test_every_place_is_read_as_text() -> None:
    """And a name over several runs is one."""
    (record,) = items_of(saved(presentation(NAME)))
    for place in PLACES:
        assert f"{place} {NAME}" in record.document.text
    assert f"\n{NAME}\n" in record.document.text


@for_each("spelling", SPELLINGS)
def test_a_name_is_written_nowhere(spelling: str) -> None:
    """In whatever place and spelling it stands, with all that a file carries along."""
    deck = presentation(spelling)
    deck.slides[1].shapes[0].name = spelling
    deck.slides[1].shapes.title.text = f"About {NAME}"
    data = saved(deck)
    tie = f'<Relationship Id="rId{{}}" Type="{_TYPES}/{{}}" Target="{{}}"/></Relationships>'
    plain = spelling.replace("&", "")
    files = {
        "ppt/commentAuthors.xml": f'<p:cmAuthorLst xmlns:p="{_P}"><p:cmAuthor id="0" name="{plain}" '
        f'initials="{plain}" lastIdx="1" clrIdx="0"/></p:cmAuthorLst>'.encode(),
        "ppt/comments/c.xml": f'<p:cmLst xmlns:p="{_P}"><p:cm authorId="0" idx="1" dt="2020-01-01T00:00:00">'
        f'<p:pos x="0" y="0"/><p:text>comment {plain}</p:text></p:cm></p:cmLst>'.encode(),
        "ppt/tags/t.xml": f'<p:tagLst xmlns:p="{_P}"><p:tag name="{plain}" val="{plain}"/></p:tagLst>'.encode(),
        "docProps/custom.xml": plain.encode(),
        "docProps/thumbnail.jpeg": plain.encode(),
        f"customXml/{plain.replace('/', '')}.xml": plain.encode(),
    }
    changes = {
        "ppt/_rels/presentation.xml.rels": ("</Relationships>", tie.format(901, "commentAuthors", "commentAuthors.xml")),
        "ppt/slides/_rels/slide1.xml.rels": (
            "</Relationships>",
            tie.format(902, "comments", "../comments/c.xml").replace(
                "</Relationships>", tie.format(903, "tags", "../tags/t.xml")
            ),
        ),
        "ppt/presentation.xml": (
            "</p:presentation>",
            f'<p:custShowLst><p:custShow name="{plain}" id="0"><p:sldLst/></p:custShow></p:custShowLst>'
            f'<p:modifyVerifier hashData="{plain}"/><p:extLst><p:ext uri="{{x}}"><p14:sectionLst '
            'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section '
            f'name="section {plain}" id="{{1}}"/></p14:sectionLst></p:ext></p:extLst></p:presentation>',
        ),
    }  # fmt: skip
    data = with_entries(data, files, changes)
    types = "[Content_Types].xml"
    override = '<Override PartName="/ppt/{}" ContentType="application/xml"/></Types>'
    data = with_entries(data, {}, {types: ("</Types>", override.format("comments/c.xml"))})
    try:
        output = sanitized(data)
    except LeakError as error:
        raise AssertionError(f"{spelling!r} was refused: {error}") from error
    assert survivors(output) == []
    comments = b"".join(v for k, v in entries(output).items() if k.startswith("ppt/comment"))
    assert b"comment " in comments
    assert b"Author 1" in comments
    pptx.Presentation(io.BytesIO(output))


def test_embedded_files_sounds_and_films_are_removed_and_named() -> None:
    """With their frame, and the workbook behind a chart."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_ole_object(io.BytesIO(NAME.encode()), "Package", 0, 0)
    slide.shapes.add_movie(io.BytesIO(NAME.encode()), 0, 0, 9, 9)
    (record,) = items_of(saved(deck))
    assert any("2 embedded objects, sounds or films" in note for note in record.notes)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    names = entries(output.getvalue())
    assert not any("embed" in name or "media1" in name for name in names)
    assert NAME.encode() not in b"".join(names.values())
    pptx.Presentation(io.BytesIO(output.getvalue()))


def _bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ppt/presentation.xml", bytes(40_000_000))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not a valid .pptx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 9, "protected by a password"),
        (saved(pptx.Presentation())[:5000], "damaged"),
        (_bomb(), "when unpacked"),
        (zlib.compress(b"x"), "is not a valid .pptx"),
    ],
)
def test_what_is_no_presentation_is_an_error(data: bytes, reason: str) -> None:
    """It says why and the way out."""
    (failure,) = items_of(data)
    assert isinstance(failure, documents.Failure)
    assert reason in str(failure.error)


@pytest.mark.parametrize(
    "attack",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_entities_are_an_error(attack: str) -> None:
    """Whether they grow or read other files."""
    data = saved(presentation())
    place = "ppt/slides/slide1.xml"
    head, _, body = entries(data)[place].decode().partition("?>")
    data = with_entries(data, {place: f"{head}?>{attack}{body}".encode()}, {})
    (failure,) = items_of(data)
    assert isinstance(failure, documents.Failure)
    assert "document type" in str(failure.error)


def test_macros_and_documents_of_another_kind_are_refused() -> None:
    """A .docx or .pptm by this name."""
    from .building_docx import build, paragraph

    (failure,) = items_of(build(paragraph("x")))
    assert "is not a valid .pptx" in str(failure.error)
    types = "[Content_Types].xml"
    data = saved(pptx.Presentation())
    macros = "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"
    main = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    (failure,) = items_of(with_entries(data, {}, {types: (main, macros)}))
    assert "has macros (.pptm)" in str(failure.error)
