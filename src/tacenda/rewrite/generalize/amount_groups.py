"""Replacements of amounts together with the words around them.

| original | by itself | with the words around it |
|---|---|---|
| about 4,200 kroner | about [between 1,000 and 5,000 kroner] | [between 1,000 and 5,000 kroner] |
| at least 120 witnesses | at least [between 100 and 500 witnesses] | at least [100 witnesses] |
| PLN 3,000 (approx. EUR 738) | two bins | [between PLN 1,000 and PLN 5,000] |
| a 200-pounder | a [between 100 and 500]-pounder | a [100-to-500]-pounder |
| between £15,000 and £20,000 | between two bins | [between £10,000 and £50,000] |
| the 76th · won twice | the [X] · won [X times] | the [Xth] · won [more than once] |

An amount repeated in a second currency is dropped: with the day's exchange rate, the two bins
together would tell more than either alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...document import Option, SemanticType, Span
from ...shipped import shipped_patterns
from ...text.passages import has_separator
from ..edits import MASK, Edit
from .grammar import realise
from .numerals import fold_numerals
from .quantities import APPROXIMATELY, ORDINAL

BINS = frozenset(f"rule:{name}" for name in ("bin", "magnitude", "share", "duration"))
"""Sources of the options that are bins of numbers."""
_UNIT = "rule:unit"
_AGE = "rule:age"
_PATTERNS = shipped_patterns("english_contexts", "amounts")
_BEFORE_AGE = 120
"""Characters before an age in which a person is named by sex."""
_WINDOW = 24
"""Characters before an amount in which words that go with it stand."""
_BETWEEN = re.compile(
    r"between (?P<low>\D*[\d,.]+)(?P<scale>.*?) and (?P<high>\D*[\d,.]+)(?P<rest>.*)"
)
_SCALED = re.compile(r"(?: (?:m|b|tr)illion|m|bn|k)\b")
_TO = re.compile(r"\s?[-\u2010-\u2015]\s?|\s(?:and|to)\s")
_FROM = re.compile(r"\bfrom\s\Z", re.IGNORECASE)
_BETWEEN_BEFORE = re.compile(r"\bbetween\s\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Written:
    """An edit of an amount, with its option."""

    edit: Edit
    option: Option


def join_amounts(
    text: str, edits: Iterable[Edit], choices: Mapping[str, Option], sexes: bool
) -> Iterator[Edit]:
    """Yield the edits; those of amounts fit the words around them.

    Args:
        text: the original.
        edits: the edits in text order, without overlaps.
        choices: the options written for amounts, time spans and ages, by entity.
        sexes: whether an age may be in *his* or *her* forties.
    """
    last: _Written | None = None
    end = 0
    for edit in edits:
        option = _option(edit, choices)
        item = None if option is None else _Written(edit, option)
        joint = _joint(text, last, item) if last is not None and item is not None else None
        if joint is not None:
            last = joint
            continue
        if last is not None:
            yield last.edit
            end = last.edit.span.end
        if item is None:
            yield edit
            end = edit.span.end
        last = None if item is None else _Written(_worded(text, item, end, sexes), item.option)
    if last is not None:
        yield last.edit


def _option(edit: Edit, choices: Mapping[str, Option]) -> Option | None:
    option = choices.get(edit.entities[0]) if len(edit.entities) == 1 and edit.text else None
    return option if option is not None and option.source in BINS | {_UNIT, _AGE} else None


def _worded(text: str, item: _Written, end: int, sexes: bool) -> Edit:
    """Return the edit of an amount, extended to the words before it that belong to it."""
    span, option = item.edit.span, item.option
    original = fold_numerals(span.of(text))
    window = text[max(end, span.start - _WINDOW) : span.start]
    phrase = option.text
    bin = _BETWEEN.fullmatch(phrase) if option.source in BINS else None
    if bin is not None and (about := APPROXIMATELY.search(window)) is not None:
        if not has_separator(text, Span(span.start - len(about[0]), span.end)):
            span = Span(span.start - len(about[0]), span.end)
    elif bin is not None and (side := _side(option, window)):
        phrase = _edge(bin, side)
    elif bin is not None and text[span.end : span.end + 1] == "-" and not bin["rest"]:
        phrase = f"{bin['low']}-to-{bin['high']}"
    elif phrase.startswith("X") and ORDINAL.match(original):
        phrase = f"Xth{phrase[1:]}"
    elif sexes and option.source == _AGE and "their" in phrase.split():
        people = list(_PATTERNS["his"].finditer(text, max(0, span.start - _BEFORE_AGE), span.start))
        if people:
            whose = "my" if people[-1]["my"] else "his" if people[-1]["his"] else "her"
            phrase = phrase.replace("their", whose)
    elif phrase == "X times" and original in {"twice", "thrice"}:
        phrase = "more than once"
    sides = text[max(end, span.start - 1) : span.start], text[span.end : span.end + 1]
    if sides == ("[", "]"):  # a footnote brings its own brackets
        span = Span(span.start - 1, span.end + 1)
    if phrase == option.text and span == item.edit.span:
        return item.edit
    written = replace(option, text=phrase)
    return Edit(span, realise(text, span, SemanticType.QUANTITY, written), item.edit.entities)


def _side(option: Option, window: str) -> str:
    """Return which end of a bin is true after words for a limit; empty if there are none."""
    if _PATTERNS["most"].search(window):
        return "high"
    is_duration = option.source == "rule:duration"
    other = _PATTERNS["during"] if is_duration else _PATTERNS["about"]
    return "low" if _PATTERNS["least"].search(window) and not other.search(window) else ""


def _edge(bin: re.Match[str], side: str) -> str:
    """Return one end of a bin with its scale and unit: ``between €1m and €5m`` → ``€1m``."""
    scale = _SCALED.match(bin["rest"])
    rest = bin["rest"][scale.end() :] if scale else bin["rest"]
    if (
        side == "low"
        and bin["low"] == "1"
        and not scale
        and rest.startswith(" ")
        and rest.endswith("s")
    ):
        rest = rest[:-1]  # more than 1 year
    if side == "high":
        return f"{bin['high']}{scale[0] if scale else ''}{rest}"
    # "Between 1 and 5 million": the scale is said once; "500,000 and 1 million": of the other end.
    shared = scale is not None and not bin["scale"] and "," not in bin["low"]
    return f"{bin['low']}{scale[0] if scale and shared else bin['scale']}{rest}"


def _range(text: str, first: _Written, second: _Written) -> _Written | None:
    """Return two bins joined by "to" or, after "between", by "and" as one bin, or None if they aren't a range."""
    low, high = (_BETWEEN.fullmatch(item.option.text) for item in (first, second))
    gap = _TO.fullmatch(text, first.edit.span.end, second.edit.span.start)
    start = first.edit.span.start
    before = _BETWEEN_BEFORE.search(text, max(0, start - _WINDOW), start)
    if gap is None or not (before or (low and high)):
        return None
    if before is not None:
        start = before.start()
    elif gap[0].strip() == "and" or _FROM.search(text, max(0, start - _WINDOW), start):
        return None  # it rose from one to the other
    span = Span(start, second.edit.span.end)
    if has_separator(text, span):
        return None
    entities = tuple(dict.fromkeys((*first.edit.entities, *second.edit.entities)))
    if not (low and high) or low["rest"] not in ("", high["rest"]) or low["scale"]:
        return _Written(Edit(span, MASK, entities), first.option) if before else None
    option = replace(second.option, text=f"between {low['low']} and {high['high']}{high['rest']}")
    phrase = realise(text, span, SemanticType.QUANTITY, option)
    return _Written(Edit(span, phrase, entities), option)


def _joint(text: str, first: _Written, second: _Written) -> _Written | None:
    """Return a range, or an amount repeated in another currency, as one edit, or None if it is neither."""
    span = Span(first.edit.span.start, second.edit.span.end)
    one, two = first.edit.span.of(text), second.edit.span.of(text)
    if (bin := _range(text, first, second)) is not None:
        return bin
    gap = _PATTERNS["second"].fullmatch(text, first.edit.span.end, second.edit.span.start)
    if gap is None or not _PATTERNS["money"].search(one) or not _PATTERNS["money"].search(two):
        return None
    inner = two.startswith(("(", "["))
    if not (gap["open"] or inner or _PATTERNS["same"].search(gap[0])):
        return None
    opened = (1 if gap["open"] else 0) + sum(map(two.count, "(["))
    if opened > sum(map(two.count, ")]")):
        close = _PATTERNS["close"].match(text, span.end)
        if close is None:
            return None
        span = Span(span.start, close.end())
    if has_separator(text, span):
        return None
    entities = tuple(dict.fromkeys((*first.edit.entities, *second.edit.entities)))
    return _Written(Edit(span, first.edit.text, entities), first.option)
