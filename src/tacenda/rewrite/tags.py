"""Tags such as ``[PERSON 1]``: their words, their numbers, and what is written between two of them.

The word is one that readers understand (``data/languages``). The number tells who is who: for each
word, numbers start at 1 in order of appearance, skipping those of tags the text already has. Dates
that name the same day, month or year share a number, however they are written.

Nothing is written between two tags that isn't in the text. With at most a space between them:

| original | written | |
|---|---|---|
| postgres://app:key@host | ``[CODE 4]`` | nothing between: one string, one tag, of the longer part |
| Anna Berg, found in two parts; Anna J. Berg | ``[PERSON 1]`` | one broken name, with its initial: the tag that is there more often |
| the Norwegian composer; Oslo University | ``[DETAIL 2]``; ``[ORGANISATION 1]`` | what describes a noun goes into its tag |
| drummer Anna Berg | ``[PERSON 1]`` | so does what stands before a name without an article |
| the drummer Anna Berg | the ``[DETAIL 1] [PERSON 1]`` | different things have a tag each |
| In 1994 Oslo had … | In ``[DATE 1] [PLACE 1]`` had … | |
| MRN 00482913 | ``[CODE 2]`` | a label of capitals goes into its number |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, filterfalse

from ..document import Decision, Document, Entity, SemanticType, Span
from ..policy.forms import FORMS
from ..text.placeholders import taken_numbers
from ..wording import TAG_TYPES, TIME, tag_words
from .edits import BuiltInOperator, Edit
from .generalize.date_parsing import Number, Period, of_month, of_years, parse_period, years_of
from .generalize.place import STOP, sentence_context


class Tag(BuiltInOperator):
    """The operator that writes ``[PERSON 1]``, the same for all mentions of an entity.

    Args:
        numbers: numbers by entity id, if they aren't the entities' own.
        language: language code of its words; English if that language has no table.
    """

    def __init__(self, numbers: Mapping[str, int] | None = None, language: str = "en") -> None:
        self._numbers = numbers or {}
        self._words = tag_words(language)

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the word for the entity's type with its number among entities of that type."""
        is_time = entity.type is SemanticType.DATETIME and _is_time(document, entity)
        word = self._words[TIME if is_time else entity.type]
        return f"[{word} {self._numbers.get(entity.id, entity.number)}]"


def _is_time(document: Document, entity: Entity) -> bool:
    """Return whether no mention is a date: ``10.30 a.m.``, ``three years``."""
    strings = {mention.span.of(document.text).strip() for mention in entity.mentions}
    return all(
        FORMS["time"].fullmatch(item) or FORMS["duration"].fullmatch(item) for item in strings
    )


_CLOCK = re.compile(r"\d[:.h]\d\d|\d\s?[ap]\.?m\b", re.IGNORECASE)


def numbers_of_dates(document: Document, decisions: Sequence[Decision]) -> dict[str, int]:
    """Return the numbers of the masked dates by entity; dates that name the same days share one."""
    years = years_of(document.text)
    numbers: dict[Period, int] = {}
    shared = {}
    for decision in decisions:
        entity = decision.entity
        if not decision.masked or entity.type is not SemanticType.DATETIME:
            continue
        strings = {mention.span.of(document.text) for mention in entity.mentions}
        periods = {parse_period(string, years) for string in strings}
        period = periods.pop()
        if periods or period is None or not _is_certain(period) or any(map(_CLOCK.search, strings)):
            continue
        shared[entity.id] = numbers.setdefault(period, entity.number)
    return shared


def _is_certain(period: Period) -> bool:
    """Return whether a period is one day, month or year, or a range of days."""
    if period.vague or period.number is Number.SEVERAL:
        return False
    first, last = period.first, period.last
    is_whole = period in (of_month(first.year, first.month), of_years(first.year, last.year))
    return period.days == 1 or is_whole or period.number is Number.RANGE


# Two tags with at most a space between them.


_TAG = re.compile(rf"\[({'|'.join(TAG_TYPES)}) \d+\]")
_NUMBERED = re.compile(rf"(?<=[\[ ])({'|'.join(TAG_TYPES)}) (\d+)(?=\])")
"""A tag's word and number, also where a phrase stands before them: ``[musician PERSON 1]``."""
_BLANK = re.compile("[ \u00a0\u2009\u202f]?")
_INITIALS = re.compile(r"[ \u00a0]?(?:[^\W\d_a-z]\.[ \u00a0]?){1,3}")
_CAPITAL_WORD = re.compile(r"(?<!\w)([^\W\d_a-z][^\W\d_]*)\s\Z")
_SEEN = 24
"""Code points before a tag that are looked at."""
_NOUNS = frozenset((SemanticType.ORG, SemanticType.DEM, SemanticType.MISC))
"""Types of nouns that others describe: the Norwegian composer, the 1994 Olympics."""
_COUNTED = _NOUNS | {SemanticType.LOC, SemanticType.DATETIME, SemanticType.QUANTITY}


def part_tags(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the edits, joining some tags that have at most a space between them.

    Args:
        text: the original.
        edits: the edits in text order.
    """
    counts = Counter(edit.text for edit in edits)
    last: Edit | None = None
    for edit in edits:
        if last is not None:
            types = [type for item in (last, edit) if (type := _type(item)) is not None]
            gap = text[last.span.end : edit.span.start]
            if len(types) == 2:
                one = _one_tag(text, last, edit, gap, *types)
                if one is not None and types[0] is types[1]:
                    # The tag readers will see elsewhere.
                    one = max(one, last, edit, key=lambda item: counts[item.text])
                if one is not None:
                    entities = tuple(dict.fromkeys((*last.entities, *edit.entities)))
                    last = Edit(Span(last.span.start, edit.span.end), one.text, entities)
                    continue
            yield last
        last = edit
    if last is not None:
        yield last


def is_tag(text: str) -> bool:
    """Return whether a text is a tag in any language."""
    return _TAG.fullmatch(text) is not None


def _type(edit: Edit) -> SemanticType | None:
    match = _TAG.fullmatch(edit.text)
    return TAG_TYPES[match[1]] if match else None


def _one_tag(
    text: str, first: Edit, second: Edit, gap: str, type: SemanticType, of_second: SemanticType
) -> Edit | None:
    """Return which of two edits' tags stands for both, or None if each keeps its own."""
    if not gap:
        return max(first, second, key=lambda edit: len(edit.span))
    of_people = type is of_second is SemanticType.PERSON
    if of_people and (_BLANK.fullmatch(gap) or _INITIALS.fullmatch(gap)):
        counts = [len(edit.span.of(text).split()) for edit in (first, second)]
        if min(counts) > 1 and _BLANK.fullmatch(gap):
            return None
        return first if counts[0] > counts[1] else second
    if not _BLANK.fullmatch(gap):
        return None
    before = text[max(0, first.span.start - _SEEN) : first.span.start]
    word = _CAPITAL_WORD.search(before)
    if word is not None and word[1].lower() in STOP:
        return None
    determined = sentence_context(text, first.span).determined
    match type:
        case SemanticType.CODE:
            label = first.span.of(text)
            is_label = of_second is SemanticType.CODE and label.isalpha() and label.isupper()
            return second if is_label else None
        case SemanticType.PERSON:
            return None
        case SemanticType.QUANTITY:
            return second if of_second in _COUNTED else None
        case SemanticType.DATETIME:
            return second if of_second in _NOUNS and determined else None
        case SemanticType.DEM if of_second is SemanticType.PERSON:
            return None if determined else second
    is_described = of_second in _NOUNS or (
        type is SemanticType.DEM and of_second is SemanticType.LOC
    )
    return second if is_described else None


def number_tags(
    text: str, edits: Iterable[Edit], given: Collection[SemanticType] = ()
) -> Iterator[Edit]:
    """Yield the edits, with the tags of each word numbered from 1 in order of appearance.

    Args:
        text: the original; numbers of tags it already has are skipped.
        edits: the edits in text order.
        given: types whose tags keep their numbers.
    """
    numbers_taken = taken_numbers(text)
    free: dict[str, Iterator[int]] = {}
    numbers: dict[tuple[str, ...], str] = {}

    def numbered(match: re.Match[str]) -> str:
        word, number = match.groups()
        if TAG_TYPES[word] in given:
            return match[0]
        left = free.setdefault(
            word, filterfalse(numbers_taken[TAG_TYPES[word]].__contains__, count(1))
        )
        if (word, number) not in numbers:
            numbers[word, number] = f"{word} {next(left)}"
        return numbers[word, number]

    for edit in edits:
        yield replace(edit, text=_NUMBERED.sub(numbered, edit.text))
