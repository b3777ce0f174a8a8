"""Presentations (.pptx, ECMA-376), read and written in the same way as .docx; extra ``documents``.

Text includes slides (also hidden ones), their notes, tables, groups, charts, diagrams, alternative
texts and comments, masters and layouts, names of sections and shows, and the document's title.
Authors of comments become ``Author 1``. Embedded files, sounds and films are removed, and so are
all parts that ``data/office.toml`` doesn't list, such as thumbnails, tags, application properties
and viewer settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from . import docx
from .docx.assembly import Vocabulary
from .docx.cleaning import Cleaning
from .docx.package import OFFICE, A, Element, local_name, remove
from .record import Origin, SourceDocument

_AUTHORS = ("cmAuthor", "author")
_OF_AN_ACCOUNT = ("userId", "providerId")
_TIMES = ("dt", "created", "modified", "startDate", "dueDate", "completeDate")
_NO_TIME = "2000-01-01T00:00:00.000"
_REMOVED = ("modifyVerifier", "custDataLst", "controls", "smartTags", "reactions")
_OBJECT_FRAME = "http://schemas.openxmlformats.org/presentationml/2006/ole"


@dataclass(slots=True)
class _SlideCleaning(Cleaning):
    """Cleans the parts of a presentation."""

    def clean(self, root: Element) -> None:
        """Clean a part's tree."""
        for element in list(root.iter()):
            is_frame = local_name(element) == "graphicFrame" and any(
                data.get("uri") == _OBJECT_FRAME for data in element.iter(f"{A}graphicData")
            )
            if is_frame or local_name(element) in _REMOVED:
                remove(element)
        for element in root.iter():
            self._forget(element)
        # ``dataclass`` recreates base classes with slots: ``super()`` alone finds the old one.
        Cleaning.clean(self, root)

    def _forget(self, element: Element) -> None:
        name = local_name(element)
        if name in _AUTHORS and "name" in element.attrib:
            number = self.authors.setdefault(element.get("name"), len(self.authors) + 1)
            element.set("name", f"Author {number}")
            if "initials" in element.attrib:
                element.set("initials", f"A{number}")
        for key in list(element.attrib):
            if key in _OF_AN_ACCOUNT:
                element.set(key, "none")
            elif key in _TIMES and name in ("cm", "reply", "task", "history", "event"):
                element.set(key, _NO_TIME)


_PRESENTATION = Vocabulary(
    ".pptx",
    "ppt",
    "presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    OFFICE["parts"] | OFFICE["parts_of_presentations"],
    _SlideCleaning,
    frozenset(("oleObject", "package", "video", "audio")),
)


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a presentation.

    Raises:
        InputError: if it isn't a presentation, is encrypted, damaged or too large, or has macros.
    """
    return docx.read(stream, origin, _PRESENTATION)
