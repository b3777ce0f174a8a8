"""The properties of a document: title, subject, keywords and the like stay, as text to sanitize.

Author, last editor, dates, revisions and the word processor's statistics go; the number of
characters would tell how long the masked strings are.
"""

from __future__ import annotations

from .package import Part
from .xml import local_name, parse, remove, write

PROPERTIES_TYPE = (
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
)
_CONTENT_TYPE = "application/vnd.openxmlformats-package.core-properties+xml"
_KEPT = frozenset(("title", "subject", "keywords", "description", "category", "language"))


def core_properties(data: bytes, name: str) -> Part | None:
    """Return the part of the properties that are text; None if there are none.

    Raises:
        InputError: if it is not well-formed.
    """
    root = parse(data, "docProps/core.xml", name)
    for element in list(root):
        if local_name(element) not in _KEPT or len(element) or not (element.text or "").strip():
            remove(element)
    if not len(root):
        return None
    return Part("docProps/core.xml", _CONTENT_TYPE, write(root), is_xml=True)
