"""A .docx taken to pieces: the parts that are kept, under neutral names, and what ties them.

Nothing of the archive that came in is copied but parts that a kept relationship leads to, so that
its comments, its times and whatever else lay in it are gone.
"""

from __future__ import annotations

import html
import io
import zipfile
from dataclasses import dataclass

from .vocabulary import CONTENT_TYPES, RELATIONSHIPS

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
    """A tie from one part to another, or to an address outside.

    Attributes:
        id: by which the part's XML speaks of it.
        type: a URI.
        target: the name of a part, or an address.
        external: whether it is an address.
    """

    id: str
    type: str
    target: str
    external: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document.

    Attributes:
        name: its place in the archive.
        content_type: a media type; empty where the extension says it.
        data: its bytes, cleaned.
        is_xml: whether it holds text.
        relationships: in order of the file that came in.
    """

    name: str
    content_type: str
    data: bytes
    is_xml: bool
    relationships: tuple[Relationship, ...] = ()


def zip_parts(parts: tuple[Part, ...], roots: tuple[Relationship, ...]) -> bytes:
    """Return the archive of a document, the same bytes for the same parts.

    Args:
        parts: all of them.
        roots: what the archive itself points to, the main part first.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "[Content_Types].xml", _content_types(parts))
        _add(archive, "_rels/.rels", _relationships("", roots))
        for part in parts:
            _add(archive, part.name, part.data)
            if part.relationships:
                folder, _, name = part.name.rpartition("/")
                data = _relationships(folder, part.relationships)
                _add(archive, f"{folder}/_rels/{name}.rels", data)
    return stream.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    item = zipfile.ZipInfo(name, _EPOCH)
    item.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(item, data)


def _content_types(parts: tuple[Part, ...]) -> bytes:
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
    # The function of xml.sax would bring all of HTTP and TLS along, in half of a worker's start.
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
