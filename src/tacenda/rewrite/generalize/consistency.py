"""Dates, time spans and ages that occur together: no two of them tell more than each does alone.

| text | written by themselves | what both tell |
|---|---|---|
| on 20 December 1999; three weeks later, on 10 January 2000 | the 1990s, three weeks later, the 2000s | the last weeks of 1999 |
| born in 1971 … in 2012, aged 41 | the 1970s, in their forties in 2012 | 1970 to 1972 |

A time span between two dates, or an age at one of them, ties the two together. For each replaced
date we count the days that the other one leaves possible; if that is less than half of the days its
own words cover, coarser words are written, first for the age. Spans, ages and dates are tied
together if their true values agree: the two days are three weeks apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise

from ...document import Decision, Document, Option, SemanticType, Span
from ...shipped import shipped_patterns
from ...text.dates import MONTH, YEAR
from ...text.passages import has_separator
from .candidates import SUPPRESSION
from .date_parsing import Period, of_years, parse_period, years_of
from .grammar import DATE_PHRASE, DATE_SOURCES
from .numerals import WORDS, fold_numerals, readings
from .quantities import DECADES

_LEAST_LEFT = 0.5
"""Share of the days of a period that must be left."""
_NEAR = 200
"""Characters around a span of time or an age in which its dates stand."""
_YEAR_DAYS = 365.25
_UNITS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": _YEAR_DAYS, "decade": 10 * _YEAR_DAYS}
_PATTERNS = shipped_patterns("english_contexts", "anchors", month=MONTH, words=WORDS, year=YEAR)
_CENTURY = re.compile(r"(?:the )?(\d+)(?:st|nd|rd|th) century")
_BETWEEN = re.compile(r"(\d+)\D+(\d+)")
_OLDEST = 120
_BEFORE_BIRTH = 80
_ALWAYS = Period(date.min, date.max)


@dataclass(frozen=True, slots=True)
class _Value:
    """A date or an age in the text, in days or years: its true value and what will be written.

    Attributes:
        span: its place.
        true: the first and last value the original allows.
        written: the first and last value the written words allow.
        index: index of its decision, or -1 if it isn't replaced.
    """

    span: Span
    true: tuple[float, float]
    written: tuple[float, float]
    index: int


def consistent(document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the decisions, with coarser choices where two values together would tell more.

    Args:
        document: the document the decisions are about.
        decisions: the decisions, with options and choices.
    """
    result = list(decisions)
    text = document.text
    anchors = _anchors(text)
    if not anchors:
        return tuple(decisions)
    years = years_of(text)
    for match, is_age in anchors:
        # Each step makes one decision's option coarser, so this ends.
        while (index := _conflict(document, result, match, is_age, years)) is not None:
            result[index] = _coarser(result[index])
    return tuple(result)


@lru_cache(maxsize=4)
def _anchors(text: str) -> tuple[tuple[re.Match[str], bool], ...]:
    """Return the time spans and ages of a text, each with whether it is an age."""
    spans = [(match, False) for match in _PATTERNS["span"].finditer(text)]
    return (*spans, *((match, True) for match in _PATTERNS["age"].finditer(text)))


def _conflict(
    document: Document,
    decisions: Sequence[Decision],
    match: re.Match[str],
    is_age: bool,
    years: tuple[int, ...],
) -> int | None:
    """Return the decision whose words must become coarser, or None if there is none."""
    dates = _dates(document, decisions, Span(*match.span()), years)
    if not is_age:
        low, high = _length(match)
        for one, two in pairwise(dates):
            if one.index < 0 or two.index < 0:
                continue  # what is left in the text gives it away, however coarse the other one is
            gap = two.true[0] - one.true[1], two.true[1] - one.true[0]
            sign = 1 if gap[1] >= 0 else -1
            least, most = (low, high) if sign > 0 else (-high, -low)
            if gap[1] < least or gap[0] > most:
                continue
            for value, other, bounds in ((one, two, (-most, -least)), (two, one, (least, most))):
                if _is_narrowed(value, other, bounds):
                    return _wider(decisions, value, other)
        return None
    age = _age(decisions, match)
    if age is None:
        return None
    for birth in _births(document, decisions, years):
        for event in dates:
            if event.span == birth.span or (age.index < 0 and event.index < 0):
                continue
            gap = (
                (event.true[0] - birth.true[1]) / _YEAR_DAYS,
                (event.true[1] - birth.true[0]) / _YEAR_DAYS,
            )
            if gap[1] < age.true[0] or gap[0] > age.true[1] + 1:
                continue
            least, most = age.written[0] * _YEAR_DAYS, (age.written[1] + 1) * _YEAR_DAYS
            if _is_narrowed(birth, event, (-most, -least)) or _is_narrowed(
                event, birth, (least, most)
            ):
                first = age if age.index >= 0 and _has_coarser(decisions[age.index]) else event
                return _wider(decisions, first, birth)
    return None


def _is_narrowed(value: _Value, other: _Value, bounds: tuple[float, float]) -> bool:
    """Return whether ``other`` and the span between leave less than half of a replaced value's days.

    If ``other`` covers fewer days, less than half of those: a reader learns no more than from
    ``other``.
    """
    if value.index < 0:
        return False
    first = max(value.written[0], other.written[0] + bounds[0])
    last = min(value.written[1], other.written[1] + bounds[1])
    hidden = [each for each in (value, other) if each.index >= 0]
    days = min(each.written[1] - each.written[0] + 1 for each in hidden)
    return last - first + 1 < _LEAST_LEFT * days


def _wider(decisions: Sequence[Decision], *values: _Value) -> int | None:
    """Return the first of the values' decisions that has coarser words, or None."""
    for value in values:
        if value.index >= 0 and _has_coarser(decisions[value.index]):
            return value.index
    return None


def _has_coarser(decision: Decision) -> bool:
    return decision.choice is not None and decision.choice.source != SUPPRESSION


def _coarser(decision: Decision) -> Decision:
    choice = decision.choice
    if choice is None:
        return decision
    option = decision.options[choice.level + 1]
    operator = "suppress" if option.source == SUPPRESSION else decision.operator
    return replace(decision, choice=option, operator=operator)


def _length(match: re.Match[str]) -> tuple[float, float]:
    """Return the fewest and most days a time span can mean, given how texts round."""
    unit = match["unit"] or match["single"]
    size = _UNITS[unit.lower()]
    number = fold_numerals(match["number"] or "1")
    values = (1.0,) if number in {"a", "an"} else readings(number)
    count = values[0] if values else 1.0
    return max(0.0, (count - 1) * size), (count + 1) * size


def _dates(
    document: Document, decisions: Sequence[Decision], around: Span, years: tuple[int, ...]
) -> list[_Value]:
    """Return the dates near a place, replaced or not, in text order."""
    text = document.text
    start, end = max(0, around.start - _NEAR), min(len(text), around.end + _NEAR)
    values = []
    for index, decision in enumerate(decisions):
        if not decision.masked:
            continue
        for mention in decision.entity.mentions:
            span = mention.span
            if span.start < start or span.end > end or not _same_line(text, span, around):
                continue
            if decision.entity.type is SemanticType.DATETIME:
                true = parse_period(span.of(text), years)
                if true is not None and not span.overlaps(around):
                    values.append(_Value(span, _days(true), _days(_written(decision)), index))
    hidden = [
        mention.span
        for decision in decisions
        if decision.masked
        for mention in decision.entity.mentions
    ]
    for match in _PATTERNS["date_left"].finditer(text, start, end):
        span = Span(*match.span())
        period = None if any(span.overlaps(each) for each in hidden) else parse_period(match[0])
        if period is not None and _same_line(text, span, around):
            values.append(_Value(span, _days(period), _days(period), -1))
    return sorted(values, key=lambda value: value.span)


def _same_line(text: str, span: Span, other: Span) -> bool:
    return not has_separator(text, Span(min(span.start, other.start), max(span.end, other.end)))


def _births(
    document: Document, decisions: Sequence[Decision], years: tuple[int, ...]
) -> Iterator[_Value]:
    """Yield the replaced dates of birth, recognized by the words before them."""
    text = document.text
    for index, decision in enumerate(decisions):
        if not decision.masked or decision.entity.type is not SemanticType.DATETIME:
            continue
        for mention in decision.entity.mentions:
            if _PATTERNS["born"].search(
                text[max(0, mention.span.start - _BEFORE_BIRTH) : mention.span.start]
            ):
                true = parse_period(mention.span.of(text), years)
                if true is not None:
                    yield _Value(mention.span, _days(true), _days(_written(decision)), index)


def _age(decisions: Sequence[Decision], match: re.Match[str]) -> _Value | None:
    """Return the age at a place, in years, with the ages its written words allow."""
    values = readings(fold_numerals(match["age"] or match["old"]))
    if not values or values[0] > _OLDEST:
        return None
    span, age = Span(*match.span()), float(values[0])
    for index, decision in enumerate(decisions):
        if decision.masked and any(span.overlaps(item.span) for item in decision.entity.mentions):
            return _Value(span, (age, age), _years_of_age(decision), index)
    return _Value(span, (age, age), (age, age), -1)


def _years_of_age(decision: Decision) -> tuple[float, float]:
    """Return the ages that the words written for an age allow."""
    text = decision.choice.text if decision.choice is not None else ""
    for place, name in enumerate(DECADES):
        if name in text:
            return 20.0 + 10 * place, 29.0 + 10 * place
    if "teens" in text:
        return 13.0, 19.0
    if (match := _BETWEEN.search(text)) is not None:
        return float(match[1]), float(match[2])
    number = re.search(r"\d+", text)
    if number is not None:
        end = float(number[0])
        if "no more than" in text:
            return 0.0, end
        return (end + 1, _OLDEST) if "over" in text or "more" in text else (0.0, end - 1)
    if "underage" in text or "under age" in text:
        return 0.0, 17.0
    return (18.0, _OLDEST) if "adult" in text else (0.0, _OLDEST)


def _written(decision: Decision) -> Period:
    """Return the days that the words written for a date allow."""
    return option_period(decision.choice) or _ALWAYS


def option_period(option: Option | None) -> Period | None:
    """Return the days that an option allows, or None if it doesn't name a period."""
    if option is None or option.source not in DATE_SOURCES:
        return None
    phrase = DATE_PHRASE.fullmatch(option.text)
    rest = phrase["rest"] if phrase else option.text
    century = _CENTURY.fullmatch(rest)
    if century is not None:
        last = 100 * int(century[1])
        return of_years(last - 99, last)
    return parse_period(rest)


def _days(period: Period) -> tuple[float, float]:
    return float(period.first.toordinal()), float(period.last.toordinal())
