"""Word documents (.docx, ECMA-376), read and written in place; extra ``documents``.

| module | topic |
|---|---|
| ``package`` | from bytes to entries: sizes, encryption, damage; from parts to bytes; XML without entities |
| ``assembly`` | from entries to the parts to keep, under new names |
| ``cleaning`` | what is always removed: changes, authors, pictures |
| ``text`` | where strings are in a part, and which lines they form; one text with slots from all strings |
| ``blocks``, ``order`` | what each line is: heading, cell, note; where it is on a page |
| ``sweeping`` | removing masked names from strings other than text |

python-docx and python-pptx edit a package in place and keep each part that they don't know. Here
every part of the output is one of the kept parts, and every string in it was either read as text,
swept for masked names, or is a term of the format.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate
from typing import BinaryIO

from ...document import Document
from ...errors import AS_TEXT, InputError
from ...result import Result
from ..completeness import require_whole
from ..names import NameScrubber
from ..ocr.tesseract import settings
from ..pictures import covered_notes
from ..record import Edit, Origin, SourceDocument, source_edits
from .assembly import WORD, Assembled, Vocabulary, assemble
from .package import XML_SPACE, PackagePart, W, read_entries, write, zip_parts
from .sweeping import Sweep
from .text import StringKind, extract, strings

# A .docx as a record, and the record's sanitized text as a .docx.
#
# bytes ─ opening ─▶ entries ─ assembly (cleaning, revisions, pictures, properties) ─▶ parts
#       ─ places ─▶ strings ─ extraction ─▶ Record ─ sanitize ─▶ edits of strings ─▶ parts ─▶ bytes


UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters outside XML 1.0."""


def read(stream: BinaryIO, origin: Origin, words: Vocabulary = WORD) -> Iterator[SourceDocument]:
    """Yield the one document of a file of Office Open XML.

    Raises:
        InputError: if it is of another format, encrypted, damaged, too large, or has macros.
    """
    entries = read_entries(stream, origin.name, words.extension)
    assembled = assemble(entries, origin.name, words, keeps=(origin.ocr or settings()).keeps_unread)
    extraction, blocks = extract(assembled.parts, origin.name)
    yield SourceDocument(
        Document(origin.name, extraction.text),
        origin,
        extraction.source,
        tuple(extraction.slots),
        container=_DocxContainer(assembled, words),
        notes=tuple(picture_notes(assembled.pictures, assembled.blanked, assembled.removed)),
        blocks=blocks,
    )


@dataclass(frozen=True, slots=True)
class _DocxContainer:
    """The parts of a document, ready to take other strings."""

    assembled: Assembled
    words: Vocabulary

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the archive with the edits made, and masked names struck out elsewhere.

        Raises:
            InputError: if text is missing in it.
        """
        parts = self.assembled.parts
        content = strings(parts, record.origin.name)
        before = [place.read() for place in content.places]
        before += [address.target for address in content.addresses]
        after = edited_strings(before, source_edits(record, sanitized))
        forms = NameScrubber.of(sanitized)
        sweep = Sweep(forms)
        for place, old, value in zip(content.places, before, after, strict=False):
            new = value
            if place.kind is StringKind.NAME:
                new = sweep.name(value, is_original=True)
            elif place.kind is StringKind.FIELD:
                new = forms.redact(value)
            if new == old:
                continue
            place.write(UNWRITABLE.sub("\ufffd", new))
            if place.element.tag == f"{W}t":
                # An edit may leave a space at the edge of a run, which would not be shown.
                place.element.set(XML_SPACE, "preserve")
        targets = {
            (address.part, address.id): forms.redact(value)
            for address, value in zip(content.addresses, after[len(content.places) :], strict=True)
        }
        data = zip_parts(
            tuple(_renewed(part, content.roots.get(part.name), targets, sweep) for part in parts),
            self.assembled.roots,
        )
        require_whole(record, sanitized, _text_of(data, record.origin, self.words))
        return data


def _text_of(data: bytes, origin: Origin, words: Vocabulary) -> str:
    """Return the text of a written archive.

    Raises:
        InputError: if it can't be read.
    """
    try:
        return "\n".join(record.document.text for record in read(BytesIO(data), origin, words))
    except InputError:
        raise InputError(
            "could not be read again as it would be written", origin.name, AS_TEXT
        ) from None


def _renewed(
    part: PackagePart, root: object | None, targets: dict[tuple[str, str], str], sweep: Sweep
) -> PackagePart:
    ties = tuple(
        replace(tie, target=targets[part.name, tie.id]) if tie.external else tie
        for tie in part.relationships
    )
    return replace(
        part,
        content_type=sweep.media_type(part.content_type),
        data=part.data if root is None else write(sweep.part(root)),
        relationships=ties,
    )


def edited_strings(values: list[str], edits: list[Edit]) -> list[str]:
    """Return strings with edits made; offsets count over all strings joined."""
    starts = [0, *accumulate(map(len, values))]
    parts: list[list[str]] = [[] for _ in values]
    ends = starts[:-1]
    for start, end, text in edits:
        # All strings that begin at the same offset are empty except the last.
        index = bisect_right(starts, start) - 1
        parts[index] += (values[index][ends[index] - starts[index] : start - starts[index]], text)
        ends[index] = min(end, starts[index + 1])
        # Neighbouring runs are one slot; an edit is written into the first of them.
        while end > starts[index + 1]:
            index += 1
            ends[index] = min(end, starts[index + 1])
    return [
        "".join((*before, value[position - start :]))
        for before, value, position, start in zip(parts, values, ends, starts, strict=False)
    ]


def picture_notes(pictures: int, blanked: int, removed: int) -> Iterator[str]:
    """Yield notes for the user on what was not read.

    Args:
        pictures: number of pictures kept although they may show text.
        blanked: number of pictures replaced by a blank one.
        removed: number of embedded objects, sounds and films left out.
    """
    if pictures:
        count = "1 picture was" if pictures == 1 else f"{pictures} pictures were"
        yield f"{count} kept, and text in pictures is not read: check them."
    yield from covered_notes(blanked, "only PNG and JPEG can stay")
    if removed:
        kind = (
            "embedded object, sound or film was"
            if removed == 1
            else "embedded objects, sounds or films were"
        )
        it = "it" if removed == 1 else "they"
        yield f"{removed} {kind} removed because {it} could not be read."
