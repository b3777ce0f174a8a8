"""A name in every place that a .docx has, in every spelling: what is written holds it nowhere."""

from __future__ import annotations

import html
import io
import re
import zipfile
import zlib
from itertools import product
from unicodedata import combining, normalize
from urllib.parse import unquote

import pytest

from tacenda import documents
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.examples import for_each

from .building_docx import build, entries, paragraph

docx = pytest.importorskip("docx")
pytest.importorskip("lxml.etree")

NAME = "Galip Yalman"
SPELLINGS = ("Galip Yalman", "GALIP YALMAN", "GalipYalman", "galip-yalman", "Galip_Yalman", "Yalman",
             "Galip%20Yalman", "Gal&#xEF;p Yalman")  # fmt: skip
TOKENS = ("GalipYalman", "galip-yalman", "galip_yalman")

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RUN = "<w:r><w:t>x</w:t></w:r>"
BODIES = {
    "style of a paragraph": f'<w:p><w:pPr><w:pStyle w:val="{{}}"/></w:pPr>{_RUN}</w:p>',
    "id of a shape": '<w:p><w:r><w:pict><v:shape id="{}" o:spid="{}" alt="{}"/></w:pict></w:r></w:p>',
    "type of a shape": '<w:p><w:r><w:pict><v:shapetype id="{}"/><v:shape type="#{}"/></w:pict></w:r></w:p>',
    "style of a shape": '<w:p><w:r><w:pict><v:shape style="width:1pt;{}"/></w:pict></w:r></w:p>',
    "unknown attribute": '<w:p w:unknown="{}"><w:r plain="{}"><w:t>x</w:t></w:r></w:p>',
    "unknown element": '<w:p><w:thing w:val="{}">{}</w:thing></w:p>',
    "picture": '<w:p><w:r><w:drawing><wp:docPr id="1" name="{}" descr="{}" title="{}"/></w:drawing></w:r></w:p>',
    "position": "<w:p><w:r><w:drawing><wp:posOffset>{}</wp:posOffset></w:drawing></w:r></w:p>",
    "hyperlink": f'<w:p><w:hyperlink w:anchor="{{}}" w:tooltip="{{}}" w:docLocation="{{}}" w:tgtFrame="{{}}">{_RUN}'
    "</w:hyperlink></w:p>",
    "bookmark": '<w:p><w:bookmarkStart w:id="1" w:name="{}"/><w:bookmarkEnd w:id="1"/></w:p>',
    "content control": '<w:sdt><w:sdtPr><w:alias w:val="{}"/><w:tag w:val="{}"/><w:id w:val="{}"/><w:placeholder>'
    '<w:docPart w:val="{}"/></w:placeholder><w:dataBinding w:xpath="{}"/><w15:color w:val="{}"/></w:sdtPr>'
    "<w:sdtContent><w:p/></w:sdtContent></w:sdt>",
    "tracked change": f'<w:p w:rsidR="{{}}"><w:ins w:id="1" w:author="{{}}" w:date="{{}}">{_RUN}</w:ins></w:p>',
    "font": '<w:p><w:r><w:rPr><w:rFonts w:ascii="{}" w:cs="{}"/><w:lang w:val="{}"/></w:rPr><w:t>x</w:t></w:r></w:p>',
    "fallback": "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='w14'><w:t>{}</w:t></mc:Choice>"
    "<mc:Fallback><w:t>{}</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>",
    "form field": '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="{}"/><w:helpText w:val="{}"/>'
    '<w:entryMacro w:val="{}"/><w:textInput><w:default w:val="{}"/></w:textInput></w:ffData></w:fldChar></w:r></w:p>',
    "frame": '<w:p><w:pPr><w:divId w:val="{}"/><w:framePr w:name="{}"/></w:pPr></w:p>',
    "table": '<w:tbl><w:tblPr><w:tblStyle w:val="{}"/><w:tblCaption w:val="{}"/><w:tblDescription w:val="{}"/></w:tblPr>'
    "<w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
    "permission": '<w:p><w:permStart w:id="1" w:ed="{}" w:edGrp="{}"/></w:p>',
    "smart art": '<w:p><w:r><w:drawing><a:graphicData uri="{}"><dgm:relIds r:dm="{}"/></a:graphicData></w:drawing></w:r></w:p>',
    "symbol": '<w:p><w:r><w:sym w:font="{}" w:char="F0"/></w:r></w:p>',
    "bidi and ruby": "<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>{}</w:t></w:r></w:rt><w:rubyBase>"
    "<w:r><w:t>x</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
}
_FIELDS = ("HYPERLINK", "MERGEFIELD", "INCLUDEPICTURE", "TC", "XE", "REF", "ADDIN", "MACROBUTTON", "DOCVARIABLE",
           "LINK Word.Document.8", "SEQ", "AUTOTEXT", "DATABASE \\\\d")  # fmt: skip
for _field in _FIELDS:
    BODIES[f"field {_field}"] = (
        f'<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> {_field} "{{}}" \\\\* {{}} </w:instrText>'
        f'</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr=" {_field} {{}}"/></w:p>'
    )
PARTS = {
    "styles": '<w:style w:styleId="{}" w:customStyle="1"><w:name w:val="{}"/><w:aliases w:val="{}"/><w:basedOn w:val="{}"/>'
    '<w:next w:val="{}"/><w:link w:val="{}"/></w:style><w:latentStyles><w:lsdException w:name="{}"/></w:latentStyles>',
    "settings": '<w:attachedTemplate r:id="rId1"/><w:docVars><w:docVar w:name="{}" w:val="{}"/></w:docVars><w:mailMerge>'
    '<w:query w:val="{}"/></w:mailMerge><w:themeFontLang w:val="{}"/><w:defaultTableStyle w:val="{}"/><w:decimalSymbol '
    'w:val="{}"/><w:captions><w:caption w:name="{}"/></w:captions><w:clickAndTypeStyle w:val="{}"/>',
    "numbering": '<w:abstractNum w:abstractNumId="1"><w:name w:val="{}"/><w:styleLink w:val="{}"/><w:nsid w:val="{}"/>'
    '<w:lvl w:ilvl="0"><w:lvlText w:val="{}"/><w:pStyle w:val="{}"/></w:lvl></w:abstractNum>',
    "fontTable": '<w:font w:name="{}"><w:altName w:val="{}"/><w:panose1 w:val="{}"/></w:font>',
    "comments": '<w:comment w:id="1" w:author="{}" w:initials="{}" w:date="{}"><w:p/></w:comment>',
    "header": '<w:p><w:pPr><w:pStyle w:val="{}"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>',
    "footnotes": '<w:footnote w:id="1"><w:p w:x="{}"/></w:footnote>',
    "chart": '<c:chart c:x="{}"><c:v>{}</c:v><c:formatCode>{}</c:formatCode><c:f>{}!$A$1</c:f><c:numCache><c:pt><c:v>{}'
    '</c:v></c:pt></c:numCache></c:chart><c:externalData r:id="{}"/>',
    "theme": '<a:themeElements><a:fontScheme name="{}"><a:latin typeface="{}"/></a:fontScheme></a:themeElements>',
    "diagramData": '<dgm:pt modelId="{}"><dgm:prSet loTypeId="urn:{}" phldrT="{}"/></dgm:pt>',
    "glossaryDocument": '<w:docParts><w:docPart><w:docPartPr><w:name w:val="{}"/><w:category><w:name w:val="{}"/></w:category>'
    "</w:docPartPr></w:docPart></w:docParts>",
    "people": '<w:person w:author="{}"/>',
    "webSettings": '<w:div w:id="{}"/>',
    "customXml": "<w:x>{}</w:x>",
}
# Of documents written by hand: names where the format has only words of its own.
TOKENED = {
    "name of an element": f"<w:p><w:{{0}}>{_RUN}</w:{{0}}></w:p>",
    "name of an attribute": f'<w:p {{0}}="1" w:{{0}}="1">{_RUN}</w:p>',
    "prefix": f'<w:p xmlns:{{0}}="{_W}" {{0}}:rsid="1" {{0}}:x="1">{_RUN}</w:p>',
    "ignorable prefix": '<w:p xmlns:{0}="http://schemas.microsoft.com/office/word/2010/wordml" mc:Ignorable="{0}" {0}:a="1"/>',
    "namespace": '<w:p xmlns:y="http://schemas.microsoft.com/office/{0}/2010" y:a="1"><y:b>x</y:b></w:p>',
    "unused namespace": '<w:p xmlns:y="http://schemas.openxmlformats.org/{0}"/>',
}
_MORE = (
    ' xmlns:o="urn:schemas-microsoft-com:office:office"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    ' xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
)


def planted(place: str, spelling: str) -> bytes:
    """Return a document about somebody, whose name stands in one more place, spelt otherwise."""
    said = html.unescape(spelling)
    body, parts, ties, files = paragraph(f"About {NAME}."), {}, (), {}
    if place in BODIES:
        body += BODIES[place].replace("{}", spelling)
    elif place in TOKENED:
        body += TOKENED[place].replace("{0}", said)
    elif place in PARTS:
        parts = {place: PARTS[place].replace("{}", spelling)}
    elif place == "address":
        ties = (("rId9", "hyperlink", f"https://example.org/{spelling}?a={spelling}#{spelling}"),)
    elif place == "picture":
        ties = (("rId9", "image", f"media/{spelling}.png"),)
    elif place == "name of a part":
        ties = ((said, "header", f"{spelling}.xml"),)
        files = {f"word/{said}.xml": f'<w:hdr xmlns:w="{_W}">{paragraph("x")}</w:hdr>'.encode()}
    elif place == "embedded font":
        ties = (("rId9", "font", "fonts/a.odttf"),)
        files = {"word/fonts/a.odttf": said.encode() + said.encode("utf-16-le")}
    elif place == "properties":
        files = {
            "docProps/core.xml": '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/'
            'metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title x="{}">{}</dc:title>'
            "<cp:keywords>{}</cp:keywords><cp:category>{}</cp:category></cp:coreProperties>".replace(
                "{}", spelling
            ).encode()
        }
    data = build(body, parts, ties, files)
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(output, "w") as new:
        for item in old.namelist():
            content = old.read(item)
            if b"xmlns:w=" in content and b"xmlns:mc=" not in content:
                content = content.replace(b" xmlns:w=", _MORE.encode() + b" xmlns:w=", 1)
            new.writestr(item, content)
        if place == "archive":
            new.comment = said.encode()
    return output.getvalue()


def folded(text: str) -> str:
    """Return the letters and digits of a string, as if all of it had been decoded."""
    for _ in range(3):
        text = unquote(html.unescape(text))
    decomposed = normalize("NFKD", text).casefold()
    return "".join(c for c in decomposed if c.isalnum() and not combining(c))


def survivors(data: bytes) -> list[str]:
    """Return the entries of an archive in which the name still stands, in whatever spelling."""
    left = []
    for name, content in {**entries(data), "": b""}.items():
        texts = [name, content.decode("utf-8", "replace"), content.decode("utf-16-le", "replace")]
        # As it reads over the borders of elements.
        texts.append(re.sub(r"<[^>]*>", "", texts[1]))
        texts += [zlib.decompress(content).decode("latin-1")] if content[:1] == b"\x78" else []
        if any("yalman" in folded(text) for text in texts):
            left.append(name)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.comment:
            left.append("comment")
    return left


def sanitized(data: bytes) -> bytes:
    """Return a document without one person, under a policy that knows the name alone."""
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument), record
    policy = Policy(recognizer=False, threshold=0.5, target=(NAME,))
    (result,) = Sanitizer(policy, None, 0.5).pipe([record.document])
    output = io.BytesIO()
    writer("same", output).write(record, result)
    return output.getvalue()


FURTHER = ("address", "picture", "name of a part", "embedded font", "properties", "archive")
READ = ("unknown element", "fallback", "bidi and ruby", "header", "chart", "properties")
"""Places whose strings are text, which is searched by whole words."""
PLANTS = [
    *product({*BODIES, *PARTS, *FURTHER} - {*READ}, ("galipyalmancv", "xYALMANx")),
    *product((*BODIES, *PARTS, *FURTHER), SPELLINGS),
    *product(TOKENED, TOKENS),
]


@for_each("place", sorted({place for place, _ in PLANTS}))
def test_a_planted_name_is_written_nowhere(place: str) -> None:
    """It is struck out wherever it stands; nothing is refused but text that can't be told."""
    for spelling in (spelling for other, spelling in PLANTS if other == place):
        try:
            output = sanitized(planted(place, spelling))
        except LeakError as error:
            raise AssertionError(f"{spelling!r} was refused: {error}") from error
        assert survivors(output) == [], spelling
        docx.Document(io.BytesIO(output))


def test_what_is_renamed_is_found_by_its_new_name() -> None:
    """Styles that tell have other names, one each, wherever they are used."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="{name}"/></w:style>'
        for id, name in (
            ("GalipYalman1", "Galip Yalman 1"),
            ("GalipYalman2", "Galip Yalman 2"),
            ("Quote", "Quote"),
        )
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{id}"/></w:pPr><w:r><w:t>{NAME}</w:t></w:r></w:p>'
        for id in ("GalipYalman1", "GalipYalman2", "Quote")
    )
    output = sanitized(build(body, {"styles": styles}))
    paragraphs = docx.Document(io.BytesIO(output)).paragraphs
    ids = [paragraph.style.style_id for paragraph in paragraphs]
    names = [paragraph.style.name for paragraph in paragraphs]
    assert (ids[2], names[2]) == ("Quote", "Quote")
    assert len({*ids}) == len({*names}) == 3
    assert not any("yalman" in folded(name) for name in (*ids, *names))


def test_a_document_that_names_nobody_stays_as_it_was() -> None:
    """Its styles, fonts, ids and prefixes are none of a sanitizer's business."""
    document = docx.Document()
    document.add_heading("Minutes", 1)
    document.add_paragraph("The meeting began.", style="List Bullet")
    document.add_table(2, 2, style="Table Grid")
    stream = io.BytesIO()
    document.save(stream)
    again = docx.Document(io.BytesIO(sanitized(stream.getvalue())))
    assert [each.style.name for each in again.paragraphs] == ["Heading 1", "List Bullet"]
    assert [each.name for each in again.styles] == [each.name for each in document.styles]
    assert again.tables[0].style.name == "Table Grid"


def test_of_two_versions_of_a_content_each_is_read_alone() -> None:
    """A word processor shows a choice or its fallback, so that a name is not joined over both."""
    inside = (
        "<mc:Choice Requires='w14'><w:t>Galip </w:t></mc:Choice>"
        "<mc:Fallback><w:t>Galip </w:t></mc:Fallback>"
    )
    body = f"<w:p {_MORE}><w:r><mc:AlternateContent>{inside}</mc:AlternateContent></w:r></w:p>"
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(build(body)))
    assert isinstance(record, documents.SourceDocument)
    assert "Galip Galip" not in record.document.text
