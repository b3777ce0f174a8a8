"""Excerpts of results: what stands in one part of a document that was read as a whole.

A message and its attachments are read as one text, so that a person is the same in all of them; each
part is then written by the writer of its own format, from the excerpt of the result that is its text.
"""

from __future__ import annotations

from dataclasses import replace

from ..document import Document, Protected, Span
from ..result import Result
from .names import masked_strings


def excerpt(sanitized: Result, document: Document, start: int) -> Result:
    """Return the result of a part of a document.

    What is masked anywhere in the document is forbidden in the part as well.

    Args:
        sanitized: the whole document.
        document: the part.
        start: where its text begins in the whole.
    """
    end = start + len(document.text)
    pieces: list[str] = []
    edits = []
    position, length = start, 0
    for edit in sanitized.replacements:
        if edit.original.end <= start or edit.original.start >= end:
            continue
        first, last = max(edit.original.start, start), min(edit.original.end, end)
        # Over the border of two parts it is written in the first.
        text = edit.text if edit.original.start >= start else ""
        before = document.text[position - start : first - start]
        length += len(before)
        edits.append(
            replace(
                edit,
                original=Span(first - start, last - start),
                output_start=length,
                output_end=length + len(text),
                text=text,
            )
        )
        pieces += (before, text)
        length += len(text)
        position = last
    pieces.append(document.text[position - start :])
    return replace(
        sanitized,
        document=document,
        text="".join(pieces),
        entities=(),
        decisions=(),
        replacements=tuple(edits),
        leaks=(),
        warnings=(),
        identifications=(),
        combinations=(),
        protected=Protected(
            (), tuple(sorted(masked_strings(sanitized))), sanitized.protected.patterns
        ),
    )
