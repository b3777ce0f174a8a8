"""The words of the format itself: somebody called Body or Main is masked, the document stays."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from functools import cache

import pytest

from tacenda import documents
from tacenda.document import SemanticType
from tacenda.documents.writing import writer
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy, Rule
from tests.examples import for_each

from .building_docx import build, entries, paragraph

docx = pytest.importorskip("docx")
etree = pytest.importorskip("lxml.etree")

WORDS = """
    App Accent Auto Body Border Bookmark Cell Center Chart Color Comment Comments Content Core Creator Default
    Document Drawing Drawingml End Even Extension Fill Font Footer Footnote Graphic Grid Header Heading Height Id
    Image Indent Inline Integer Keywords Language Latin Left Level Line List Main Major Mark Markup Math Microsoft
    Minor Name Normal Numbering Office Officedocument Open Openxmlformats Org Override Package Page Paragraph Part Picture
    Position Preserve Properties Rels Relationship Relationships Right Root Row Run Schemas Section Settings Shape Single
    Size Space Start Style Styles Subject Symbol Tab Table Target Text Theme Title Type Value Vml Width Word
    Wordprocessingml Xml Http Png Rid Val Rsid
    """.split()  # fmt: skip
OTHER = "Zuzu"
"""A word that no format has."""

_EXTRA = (
    '<w:p xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:bookmarkStart w:id="7" w:name="q7"/>'
    '<w:r><w:pict><v:shape id="q8" o:spid="q9" style="position:absolute;width:9pt" fillcolor="red">'
    "<v:textbox><w:txbxContent><w:p><w:r><w:t>amber boats</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape>"
    '</w:pict></w:r><w:bookmarkEnd w:id="7"/><m:oMath><m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>zeta</m:t></m:r></m:oMath>'
    '<w:hyperlink w:anchor="q7"><w:r><w:t>barley</w:t></w:r></w:hyperlink></w:p>'
)
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef"
    "0000000049454e44ae426082"
)


def usual(*names: str) -> bytes:
    """Return a document of a word processor about some people."""
    document = docx.Document()
    document.core_properties.title = "barley and salt"
    document.add_heading("old roofs", 1)
    for name in names:
        document.add_paragraph(f"{name} came. The rain fell.")
    document.add_paragraph("linen", style="List Bullet")
    table = document.add_table(1, 2, style="Table Grid")
    table.cell(0, 0).text = "salt"
    table.cell(0, 1).text = "bread"
    document.sections[0].header.add_paragraph("velvet")
    document.sections[0].footer.add_paragraph("walnut")
    runs = document.add_paragraph("cedar").runs
    document.add_comment(runs, "kettle", "q")
    document.add_picture(io.BytesIO(_PIXEL))
    document.add_section()
    stream, output = io.BytesIO(), io.BytesIO()
    document.save(stream)
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(output, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "word/document.xml":
                data = data.replace(b"<w:body>", b"<w:body>" + _EXTRA.encode(), 1)
            new.writestr(name, data)
    return output.getvalue()


def by_hand(*names: str) -> bytes:
    """Return a document with parts that a library doesn't write."""
    parts = {
        "footnotes": f'<w:footnote w:id="2" w:type="normal">{paragraph("marble")}</w:footnote>',
        "endnotes": f'<w:endnote w:id="2">{paragraph("ivory")}</w:endnote>',
        "settings": '<w:compat><w:useFELayout w:val="on"/></w:compat>',
        "styles": '<w:style w:type="paragraph" w:styleId="q"><w:name w:val="q"/></w:style>',
        "chart": "<c:chart><c:title><c:tx><c:strRef><c:f>q!$A$1</c:f><c:strCache><c:pt><c:v>copper</c:v></c:pt>"
        '</c:strCache></c:strRef></c:tx></c:title><c:legend><c:legendPos val="r"/></c:legend></c:chart>',
    }
    body = "".join(paragraph(f"{name} came home.") for name in names)
    body += '<w:p><w:pPr><w:jc w:val="center"/></w:pPr></w:p>'
    return build(body, parts)


def masked(data: bytes, *words: str) -> bytes:
    """Return a document without the words, none of which somebody else has."""
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument), record
    deny = tuple(Rule(type=SemanticType.PERSON, exact=word) for word in words)
    policy = Policy(recognizer=False, threshold=0.5, deny=deny, operator="suppress")
    (result,) = Sanitizer(policy, None, 0.5).pipe([record.document])
    output = io.BytesIO()
    writer("same", output).write(record, result)
    return output.getvalue()


def shape(data: bytes) -> dict[str, list[str]]:
    """Return the elements of each part, by name."""
    return {
        name: [str(element.tag) for element in etree.fromstring(content).iter()]
        for name, content in entries(data).items()
        if name.endswith((".xml", ".rels"))
    }


def texts(data: bytes) -> dict[str, list[str]]:
    """Return the words of each part."""
    return {
        name: " ".join(etree.fromstring(content).itertext()).split()
        for name, content in entries(data).items()
        if name.endswith(".xml")
    }


@cache
def expected(
    make: Callable[..., bytes], size: int
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return elements and words of a document in which nobody is called as the format calls things."""
    output = masked(make(*[OTHER] * size), OTHER)
    return shape(output), texts(output)


GROUPS = [WORDS[start : start + 15] for start in range(0, len(WORDS), 15)]


@for_each("make", [usual, by_hand])
@for_each("words", GROUPS)
def test_a_word_of_the_format_takes_nothing_along(
    words: list[str], make: Callable[..., bytes]
) -> None:
    """Elements and words are those of a document with other names in their places."""
    output = masked(make(*words), *words)
    assert (shape(output), texts(output)) == expected(make, len(words))
    docx.Document(io.BytesIO(output))


def test_no_name_of_the_format_is_lost_where_all_are_masked() -> None:
    """Every word that the names of a usual document are made of, on one deny list."""
    tags = expected(usual, 1)[0]
    names = {name.rpartition("}")[2] for part in tags.values() for name in part}
    words = {word.capitalize() for name in names for word in re.findall(r"[A-Z]?[a-z]{2,}", name)}
    assert shape(masked(usual(OTHER), OTHER, *words)) == tags


def test_an_invented_element_is_no_name_unless_it_names_somebody() -> None:
    """The text in it stays, whatever becomes of the name."""
    body = "<w:p><w:r><w:ZuzuBody>salt</w:ZuzuBody><w:t>bread</w:t></w:r><w:pageBody>rain</w:pageBody></w:p>"
    part = entries(masked(build(paragraph(OTHER) + body), OTHER, "Body"))["word/document.xml"]
    assert b"Zuzu" not in part
    assert b"<w:body>" in part
    assert b"pageBody" in part
    assert sorted("".join(etree.fromstring(part).itertext("*")).split()) == ["***saltbreadrain"]
