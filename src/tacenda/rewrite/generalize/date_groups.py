"""Replacements of dates that occur together: ranges and lists become one phrase, the others keep their order.

| original | each by itself | together |
|---|---|---|
| from 1921 to 1922 | from [the 1920s] to [the 1920s] | in [the 1920s] |
| on 3 May and 5 June 1994 | on a [date in the 1990s] and a [date in the 1990s] | on [dates in the 1990s] |
| elected in 1904; in 1908 he lost | elected in [the 1900s]; in [the 1900s] he lost | …; [later in the 1900s] he lost |
| in late 1951 | in late [the 1950s] | in [the 1950s] |

Late in 1951 isn't in the late 1950s, so the word is replaced with the date. *Later* and *earlier*
refer to the date before, in the same paragraph or the one before it, and are written only if no
other date is in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...document import Option, SemanticType, Span
from ...text.dates import find_dates, keys_and_gaps
from ...text.passages import has_separator
from ..edits import Edit
from .date_parsing import Period, parse_period, years_of
from .grammar import DATE_PHRASE, DATE_SOURCES, realise

_LIST = re.compile(r"\s*[,;/&]\s*|\s*[,;]?\s+(?P<word>and|or)\s+(?:(?:in|on)\s+)?")
_RANGE = re.compile(r"\s*[-\u2010-\u2015]\s*|,?\s+(?:to|until|till|through)\s+")
_BEFORE_RANGE = re.compile(r"\b(?:from|between)\s+\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"between\s+\Z", re.IGNORECASE)
_PART = re.compile(r"\b(?:early|mid|late|later)[\s-]+\Z", re.IGNORECASE)
_IN = re.compile(r"\bin\s+\Z", re.IGNORECASE)
_DATED = re.compile(r"\bdated\s+\Z", re.IGNORECASE)
_THE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)
_ORDINAL_DAY = re.compile(r"[0-3]?[0-9](?:st|nd|rd|th)\b")
_RESPECTIVELY = re.compile(r",?\s+respectively\b")
_ONE_PARAGRAPH_ON = re.compile(r"(?:[^\n\t|]*[.!?][\"'”’)]*)?\n\s*(?=[A-Z])[^\n\t|]*")
_WINDOW = 16
"""Characters before a date in which the words that go with it stand."""
_NEAR = 300
"""Characters between two dates, at most, for one to be said to be later than the other."""


@dataclass(frozen=True, slots=True)
class _DateRun:
    """A stretch of the text with one date, a range or a list of dates, all in one period.

    Attributes:
        edit: the edit that replaces it.
        option: the period.
        word: ``and`` or ``or`` before the last date of a list, otherwise empty.
        own: whether the edit's text is still that of a single mention.
    """

    edit: Edit
    option: Option
    word: str = ""
    own: bool = True


def join_dates(text: str, edits: Iterable[Edit], choices: Mapping[str, Option]) -> Iterator[Edit]:
    """Yield the edits; those of dates fit one another.

    Args:
        text: the original.
        edits: in order of the text, without overlaps.
        choices: the options written for dates, by entity.
    """
    years = years_of(text)
    last: _DateRun | None = None
    end = 0
    for item in _stretches(text, edits, choices):
        if isinstance(item, Edit):
            if last is not None and item.span.start <= last.edit.span.end + 1:
                last = None  # It may go into a longer phrase, and nothing is later than that.
            yield item
            end = item.span.end
            continue
        stretch = _with_words_before(text, item, end)
        order = _order(text, last, stretch, years)
        stretch = _ordered(text, stretch, order, end) if order else stretch
        end = stretch.edit.span.end
        last = stretch
        if stretch.own:
            yield stretch.edit
            continue
        edit = stretch.edit
        phrase = realise(text, edit.span, SemanticType.DATETIME, stretch.option)
        yield replace(edit, text=f"{stretch.word} {phrase}".lstrip())


def _stretches(
    text: str, edits: Iterable[Edit], choices: Mapping[str, Option]
) -> Iterator[_DateRun | Edit]:
    """Yield one edit for each range or list of dates in one period, and the other edits unchanged."""
    run: _DateRun | None = None
    for edit in edits:
        option = _option(edit, choices)
        if option is None:
            if run is not None:
                yield run
            run = None
            yield edit
            continue
        stretch = _DateRun(edit, option)
        joint = None if run is None else _joint(text, run, stretch)
        if run is not None and joint is None:
            yield run
        run = joint or stretch
    if run is not None:
        yield run


def _option(edit: Edit, choices: Mapping[str, Option]) -> Option | None:
    """Return the written period, or None unless it is a calendar period."""
    options = {choices[id] for id in edit.entities if id in choices}
    if len(options) != 1 or not edit.text or not all(id in choices for id in edit.entities):
        return None
    option = options.pop()
    return option if option.source in DATE_SOURCES else None


def _joint(text: str, first: _DateRun, second: _DateRun) -> _DateRun | None:
    """Return two neighbors as one, or None unless they are a range or a list in the same period."""
    start, end = first.edit.span.end, second.edit.span.start
    span = Span(first.edit.span.start, second.edit.span.end)
    rest = _rest(first.option)
    if rest != _rest(second.option) or has_separator(text, span):
        return None
    before = text[max(0, span.start - _WINDOW) : span.start]
    item = _LIST.fullmatch(text, start, end)
    is_range = _RANGE.fullmatch(text, start, end) or (item and _BETWEEN.search(before))
    if not item and not is_range:
        return None
    noun = "period" if is_range else "dates"
    option = replace(first.option, text=f"{noun} in {rest}")
    entities = tuple(dict.fromkeys((*first.edit.entities, *second.edit.entities)))
    word = (item["word"] or "") if item and not is_range else ""
    return _DateRun(Edit(span, first.edit.text, entities), option, word, own=False)


def _rest(option: Option) -> str:
    match = DATE_PHRASE.fullmatch(option.text)
    return match["rest"] if match and not match["from"] else option.text


def _with_words_before(text: str, stretch: _DateRun, end: int) -> _DateRun:
    """Return a stretch extended to the words before it that belong to it: ``from``, ``between``, ``late``."""
    span = stretch.edit.span
    window = text[max(end, span.start - _WINDOW) : span.start]
    number = DATE_PHRASE.fullmatch(stretch.option.text)
    several = (
        number is not None
        and not number["from"]
        and number["noun"] != "date"
        and " or " not in number["rest"]
    )
    goes_on = _RANGE.match(text, span.end)  # from 1927–28 to 1935
    patterns = (_PART, _DATED, _BEFORE_RANGE) if several and not goes_on else (_PART, _DATED)
    if _ORDINAL_DAY.match(span.of(text)):
        patterns = (_THE, *patterns)
    if several and (end_word := _RESPECTIVELY.match(text, span.end)) is not None:
        span = Span(span.start, end_word.end())
    start = span.start
    for pattern in patterns:
        match = pattern.search(window)
        if match is not None:
            start -= len(match[0])
            window = window[: match.start()]
    # In a list of several periods the last one keeps its "and".
    word = stretch.word if text[max(0, start - 2) : start].strip() == "," else ""
    if start == stretch.edit.span.start and span == stretch.edit.span:
        return replace(stretch, word=word)
    if has_separator(text, Span(start, span.end)):
        return replace(stretch, word=word)
    edit = replace(stretch.edit, span=Span(start, span.end))
    return replace(stretch, edit=edit, word=word, own=False)


def _order(text: str, last: _DateRun | None, stretch: _DateRun, years: tuple[int, ...]) -> str:
    """Return ``later`` or ``earlier``, compared with the date before it, if both have the same words."""
    if last is None or _rest(last.option) != _rest(stretch.option):
        return ""
    gap = text[last.edit.span.end : stretch.edit.span.start]
    if len(gap) > _NEAR or not re.search(r"\w\w", gap):
        return ""
    breaks = has_separator(text, Span(last.edit.span.start, stretch.edit.span.end))
    if breaks and not _ONE_PARAGRAPH_ON.fullmatch(gap):
        return ""
    if next(find_dates(*keys_and_gaps(gap)), None) is not None:
        return ""
    before, after = (_period(text, item, years) for item in (last, stretch))
    if before is None or after is None:
        return ""
    return "later" if after.first > before.last else "earlier" if after.last < before.first else ""


def _period(text: str, stretch: _DateRun, years: tuple[int, ...]) -> Period | None:
    return parse_period(stretch.edit.span.of(text), years)


def _ordered(text: str, stretch: _DateRun, order: str, end: int) -> _DateRun:
    """Return a stretch that states its order and includes an ``in`` before it."""
    span = stretch.edit.span
    match = _IN.search(text[max(end, span.start - _WINDOW) : span.start])
    if match is not None and not has_separator(text, Span(span.start - len(match[0]), span.end)):
        span = Span(span.start - len(match[0]), span.end)
    edit = replace(stretch.edit, span=span)
    noun = "" if DATE_PHRASE.fullmatch(stretch.option.text) else "date in "
    option = replace(stretch.option, text=f"{order} {noun}{stretch.option.text}")
    return _DateRun(edit, option, stretch.word, own=False)
