"""Text documents of OpenDocument (.odt, ISO/IEC 26300), read and written in place; extra ``documents``.

Text are paragraphs and headings, tables, text boxes, headers and footers, notes, comments, fields, links,
alternative texts, and the title of the document. What is written are the parts ``content.xml``,
``styles.xml`` and ``meta.xml`` with the content below, and pictures; no other part of the archive.

| content | becomes |
|---|---|
| tracked changes | accepted |
| authors of comments | ``Author 1``; the dates go |
| names of bookmarks and frames | ``bookmark1``, ``Object 1``, wherever they are named |
| scripts, connections to data, marks of editing, elements of other vocabularies | gone, text in them stays |
| embedded objects, applets, films | gone, and named |
| pictures | as in a .docx |
| properties other than title, subject, keywords, description and language; settings; thumbnails | gone |
"""

from __future__ import annotations

import base64
import binascii
import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import quote, unquote

from ..document import Document
from ..errors import InputError
from ..result import Result
from .completeness import require_whole
from .docx import UNWRITABLE, edited_strings, picture_notes
from .docx.package import Element, local_name, parse, read_entries, remove, unwrap, write
from .docx.sweeping import Sweep
from .docx.text import Kind, Line, Piece, Place
from .formats import ContainerFormat, Passage
from .names import NameScrubber
from .pictures import blank_picture, strip_picture
from .record import Extraction, Origin, Slot, SourceDocument, plain, source_edits

_MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:"
_T, _O, _D = f"{_ODF}text:1.0}}", f"{_ODF}office:1.0}}", f"{_ODF}drawing:1.0}}"
_META = f"{_ODF}meta:1.0}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_KNOWN = (_ODF, _DC, "{http://www.w3.org/1999/xlink}", "{http://www.w3.org/XML/1998/namespace}")
_PARTS = ("content.xml", "styles.xml", "meta.xml")
_PARAGRAPHS = (f"{_T}p", f"{_T}h")
_ASIDE = frozenset("note annotation frame custom-shape text-box note-citation ruby-text".split())
"""Elements within a paragraph whose text stands elsewhere on the page."""
_REMOVED = frozenset(
    """
    tracked-changes change change-start change-end scripts event-listeners dde-source
    dde-connection-decls database-source meta-generator date-string creator-initials
    sender-initials
    """.split()
)
_OBJECTS = frozenset("object object-ole applet plugin floating-frame".split())
_PROPERTIES = (
    f"{_DC}title",
    f"{_DC}subject",
    f"{_DC}description",
    f"{_DC}language",
    f"{_META}keyword",
)
_MARKS = frozenset("bookmark bookmark-start reference-mark reference-mark-start".split())
_MARK_ENDS = frozenset("bookmark-end reference-mark-end".split())
_TEXTS = frozenset(
    """
    string-value title label value current-value description formula condition help-text prompt
    address annote author booktitle chapter custom1 custom2 custom3 custom4 custom5 edition editor
    howpublished identifier institution isbn issn journal key1 key2 month note number organizations
    pages publisher report-type school series url volume year cell-address target-frame-name
    string-value-if-true string-value-if-false string-value-phonetic key1-phonetic key2-phonetic
    """.split()
)
"""Attributes, by local name, that a reader may see, or that compute what is seen."""
_NUMBER = re.compile(r"[-+0-9.,:%a-z]{0,12}")
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel|sms):|#", re.IGNORECASE)
_SCHEME = re.compile(r"(?:mailto|tel|sms):", re.IGNORECASE)
_NOWHERE = "about:blank"
_EPOCH = (1980, 1, 1, 0, 0, 0)


class Odt(ContainerFormat):
    """A text document, ``.odt``."""

    extensions = (".odt",)

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
        """Yield the one document of a file.

        Raises:
            InputError: if it is none, encrypted, damaged or too large.
        """
        yield _read(stream, origin)

    def strings(self, data: bytes, encoding: str) -> Sequence[Passage]:
        """Return the strings of all parts."""
        from .inspection.odt import parts

        return list(parts(data))


def _read(stream: BinaryIO, origin: Origin) -> SourceDocument:
    opened = _Opening(read_entries(stream, origin.name, ".odt"), origin.name)
    container = _Container(tuple(opened.parts.items()), tuple(opened.pictures.items()))
    text, source, slots = _extracted(container.roots(origin.name))
    kept = len(opened.pictures) - (opened.blanked > 0)
    notes = tuple(picture_notes(kept, opened.blanked, opened.removed))
    document = Document(origin.name, text)
    return SourceDocument(document, origin, source, slots, container=container, notes=notes)


class _Opening:
    """An archive on the way to its cleaned parts.

    Attributes:
        parts: the XML parts by their name.
        pictures: the pictures by their new name.
        blanked: number of pictures replaced by a blank one.
        removed: number of embedded objects.
    """

    def __init__(self, entries: dict[str, bytes], name: str) -> None:
        self._name = name
        self._entries = entries
        self.parts: dict[str, bytes] = {}
        self.pictures: dict[str, bytes] = {}
        self.blanked = self.removed = 0
        self._authors: dict[str, int] = {}
        self._marks: dict[str, str] = {}
        self._places: dict[str, str] = {}
        self._objects = 0
        if entries.get("mimetype", b"").strip() != _MEDIA_TYPE.encode():
            raise InputError(
                "is no .odt: it does not say that it is a text document; save it as .odt.", name
            )
        if b"encryption-data" in entries.get("META-INF/manifest.xml", b""):
            raise InputError("is protected by a password; save it without one.", name)
        if "content.xml" not in entries:
            raise InputError("is no .odt: it has no content; open it and save it anew.", name)
        roots = {part: parse(entries[part], part, name) for part in _PARTS if part in entries}
        for root in roots.values():
            self._collect(root)
        for part, root in roots.items():
            if part == "meta.xml":
                _keep_properties(root)
            self._clean(root)
            self.parts[part] = write(root)

    def _collect(self, root: Element) -> None:
        for element in root.iter(f"{_T}*"):
            if local_name(element) in _MARKS and element.get(f"{_T}name"):
                self._marks.setdefault(element.get(f"{_T}name"), f"bookmark{len(self._marks) + 1}")

    def _clean(self, root: Element) -> None:
        for element in list(root.iter()):
            name = local_name(element)
            if element is root:
                continue
            if name in _OBJECTS:
                self.removed += 1
                remove(element)
            elif name in _REMOVED or (
                name == "date"
                and element.getparent() is not None
                and local_name(element.getparent()) == "annotation"
            ):
                remove(element)
            elif not str(element.tag).startswith(_KNOWN):
                _open_up(element)
        for element in root.iter():
            self._attributes(element)
            if element.tag == f"{_DC}creator":
                author = "".join(element.itertext())
                for child in list(element):
                    remove(child)
                number = self._authors.setdefault(author, len(self._authors) + 1)
                element.text = f"Author {number}"
            elif element.tag == f"{_O}binary-data":
                element.text = base64.b64encode(self._inline(element.text or "")).decode()

    def _attributes(self, element: Element) -> None:
        name = local_name(element)
        for key in list(element.attrib):
            local = key.rpartition("}")[2]
            value = element.get(key)
            if key.startswith("{") and not key.startswith(_KNOWN):
                del element.attrib[key]
            elif key == _LINK:
                element.set(key, self._address(element, value))
            elif key == f"{_D}name":
                self._objects += 1
                element.set(key, f"Object {self._objects}")
            elif (local == "name" and name in _MARKS | _MARK_ENDS) or local == "ref-name":
                element.set(key, self._marks.get(value, value))

    def _address(self, element: Element, value: str) -> str:
        if local_name(element) in ("image", "background-image", "fill-image"):
            return self._picture(value)
        if not _ADDRESS.match(value):
            return _NOWHERE
        return f"#{self._marks.get(value[1:], value[1:])}" if value.startswith("#") else value

    def _picture(self, place: str) -> str:
        """Return the new name of a picture; the blank one's if it can't be kept."""
        key = posixpath.normpath(unquote(place))
        if key not in self._places:
            stripped = strip_picture(self._entries.get(key, b""))
            if stripped is None:
                self.blanked += 1
                self.pictures["Pictures/blank.png"] = blank_picture()
                return "Pictures/blank.png"
            data, extension = stripped
            self._places[key] = f"Pictures/picture{len(self._places) + 1}.{extension}"
            self.pictures[self._places[key]] = data
        return self._places[key]

    def _inline(self, text: str) -> bytes:
        try:
            stripped = strip_picture(base64.b64decode(text))
        except (binascii.Error, ValueError):
            stripped = None
        if stripped is None:
            self.blanked += 1
            return blank_picture()
        return stripped[0]


def _keep_properties(root: Element) -> None:
    for group in list(root):
        for element in list(group):
            if element.tag not in _PROPERTIES or len(element):
                remove(element)


def _open_up(element: Element) -> None:
    """Put text and children of an element of another vocabulary in its place."""
    text = element.text or ""
    if text.strip():
        previous, parent = element.getprevious(), element.getparent()
        if previous is None:
            parent.text = (parent.text or "") + text
        else:
            previous.tail = (previous.tail or "") + text
    unwrap(element)


@dataclass(frozen=True, slots=True)
class _Container:
    """The parts of a document, ready to take other strings."""

    parts: tuple[tuple[str, bytes], ...] = field(repr=False)
    pictures: tuple[tuple[str, bytes], ...] = field(repr=False)

    def roots(self, name: str) -> dict[str, Element]:
        """Return the trees of the parts, open to change."""
        return {part: parse(data, part, name) for part, data in self.parts}

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the archive with the edits made, and masked names struck out elsewhere.

        Raises:
            InputError: if text is missing in it.
        """
        roots = self.roots(record.origin.name)
        places = [place for root in roots.values() for place in _Reader(root).places]
        before = [place.read() for place in places]
        forms = NameScrubber.of(sanitized)
        for place, old, new in zip(
            places, before, edited_strings(before, source_edits(record, sanitized)), strict=True
        ):
            if place.attribute == _LINK:
                new = forms.redact(new)
            if new != old:
                place.write(UNWRITABLE.sub("\ufffd", new))
        sweep = Sweep(forms)
        parts = {part: write(sweep.part(root)) for part, root in roots.items()}
        data = _zipped({**parts, **dict(self.pictures)})
        again = _read(io.BytesIO(data), record.origin)
        require_whole(record, sanitized, again.document.text)
        return data


def _zipped(parts: dict[str, bytes]) -> bytes:
    lines = [f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MEDIA_TYPE}"/>']
    for name in parts:
        ending = name.rpartition(".")[2]
        type_ = "text/xml" if ending == "xml" else f"image/{ending}"
        lines.append(
            f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{type_}"/>'
        )
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest='
        f'"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">{"".join(lines)}'
        "</manifest:manifest>"
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        # The media type comes first, and not compressed (Part 2, section 3.3).
        archive.writestr(zipfile.ZipInfo("mimetype", _EPOCH), _MEDIA_TYPE)
        for name, data in {**parts, "META-INF/manifest.xml": manifest.encode()}.items():
            item = zipfile.ZipInfo(name, _EPOCH)
            item.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(item, data)
    return stream.getvalue()


class _Reader:
    """Reader of a part: its strings in order, and the lines that they make."""

    def __init__(self, root: Element) -> None:
        self.places: list[Place] = []
        self.lines: list[Line] = []
        self._read(root, None, self.lines)

    def _read(self, element: Element, line: Line | None, asides: list[Line]) -> None:
        self._attributes(element, asides)
        name = local_name(element)
        if element.tag in _PARAGRAPHS:
            own: Line = []
            after: list[Line] = []
            self.lines.append(own)
            self._content(element, own, after)
            self.lines += after
            return
        if line is not None and name in _ASIDE:
            line = None
        if line is not None:
            if name == "s":
                line.append(" " * min(int(element.get(f"{_T}c") or 1), 99))
            elif name in ("tab", "line-break"):
                line.append("\t" if name == "tab" else "\n")
        self._content(element, line, asides)

    def _content(self, element: Element, line: Line | None, asides: list[Line]) -> None:
        if element.text and element.tag != f"{_O}binary-data":
            self._string(Place(element, "", Kind.TEXT), line, asides)
        for child in element:
            self._read(child, line, asides)
            if child.tail:
                self._string(Place(child, "tail", Kind.TEXT), line, asides)

    def _string(self, place: Place, line: Line | None, asides: list[Line]) -> None:
        text = place.read()
        if line is None and not any(map(str.isalnum, text)):
            return
        self.places.append(place)
        piece = Piece(place, 0, len(text))
        if line is None:
            asides.append([piece])
        else:
            line.append(piece)

    def _attributes(self, element: Element, asides: list[Line]) -> None:
        for key in element.attrib:
            name = key.rpartition("}")[2]
            value = element.get(key)
            if key == _LINK:
                if not value.startswith("Pictures/") and value != _NOWHERE:
                    self.places.append(Place(element, key, Kind.TEXT))
                    scheme = _SCHEME.match(value)
                    start = scheme.end() if scheme else 0
                    asides.append([Piece(self.places[-1], start, len(value))])
            elif name in _TEXTS and not _NUMBER.fullmatch(value):
                self.places.append(Place(element, key, Kind.TEXT))
                asides.append([Piece(self.places[-1], 0, len(value))])


def _extracted(roots: dict[str, Element]) -> tuple[str, str, tuple[Slot, ...]]:
    """Return text, source and slots of a document; the source is all strings in order."""
    readers = [_Reader(root) for root in roots.values()]
    offsets: dict[Place, int] = {}
    values: list[str] = []
    length = 0
    for reader in readers:
        for place in reader.places:
            offsets[place] = length
            values.append(place.read())
            length += len(values[-1])
    extraction = Extraction("".join(values))
    for line in (line for reader in readers for line in reader.lines):
        for piece in line:
            if isinstance(piece, str):
                extraction.gap(piece)
            else:
                start = offsets[piece.place]
                encode = _address if piece.place.attribute == _LINK else plain
                extraction.verbatim(start + piece.start, start + piece.end, encode)
        extraction.part()
    return extraction.text, extraction.source, tuple(extraction.slots)


def _address(text: str) -> str:
    return quote(text, safe="*")
