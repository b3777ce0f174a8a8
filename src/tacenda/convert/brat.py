"""brat standoff: ``NAME.txt`` beside ``NAME.ann`` (Stenetorp et al. 2012; brat.nlplab.org).

Offsets count code points of the .txt file as it is, line ends included. TAB's layers are written
as attributes (``IdentifierType``, ``ConfidentialStatus``, ``Entity``, ``Score``); an ``Equiv`` line is
read as an entity too. Other attributes are properties of the mention. A text without .ann is one
that nobody annotated. brat's own numbers (T1, T2 …) are no ids of mentions.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ..documents.decoding import check_is_text, decode
from ..errors import InputError
from .brat_reading import mentions_of
from .brat_writing import lines_of
from .corpus import AnnotatedDocument, Feature, unnamed
from .format import Files, Format, Reading
from .offsets import Ruler, Unit
from .parsing import bytes_of


class Brat(Format):
    """One annotator's typed spans, discontinuous ones too, with attributes."""

    name = "brat"
    holds = frozenset(
        {
            Feature.TEXT,
            Feature.TYPE,
            Feature.IDENTIFIER_TYPE,
            Feature.CONFIDENTIAL_STATUS,
            Feature.ENTITY,
            Feature.SCORE,
            Feature.MENTION_PROPERTIES,
            Feature.OVERLAPS,
            Feature.FRAGMENTS,
        }
    )
    needs = frozenset({Feature.TEXT, Feature.TYPE})
    folder = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each .txt file, in order of their names."""
        for name in sorted(files):
            if name.endswith(".ann") and f"{name[:-4]}.txt" not in files:
                raise InputError("there is no .txt file beside it; add it.", name)
            if not name.endswith(".txt"):
                continue
            id = name[:-4]
            check_is_text(files[name][:4096], "utf-8", name)
            text = decode(files[name], "utf-8", name)
            annotations = decode(files.get(f"{id}.ann", b""), "utf-8", f"{id}.ann")
            mentions = mentions_of(annotations, text, Ruler(text, reading.unit, id), id, reading)
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return a .txt and an .ann file for each document; ids name the files."""
        files: dict[str, bytes] = {}
        for document in documents:
            _check_name(document.id)
            text = document.text or ""
            ruler = Ruler(text, unit, document.id)
            lines = lines_of(document, text, ruler)
            files[f"{document.id}.txt"] = bytes_of(text, self.name)
            files[f"{document.id}.ann"] = bytes_of("".join(f"{x}\n" for x in lines), self.name)
        return files


def _check_name(id: str) -> None:
    """Refuse ids that would be written outside the folder, or nowhere."""
    inside = posixpath.normpath(id) == id and not id.startswith("/") and ".." not in id.split("/")
    hidden = any(part.startswith(".") for part in id.split("/"))
    if not id or not inside or hidden or any(ord(c) < 32 or c in '\\:*?"<>|' for c in id):
        raise InputError(
            f"the id {id!r} is no name of a file inside the folder, which brat needs; rename the "
            "document.",
            id,
        )
