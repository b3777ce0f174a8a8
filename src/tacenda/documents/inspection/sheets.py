"""Strings in the parts of a workbook: texts, attributes, names of parts, read as XML alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

_XML = (".xml", ".rels", ".vml")


def sheet_strings(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield place and string of each text and attribute of an archive of XML, and of each name in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield "comment of the archive", archive.comment.decode("utf-8", "replace")
        for number, item in enumerate(archive.infolist(), 1):
            yield f"name of part {number}", item.filename
            content = archive.read(item)
            if not item.filename.endswith(_XML):
                yield f"part {number}", content.decode("latin-1")
                continue
            for _, node in ElementTree.iterparse(io.BytesIO(content)):
                tag = str(node.tag).rpartition("}")[2]
                for name, value in node.attrib.items():
                    yield f"attribute {name.rpartition('}')[2]!r} in part {number}", value
                for text in (node.text, node.tail):
                    if text and text.strip():
                        yield f"element {tag!r} in part {number}", text
