"""A .docx in which a name stands in every place that the format has for one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="http://example.org/other"'
)
PARTS = ("header", "footer", "footnotes", "endnotes", "comments", "styles", "settings", "chart")
ROOTS = {"header": "hdr", "footer": "ftr", "chart": "chartSpace"}


def xml(root: str, body: str, prefix: str = "w") -> bytes:
    """Return a part."""
    return f"<{prefix}:{root} {_NAMESPACES}>{body}</{prefix}:{root}>".encode()


def relationships(*items: tuple[str, str, str]) -> bytes:
    """Return relationships of (id, type, target); addresses are external."""
    body = "".join(
        f'<Relationship Id="{id}" Type="{R}/{type}" Target="{target}"'
        + (' TargetMode="External"' if ":" in target else "")
        + "/>"
        for id, type, target in items
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{package}">{body}</Relationships>'.encode()


def build(
    body: str,
    parts: Mapping[str, str] = {},
    ties: tuple[tuple[str, str, str], ...] = (),
    files: Mapping[str, bytes] = {},
    main: str = "document.main+xml",
) -> bytes:
    """Return a document.

    Args:
        body: the inside of ``w:body``.
        parts: the inside of further parts, by their kind.
        ties: further relationships of the main part.
        files: further entries; they come last and may replace others.
        main: what the main part says it is.
    """
    types = "".join(
        f'<Override PartName="/word/{kind}.xml" ContentType="{_TYPE}{kind}+xml"/>' for kind in parts
    )
    entries = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{_TYPE}{main}"/>{types}</Types>'
        ).encode(),
        "_rels/.rels": relationships(
            ("rId1", "officeDocument", "word/document.xml"),
            ("rId2", "metadata/core-properties", "docProps/core.xml"),
            ("rId3", "extended-properties", "docProps/app.xml"),
            ("rId4", "metadata/thumbnail", "docProps/thumbnail.jpeg"),
        ),
        "word/document.xml": xml("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": relationships(
            *((f"r{kind}", kind, f"{kind}.xml") for kind in parts), *ties
        ),
    }
    for kind, inside in parts.items():
        entries[f"word/{kind}.xml"] = xml(
            ROOTS.get(kind, kind), inside, "c" if kind == "chart" else "w"
        )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**entries, **files}.items():
            archive.writestr(name, data)
    return stream.getvalue()


def paragraph(*runs: str) -> str:
    """Return a paragraph of runs."""
    inside = "".join(f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>' for run in runs)
    return f"<w:p>{inside}</w:p>"


def entries(data: bytes) -> dict[str, bytes]:
    """Return the entries of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
