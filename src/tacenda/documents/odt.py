"""OpenDocument text documents (.odt, ISO/IEC 26300), read and written in place; extra ``documents``.

Text includes paragraphs and headings, tables, text boxes, headers and footers, notes, comments,
fields, links, alternative texts, and the document's title. Only the parts ``content.xml``,
``styles.xml`` and ``meta.xml`` are written, with the content below, and pictures; no other part of
the archive.

| content | becomes |
|---|---|
| tracked changes | accepted |
| authors of comments | ``Author 1``; dates are removed |
| names of bookmarks and frames | ``bookmark1``, ``Object 1``, wherever they are used |
| scripts, data connections, editing marks, elements of other vocabularies | removed; text in them stays |
| embedded objects, applets, videos | removed, and reported |
| pictures | as in a .docx |
| properties other than title, subject, keywords, description and language; settings; thumbnails | removed |
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import BinaryIO
from urllib.parse import quote

from ..document import Document
from ..result import Result
from .completeness import require_whole
from .docx import UNWRITABLE, edited_strings, picture_notes
from .docx.package import Element, parse, read_entries, write
from .docx.sweeping import Sweep
from .names import NameScrubber
from .ocr.tesseract import settings
from .odf import LINK, OdfPackage, OdfStrings, zipped
from .record import Extraction, Origin, Slot, SourceDocument, plain, source_edits


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a file.

    Raises:
        InputError: if it isn't an .odt, or is encrypted, damaged or too large.
    """
    yield _read(stream, origin)


def _read(stream: BinaryIO, origin: Origin) -> SourceDocument:
    keeps = (origin.ocr or settings()).keeps_unread
    package = OdfPackage(read_entries(stream, origin.name, ".odt"), origin.name, keeps=keeps)
    container = _OdtContainer(tuple(package.parts.items()), tuple(package.pictures.items()))
    text, source, slots = _extracted(container.roots(origin.name))
    n_kept = len(package.pictures) - (package.blanked > 0) if keeps else 0
    notes = tuple(picture_notes(n_kept, package.blanked, package.removed))
    document = Document(origin.name, text)
    return SourceDocument(document, origin, source, slots, container=container, notes=notes)


@dataclass(frozen=True, slots=True)
class _OdtContainer:
    """The parts of a document, ready to receive other strings."""

    parts: tuple[tuple[str, bytes], ...] = field(repr=False)
    pictures: tuple[tuple[str, bytes], ...] = field(repr=False)

    def roots(self, name: str) -> dict[str, Element]:
        """Return the parts' trees, which can be changed."""
        return {part: parse(data, part, name) for part, data in self.parts}

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the archive with edits applied, and masked names struck out elsewhere.

        Raises:
            InputError: if it lacks text.
        """
        roots = self.roots(record.origin.name)
        places = [place for root in roots.values() for place in OdfStrings(root).places]
        before = [place.read() for place in places]
        forms = NameScrubber.of(sanitized)
        for place, old, new in zip(
            places, before, edited_strings(before, source_edits(record, sanitized)), strict=True
        ):
            if place.attribute == LINK:
                new = forms.redact(new)
            if new != old:
                place.write(UNWRITABLE.sub("\ufffd", new))
        sweep = Sweep(forms)
        parts = {part: write(sweep.part(root)) for part, root in roots.items()}
        data = zipped({**parts, **dict(self.pictures)}, OdfPackage.MEDIA_TYPE)
        again = _read(io.BytesIO(data), record.origin)
        require_whole(record, sanitized, again.document.text)
        return data


def _extracted(roots: dict[str, Element]) -> tuple[str, str, tuple[Slot, ...]]:
    """Return a document's text, source and slots; the source consists of all strings in order."""
    readers = [OdfStrings(root) for root in roots.values()]
    places = [place for reader in readers for place in reader.places]
    values = [place.read() for place in places]
    offsets = dict(zip(places, accumulate(map(len, values), initial=0), strict=False))
    extraction = Extraction("".join(values))
    for line in (line for reader in readers for line in reader.lines):
        for piece in line:
            if isinstance(piece, str):
                extraction.gap(piece)
            else:
                start = offsets[piece.place]
                encode = _address if piece.place.attribute == LINK else plain
                extraction.verbatim(start + piece.start, start + piece.end, encode)
        extraction.part()
    return extraction.text, extraction.source, tuple(extraction.slots)


def _address(text: str) -> str:
    return quote(text, safe="*")
