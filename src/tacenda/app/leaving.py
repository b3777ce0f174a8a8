"""A document's result without the text of removed or blanked parts.

file with all its parts, and as decided ─ both read again ─▶ text that doesn't leave ─ struck from the result ─▶ result

The file is written with ``Reviewed.in_file``; everything else shows and saves ``Reviewed.sanitized``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate

from ..document import Leak, Replacement
from ..documents.parts import WITH_PARTS, PartTreatment, treated
from ..errors import InputError
from ..result import Result
from ..text.offsets import to_original
from .export import as_it_came, records_of
from .page_messages import page_message
from .review.redecide import Reviewed
from .service import Service
from .store.documents import StoredDocument

_UNITS = tuple(re.compile(unit, re.DOTALL) for unit in (r"[^\n]*\n|[^\n]+", r"\w+|\W", "."))
"""Lines, words and characters: texts are compared by the first, and what differs by the next."""
_LINE_ENDS = "\r\n\f"
_FORMATS = frozenset(WITH_PARTS) - {"pdf"}
"""A PDF keeps the words of its pictures as a layer, whatever becomes of these."""


def as_it_leaves(service: Service, row: StoredDocument, reviewed: Reviewed) -> Reviewed:
    """Return a document with the text of its removed, blanked and covered parts struck out.

    If the file can't be read without them, only line ends are left, and a warning says why.
    """
    parts, result = reviewed.state.parts, reviewed.sanitized
    is_whole = all(
        item.treatment is PartTreatment.KEEP and not item.boxes for item in parts.values()
    )
    if row.file is None or row.format not in _FORMATS or is_whole:
        return reviewed
    key = hash((row.file, result.text, result.replacements, tuple(parts.items())))
    gone, fault = service.readings.gone.get_or_compute(
        (row.handle, key), lambda: _gone(service, row, reviewed)
    )
    if not gone:
        return reviewed
    shown = struck(result, gone)
    if fault:
        shown = replace(shown, warnings=(*shown.warnings, fault))
    return replace(reviewed, sanitized=shown, in_file=result)


def _gone(service: Service, row: StoredDocument, reviewed: Reviewed) -> tuple[frozenset[int], str]:
    """Return the code points of the sanitized text that the file lacks once its parts are treated.

    If that can't be known, return all of them, with the reason.
    """
    file, result = service.store.files.get(row.file or 0), reviewed.sanitized
    try:
        whole = as_it_came(file, [result], allow_leaks=True, shows_parts=True)
        output = treated(whole, row.format, reviewed.state.parts)
        before, after = (
            "\n".join(
                record.document.text
                for record in records_of(replace(file, content=content, format=row.format))
            )
            for content in (whole, output)
        )
    except InputError as error:
        fault = f"The text is hidden, since the file can't be read without its removed parts: {page_message(error)}"
        return frozenset(range(len(result.text))), fault
    # Text that another reading spells differently is still there.
    gone = frozenset(_missing(result.text, after)) - frozenset(_missing(result.text, before))
    return gone, ""


def _missing(text: str, other: str, start: int = 0, level: int = 0) -> Iterator[int]:
    """Yield the code points of a text, counted from ``start``, that have no counterpart in another text."""
    units, others = _UNITS[level].findall(text), _UNITS[level].findall(other)
    places, other_places = ([0, *accumulate(map(len, each))] for each in (units, others))
    for tag, first, last, other_first, other_last in SequenceMatcher(
        None, units, others, autojunk=False
    ).get_opcodes():
        begin, end = places[first], places[last]
        if tag == "replace" and level + 1 < len(_UNITS):
            counterpart = other[other_places[other_first] : other_places[other_last]]
            yield from _missing(text[begin:end], counterpart, start + begin, level + 1)
        elif tag in ("delete", "replace"):
            yield from range(start + begin, start + end)


def struck(result: Result, gone: Collection[int]) -> Result:
    """Return a result with code points of its text struck out, except line ends; edits are struck out whole."""
    runs = list(_runs(result, gone))
    spans = [to_original(start, end, result.replacements) for start, end in runs]

    def moved(offset: int) -> int:
        return offset - sum(min(end, offset) - start for start, end in runs if start < offset)

    edits = [
        replace(edit, output_start=moved(edit.output_start), output_end=moved(edit.output_end))
        for edit in result.replacements
        if not any(span.contains(edit.original) for span in spans)
    ]
    for (start, _), span in zip(runs, spans, strict=True):
        inside = [edit for edit in result.replacements if span.contains(edit.original)]
        ids = tuple(dict.fromkeys(id for edit in inside for id in edit.entity_ids))
        edits.append(Replacement(span, moved(start), moved(start), "", ids))
    leaks = tuple(
        Leak(leak.entity_id, moved(leak.output_start), moved(leak.output_end))
        for leak in result.leaks
        if moved(leak.output_start) < moved(leak.output_end)
    )
    edges = [0, *(edge for run in runs for edge in run), len(result.text)]
    text = "".join(
        result.text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)
    )
    edits.sort(key=lambda edit: edit.original)
    return replace(result, text=text, replacements=tuple(edits), leaks=leaks)


def _runs(result: Result, gone: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield the separate stretches of the sanitized text that are struck out, in order."""
    points = {point for point in gone if result.text[point] not in _LINE_ENDS}
    for edit in result.replacements:
        written = range(edit.output_start, edit.output_end)
        if not points.isdisjoint(written):
            points.update(written)
    start = end = -1
    for point in sorted(points):
        if point != end:
            if start >= 0:
                yield start, end
            start = point
        end = point + 1
    if start >= 0:
        yield start, end
