"""The strings in an archive of XML parts: names and comments of the parts, and all names, attributes and texts in them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from ..docx.sweeping import is_namespace, is_of_the_standard, is_term
from . import Kind, Passage

_PRINTABLE = re.compile(r"[\x20-\x7e]{6,}")


def archive_strings(
    data: bytes,
    is_packaging: Callable[[str], bool],
    texts: Callable[[ElementTree.Element, str], Iterator[Passage]],
    package: str = "",
) -> Iterator[Passage]:
    """Yield the strings in an archive.

    Args:
        data: the archive.
        is_packaging: returns whether a string is a path in the archive, or a media type.
        texts: yields the texts in a part, given its root and its name for messages.
        package: how the names of elements with paths and media types begin.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Passage(archive.comment.decode("latin-1"), "comment of the archive")
        for number, entry in enumerate(archive.infolist(), 1):
            place = f"part {number}"
            if not is_packaging(entry.filename):
                yield Passage(entry.filename, f"name of {place}", Kind.CODE)
            yield Passage(entry.comment.decode("latin-1"), f"comment of {place}")
            yield Passage(entry.extra.decode("latin-1"), f"extra field of {place}", Kind.CODE)
            content = archive.read(entry)
            try:
                root = ElementTree.fromstring(content)
            except ElementTree.ParseError:
                for match in _PRINTABLE.finditer(content.decode("latin-1")):
                    if not is_packaging(match[0]):
                        yield Passage(match[0], place, Kind.CODE)
                continue
            for index, element in enumerate(root.iter(), 1):
                tag = str(element.tag)
                yield from _unknown(tag, f"name of element {index} of {place}")
                for key, value in element.attrib.items():
                    label = f"attribute of element {index} of {place}"
                    packaging = tag.startswith(package) and is_packaging(value)
                    if not packaging and not is_of_the_standard(tag, key, value):
                        yield Passage(value, label, Kind.CODE)
                    yield from _unknown(key, f"name of an {label}")
            yield from texts(root, place)


def _unknown(name: str, place: str) -> Iterator[Passage]:
    """Yield an element's or attribute's name and namespace, unless they belong to the standard."""
    namespace, _, local = name.rpartition("}")
    standard = not namespace or is_namespace(namespace[1:])
    if not standard:
        yield Passage(namespace[1:], place, Kind.CODE)
    if not standard or not is_term(local):
        yield Passage(local, place, Kind.CODE)
