"""OpenDocument packages (ISO/IEC 26300): what is kept of them, their strings, and writing them.

odfpy keeps entries of an archive that it doesn't know, so this is separate code. The parts
``content.xml``, ``styles.xml`` and ``meta.xml`` are kept, except for what the table in ``odt``
lists, and so are pictures.
"""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
from collections.abc import Mapping
from urllib.parse import unquote

from ..errors import InputError
from ..shipped import shipped_table
from .docx.package import Element, archive_of, local_name, parse, remove, unwrap, write
from .docx.text import Line, StringKind, StringPlace, TextPiece
from .pictures import blank_picture, kept_picture

_TABLE = shipped_table("odf")
ODF = "{urn:oasis:names:tc:opendocument:xmlns:"
TEXT, OFFICE, DRAW = f"{ODF}text:1.0}}", f"{ODF}office:1.0}}", f"{ODF}drawing:1.0}}"
_META = f"{ODF}meta:1.0}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
LINK = "{http://www.w3.org/1999/xlink}href"
_KNOWN = (ODF, _DC, "{http://www.w3.org/1999/xlink}", "{http://www.w3.org/XML/1998/namespace}")
_PARTS = ("content.xml", "styles.xml", "meta.xml")
PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_ASIDE = frozenset("note annotation frame custom-shape text-box note-citation ruby-text".split())
"""Elements within a paragraph whose text appears elsewhere on the page."""
_REMOVED = frozenset(_TABLE["removed"].split())
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
_TEXTS = frozenset(_TABLE["texts"].split())
"""Attributes, by local name, that readers may see, or from which displayed text is computed."""
_NUMBER = re.compile(r"[-+0-9.,:%a-z]{0,12}")
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel|sms):|#", re.IGNORECASE)
_SCHEME = re.compile(r"(?:mailto|tel|sms):", re.IGNORECASE)
NOWHERE = "about:blank"


class OdfPackage:
    """An archive whose parts are being cleaned.

    Attributes:
        parts: the XML parts by name.
        pictures: the pictures by new name.
        blanked: number of pictures replaced by a blank one.
        removed: number of embedded objects.
    """

    EXTENSION = ".odt"
    MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
    KIND = "text document"

    def __init__(self, entries: dict[str, bytes], name: str, *, keeps: bool = False) -> None:
        self._name = name
        self._keeps = keeps
        self._entries = entries
        self.parts: dict[str, bytes] = {}
        self.pictures: dict[str, bytes] = {}
        self.blanked = self.removed = 0
        self._authors: dict[str, int] = {}
        self._marks: dict[str, str] = {}
        self._places: dict[str, str] = {}
        self._objects = 0
        if entries.get("mimetype", b"").strip() != self.MEDIA_TYPE.encode():
            raise InputError(
                f"is not a valid {self.EXTENSION} file: it does not say that it is a {self.KIND}; save it as "
                f"{self.EXTENSION}.",
                name,
            )
        if b"encryption-data" in entries.get("META-INF/manifest.xml", b""):
            raise InputError("is protected by a password; save it without one.", name)
        if "content.xml" not in entries:
            message = (
                f"is not a valid {self.EXTENSION} file: it has no content; open and re-save it."
            )
            raise InputError(message, name)
        roots = {part: parse(entries[part], part, name) for part in _PARTS if part in entries}
        for root in roots.values():
            self._collect(root)
        for part, root in roots.items():
            if part == "meta.xml":
                _keep_properties(root)
            self.clean(root)
            self.parts[part] = write(root)

    def _collect(self, root: Element) -> None:
        for element in root.iter(f"{TEXT}*"):
            if local_name(element) in _MARKS and element.get(f"{TEXT}name"):
                self._marks.setdefault(
                    element.get(f"{TEXT}name"), f"bookmark{len(self._marks) + 1}"
                )

    def clean(self, root: Element) -> None:
        """Remove what isn't kept from a part."""
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
            elif element.tag == f"{OFFICE}binary-data":
                element.text = base64.b64encode(self._inline(element.text or "")).decode()

    def _attributes(self, element: Element) -> None:
        name = local_name(element)
        for key in list(element.attrib):
            local = key.rpartition("}")[2]
            value = element.get(key)
            if key.startswith("{") and not key.startswith(_KNOWN):
                del element.attrib[key]
            elif key == LINK:
                element.set(key, self._address(element, value))
            elif key == f"{DRAW}name":
                self._objects += 1
                element.set(key, f"Object {self._objects}")
            elif (local == "name" and name in _MARKS | _MARK_ENDS) or local == "ref-name":
                element.set(key, self._marks.get(value, value))

    def _address(self, element: Element, value: str) -> str:
        if local_name(element) in ("image", "background-image", "fill-image"):
            return self._picture(value)
        if not _ADDRESS.match(value):
            return NOWHERE
        return f"#{self._marks.get(value[1:], value[1:])}" if value.startswith("#") else value

    def _picture(self, place: str) -> str:
        """Return a picture's new name; that of the blank picture if it can't be kept."""
        key = posixpath.normpath(unquote(place))
        if key not in self._places:
            stripped = kept_picture(self._entries.get(key, b""), keeps=self._keeps)
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
            stripped = kept_picture(base64.b64decode(text), keeps=self._keeps)
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
    """Replace an element of another vocabulary with its text and children."""
    text = element.text or ""
    if text.strip():
        previous, parent = element.getprevious(), element.getparent()
        if previous is None:
            parent.text = (parent.text or "") + text
        else:
            previous.tail = (previous.tail or "") + text
    unwrap(element)


def repeats(element: Element, key: str) -> int:
    """Return how many times an element is repeated."""
    value = element.get(key) or "1"
    return max(1, int(value)) if re.fullmatch(r"[0-9]{1,7}", value) else 1


def zipped(parts: Mapping[str, bytes], media_type: str) -> bytes:
    """Return a package's archive."""
    lines = [f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/>']
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
    return archive_of(
        {"mimetype": media_type.encode(), **parts, "META-INF/manifest.xml": manifest.encode()}
    )


class OdfStrings:
    """The strings in a part.

    Args:
        root: the root of the part's tree.

    Attributes:
        places: where they are, in order.
        lines: the lines they form, which are read together.
    """

    def __init__(self, root: Element) -> None:
        self.places: list[StringPlace] = []
        self.lines: list[Line] = []
        self._read(root, None, self.lines)

    def _read(self, element: Element, line: Line | None, asides: list[Line]) -> None:
        self._attributes(element, asides)
        name = local_name(element)
        if element.tag in PARAGRAPHS:
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
                line.append(" " * min(repeats(element, f"{TEXT}c"), 99))
            elif name in ("tab", "line-break"):
                line.append("\t" if name == "tab" else "\n")
        self._content(element, line, asides)

    def _content(self, element: Element, line: Line | None, asides: list[Line]) -> None:
        if element.text and element.tag != f"{OFFICE}binary-data":
            self._string(StringPlace(element, "", StringKind.TEXT), line, asides)
        for child in element:
            self._read(child, line, asides)
            if child.tail:
                self._string(StringPlace(child, "tail", StringKind.TEXT), line, asides)

    def _string(self, place: StringPlace, line: Line | None, asides: list[Line]) -> None:
        text = place.read()
        if line is None and not any(map(str.isalnum, text)):
            return
        self.places.append(place)
        piece = TextPiece(place, 0, len(text))
        if line is None:
            asides.append([piece])
        else:
            line.append(piece)

    def _attributes(self, element: Element, asides: list[Line]) -> None:
        for key in element.attrib:
            name = key.rpartition("}")[2]
            value = element.get(key)
            if key == LINK:
                if not value.startswith("Pictures/") and value != NOWHERE:
                    self.places.append(StringPlace(element, key, StringKind.TEXT))
                    scheme = _SCHEME.match(value)
                    start = scheme.end() if scheme else 0
                    asides.append([TextPiece(self.places[-1], start, len(value))])
            elif name in _TEXTS and not _NUMBER.fullmatch(value):
                self.places.append(StringPlace(element, key, StringKind.TEXT))
                asides.append([TextPiece(self.places[-1], 0, len(value))])
