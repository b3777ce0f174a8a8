"""A .docx in pieces: the parts to keep, under neutral names, and their relationships.

Only parts reachable through kept relationships are copied from the input archive, so its comments,
times and all other content are removed.
"""

from __future__ import annotations

import html
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ...errors import InputError, MissingExtraError
from ...isolation.limits import limits
from ...shipped import shipped_table

# The terms of WordprocessingML and related vocabularies (ECMA-376, Part 1) that sanitizing must
# know.


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

KNOWN_NAMESPACES = (
    "{http://schemas.openxmlformats.org/",
    "{http://schemas.microsoft.com/office/",
    "{urn:schemas-microsoft-com:",
    "{http://www.w3.org/XML/1998/namespace}",
)
"""Their attributes are structure except for those below; nothing of other namespaces is kept."""

STRICT_NAMESPACES = b"http://purl.oclc.org/ooxml/"
"""Namespaces of "Strict Open XML", equivalent to the transitional ones."""

UNREADABLE = ("aFChunk", "subDocument")
"""Relationships to text in another document, which would be lost if it were left out."""

IMAGE = "image"
HYPERLINK = "hyperlink"

PARAGRAPHS = (f"{W}p", f"{A}p")
RUN_TEXT = (f"{W}t", f"{A}t", f"{M}t")
TABS = (f"{W}tab", f"{W}ptab", f"{A}tab")
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
BREAKS = (f"{W}br", f"{W}cr", f"{A}br")

NUMBERS = frozenset("posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset".split())
"""Elements whose content is structure."""

OFFICE = shipped_table("office")
TEXT_ATTRIBUTES = frozenset(OFFICE["text_attributes"].split())
"""Attributes, by local name, that readers may see, hear or follow."""

TEXT_VALUES = frozenset(OFFICE["text_values"].split())
"""Elements whose ``w:val`` is text."""

NAME_ATTRIBUTES = frozenset(OFFICE["name_attributes"].split())
SHOWN_NAMES = ("section", "custShow")
"""Elements of presentations whose name an audience may see."""
NAME_VALUES = frozenset(OFFICE["name_values"].split())
"""Names that link one place to another; masked strings are struck out of all of them in the same way."""


_EPOCH = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_DEFAULTS = {
    "rels": "application/vnd.openxmlformats-package.relationships+xml",
    "xml": "application/xml",
    "png": "image/png",
    "jpeg": "image/jpeg",
}


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship from one part to another, or to an external address.

    Attributes:
        id: the id by which the part's XML refers to it.
        type: a URI.
        target: the name of a part, or an address.
        external: whether it is an address.
    """

    id: str
    type: str
    target: str = field(repr=False)
    external: bool = False


@dataclass(frozen=True, slots=True)
class PackagePart:
    """A part of a document.

    Attributes:
        name: its path in the archive.
        content_type: a media type; empty if the extension implies it.
        data: its cleaned bytes.
        is_xml: whether it contains text.
        relationships: in the order of the input file.
    """

    name: str
    content_type: str
    data: bytes = field(repr=False)
    is_xml: bool
    relationships: tuple[Relationship, ...] = ()


def zip_parts(parts: tuple[PackagePart, ...], roots: tuple[Relationship, ...]) -> bytes:
    """Return a document's archive.

    Args:
        parts: all parts.
        roots: relationships of the archive itself, the main part first.
    """
    entries = {
        "[Content_Types].xml": _content_types(parts),
        "_rels/.rels": _relationships("", roots),
    }
    for part in parts:
        entries[part.name] = part.data
        if part.relationships:
            folder, _, name = part.name.rpartition("/")
            entries[f"{folder}/_rels/{name}.rels"] = _relationships(folder, part.relationships)
    return archive_of(entries)


def archive_of(entries: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive without times; equal entries give equal bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in entries.items():
            # The media type of OpenDocument comes first, uncompressed (Part 2, section 3.3).
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, method)
    return stream.getvalue()


def _content_types(parts: tuple[PackagePart, ...]) -> bytes:
    lines = [
        f"<Default Extension={_quoted(extension)} ContentType={_quoted(type)}/>"
        for extension, type in _DEFAULTS.items()
    ]
    lines += [
        f"<Override PartName={_quoted('/' + part.name)} ContentType={_quoted(part.content_type)}/>"
        for part in parts
        if part.content_type
    ]
    return f'{_HEAD}<Types xmlns="{CONTENT_TYPES}">{"".join(lines)}</Types>'.encode()


def _quoted(value: str) -> str:
    # xml.sax's function would import all of HTTP and TLS, half of a worker's startup time.
    escaped = html.escape(value).translate({9: "&#9;", 10: "&#10;", 13: "&#13;"})
    return f'"{escaped}"'


def _relationships(folder: str, items: tuple[Relationship, ...]) -> bytes:
    lines = []
    for item in items:
        target = item.target
        if not item.external and folder:
            target = target.removeprefix(folder + "/")
        mode = ' TargetMode="External"' if item.external else ""
        lines.append(
            f"<Relationship Id={_quoted(item.id)} Type={_quoted(item.type)} "
            f"Target={_quoted(target)}{mode}/>"
        )
    return (
        f'{_HEAD}<Relationships xmlns="{RELATIONSHIPS}">{"".join(lines)}</Relationships>'.encode()
    )


# From the bytes of a .docx to its entries, once they are known to be harmless.
#
# A .docx is a ZIP archive of XML parts (ECMA-376, Part 2). Nothing is unpacked before its declared
# size is known to be reasonable, and ``zipfile`` never reads beyond what an entry declares.


LARGEST_FILE = 100_000_000
LARGEST_ENTRY = 100_000_000
LARGEST_XML = 32_000_000
LARGEST_TOTAL = 300_000_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_entries(stream: BinaryIO, name: str, extension: str = ".docx") -> dict[str, bytes]:
    """Return the entries of a document's archive by name.

    Raises:
        InputError: if it isn't an archive, or is encrypted, damaged, or too large when unpacked.
    """
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", name)
    if data.startswith(_OLE):
        raise InputError(
            f"is protected by a password, or of an old format; open it and save it as {extension} "
            "without a password.",
            name,
        )
    if not data.startswith(b"PK"):
        raise InputError(
            f"is not a valid {extension} file: it does not begin as a ZIP archive; check the file.",
            name,
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [item for item in archive.infolist() if not item.is_dir()]
            _check(entries, name)
            return {item.filename.lstrip("/"): archive.read(item) for item in entries}
    except InputError:
        raise
    except _BROKEN as error:
        raise InputError(
            f"the ZIP archive is damaged ({type(error).__name__}); open it in the program that made it "
            "and re-save it.",
            name,
        ) from None


def _check(entries: list[zipfile.ZipInfo], name: str) -> None:
    limits().check_parts(len(entries), "entries", name)
    total = 0
    names: set[str] = set()
    for item in entries:
        path = item.filename.lstrip("/").lower()
        if path in names:
            raise InputError("contains a duplicate entry; open and re-save it.", name)
        names.add(path)
        if item.flag_bits & 0x1:
            raise InputError("has an encrypted entry; save it without a password.", name)
        total += item.file_size
        largest = LARGEST_XML if path.endswith((".xml", ".rels")) else LARGEST_ENTRY
        if item.file_size > largest or total > LARGEST_TOTAL:
            raise InputError(
                f"would be more than {largest if item.file_size > largest else LARGEST_TOTAL:,} bytes "
                "when unpacked; split the document.",
                name,
            )


# XML parts are parsed without entities, network access, comments and processing instructions.


try:
    from lxml import etree
except ImportError as error:
    raise MissingExtraError("reading and writing office documents", "documents") from error

Element = Any
"""An element in lxml, which has no type annotations."""

COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PREFIX_LISTS = (f"{COMPATIBILITY}Ignorable", f"{COMPATIBILITY}MustUnderstand")
_DOCTYPES = tuple("<!DOCTYPE".encode(codec) for codec in ("utf-8", "utf-16-le", "utf-16-be"))


def parse(data: bytes, place: str, name: str) -> Element:
    """Return the root element of a part, without comments and processing instructions.

    Args:
        data: the part.
        place: its name in the archive, for error messages.
        name: name of the document, for error messages.

    Raises:
        InputError: if it isn't well-formed or declares a document type (entities, XXE).
    """
    if any(mark in data for mark in _DOCTYPES):
        raise _doctype(place, name)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        position = getattr(error, "position", (0, 0))
        raise InputError(
            f"{place}: not well-formed XML at line {position[0]}; open the document in a word "
            "processor and re-save it.",
            name,
        ) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _doctype(place, name)
    return root


def write(root: Element) -> bytes:
    """Return an element as a part."""
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return data


def drop_unknown(root: Element, namespaces: tuple[str, ...]) -> None:
    """Remove elements, attributes and declarations in unknown namespaces.

    Word ignores them or refuses the document; no reader shows them.

    Args:
        root: of a part.
        namespaces: prefixes of known namespace names, in braces.
    """
    for element in list(root.iter()):
        if not element.tag.startswith(namespaces):
            remove(element)
            continue
        for key in list(element.attrib):
            if key.startswith("{") and not key.startswith(namespaces):
                del element.attrib[key]
        prefixes = {
            prefix
            for prefix, uri in element.nsmap.items()
            if prefix and f"{{{uri}".startswith(namespaces)
        }
        for key in _PREFIX_LISTS:
            if key in element.attrib:
                remainder = [prefix for prefix in element.get(key).split() if prefix in prefixes]
                element.set(key, " ".join(remainder))
    kept_prefixes = [
        prefix for prefix, uri in root.nsmap.items() if prefix and f"{{{uri}".startswith(namespaces)
    ]
    etree.cleanup_namespaces(root, keep_ns_prefixes=kept_prefixes)


def renewed_prefixes(
    root: Element, prefix_tells: Callable[[str], bool], uri_tells: Callable[[str], bool]
) -> Element:
    """Return a tree with neutral namespace prefixes, and without unused revealing ones.

    Args:
        root: of a part.
        prefix_tells: returns whether a prefix must not be left.
        uri_tells: returns whether a namespace must not be left.
    """
    declared = {
        (prefix, uri) for element in root.iter() for prefix, uri in element.nsmap.items() if prefix
    }
    if not any(prefix_tells(prefix) or uri_tells(uri) for prefix, uri in declared):
        return root
    uris = {uri for _, uri in declared if not uri_tells(uri)}
    prefixes = {uri: f"ns{number}" for number, uri in enumerate(sorted(uris), 1)}
    names: dict[str, str] = {}
    for prefix, uri in sorted(declared):
        if uri in prefixes:
            names[prefix] = prefixes[uri]
    new = etree.Element(root.tag, dict(root.attrib), {name: uri for uri, name in prefixes.items()})
    new.text = root.text
    new.extend(list(root))
    for element in new.iter():
        for key in _PREFIX_LISTS:
            if key in element.attrib:
                values = [names[name] for name in element.get(key).split() if name in names]
                element.set(key, " ".join(values))
        if element.tag == f"{COMPATIBILITY}Choice" and "Requires" in element.attrib:
            required = element.get("Requires").split()
            element.set("Requires", " ".join(names.get(name, "ns0") for name in required))
    used = [
        name
        for element in new.iter()
        for key in _PREFIX_LISTS
        if key in element.attrib
        for name in element.get(key).split()
    ]
    etree.cleanup_namespaces(new, keep_ns_prefixes=used)
    return new


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def remove(element: Element) -> None:
    """Remove an element from its tree; its tail stays."""
    parent = element.getparent()
    if parent is None:
        return
    _keep_tail(element, parent)
    parent.remove(element)


def unwrap(element: Element) -> None:
    """Replace an element with its children."""
    for child in list(element):
        element.addprevious(child)
    remove(element)


def _keep_tail(element: Element, parent: Element) -> None:
    if not element.tail:
        return
    previous = element.getprevious()
    if previous is None:
        parent.text = (parent.text or "") + element.tail
    else:
        previous.tail = (previous.tail or "") + element.tail


def _doctype(place: str, name: str) -> InputError:
    return InputError(
        f"{place}: declares a document type, which no office document does; open and re-save it.",
        name,
    )


# A document's properties: title, subject, keywords and the like stay, as text to sanitize.
#
# Author, last editor, dates, revisions and the word processor's statistics are removed; the number
# of characters would reveal the length of masked strings.


PROPERTIES_TYPE = (
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
)
_CONTENT_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"
_KEPT = frozenset(("title", "subject", "keywords", "description", "category", "language"))


def core_properties(data: bytes, name: str) -> PackagePart | None:
    """Return the part with the text properties, or None.

    Raises:
        InputError: if it isn't well-formed.
    """
    root = parse(data, "docProps/core.xml", name)
    for element in list(root):
        if local_name(element) not in _KEPT or len(element) or not (element.text or "").strip():
            remove(element)
    if not len(root):
        return None
    return PackagePart("docProps/core.xml", _CONTENT_TYPE, write(root), is_xml=True)
