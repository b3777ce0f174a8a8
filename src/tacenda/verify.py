"""Verification: surface forms of masked entities left in the sanitized text.

No surface form of a masked entity may stand anywhere in the output outside what was
written in place of entities. The table of ``text.surface_forms`` defines the forms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .document import Decision, Document, Leak, MentionSource, Replacement, SemanticType, Span
from .text.dates import find_dates, keys_and_gaps
from .text.matching import Searcher
from .text.surface_forms import Form, leak_forms


def find_leaks(
    document: Document,
    decisions: Sequence[Decision],
    text: str,
    replacements: Sequence[Replacement],
) -> tuple[Leak, ...]:
    """Return the leaks of masked entities, in order of the output, without overlaps.

    A form of several masked entities is laid to the riskiest of them.

    Args:
        document: the original.
        decisions: one for each entity of the document.
        text: the sanitized text.
        replacements: its edits, in order of the text.
    """
    owners, forms = _forms(document, decisions)
    if not owners:
        return ()
    # Neutral wording is no entity's: a masked string in it would be one left.
    replacements = [replacement for replacement in replacements if replacement.entity_ids]
    starts = [replacement.output_start for replacement in replacements]
    leaks: list[Leak] = []
    end = 0
    for occurrence in Searcher(forms).find(text):
        span = occurrence.span
        if span.start < end or _is_written(occurrence.core, starts, replacements):
            continue
        leaks.append(Leak(owners[occurrence.form].entity.id, span.start, span.end))
        end = span.end
    return tuple(leaks)


def names_masked(document: Document, decisions: Sequence[Decision], text: str) -> bool:
    """Whether a text, which is not of the document, has a surface form of a masked entity, or a masked day.

    Args:
        document: the original.
        decisions: one for each entity of the document.
        text: words that a person would write instead of something.
    """
    _, forms = _forms(document, decisions)
    if Searcher(forms).find(text):
        return True
    days = set(_days(text))
    return bool(days) and any(
        not days.isdisjoint(_days(mention.span.of(document.text)))
        for decision in decisions
        if decision.masked
        for mention in decision.entity.mentions
        if mention.type is SemanticType.DATETIME
    )


def _days(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield year, month and day of each date that is known to the day, in every reading of it."""
    for date in find_dates(*keys_and_gaps(text)):
        if date.year and date.month and date.day:
            yield date.year, date.month, date.day


def _forms(
    document: Document, decisions: Sequence[Decision]
) -> tuple[dict[str, Decision], list[Form]]:
    owners: dict[str, Decision] = {}
    forms: list[Form] = []
    for decision in decisions:
        if not decision.masked:
            continue
        surfaces: set[tuple[str, SemanticType, bool]] = set()
        for mention in decision.entity.mentions:
            is_policy = mention.source is MentionSource.POLICY
            surfaces.add((mention.span.of(document.text), mention.type, is_policy))
            if mention.names_target:
                surfaces |= {(name, SemanticType.PERSON, True) for name in document.target}
        for surface, type, is_policy in sorted(surfaces):
            for form in leak_forms(surface, type):
                forms.append(replace(form, inside=True) if is_policy else form)
                owner = owners.get(form.text)
                if owner is None or decision.risk > owner.risk:
                    owners[form.text] = decision
    return owners, forms


def _is_written(span: Span, starts: Sequence[int], replacements: Sequence[Replacement]) -> bool:
    place = bisect_right(starts, span.start) - 1
    return place >= 0 and span.end <= replacements[place].output_end
