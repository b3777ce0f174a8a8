"""Edits of a text carried back to its source: slots, regions, and the fields beside the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..document import Replacement
from ..errors import InputError, LeakError
from ..result import Result
from .names import NameScrubber
from .record import Edit, Head, Slot, SourceDocument, SurroundingFields


def drop_empty_markup(
    marks: Sequence[tuple[int, int]], edits: Iterable[Edit], source: str
) -> list[Edit]:
    """Return the edits to delete pairs of equal marks with nothing left between them.

    Without this, ``Galip **Yalman**`` would end in ``****``, shown as asterisks by Markdown.

    Args:
        marks: ``[start, end)`` of the source, in order, disjoint.
        edits: those made in the source, disjoint from the marks.
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
            # Marks with nothing between them from the start are none of our doing.
            emptied = position == start and pending[-1][1] < start
            if emptied and source[opening : pending[-1][1]] == source[start:end]:
                deletions += ((*pending.pop(), ""), (start, end, ""))
                jumps[opening] = end
                continue
        pending.append((start, end))
    return deletions


def edited_source(record: SourceDocument, sanitized: Result, *, first: bool = False) -> str:
    """Return the source of ``record`` with the edits of ``sanitized`` made in it.

    An edit over several slots (a name with ``<b>`` in its middle) empties all of them and is
    written into the first. Linear in source, slots and edits.

    Args:
        record: the document with its source.
        sanitized: its text, edited.
        first: whether it is the first output of its file, with the head before it.

    Raises:
        InputError: if fields beside the text have no treatment.
        LeakError: if the names of the columns hold a name masked in this record.
    """
    if record.beside.refusal:
        raise InputError(record.beside.refusal, record.document.id)
    head = ""
    if record.head is not None:
        _check_names(record.head, sanitized)
        head = _made(record.head.source, head_edits(record.head, sanitized)) if first else ""
    return head + _made(record.source, source_edits(record, sanitized))


def head_edits(head: Head, sanitized: Result) -> list[Edit]:
    """Return the edits of a head, the same for all records: names of the policy are struck out."""
    return _beside_edits(head.beside, NameScrubber.of_policy(sanitized))


def _beside_edits(rest: SurroundingFields, forms: NameScrubber) -> list[Edit]:
    edits = list(rest.edits)
    for item in rest.kept:
        value = forms.redact(item.value)
        if value != item.value or item.rewritten:
            edits.append((item.start, item.end, item.encode(value)))
    edits.sort(key=lambda edit: edit[:2])
    return edits


def _check_names(head: Head, sanitized: Result) -> None:
    """Raise LeakError for a record that masks the name of a column; it may be written already.

    Raises:
        LeakError: naming the columns.
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


def _made(source: str, edits: list[Edit]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, text in edits:
        parts += (source[position:start], text)
        position = end
    parts.append(source[position:])
    return "".join(parts)


def source_edits(record: SourceDocument, sanitized: Result) -> list[Edit]:
    """Return ``[start, end)`` of the source and its replacement, in order, disjoint."""
    edits = _source_edits(record.slots, sanitized.replacements, record.document.text)
    edits += drop_empty_markup(record.marks, edits, record.source)
    if record.beside != SurroundingFields():
        edits += _beside_edits(record.beside, NameScrubber.of(sanitized))
    edits.sort(key=lambda edit: edit[:2])
    if record.regions:
        return list(_struck(record, edits, NameScrubber.of(sanitized)))
    return edits


def _struck(record: SourceDocument, edits: list[Edit], forms: NameScrubber) -> Iterator[Edit]:
    """Yield the edits, and between them the removals of surface forms from the regions."""
    index = cursor = 0
    for region in record.regions if forms else ():
        while index < len(edits) and edits[index][0] < region.start:
            yield edits[index]
            cursor = edits[index][1]
            index += 1
        last = index
        while last < len(edits) and edits[last][1] <= region.end:
            last += 1
        # An edit may begin before a region, or end after it.
        start = max(region.start, cursor)
        stop = min(region.end, edits[last][0]) if last < len(edits) else region.end
        pieces: list[Edit] = []
        position = start
        # The replacement of a mention is none of its surface forms.
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
    last_index = -1  # the last replacement that has found its place in the source
    for slot in slots:
        while first < len(ordered) and ordered[first].original.end <= slot.start:
            first += 1
        parts: list[tuple[int, int, str]] = []  # code points of the text
        for index in range(first, len(ordered)):
            span = ordered[index].original
            if span.start >= slot.end:
                break
            output = ordered[index].text if index > last_index else ""
            last_index = max(last_index, index)
            parts.append((max(span.start, slot.start), min(span.end, slot.end), output))
        if not parts and not slot.rewritten:
            continue
        if slot.verbatim:
            shift = slot.source_start - slot.start
            edits += ((s + shift, e + shift, slot.encode(output)) for s, e, output in parts)
        else:
            position = slot.start
            pieces: list[str] = []
            for start, end, output in parts:
                pieces += (text[position:start], output)
                position = end
            pieces.append(text[position : slot.end])
            edits.append((slot.source_start, slot.source_end, slot.encode("".join(pieces))))
    return edits
