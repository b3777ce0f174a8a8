"""Text documents of OpenDocument: every string is text or swept, changes are accepted."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from typing import Any

from odf import dc, draw, meta, office, style, svg, table, text
from odf.opendocument import OpenDocumentText, load

from tacenda import documents
from tacenda.documents.pictures import blank_picture
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tests.examples import for_each

from . import conftest
from .building_docx import entries
from .conftest import mask_strings
from .test_docx_planted import SPELLINGS, survivors
from .test_pptx import with_entries

NAME = "Galip Yalman"
PLACES = (
    "heading", "cell", "box", "alternative", "footnote", "comment", "header", "link", "document", "variable"
)  # fmt: skip


def document(said: str = "Salt and bread") -> Any:
    """Return a document with a string in every place that a user can write in."""
    new = OpenDocumentText()
    own = style.Style(name="Loud", family="text")
    own.addElement(style.TextProperties(fontweight="bold"))
    new.automaticstyles.addElement(own)
    new.text.addElement(text.H(outlinelevel=1, text=f"heading {said}"))
    split = text.P(text="")
    first, _, rest = said.partition(" ")
    split.addElement(text.Span(stylename=own, text=first))
    split.addElement(text.S())
    split.addText(rest)
    note = text.Note(noteclass="footnote")
    note.addElement(text.NoteCitation(text="1"))
    body = text.NoteBody()
    body.addElement(text.P(text=f"footnote {said}"))
    note.addElement(body)
    split.addElement(note)
    remark = office.Annotation()
    remark.addElement(dc.Creator(text=said))
    remark.addElement(dc.Date(text="2020-01-01T00:00:00"))
    remark.addElement(text.P(text=f"comment {said}"))
    split.addElement(remark)
    new.text.addElement(split)
    grid = table.Table(name="Table1")
    row = table.TableRow()
    cell = table.TableCell()
    cell.addElement(text.P(text=f"cell {said}"))
    row.addElement(cell)
    grid.addElement(row)
    new.text.addElement(grid)
    frames = text.P()
    frame = draw.Frame(name=said, width="5cm", height="2cm", anchortype="paragraph")
    frame.addElement(svg.Title(text=f"alternative {said}"))
    box = draw.TextBox()
    box.addElement(text.P(text=f"box {said}"))
    frame.addElement(box)
    frames.addElement(frame)
    picture = draw.Frame(name="Picture", width="1cm", height="1cm")
    place = new.addPictureFromString(blank_picture(), "image/png")
    picture.addElement(draw.Image(href=place))
    frames.addElement(picture)
    new.text.addElement(frames)
    linked = text.P()
    linked.addElement(text.A(href=f"https://example.org/?q={said.replace(' ', '+')}", text=f"link {said}"))  # fmt: skip
    linked.addElement(text.BookmarkStart(name=said))
    linked.addElement(text.BookmarkEnd(name=said))
    linked.addElement(text.BookmarkRef(refname=said, text="above"))
    new.text.addElement(linked)
    decls = text.UserFieldDecls()
    decls.addElement(text.UserFieldDecl(name="v", valuetype="string", stringvalue=f"variable {said}"))  # fmt: skip
    new.text.addElement(decls)
    page = style.PageLayout(name="Page")
    new.automaticstyles.addElement(page)
    master = style.MasterPage(name="Standard", pagelayoutname=page)
    head = style.Header()
    head.addElement(text.P(text=f"header {said}"))
    master.addElement(head)
    new.masterstyles.addElement(master)
    new.meta.addElement(dc.Title(text=f"document {said}"))
    new.meta.addElement(meta.InitialCreator(text=said))
    new.meta.addElement(meta.UserDefined(name=said, text=said))
    return new


def saved(new: Any) -> bytes:
    """Return the file of a document."""
    stream = io.BytesIO()
    new.save(stream)
    return stream.getvalue()


items_of = partial(conftest.items_of, format="odt")
sanitized = partial(conftest.sanitized, format="odt", name=NAME)


def test_a_document_without_personal_data_comes_back() -> None:
    """Its text, styles, table, note and picture, by another reader."""
    data = saved(document())
    (record,) = items_of(data)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    before, after = load(io.BytesIO(data)), load(io.BytesIO(output.getvalue()))
    for kind in (text.P, text.H, text.Span, text.Note, table.TableCell, draw.Image, text.A):
        texts = [[str(item) for item in each.getElementsByType(kind)] for each in (before, after)]
        if kind is text.P:
            texts = [[line.replace("2020-01-01T00:00:00", "").replace("Salt and breadcomment", "Author 1comment")
                      for line in each] for each in texts]  # fmt: skip
        assert texts[0] == texts[1]
    (span,) = after.getElementsByType(text.Span)
    assert span.getAttribute("stylename") == "Loud"
    assert entries(output.getvalue())["mimetype"] == b"application/vnd.oasis.opendocument.text"
    with zipfile.ZipFile(output) as archive:
        first = archive.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)


def test_every_place_is_read_as_text() -> None:
    """And a name over a style and a space of its own is one."""
    (record,) = items_of(saved(document(NAME)))
    for place in PLACES:
        assert f"{place} {NAME}" in record.document.text
    assert f"\n{NAME}\n" in record.document.text


@for_each("spelling", SPELLINGS)
def test_a_name_is_written_nowhere(spelling: str) -> None:
    """In whatever place and spelling it stands, with all that a file carries along."""
    new = document(spelling)
    new.text.addElement(text.P(text=f"About {NAME}."))
    plain = spelling.replace("&", "")
    changed = (
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion><office:change-info>"
        f"<dc:creator>{plain}</dc:creator></office:change-info><text:p>deleted {plain}</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        f"<text:p text:style-name='{plain}'>kept<text:change text:change-id='c1'/></text:p>"
        f"<x:y xmlns:x='http://example.org/{plain.replace(' ', '')}' x:z='{plain}'>unknown {plain}</x:y>"
    )
    files = {
        "settings.xml": plain.encode(),
        "Thumbnails/thumbnail.png": plain.encode(),
        f"Pictures/{plain}.svg": plain.encode(),
        "Configurations2/x.xml": plain.encode(),
        "manifest.rdf": plain.encode(),
    }
    data = with_entries(
        saved(new), files, {"content.xml": ("</office:text>", f"{changed}</office:text>")}
    )
    try:
        output = sanitized(data)
    except LeakError as error:
        raise AssertionError(f"{spelling!r} was refused: {error}") from error
    assert survivors(output) == []
    content = entries(output)["content.xml"]
    assert b"kept" in content
    assert b"unknown" in content
    assert b"deleted" not in content
    assert b"Author 1" in content
    load(io.BytesIO(output))


def test_a_bookmark_is_found_by_its_new_name() -> None:
    """Wherever it is named."""
    output = load(io.BytesIO(sanitized(saved(document(NAME)))))
    (start,) = output.getElementsByType(text.BookmarkStart)
    (reference,) = output.getElementsByType(text.BookmarkRef)
    assert start.getAttribute("name") == reference.getAttribute("refname") == "bookmark1"


def test_embedded_objects_are_removed_and_named() -> None:
    """And pictures that can hold text are blank."""
    new = OpenDocumentText()
    line = text.P(text="Look: ")
    frame = draw.Frame(width="1cm", height="1cm")
    frame.addElement(draw.Object(href="./Object 1"))
    frame.addElement(draw.Image(href="./ObjectReplacements/Object 1"))
    line.addElement(frame)
    new.text.addElement(line)
    data = with_entries(saved(new), {"Object 1/content.xml": NAME.encode()}, {})
    (record,) = items_of(data)
    assert "1 embedded object, sound or film was removed" in " ".join(record.notes)
    assert "1 picture is covered" in " ".join(record.notes)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    assert set(entries(output.getvalue())) == {
        "mimetype", "content.xml", "styles.xml", "meta.xml", "Pictures/blank.png", "META-INF/manifest.xml"
    }  # fmt: skip


def _changed(place: str, content: bytes) -> bytes:
    return with_entries(saved(document()), {place: content}, {})


def _bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", bytes(40_000_000))
    return stream.getvalue()


@for_each(
    ("data", "reason"),
    [
        (b"", "is not a valid .odt"),
        (saved(document())[:2000], "damaged"),
        (_bomb(), "when unpacked"),
        (
            _changed("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
            "is not a valid .odt",
        ),
        (_changed("META-INF/manifest.xml", b"<x><manifest:encryption-data/></x>"), "password"),
        (_changed("content.xml", b"<x>"), "not well-formed"),
        (_changed("content.xml", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'), "document type"),
    ],
)
def test_what_is_no_document_is_an_error(data: bytes, reason: str) -> None:
    """It says why and the way out."""
    (failure,) = items_of(data)
    assert isinstance(failure, documents.Failure)
    assert reason in str(failure.error)
