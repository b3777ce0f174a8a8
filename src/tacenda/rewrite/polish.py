"""Sentences smoothed by an editor, such as a language model, if they say nothing new.

The editor sees sanitized sentences, one at a time, never the original. Only changes that can't
alter the meaning are accepted:

| in the answer | accepted |
|---|---|
| what replaced a mention, including ``***`` | all unchanged, in the same order |
| articles, *some*, *in*, *on*, *at*, *during*, commas, blanks | may be added, removed or changed |
| *is* and *are*, *was* and *were*, *has* and *have*, *does* and *do* | may replace each other |
| every other word, number and punctuation mark | all unchanged, in the same order |

So only these articles and prepositions can be added, no word is lost, and no name, number or
capital is new. Otherwise, or if there is no answer, the sentence stays as it was. Like neutral
wording, a change is an edit of running text between the others, and is searched for masked strings
with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field
from typing import Final, Protocol

from ..document import Document, Replacement, Span
from ..text.offsets import to_original
from ..text.word_lists import TITLES
from .edits import Edit, apply_edits

_FREE: Final = re.compile(r"(?:an?|the|some|in|on|at|during)(?!\w)|[ ,\u00a0]", re.IGNORECASE)
"""Words that may be added or removed between the others, piece by piece."""
_AGREEMENT: Final = (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"))
_FORMS: Final = {word: pair for pair in _AGREEMENT for word in pair}
_WORD: Final = re.compile(r"\w+(?:['’\-‑]\w+)*|\S")
_PARTS: Final = re.compile(
    r"[^\n\r\t\f\v\x1c-\x1e\x85\u2028\u2029]+?(?=\s{3}|[\n\r\t\f\v\x1c-\x1e\x85\u2028\u2029]|\Z)"
)
"""Stretches without line ends, tabs and three blanks: no edit reaches over these."""
_END: Final = re.compile(
    r"(?P<last>\S*?)[.!?…][\"'”’)\]]*[ \u00a0]{1,2}(?=[\"'“‘(\[]*[^\Wa-z_]|\*)"
)
_MORE: Final = 2
"""Words by which a gap between others may grow."""
_LONGEST: Final = 600
"""Maximum length in characters of a sentence for the editor."""


class SentenceEditor(Protocol):
    """Smooths sanitized sentences."""

    def __call__(self, sentence: str) -> str | None:
        """Return a sentence that reads better, maybe the same one, or None if there is no answer."""
        ...


@dataclass(slots=True)
class PolishCounts:
    """Counts of sentences with an edit, by outcome.

    Attributes:
        smoothed: the editor's version was accepted.
        unchanged: the editor changed nothing.
        refused: the editor's answers said something else.
        silent: the editor gave no answer, or was no longer asked.
        unasked: the sentence was too long, or a string in it ran over several lines.
    """

    smoothed: int = 0
    unchanged: int = 0
    refused: int = 0
    silent: int = 0
    unasked: int = 0

    def __add__(self, counts: PolishCounts) -> PolishCounts:
        """Return the sum of both counts."""
        pairs = zip(astuple(self), astuple(counts), strict=True)
        return PolishCounts(*(a + b for a, b in pairs))


@dataclass(frozen=True, slots=True)
class AcceptedChange:
    """A stretch of a text between edits, and the editor's text for it."""

    span: Span
    text: str = field(repr=False)


def polish(
    document: Document,
    text: str,
    replacements: Sequence[Replacement],
    editor: SentenceEditor,
    counts: PolishCounts,
) -> tuple[str, tuple[Replacement, ...]]:
    """Return a sanitized text smoothed by an editor, and all its edits in text order.

    Args:
        document: the original.
        text: the sanitized text.
        replacements: its edits.
        editor: asked about each sentence in which a mention was edited; about the same sentence
            only once.
        counts: the outcomes are added to it.
    """
    edits = [Edit(item.original, item.text, item.entity_ids, item.italic) for item in replacements]
    answers: dict[str, str | None] = {}
    for sentence, members in _edited_sentences(text, replacements):
        string = sentence.of(text)
        # A wrapped string has deleted pieces, each with its own place in the original.
        if len(string) > _LONGEST or any(edit.output_start == edit.output_end for edit in members):
            counts.unasked += 1
            continue
        if string not in answers:
            answers[string] = editor(string)
        answer = answers[string]
        if answer is None:
            counts.silent += 1
            continue
        fixed = [
            Span(e.output_start - sentence.start, e.output_end - sentence.start) for e in members
        ]
        changes = accepted_changes(string, fixed, answer)
        if changes is None:
            counts.refused += 1
        elif not changes:
            counts.unchanged += 1
        else:
            counts.smoothed += 1
            edits += [_as_edit(change, sentence.start, replacements) for change in changes]
    return apply_edits(document.text, edits)


def _as_edit(change: AcceptedChange, start: int, replacements: Sequence[Replacement]) -> Edit:
    output = Span(start + change.span.start, start + change.span.end)
    return Edit(to_original(output.start, output.end, replacements), change.text, ())


def _edited_sentences(
    text: str, replacements: Sequence[Replacement]
) -> Iterator[tuple[Span, list[Replacement]]]:
    """Yield the sentences in which a mention was edited, each with all its edits."""
    first = 0
    for sentence in _sentences(text, replacements):
        while first < len(replacements) and replacements[first].output_end < sentence.start:
            first += 1
        members = []
        for edit in replacements[first:]:
            if edit.output_start > sentence.end:
                break
            if edit.output_end >= sentence.start:
                members.append(edit)
        is_whole = all(
            sentence.start <= edit.output_start and edit.output_end <= sentence.end
            for edit in members
        )
        if is_whole and any(edit.entity_ids for edit in members):
            yield sentence, members


def _sentences(text: str, replacements: Sequence[Replacement]) -> Iterator[Span]:
    """Yield the sentences of a text; none crosses a line end, and none ends inside an edit."""
    spans = iter(replacements)
    edit = next(spans, None)
    for part in _PARTS.finditer(text):
        start = part.start()
        for end in _END.finditer(text, part.start(), part.end()):
            while edit is not None and edit.output_end < end.end():
                edit = next(spans, None)
            inside = edit is not None and edit.output_start < end.end() < edit.output_end
            last = end["last"].lstrip("([\"'“‘").lower()
            if not inside and len(last) > 1 and last not in TITLES:
                yield from _stripped(text, start, end.end())
                start = end.end()
        yield from _stripped(text, start, part.end())


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    string = text[start:end]
    if core := string.strip():
        first = start + string.index(core)
        yield Span(first, first + len(core))


# Accepted changes of an answer.


@dataclass(frozen=True, slots=True)
class _FixedUnit:
    """Something that must stay: its stretch in the sentence, and the forms it may have."""

    span: Span
    forms: tuple[str, ...]


def accepted_changes(
    sentence: str, written: Sequence[Span], answer: str
) -> tuple[AcceptedChange, ...] | None:
    """Return the changes in an answer, in sentence order, or None if it says something else.

    Args:
        sentence: the original sentence, without white space around it.
        written: the stretches of it that edits wrote, in order.
        answer: the editor's answer.
    """
    answer = answer.strip()
    units = list(_units(sentence, written))
    reading = _read(units, answer)
    if reading is None or not units or sentence[:1].isupper() != answer[:1].isupper():
        return None
    changes, end = [], 0
    for unit, (gap, form) in zip([*units, None], reading, strict=True):
        start, end = end, len(sentence) if unit is None else unit.span.start
        old = sentence[start:end]
        if old.split() != gap.split() or bool(old) != bool(gap):
            is_inside = start > 0 and unit is not None
            if not _may_become(old, gap, is_first=start == 0, is_inside=is_inside):
                return None
            changes.append(AcceptedChange(Span(start, end), gap))
        if unit is not None:
            end = unit.span.end
            if form != unit.span.of(sentence):
                changes.append(AcceptedChange(unit.span, form))
    return tuple(changes)


def _units(sentence: str, written: Sequence[Span]) -> Iterator[_FixedUnit]:
    place = 0
    for span in (*written, None):
        for word in _WORD.finditer(sentence, place, len(sentence) if span is None else span.start):
            if not _FREE.fullmatch(word[0]):
                yield _FixedUnit(Span(*word.span()), _FORMS.get(word[0], (word[0],)))
        if span is not None:
            place = span.end
            yield _FixedUnit(span, (span.of(sentence),))


def _read(units: Sequence[_FixedUnit], answer: str) -> list[tuple[str, str]] | None:
    """Return the form of each unit in an answer with the text before it, and finally the text after the last one.

    Return None if a unit is missing or something else was added.
    """
    reading, place = [], 0
    for unit in units:
        start = place
        while (form := _form_at(unit, answer, place)) is None:
            free = _FREE.match(answer, place)
            if free is None:
                return None
            place = free.end()
        reading.append((answer[start:place], form))
        place += len(form)
    rest = answer[place:]
    while rest and (free := _FREE.match(rest)):
        rest = rest[free.end() :]
    return None if rest else [*reading, (answer[place:], "")]


def _form_at(unit: _FixedUnit, answer: str, place: int) -> str | None:
    for form in unit.forms:
        end = place + len(form)
        is_cut = form[-1].isalnum() and answer[end : end + 1].isalnum()
        if answer.startswith(form, place) and not is_cut:
            return form
    return None


def _may_become(old: str, new: str, *, is_first: bool, is_inside: bool) -> bool:
    """Return whether such a change of articles, prepositions, commas and spaces is allowed between two words."""
    starts = not is_inside or new[:1] in (" ", ",")
    ends = old[-1:] != " " or new[-1:] == " " or (is_first and not new)
    # Nothing may be put where there was nothing, and words stay separate.
    if not (old and starts and ends):
        return False
    plain = new[:1].lower() + new[1:] if is_first else new
    return plain == plain.lower() and len(new.split()) <= len(old.split()) + _MORE
