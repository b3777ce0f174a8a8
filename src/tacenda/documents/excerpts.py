"""Excerpts of results: the part of a result for one part of a document that was read as a whole.

A message and its attachments are read as one text, so that a person is the same in all of them.
Each part is then written by its own format's writer, from the excerpt of the result for its text.
"""

from __future__ import annotations

from dataclasses import replace

from ..document import Document, Protected, Span
from ..result import Result
from ..rewrite.edits import Edit, apply_edits
from ..text.surface_forms import leak_forms
from .names import masked_strings


def excerpt(sanitized: Result, document: Document, start: int) -> Result:
    """Return the result for a part of a document.

    What is masked anywhere in the document is also forbidden in the part.

    Args:
        sanitized: the whole sanitized document.
        document: the part.
        start: where its text starts in the whole.
    """
    end = start + len(document.text)
    edits = []
    for edit in sanitized.replacements:
        if edit.original.end <= start or edit.original.start >= end:
            continue
        span = Span(max(edit.original.start, start) - start, min(edit.original.end, end) - start)
        # Across the border between two parts, it is written in the first.
        text = edit.text if edit.original.start >= start else ""
        edits.append(Edit(span, text, edit.entity_ids, edit.italic))
    text, replacements = apply_edits(document.text, edits)
    # A generic word is forbidden where a policy denies it, not as a part of a masked phrase.
    denied = sanitized.protected.terms
    terms = [item for item in masked_strings(sanitized) if item in denied or leak_forms(*item)]
    return replace(
        sanitized,
        document=document,
        text=text,
        entities=(),
        decisions=(),
        replacements=replacements,
        leaks=(),
        warnings=(),
        identifications=(),
        combinations=(),
        protected=Protected((), tuple(sorted(terms)), sanitized.protected.patterns),
    )
