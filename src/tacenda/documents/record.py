"""Records of documents: their texts, their slots, and edits that are mapped back to their source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from ..document import Document, Replacement
from ..errors import InputError, LeakError
from ..result import Result
from ..text.passages import SHORTEST_WRAPPED
from ..text.spans import edited_text
from .blocks import Block
from .names import NameScrubber

if TYPE_CHECKING:
    from .ocr.tesseract import OcrSettings

# A document together with its source, and how to write edits back.
#
# A file of any format is read as *source* (its characters, unchanged) and *slots*: the parts of the
# source that contain readable text, each mapped to a part of ``Document.text``. Edits are made to
# the text and mapped back to the source slot by slot, so everything else (markup, other columns,
# quoting, white space) isn't changed. A slot is
#
# * *verbatim*: source and text have the same characters, so an edit replaces only the characters it
#   covers; ``encode`` writes the replacement in the source's syntax;
# * *opaque*: the source spells the text otherwise (``&amp;``, a quoted cell, a JSON string), so an
#   edit writes the whole slot again; ``encode`` writes the whole new text.
#
# Parts of the text outside all slots (line breaks between two blocks) have no source.


Edit = tuple[int, int, str]
"""``[start, end)`` of the source and what is written there."""
PAGE_BREAK = "\f"
"""Separates the texts of two pages."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of the source that corresponds to a part of the text.

    Attributes:
        start, end: code points of the text, ``start <= end``.
        source_start, source_end: code points of the source.
        encode: converts text to source syntax: only the replacement (verbatim), or the whole slot.
        verbatim: whether source and text have the same characters here.
        rewritten: for opaque slots, whether it is rewritten even if nothing in it is edited.
        italic: like ``encode``, for a replacement in italics; None if italics aren't available.
    """

    start: int
    end: int
    source_start: int
    source_end: int
    encode: Callable[[str], str]
    verbatim: bool
    rewritten: bool = False
    italic: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the source that may repeat a name, whether or not it is read as text.

    Attributes:
        start, end: code points of the source.
        strike: returns the region's source without surface forms of masked entities; None if
            nothing of it may be left.
        empty: the replacement if nothing of it may be left.
    """

    start: int
    end: int
    strike: Callable[[str, NameScrubber], str | None]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a record comes from.

    Attributes:
        path: the path as given by the user; ``-`` for stdin.
        name: the start of document ids: the path if it is relative, otherwise its last component.
        format: one of ``FORMATS``.
        encoding: name of its codec.
        ocr: how to read its pictures; None to use the environment's settings.
    """

    path: str
    name: str
    format: str
    encoding: str
    ocr: OcrSettings | None = None


class Container(Protocol):
    """A file that is more than characters: an archive of parts, or pages."""

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the whole sanitized file."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A string outside the text, which stays unless it names a masked person.

    Attributes:
        start, end: code points of the source.
        value: the string.
        encode: converts a value to source syntax.
        rewritten: whether it is rewritten even if unchanged.
        object: number of the object whose key it is, since an object's keys must stay distinct; 0
            if it isn't a key.
        is_code: whether its words have a meaning to programs, like those in an element's name.
    """

    start: int
    end: int
    value: str = field(repr=False)
    encode: Callable[[str], str] = field(repr=False)
    rewritten: bool = False
    object: int = 0
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class SurroundingFields:
    """Fields outside the text in a row or an object: other columns, and the names of all.

    Attributes:
        kept: the strings that stay.
        edits: edits made whatever is masked: of dropped columns, and columns with pseudonyms.
        refusal: why it can't be written; empty if it can.
        refuses_file: whether that applies to all records in the file.
    """

    kept: tuple[Kept, ...] = ()
    edits: tuple[Edit, ...] = field(default=(), repr=False)
    refusal: str = ""
    refuses_file: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a file, before its first record: the column names.

    Attributes:
        source: its characters, including the line end.
        beside: the names.
    """

    source: str = field(repr=False)
    beside: SurroundingFields


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document with everything needed to write its sanitized text back.

    Attributes:
        document: the document to sanitize.
        origin: the file it comes from.
        source: its part of the file.
        slots: the slots in text order, without overlaps in text and source.
        regions: parts of the source that may repeat a name (addresses, ids, scripts), in order,
            without overlaps; surface forms of masked entities are struck out of them.
        marks: pairs of ``[start, end)`` in the source that mean nothing when empty (Markdown
            emphasis); a pair that an edit leaves empty is deleted.
        place: its position in the file, appended to the file's name in ids: ``:12`` for line 12.
        declared: whether the data itself gives the document's id (TAB's ``doc_id``).
        split: TAB's ``dataset_type``; empty if unknown.
        container: writes the file if ``source`` isn't all of it; None if it is.
        beside: fields outside the text in the source.
        head: what precedes the first record in the file; the same for all records.
        notes: notes for the user on how it was read, without text of the document.
        blocks: what its lines are, if the format says so.
    """

    document: Document
    origin: Origin
    source: str = field(repr=False)
    slots: tuple[Slot, ...]
    regions: tuple[Region, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    place: str = ""
    declared: bool = False
    split: str = ""
    container: Container | None = None
    notes: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    beside: SurroundingFields = SurroundingFields()
    head: Head | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """An unreadable file, or unit of a file; the rest of the run continues."""

    error: InputError


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder in a folder that was left out, which isn't an error.

    Attributes:
        name: its name, as in an ``Origin``.
        reason: one of a few phrases; never contains the name.
    """

    name: str
    reason: str


class Extraction:
    """Builds text and slots in parallel while a source is read from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.length = 0
        self.last = ""
        self._column = 0
        self.slots: list[Slot] = []
        self.marks: list[tuple[int, int]] = []
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    def verbatim(
        self,
        start: int,
        end: int,
        encode: Callable[[str], str],
        *,
        italic: Callable[[str], str] | None = None,
    ) -> None:
        """Copy ``[start, end)`` of the source unchanged."""
        if start == end:
            return
        last = self.slots[-1] if self.slots else None
        if (
            last
            and last.verbatim
            and last.encode is encode
            and last.italic is italic
            and (last.end, last.source_end) == (self.length, start)
        ):
            self.gap(self.source[start:end])
            self.slots[-1] = replace(last, end=self.length, source_end=end)
            return
        self._append(self.source[start:end], start, end, encode, verbatim=True)
        if italic is not None:
            self.slots[-1] = replace(self.slots[-1], italic=italic)

    def opaque(
        self,
        start: int,
        end: int,
        text: str,
        encode: Callable[[str], str],
        *,
        rewritten: bool = False,
    ) -> None:
        """Add ``[start, end)`` of the source as a spelling of ``text``."""
        self._append(text, start, end, encode, verbatim=False)
        if rewritten:
            self.slots[-1] = replace(self.slots[-1], rewritten=True)

    def gap(self, text: str) -> None:
        """Add text without source."""
        self._parts.append(text)
        self.length += len(text)
        line_end = text.rfind("\n")
        self._column = self._column + len(text) if line_end < 0 else len(text) - line_end - 1
        self.last = text[-1:] or self.last

    def part(self) -> None:
        """End a line unambiguously, since a line end alone may look like a wrapped line."""
        self.gap("\n" if self._column < SHORTEST_WRAPPED else "\n\n")

    def _append(
        self, text: str, start: int, end: int, encode: Callable[[str], str], *, verbatim: bool
    ) -> None:
        begin = self.length
        self.gap(text)
        self.slots.append(Slot(begin, self.length, start, end, encode, verbatim))


def plain(text: str) -> str:
    """Return text unchanged, for places without syntax."""
    return text


# Mapping edits of a text back to its source: slots, regions, and the fields outside the text.


def drop_empty_markup(
    marks: Sequence[tuple[int, int]], edits: Iterable[Edit], source: str
) -> list[Edit]:
    """Return the edits that delete pairs of equal marks with nothing left between them.

    Without this, ``Galip **Yalman**`` would end in ``****``, which Markdown shows as asterisks.

    Args:
        marks: ``[start, end)`` in the source, in order, without overlaps.
        edits: the edits made in the source, which don't overlap marks.
        source: the source itself.
    """
    jumps = {start: end for start, end, text in edits if not text}
    if not jumps:
        return []
    pending: list[tuple[int, int]] = []
    deletions: list[Edit] = []
    for start, end in marks:
        if pending:
            opening, position = pending[-1]
            while position in jumps:
                position = jumps[position]
            # Marks that had nothing between them from the start aren't our doing.
            emptied = position == start and pending[-1][1] < start
            if emptied and source[opening : pending[-1][1]] == source[start:end]:
                deletions += ((*pending.pop(), ""), (start, end, ""))
                jumps[opening] = end
                continue
        pending.append((start, end))
    return deletions


def edited_source(record: SourceDocument, sanitized: Result, *, first: bool = False) -> str:
    """Return the source of ``record`` with the edits of ``sanitized`` applied.

    An edit over several slots (a name with ``<b>`` in its middle) empties all of them and is
    written into the first. Takes time linear in source, slots and edits.

    Args:
        record: the document with its source.
        sanitized: its sanitized text.
        first: whether it is its file's first output, preceded by the head.

    Raises:
        InputError: if fields outside the text have no treatment.
        LeakError: if the column names contain a name masked in this record.
    """
    if record.beside.refusal:
        raise InputError(record.beside.refusal, record.document.id)
    head = ""
    if record.head is not None:
        _check_names(record.head, sanitized)
        head = edited_text(record.head.source, head_edits(record.head, sanitized)) if first else ""
    return head + edited_text(record.source, source_edits(record, sanitized))


def head_edits(head: Head, sanitized: Result) -> list[Edit]:
    """Return the edits of a head, which are the same for all records: the policy's names are struck out."""
    return _beside_edits(head.beside, NameScrubber.of_policy(sanitized))


def _beside_edits(rest: SurroundingFields, forms: NameScrubber) -> list[Edit]:
    edits = list(rest.edits)
    # A few names occur in thousands of places.
    strings = {(item.value, item.is_code) for item in rest.kept}
    redacted = {(text, code): forms.redact(text, code=code) for text, code in strings}
    values = [redacted[item.value, item.is_code] for item in rest.kept]
    keys = {
        (item.object, value): 1
        for item, value in zip(rest.kept, values, strict=True)
        if item.object and value == item.value
    }
    for item, value in zip(rest.kept, values, strict=True):
        if value != item.value:
            value = _another_key(value, item.object, keys) if item.object else value
            edits.append((item.start, item.end, item.encode(value)))
        elif item.rewritten:
            edits.append((item.start, item.end, item.encode(value)))
    edits.sort(key=lambda edit: edit[:2])
    return edits


def _another_key(value: str, object: int, keys: dict[tuple[int, str], int]) -> str:
    """Return a struck key that is unique in its object, since readers would use the last of two equal keys.

    Args:
        value: the struck key.
        object: number of its object.
        keys: the keys of each object, with the last number appended to each.
    """
    key = value
    while (object, key) in keys:
        keys[object, value] += 1
        key = f"{value}-{keys[object, value]}"
    keys[object, key] = 1
    return key


def _check_names(head: Head, sanitized: Result) -> None:
    """Raise a LeakError for a record that masks a column's name, which may already be written.

    Raises:
        LeakError: if it does; names the columns.
    """
    everywhere = NameScrubber.of_policy(sanitized)
    here = NameScrubber.of(sanitized)
    places = [
        f"name of column {number}"
        for number, item in enumerate(head.beside.kept, 1)
        if here.occurs_in(everywhere.redact(item.value))
    ]
    if places:
        raise LeakError(places, sanitized.document.id)


def source_edits(
    record: SourceDocument, sanitized: Result, forms: NameScrubber | None = None
) -> list[Edit]:
    """Return ``[start, end)`` in the source and the replacement, in order, without overlaps.

    Args:
        record: the document with its source.
        sanitized: its sanitized text.
        forms: its masked strings, if the caller has them.
    """
    edits = _source_edits(record.slots, sanitized.replacements, record.document.text)
    edits += drop_empty_markup(record.marks, edits, record.source)
    if record.beside == SurroundingFields() and not record.regions:
        return sorted(edits, key=lambda edit: edit[:2])
    forms = NameScrubber.of(sanitized) if forms is None else forms
    edits += _beside_edits(record.beside, forms)
    edits.sort(key=lambda edit: edit[:2])
    return list(_struck(record, edits, forms))


def _struck(record: SourceDocument, edits: list[Edit], forms: NameScrubber) -> Iterator[Edit]:
    """Yield the edits, and between them the removals of surface forms from regions."""
    index = cursor = 0
    for region in record.regions if forms else ():
        while index < len(edits) and edits[index][0] < region.start:
            yield edits[index]
            cursor = edits[index][1]
            index += 1
        last = index
        while last < len(edits) and edits[last][1] <= region.end:
            last += 1
        # An edit may start before a region, or end after it.
        start = max(region.start, cursor)
        stop = min(region.end, edits[last][0]) if last < len(edits) else region.end
        pieces: list[Edit] = []
        position = start
        # A mention's replacement isn't one of its surface forms.
        for edit in (*edits[index:last], (stop, stop, "")):
            value = record.source[position : edit[0]]
            output = region.strike(value, forms) if value else value
            if output is None:
                pieces = [(start, stop, region.empty), edit]
                break
            if output != value:
                pieces.append((position, edit[0], output))
            pieces.append(edit)
            position = cursor = edit[1]
        yield from pieces[:-1]
        index = last
    yield from edits[index:]


def _source_edits(
    slots: tuple[Slot, ...], replacements: tuple[Replacement, ...], text: str
) -> list[Edit]:
    edits: list[Edit] = []
    ordered = sorted(replacements, key=lambda replacement: replacement.original)
    first = 0
    last_index = -1  # the last replacement that was mapped to the source
    for slot in slots:
        while first < len(ordered) and ordered[first].original.end <= slot.start:
            first += 1
        parts: list[tuple[int, int, str]] = []  # code points of the text
        slanted: set[int] = set()
        for index in range(first, len(ordered)):
            span = ordered[index].original
            if span.start >= slot.end:
                break
            output = ordered[index].text if index > last_index else ""
            last_index = max(last_index, index)
            if output and ordered[index].italic:
                slanted.add(len(parts))
            parts.append((max(span.start, slot.start), min(span.end, slot.end), output))
        if not parts and not slot.rewritten:
            continue
        if slot.verbatim:
            shift = slot.source_start - slot.start
            for number, (start, end, output) in enumerate(parts):
                encode = slot.italic if number in slanted and slot.italic else slot.encode
                edits.append((start + shift, end + shift, encode(output)))
        else:
            shifted = [(start - slot.start, end - slot.start, new) for start, end, new in parts]
            output = edited_text(text[slot.start : slot.end], shifted)
            edits.append((slot.source_start, slot.source_end, slot.encode(output)))
    return edits
