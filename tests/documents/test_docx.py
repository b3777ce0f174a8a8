""".docx: a masked name is in no part of the output, and the document stays what it was."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.writing import writer
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.result import Result

from .building_docx import build, entries, paragraph

docx = pytest.importorskip("docx")
etree = pytest.importorskip("lxml.etree")

NAME = "Galip Yalman"
Mask = Callable[..., Result]


def read(data: bytes) -> documents.SourceDocument:
    """Return the record of a document."""
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument), record
    return record


def written(
    data: bytes, mask: Mask, *strings: str, text: str = "[X]", allow_leaks: bool = False
) -> dict[str, bytes]:
    """Return the entries of the document with strings masked."""
    record = read(data)
    output = io.BytesIO()
    sink = writer("same", output, allow_leaks=allow_leaks)
    sink.write(record, mask(record.document, *strings, text=text))
    sink.close()
    return entries(output.getvalue())


def text_of(part: bytes) -> str:
    """Return the text of a part as a reader sees it."""
    return "".join(etree.fromstring(part).itertext())


def assert_gone(parts: dict[str, bytes], *strings: str) -> None:
    """No part holds a string: not as bytes, as text over runs, in a name, or as UTF-16."""
    for name, data in parts.items():
        texts = [data.decode("utf-8", "replace"), data.decode("utf-16-le", "replace"), name]
        if name.endswith((".xml", ".rels")):
            texts.append(text_of(data))
        for text in texts:
            folded = re.sub(r"[_+-]|%20", " ", text).lower()
            for string in strings:
                assert string.lower() not in folded, (name, string)


PLACES = {
    "runs": paragraph("Gal", "ip ", "Yal", "man"),
    "table": f"<w:tbl><w:tr><w:tc>{paragraph(NAME)}</w:tc></w:tr></w:tbl>",
    "text box": f"<w:p><w:r><w:t>x</w:t><w:pict><v:shape><v:textbox><w:txbxContent>{paragraph(NAME)}"
    "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>",
    "word art": f'<w:p><w:r><w:pict><v:shape><v:textpath string="{NAME}"/></v:shape></w:pict></w:r></w:p>',
    "alt text": f'<w:p><w:r><w:drawing><wp:docPr id="1" name="{NAME}.jpg" descr="{NAME}"/></w:drawing></w:r></w:p>',
    "smart tag": f'<w:p><w:smartTag w:element="person"><w:smartTagPr><w:attr w:name="n" w:val="{NAME}"/>'
    f"</w:smartTagPr><w:r><w:t>{NAME}</w:t></w:r></w:smartTag></w:p>",
    "content control": f'<w:sdt><w:sdtPr><w:alias w:val="{NAME}"/><w:tag w:val="{NAME}"/><w:dropDownList>'
    f'<w:listItem w:displayText="{NAME}" w:value="galip-yalman"/></w:dropDownList></w:sdtPr>'
    f"<w:sdtContent>{paragraph(NAME)}</w:sdtContent></w:sdt>",
    "table caption": f'<w:tbl><w:tblPr><w:tblCaption w:val="{NAME}"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>',
    "simple field": f"<w:p><w:fldSimple w:instr=' QUOTE \"{NAME}\" '><w:r><w:t>{NAME}</w:t></w:r></w:fldSimple></w:p>",
    "complex field": '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> QUOTE "Galip </w:instrText>'
    '</w:r><w:r><w:instrText>Yalman"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
    "merge field": paragraph(NAME)
    + '<w:p><w:fldSimple w:instr=" MERGEFIELD Galip_Yalman "><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>',
    "reference manager": paragraph(NAME)
    + '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:fldData>R2FsaXA=</w:fldData></w:fldChar></w:r><w:r><w:instrText>'
    ' ADDIN ZOTERO_ITEM {"family":"Yalman Galip"}</w:instrText></w:r></w:p>',
    "bookmark": '<w:p><w:bookmarkStart w:id="1" w:name="Galip_Yalman"/><w:bookmarkEnd w:id="1"/>'
    '<w:hyperlink w:anchor="Galip_Yalman"><w:r><w:t>x</w:t></w:r></w:hyperlink>'
    '<w:fldSimple w:instr=" REF Galip_Yalman "/></w:p>',
    "deleted": f'<w:p><w:del w:id="1" w:author="{NAME}" w:date="2020-01-01T00:00:00Z"><w:r><w:delText>{NAME}'
    "</w:delText></w:r></w:del></w:p>",
    "inserted": f'<w:p><w:ins w:id="1" w:author="{NAME}"><w:r><w:t>Galip </w:t></w:r></w:ins><w:r><w:t>Yalman</w:t>'
    "</w:r></w:p>",
    "former style": f'<w:p><w:pPr><w:pPrChange w:id="1" w:author="{NAME}"><w:pPr/></w:pPrChange></w:pPr></w:p>',
    "permission": f'<w:p><w:permStart w:id="1" w:ed="{NAME}"/></w:p>',
    "tooltip": f'<w:p><w:hyperlink w:anchor="a" w:tooltip="{NAME}"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>',
    "custom xml": f'<w:customXml w:element="{NAME}">{paragraph(NAME)}</w:customXml>',
    "other vocabulary": f'<x:a x:b="{NAME}">{NAME}<x:c/>{NAME}</x:a><w:p x:d="{NAME}"/>',
    "other namespace": '<w:p xmlns:y="http://example.org/Galip_Yalman"/>',
    "ruby": "<w:p><w:r><w:t>Galip </w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>x</w:t></w:r></w:rt><w:rubyBase><w:r>"
    "<w:t>Yalman</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
    "hyphen": "<w:p><w:r><w:t>Galip Yal</w:t><w:softHyphen/><w:t>man</w:t></w:r></w:p>",
    "comment of XML": f"<!-- {NAME} --><?x {NAME}?><w:p/>",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_name_is_gone_from_every_place_of_the_body(place: str, mask: Mask) -> None:
    """Wherever the format lets a name stand, it is masked, struck out or dropped."""
    assert_gone(written(build(PLACES[place]), mask, NAME), NAME)


@pytest.mark.parametrize("parts", [("Yal", "man"), ("Yal-", "man"), ("Yal-", "", "– 2 –", "man")])
def test_a_name_divided_over_paragraphs_is_gone(parts: tuple[str, ...]) -> None:
    """Neither piece stays, and the paragraphs do."""
    first, *between, last = parts
    body = (f"A letter of Galip {first}", *between, f"{last}, who lives here.")
    data = build("".join(paragraph(text) for text in body))
    sanitizer = load(Policy.build(recognizer=False, threshold=0.5))
    record = read(data)
    output = io.BytesIO()
    sink = writer("same", output)
    sink.write(record, sanitizer.sanitize(record.document.text, NAME, record.document.id))
    sink.close()
    after = entries(output.getvalue())
    assert_gone(after, "yal", "man")
    assert after["word/document.xml"].count(b"<w:p>") == len(body)
    assert "who lives here." in text_of(after["word/document.xml"])


@pytest.mark.parametrize(
    ("kind", "inside"),
    [
        ("header", paragraph("Galip ", "Yalman")),
        ("footer", paragraph(NAME)),
        ("footnotes", f'<w:footnote w:id="1">{paragraph(NAME)}</w:footnote>'),
        ("endnotes", f'<w:endnote w:id="1">{paragraph(NAME)}</w:endnote>'),
        (
            "comments",
            f'<w:comment w:id="1" w:author="{NAME}" w:initials="GY" w:date="2020-01-01T00:00:00Z">'
            f"{paragraph(NAME)}</w:comment>",
        ),
        ("styles", '<w:style w:styleId="GalipYalman"><w:name w:val="Galip Yalman"/></w:style>'),
        ("settings", f'<w:docVars><w:docVar w:name="a" w:val="{NAME}"/></w:docVars>'),
        ("chart", f"<c:cat><c:strCache><c:pt><c:v>{NAME}</c:v></c:pt></c:strCache></c:cat>"),
        ("people", f'<w:person w:author="{NAME}"/>'),
        ("customXml", f"<x:name>{NAME}</x:name>"),
    ],
)
def test_a_name_is_gone_from_every_other_part(kind: str, inside: str, mask: Mask) -> None:
    """Parts beside the body are read with it, or are dropped."""
    parts = written(build(paragraph(NAME), {kind: inside}), mask, NAME)
    assert_gone(parts, NAME, "GY")


def test_properties_thumbnail_and_unknown_entries_are_gone(mask: Mask) -> None:
    """Only title, subject, keywords, description and category stay, and are text."""
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:creator>{NAME}</dc:creator><cp:lastModifiedBy>{NAME}</cp:lastModifiedBy>"
        f"<dc:title>About {NAME}</dc:title></cp:coreProperties>"
    )
    files = {
        "docProps/core.xml": core.encode(),
        "docProps/app.xml": f"<Properties><Company>{NAME}</Company></Properties>".encode(),
        "docProps/thumbnail.jpeg": NAME.encode(),
        "docProps/custom.xml": NAME.encode(),
        "word/embeddings/Galip Yalman.xlsx": NAME.encode(),
    }
    parts = written(build(paragraph("x"), files=files), mask, NAME)
    assert_gone(parts, NAME)
    assert text_of(parts["docProps/core.xml"]) == "About [X]"
    assert set(parts) == {
        "[Content_Types].xml", "_rels/.rels", "word/document.xml", "docProps/core.xml"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("mailto:g.yalman@example.org", "mailto:%5BX%5D"),
        ("https://example.org/Galip%20Yalman", "https://example.org/***"),
        ("https://example.org/galip-yalman?a=1", "https://example.org/***?a=1"),
        ("https://example.org/yalman", "https://example.org/***"),
        ("file:///C:/Users/gyalman/a.docx", "about:blank"),
    ],
)
def test_targets_of_links_are_sanitized(target: str, expected: str, mask: Mask) -> None:
    """An address is text and swept; one on somebody's disk leads nowhere."""
    data = build(paragraph(NAME, " g.yalman@example.org"), ties=(("rId9", "hyperlink", target),))
    parts = written(data, mask, NAME, "g.yalman@example.org")
    (found,) = re.findall(
        r'Target="([^"]+)" TargetMode', parts["word/_rels/document.xml.rels"].decode()
    )
    assert found == expected or found.replace("%2A", "*") == expected


def test_pictures_lose_what_is_beside_their_pixels(mask: Mask) -> None:
    """A PNG keeps its pixels and loses its comment and its name; an SVG becomes blank."""
    from tacenda.documents.pictures import _chunk, blank_picture

    blank = blank_picture()
    png = blank[:33] + _chunk(b"tEXt", b"Author\0" + NAME.encode()) + blank[33:] + NAME.encode()
    data = build(
        '<w:p><w:r><w:drawing><pic:pic><a:blip r:embed="p1"/><a:blip r:embed="p2"/></pic:pic></w:drawing></w:r></w:p>',
        ties=(
            ("p1", "image", "media/galip_yalman.png"),
            ("p2", "image", "media/a.svg"),
            ("p3", "image", "file:///C:/Users/Galip%20Yalman/b.png"),
        ),
        files={"word/media/galip_yalman.png": png, "word/media/a.svg": NAME.encode()},
    )
    assert [note[:22] for note in read(data).notes] == ["2 pictures are covered"]
    parts = written(data, mask)
    assert_gone(parts, NAME)
    assert parts["word/media/picture1.png"] == blank
    assert parts["word/_rels/document.xml.rels"].count(b'Target="media/blank.png"') == 2
    assert zlib.crc32(parts["word/media/blank.png"]) == zlib.crc32(blank)


def test_a_jpeg_keeps_its_pixels_only() -> None:
    """Application data, comments and what follows the end are gone."""
    from tacenda.documents.pictures import strip_picture

    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    exif = image.Exif()
    exif[0x013B] = NAME
    picture = image.linear_gradient("L").convert("RGB")
    picture.save(stream, "JPEG", exif=exif, comment=NAME, progressive=True)
    stripped = strip_picture(stream.getvalue() + NAME.encode())
    assert stripped is not None
    assert NAME.encode() not in stripped[0]
    again = image.open(io.BytesIO(stripped[0]))
    assert again.tobytes() == image.open(io.BytesIO(stream.getvalue())).tobytes()


def test_tracked_changes_are_accepted(mask: Mask) -> None:
    """Inserted text stays, deleted text, rows and ends of paragraphs go."""
    body = (
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one </w:t></w:r></w:p>"
        "<w:p><w:ins><w:r><w:t>two</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>no</w:t></w:r></w:moveFrom></w:p>"
        f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph('no')}</w:tc></w:tr></w:tbl>"
    )
    assert read(build(body)).document.text == "one two\n"
    parts = written(build(body), mask)
    assert b"w:del" not in parts["word/document.xml"]
    assert b"w:tbl" not in parts["word/document.xml"]


def test_styles_and_runs_are_kept(mask: Mask) -> None:
    """What is edited stays a document of Word with its styles; the first run takes the mask."""
    document = docx.Document()
    document.add_heading(f"About {NAME}", 1)
    mixed = document.add_paragraph("Dear ")
    mixed.add_run("Galip ").bold = True
    mixed.add_run("Yalman").italic = True
    mixed.add_run(", hello")
    document.add_comment(mixed.runs, "who?", author=NAME, initials="GY")
    document.sections[0].header.paragraphs[0].text = NAME
    stream = io.BytesIO()
    document.save(stream)
    record = read(stream.getvalue())
    sanitized = mask(record.document, NAME)
    assert record.container is not None
    again = docx.Document(io.BytesIO(record.container.write(record, sanitized)))
    assert [p.style.name for p in again.paragraphs] == ["Heading 1", "Normal"]
    assert [(r.text, r.bold, r.italic) for r in again.paragraphs[1].runs if r.text] == [
        ("Dear ", None, None), ("[X]", True, None), (", hello", None, None)
    ]  # fmt: skip
    assert again.sections[0].header.paragraphs[0].text == "[X]"
    assert [(c.author, c.initials, c.timestamp) for c in again.comments] == [
        ("Author 1", "A1", None)
    ]


def test_the_same_document_gives_the_same_bytes(mask: Mask) -> None:
    """Output depends on nothing but the document."""
    data = build(paragraph(NAME), {"header": paragraph(NAME)})
    assert written(data, mask, NAME) == written(data, mask, NAME)


def test_what_is_written_cannot_become_markup(mask: Mask) -> None:
    """A replacement is text, whatever it looks like, and has no characters that XML lacks."""
    parts = written(build(paragraph(NAME)), mask, NAME, text="</w:t><&\x00\x0b")
    assert text_of(parts["word/document.xml"]) == "</w:t><&\ufffd\ufffd"


def test_numbers_of_a_chart_stay_numbers(mask: Mask) -> None:
    """A masked number in a chart's cache becomes 0, since a chart can't draw a mask."""
    body = "<c:numCache><c:pt><c:v>40271</c:v></c:pt><c:pt><c:v>7</c:v></c:pt></c:numCache>"
    parts = written(build(paragraph("40271"), {"chart": body}), mask, "40271")
    assert re.findall(rb"<c:v>(.*?)</c:v>", parts["word/chart1.xml"]) == [b"0", b"7"]


_WORDS = st.lists(
    st.sampled_from(["Galip", " ", "Yalman", "x", "é", "&amp;", "שלום", "🙂", "-", NAME]),
    min_size=1, max_size=8,
).map("".join)  # fmt: skip
_RUNS = st.lists(_WORDS, max_size=4)


@given(data=st.data())
@settings(max_examples=30)
def test_no_split_over_runs_and_parts_hides_a_name(data: st.DataObject, mask: Mask) -> None:
    """However text is cut into runs and parts, what is masked is in no part of the output."""

    def cut(text: str) -> list[str]:
        # References stay whole.
        plain = text.replace("&amp;", "+")
        points = sorted(data.draw(st.sets(st.integers(0, len(plain)), max_size=5)))
        pieces = [plain[a:b] for a, b in zip([0, *points], [*points, len(plain)], strict=True)]
        return [piece.replace("+", "&amp;") for piece in pieces]

    def some() -> str:
        return "".join(paragraph(*cut(run)) for run in data.draw(_RUNS))

    box = f"<w:p><w:r><w:pict><v:textbox><w:txbxContent>{some()}</w:txbxContent></v:textbox></w:pict></w:r></w:p>"
    parts = {"header": some(), "footnotes": f"<w:footnote>{some()}</w:footnote>"}
    # The given name alone is left where it stands alone, which this sanitizer does not see.
    output = written(build(some() + box + some(), parts), mask, NAME, allow_leaks=True)
    for part in output.values():
        for element in etree.fromstring(part).iter("{*}p"):
            assert NAME not in _own_text(element)


def _own_text(paragraph: Any) -> str:
    return "".join(
        element.text or ""
        for element in paragraph.iter("{*}t")
        if next(element.iterancestors("{*}p")) is paragraph
    )
