"""What can be learned from a review: marks for ``tacenda audit bound``, and documents for ``tacenda lab train adapt``.

Marks are text that the policy left and people masked. The document is taken as the policy alone
would release it. A mark is what the review masks in addition, by an added mention, a decision, a
type or the slider, as well as the words of a generalization that a person suppressed. Offsets are
in the released text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ..annotations.corpus import AnnotatedDocument, AnnotatedMention, Annotation
from ..annotations.tab import document_record
from ..audit.release import released_places
from ..document import Decision, IdentifierType, Replacement, Span
from ..documents.names import filename_leaks
from ..documents.tab import annotated
from ..errors import InputError
from ..result import Result
from ..text.decoding import writable
from .export import Download
from .review.redecide import Reviewed
from .service import DocumentView, Service
from .store.documents import Status

_REVIEW = "review"
"""All reviewers of a project as one annotator: they work on one state."""


def missed_file(service: Service, project: int) -> Download:
    """Return the marks of a project as standoff JSON; only reviewed documents have an annotation."""
    records = []
    for view in _ready(service, project):
        row, released = view.row, service.by_policy(view.row.id).sanitized
        # The name it has in the output of `tacenda sanitize`.
        name = f"document-{row.place}" if filename_leaks(row.name, (released,)) else row.name
        mentions = tuple(
            AnnotatedMention((span,), "MISC", IdentifierType.QUASI, entity=f"e{n}", id=f"m{n}")
            for n, span in enumerate(missed_spans(released, view.reviewed), start=1)
        )
        annotations = () if view.sign_offs.reviewed is None else (Annotation(_REVIEW, mentions),)
        records.append(document_record(AnnotatedDocument(name, released.text, annotations)))
    return _download("missed.json", records)


def training_file(service: Service, project: int) -> Download:
    """Return a project's reviewed originals with what is masked in them, as standoff JSON.

    Raises:
        InputError: if none is reviewed.
    """
    records = [
        document_record(replace(annotated(view.reviewed.sanitized), id=view.row.name))
        for view in _ready(service, project)
        if view.sign_offs.reviewed is not None
    ]
    if not records:
        raise InputError(
            "no document is marked as reviewed, so there is nothing to learn from yet."
        )
    return _download("training.json", records)


def _ready(service: Service, project: int) -> Iterator[DocumentView]:
    for row in service.store.documents.of(service.project(project).id):
        if row.status is Status.READY:
            yield service.open(row.id)


def _download(name: str, records: list[dict[str, Any]]) -> Download:
    content = writable(json.dumps(records, ensure_ascii=False)).encode()
    return Download(name, "application/json", content)


def missed_spans(released: Result, reviewed: Reviewed) -> tuple[Span, ...]:
    """Return the spans that a review masks in a released text, in order.

    Args:
        released: the document as the policy alone releases it.
        reviewed: the same document after review.
    """
    text = released.document.text
    edits = sorted(released.replacements, key=lambda edit: edit.original)
    place_of = released_places((edit.original.end, edit.output_end) for edit in edits)
    generalized = {
        mention.span
        for decision in released.decisions
        if decision.masked and decision.operator == "generalize"
        for mention in decision.entity.mentions
    }
    spans = set()
    for decision in reviewed.sanitized.decisions:
        if not decision.masked:
            continue
        suppressed = _is_suppressed(decision, reviewed)
        for mention in decision.entity.mentions:
            remainders = [part for part in _uncovered(mention.span, edits) if _says(part.of(text))]
            if remainders:
                spans.add(Span(place_of(remainders[0].start), place_of(remainders[-1].end - 1) + 1))
            elif suppressed and mention.span in generalized:
                edit = next(edit for edit in edits if edit.original.overlaps(mention.span))
                if edit.output_start < edit.output_end:
                    spans.add(Span(edit.output_start, edit.output_end))
    return tuple(sorted(spans))


def _is_suppressed(decision: Decision, reviewed: Reviewed) -> bool:
    """Return whether a person masked an entity without writing a replacement."""
    return decision.entity.id in reviewed.verdicts and decision.operator != "generalize"


def _uncovered(span: Span, edits: list[Replacement]) -> Iterator[Span]:
    """Return the parts of a span of the original that no edit covers, in order."""
    inside = [edit.original for edit in edits if edit.original.overlaps(span)]
    ends = [span.start, *(place for one in inside for place in (one.start, one.end)), span.end]
    for start, end in list(pairwise(ends))[::2]:
        if start < end:
            yield Span(start, end)


def _says(string: str) -> bool:
    return any(character.isalnum() for character in string)
