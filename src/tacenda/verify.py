"""Verification: find surface forms of masked entities that are left in the sanitized text.

No surface form of a masked entity may appear in the output, except in what was written in place of
entities. The table in ``text.surface_forms`` defines the forms.

A form that is an ordinary English word in lowercase (*unit* in ``Unit 7``) may mean something else.
It is a leak

| the mentions | where |
|---|---|
| any | the word has the same neighbor as in a mention, or a neighbor that is part of the mention |
| of a person, or in lowercase without a determiner | there is no determiner or number directly before it or one word earlier (*a baker*, *the old baker*) |
| others, with a capital | it follows a preposition or the like, or nothing (*in reading*) |

If capitalized, it is always a leak. Names of the target and terms on the deny list are leaks in any
context.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from .document import (
    Decision,
    Document,
    Leak,
    Mention,
    MentionSource,
    Replacement,
    SemanticType,
    Span,
)
from .text.dates import find_dates, keys_and_gaps
from .text.matching import Occurrence, Searcher
from .text.normal_form import fold_text
from .text.surface_forms import Form, leak_forms
from .text.word_lists import DETERMINERS, FUNCTION, is_ordinary

_WINDOW = 60
_WORD = re.compile(r"[^\W_]+")
_BEFORE_NAMES = FUNCTION - DETERMINERS | {""}
_BREAK = re.compile(r"[.!?;:]|\n\s*\n")


def find_leaks(
    document: Document,
    decisions: Sequence[Decision],
    text: str,
    replacements: Sequence[Replacement],
) -> tuple[Leak, ...]:
    """Return the leaks of masked entities, in output order, without overlaps.

    A form that several masked entities share is attributed to the riskiest of them.

    Args:
        document: the original.
        decisions: one per entity of the document.
        text: the sanitized text.
        replacements: its edits, in text order.
    """
    masked = MaskedForms(document, decisions)
    # Neutral wording belongs to no entity, so a masked string in it is a leak.
    replacements = [replacement for replacement in replacements if replacement.entity_ids]
    starts = [replacement.output_start for replacement in replacements]
    leaks: list[Leak] = []
    end = 0
    for occurrence in Searcher(masked.forms).find(text) if masked.forms else ():
        span = occurrence.span
        if span.start < end or _is_written(occurrence.core, starts, replacements):
            continue
        if masked.is_meant(text, occurrence):
            leaks.append(Leak(masked.owners[occurrence.form].entity.id, span.start, span.end))
            end = span.end
    return tuple(leaks)


def names_masked(document: Document, decisions: Sequence[Decision], text: str) -> bool:
    """Return whether a text from elsewhere contains a surface form of a masked entity, or a masked date.

    Args:
        document: the original.
        decisions: one per entity of the document.
        text: words that a person wants to write instead of something.
    """
    if Searcher(MaskedForms(document, decisions).forms).find(text):
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
    """Yield year, month and day of each date that is known to the day, for every way to read it."""
    for date in find_dates(*keys_and_gaps(text)):
        if date.year and date.month and date.day:
            yield date.year, date.month, date.day


class _Usage(NamedTuple):
    """How a word is used in masked mentions: as a name in any case, capitalized, and next to which words."""

    is_name: bool
    is_capital: bool
    neighbours: set[str]


class MaskedForms:
    """The surface forms of a document's masked entities.

    Args:
        document: the original.
        decisions: one per entity of the document.
        strict: forms that count in any context, in addition to those of the target and the deny
            list.

    Attributes:
        owners: the riskiest decision for each form, by its text.
        forms: the forms to search for.
    """

    def __init__(
        self, document: Document, decisions: Sequence[Decision], strict: Iterable[Form] = ()
    ) -> None:
        self.owners: dict[str, Decision] = {}
        self.forms: list[Form] = []
        self._text = document.text
        self._strict = {form.text for form in strict}
        self._mentions: dict[str, list[Mention]] = {}
        self._usages: dict[str, _Usage] = {}
        for decision in decisions:
            if decision.masked:
                self._add(document, decision)

    def _add(self, document: Document, decision: Decision) -> None:
        surfaces: dict[tuple[str, SemanticType, bool], list[Mention]] = {}
        for mention in decision.entity.mentions:
            is_policy = mention.source is MentionSource.POLICY
            key = mention.span.of(document.text), mention.type, is_policy
            surfaces.setdefault(key, []).append(mention)
            if mention.names_target:
                surfaces |= {(name, SemanticType.PERSON, True): [] for name in document.target}
        for (surface, type, is_policy), mentions in sorted(surfaces.items(), key=lambda i: i[0]):
            for form in leak_forms(surface, type):
                self.forms.append(replace(form, inside=True) if is_policy else form)
                self._mentions.setdefault(form.text, []).extend(mentions)
                if is_policy:
                    self._strict.add(form.text)
                owner = self.owners.get(form.text)
                if owner is None or decision.risk > owner.risk:
                    self.owners[form.text] = decision

    def is_meant(self, text: str, hit: Occurrence) -> bool:
        """Return whether an occurrence of a form refers to the masked entity, judging by context and spelling."""
        word = hit.span.of(text)
        if hit.form in self._strict or not (word.isalpha() and word.islower()):
            return True
        key = fold_text(word)
        if not is_ordinary(key):
            return True
        if key != hit.form:
            return False
        usage = self._usages.get(key) or self._usages.setdefault(key, self._usage(key))
        earlier, before, after = _beside(text, hit.span)
        if not usage.neighbours.isdisjoint((before, after)):
            return True
        if usage.is_name:
            return DETERMINERS.isdisjoint((earlier, before)) and not before.isdigit()
        return usage.is_capital and before in _BEFORE_NAMES

    def _usage(self, form: str) -> _Usage:
        is_name = has_capital = False
        neighbours: set[str] = set()
        for mention in self._mentions.get(form, ()):
            surface = mention.span.of(self._text)
            _, before, after = _beside(self._text, mention.span)
            is_capital = surface != surface.lower()
            is_bare = before in _BEFORE_NAMES
            is_name |= mention.type is SemanticType.PERSON or (is_bare and not is_capital)
            has_capital |= is_capital
            # A noun's article is part of its phrase: "the unit", not "a unit".
            phrase = set() if is_capital or is_bare else {before}
            words = {*_WORD.findall(fold_text(surface)), before, after}
            neighbours |= words - FUNCTION | phrase
        return _Usage(is_name, has_capital, neighbours - {form, ""})


def _beside(text: str, span: Span) -> tuple[str, str, str]:
    """Return the two words before a span and the one after it, folded, within its sentence; empty if there are none."""
    before = _BREAK.split(text[max(0, span.start - _WINDOW) : span.start])[-1]
    after = _BREAK.split(text[span.end : span.end + _WINDOW])[0]
    *_, earlier, last = ("", "", *_WORD.findall(fold_text(before)))
    return earlier, last, next(iter(_WORD.findall(fold_text(after))), "")


def _is_written(span: Span, starts: Sequence[int], replacements: Sequence[Replacement]) -> bool:
    place = bisect_right(starts, span.start) - 1
    return place >= 0 and span.end <= replacements[place].output_end
