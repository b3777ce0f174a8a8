""".docx that are none, or that mean harm: an error that says what to do, and no more."""

from __future__ import annotations

import io
import re
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents

from .building_docx import build, paragraph, relationships

pytest.importorskip("lxml.etree")


def error_of(data: bytes) -> str:
    """Return the message of the error that reading ends in."""
    (item,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(item, documents.Failure), item
    return str(item.error)


def archive(**entries: bytes) -> bytes:
    """Return a ZIP archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in entries.items():
            target.writestr(name, data)
    return stream.getvalue()


_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
_FILE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a valid .docx"),
        (b"Galip Yalman", "not a valid .docx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        (b"PK\x03\x04 and no more", "damaged"),
        (archive(a=b"b"), "no list of content types"),
        (build("", main="template.main+xml"), "save it as .docx"),
        (build("", main="../ms-word.document.macroEnabled.main+xml"), "macros"),
        (build("", files={"word/document.xml": b"<w:document"}), "not well-formed"),
        (build("", files={"word/document.xml": _LAUGHS}), "document type"),
        (build("", files={"word/document.xml": _FILE}), "document type"),
        (build("", files={"word/document.xml": _FILE.decode().encode("utf-16")}), "document type"),
        (build("", files={"_rels/.rels": relationships()}), "no main document part"),
        (build("", ties=(("r1", "aFChunk", "a.html"),), files={"word/a.html": b"x"}), "altChunk"),
        (
            build("", files={"word/document.xml": b'<a xmlns="http://purl.oclc.org/ooxml/x"/>'}),
            "Strict",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_can_not_be_read_says_why(data: bytes, message: str) -> None:
    """Each is an error with its reason and the way out."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        data = _last_wins(data)
    assert message in error_of(data)


def _last_wins(data: bytes) -> bytes:
    """Return the archive with the last of the entries that have one name."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        return archive(**{name: source.read(name) for name in source.namelist()})


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    """What an entry says of its size is enough to refuse it."""
    data = build(paragraph("x"), files={"word/big.xml": b" " * 40_000_000})
    assert len(data) < 100_000
    assert "unpacked" in error_of(data)


def test_an_entry_larger_than_it_says_is_damaged() -> None:
    """An archive that lies about a size is not believed."""
    bomb = archive(**{"word/big.xml": b" " * 1_000_000})
    lie = bomb.replace(struct.pack("<I", 1_000_000), struct.pack("<I", 1_000))
    assert lie != bomb
    assert "damaged" in error_of(lie)


def test_entries_by_one_name_are_refused() -> None:
    """Which of two entries is read must not depend on the reader."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        target.writestr("a.xml", b"1")
        target.writestr("A.xml", b"2")
    assert "duplicate" in error_of(stream.getvalue())


def test_an_encrypted_entry_is_refused() -> None:
    """An archive with a password is none that can be read."""
    data = bytearray(archive(a=b"b"))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    assert "password" in error_of(bytes(data))


def test_deep_nesting_is_an_error() -> None:
    """A tree too deep for the parser is not read."""
    assert "not well-formed" in error_of(build("<w:p>" * 5_000 + "</w:p>" * 5_000))


def test_paths_out_of_the_archive_lead_nowhere() -> None:
    """A relationship to ``../../etc/passwd`` finds no part, and nothing is written to disk."""
    data = build(paragraph("x"), ties=(("r1", "header", "../../../../etc/passwd"),))
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "x\n"


_WHOLE = build(paragraph("Galip Yalman"), {"header": paragraph("Galip")})


@given(
    place=st.integers(0, len(_WHOLE) - 1), byte=st.integers(0, 255), end=st.integers(0, len(_WHOLE))
)
def test_damage_never_ends_in_a_traceback(place: int, byte: int, end: int) -> None:
    """A changed byte or a cut-off end is read, or is an error that quotes no text."""
    changed = bytearray(_WHOLE)
    changed[place] = byte
    for data in (bytes(changed), _WHOLE[:end]):
        for item in documents.read("-", "docx", stdin=io.BytesIO(data)):
            if isinstance(item, documents.Failure):
                assert not re.search("Galip|Yalman", str(item.error))


_MARK = '<w:pPr><w:rPr><w:del w:author="x"/></w:rPr></w:pPr>'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<w:p>{_MARK}<w:r><w:t>a</w:t></w:r></w:p>" * 20_000, "a" * 20_000 + "\n\n"),
        ('<w:ins w:author="x"><w:p/></w:ins>' * 20_000, "\n" * 20_000),
    ],
)
def test_tracked_changes_take_linear_time(body: str, text: str) -> None:
    """Thousands of paragraphs joined into one, or inserted one by one, are read at once."""
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(build(body)))
    assert isinstance(record, documents.SourceDocument), record
    assert record.document.text == text
