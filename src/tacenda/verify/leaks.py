"""Surface forms of masked entities that are still in the sanitized text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..document import Decision, Document, Leak, Replacement, SemanticType, Span
from ..folding import fold
from ..forms.search import occurrences
from ..forms.surface import Case, leak_forms


def find_leaks(
    document: Document,
    decisions: Sequence[Decision],
    text: str,
    replacements: Sequence[Replacement],
) -> tuple[Leak, ...]:
    """Return what is left of masked entities, in order of the output, without overlaps.

    A form of several masked entities is laid to the riskiest of them.

    Args:
        document: the original.
        decisions: one for each entity of the document.
        text: the sanitized text.
        replacements: the edits that made it, in order of the text.
    """
    owners, cases = _forms(document.text, decisions)
    if not owners:
        return ()
    starts = [replacement.output_start for replacement in replacements]
    leaks: list[Leak] = []
    end = 0
    for span, form in occurrences(text, fold(text), cases):
        if span.start < end or _is_written(span, starts, replacements):
            continue
        leaks.append(Leak(owners[form].entity.id, span.start, span.end))
        end = span.end
    return tuple(leaks)


def _forms(text: str, decisions: Sequence[Decision]) -> tuple[dict[str, Decision], dict[str, Case]]:
    owners: dict[str, Decision] = {}
    cases: dict[str, Case] = {}
    for decision in decisions:
        if not decision.masked:
            continue
        seen: set[tuple[str, SemanticType]] = set()
        for mention in decision.entity.mentions:
            key = (mention.span.of(text), mention.type)
            if key in seen:
                continue
            seen.add(key)
            for form in leak_forms(*key):
                known = owners.get(form.text)
                if known is None:
                    owners[form.text], cases[form.text] = decision, form.case
                    continue
                cases[form.text] = min(cases[form.text], form.case)
                if decision.risk > known.risk:
                    owners[form.text] = decision
    return owners, cases


def _is_written(span: Span, starts: Sequence[int], replacements: Sequence[Replacement]) -> bool:
    place = bisect_right(starts, span.start) - 1
    return place >= 0 and span.end <= replacements[place].output_end
