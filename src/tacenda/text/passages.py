"""Passages: the parts of a text that a mention can't extend beyond.

| between two words | |
|---|---|
| a blank line, a form feed, a line or paragraph separator | two passages |
| a tab, a vertical bar, three or more blanks: cells in a row | two passages |
| one line end | two passages, unless it merely wraps a line of prose |
| a list, heading or quotation marker | belongs to the preceding line end |
| anything between the letters of a spaced or stacked word (``word_parts.spaced_words``) | one passage |
| anything else | one passage |

A line end wraps a line if it divides a word with a hyphen before a lowercase letter (as may a blank
line and the end of a page), or if all these conditions hold; if in doubt, it separates:

* The line has 50 to 120 characters, and the next word wouldn't have fit in the longest line of its
  block (nine tenths of it, since letters differ in width). A *block* is a run of such lines.
* Neither line is a row of cells, and the next one doesn't start a list item, heading, quotation,
  field (``Name: value``) or log entry, and isn't indented further.
* Most of the block's other full lines (or the text's, if the block has no others) continue with a
  lowercase letter: sentences run on, while list items, records and paragraphs start anew.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from ..document import Span
from .word_parts import spaced_words

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Line endings, as in ``str.splitlines``."""
BLANKS = " \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""White space within a line but the tab, for a class of characters."""

_BULLETS = "-–—*+•‣▪◦·●○■□➢✓>#"
_SEPARATOR = re.compile(
    rf"[{BLANKS}]*(?:[\t\x1f{LINE_ENDS}]\s*(?:[{_BULLETS}]{{1,6}}[{BLANKS}]+)*|\|[{BLANKS}]*)"
    rf"|[{BLANKS}]{{3,}}|\A(?:[{_BULLETS}]{{1,6}}[{BLANKS}]+)+"
)
# Where a separator may start: the first character of most is a blank, as between any two words.
_BEGIN = re.compile(
    rf"[{BLANKS}\t\x1f{LINE_ENDS}|](?:(?<=[\t\x1f{LINE_ENDS}|])|(?=[{BLANKS}\t\x1f{LINE_ENDS}|]))"
)
_LINE_END = re.compile(rf"[{LINE_ENDS}]")
_LINE_ENDS_ALONE = re.compile(rf"[{BLANKS}{LINE_ENDS}]+")
_ONE_LINE_END = re.compile(rf"[{BLANKS}]*(?:\r\n|[\n\r])[{BLANKS}]*")
SHORTEST_WRAPPED = 50
"""A line of fewer characters was ended by its writer."""
_LONGEST = 120
_FULL = 0.9
_ITEM = re.compile(
    rf"(?:[{_BULLETS}]|\(?(?:\d{{1,3}}|[ivxlIVXL]{{1,5}}|[A-Za-z])[.)]|\(\w{{1,3}}\))[{BLANKS}]+"
)
_BEGINS_ANEW = re.compile(
    r"#|>|<|\[|[-=_*~]{3}|\d{1,4}[-/.:]\d|"  # heading, quotation, speaker, rule, log time
    r"[^\W\d_][\w.'’/()-]*(?: [\w.'’/()&-]+){0,3} ?:(?:\s|$)|\w+=\S"  # field
)
_HYPHENS = "-\u00ad\u2010"
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Passages:
    """The separators in a text.

    Attributes:
        starts, ends: code points ``[start, end)`` between two lines, or two cells, in order.
        wraps: for each, whether it merely wraps a line within one passage.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    wraps: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> Passages:
        """Return the passages of ``text``, in time linear in its length."""
        inside = {place for word in spaced_words(text) for place in range(word.start, word.end)}
        separators = [
            (start, end)
            for start, end in _separators(text)
            if start not in inside or text[start:end].strip(" ")
        ]
        if not separators:
            return cls((), (), ())
        wrapped = _wrapped(text, separators) | inside
        return cls(
            tuple(start for start, _ in separators),
            tuple(end for _, end in separators),
            tuple(start in wrapped for start, _ in separators),
        )

    def parted(self, start: int, end: int) -> bool:
        """Return whether ``[start, end)`` extends over more than one passage."""
        return not all(self.wraps[index] for index in self._within(start, end))

    def split(self, span: Span) -> list[Span]:
        """Return the parts of a span, one per passage, without the separators."""
        return list(self._parts(span, [i for i in self._within(*_ends(span)) if not self.wraps[i]]))

    def lines(self, span: Span) -> list[Span]:
        """Return the parts of a span, one per line and cell."""
        return list(self._parts(span, self._within(*_ends(span))))

    def _within(self, start: int, end: int) -> range:
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def _parts(self, span: Span, separators: Sequence[int]) -> Iterator[Span]:
        start = span.start
        for index in separators:
            if start < self.starts[index]:
                yield Span(start, self.starts[index])
            start = self.ends[index]
        if start < span.end:
            yield Span(start, span.end)


def has_separator(text: str, span: Span) -> bool:
    """Return whether a span extends over a line end or over several cells."""
    if text[span.start] in _BULLETS:  # which may be a list marker
        return True
    return _SEPARATOR.search(text, span.start, span.end) is not None


_END_OF_LINE_OR_CELL = re.compile(rf"\s*[\t\x1f{LINE_ENDS}]\s*")


def on_one_line(text: str) -> str:
    """Return a text with a blank for every line end and tab."""
    return _END_OF_LINE_OR_CELL.sub(" ", text)


def _separators(text: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of the separators, in order."""
    end = 0
    mark = _SEPARATOR.match(text)
    if mark is not None:
        end = mark.end()
        yield mark.span()
    for begin in _BEGIN.finditer(text, end):
        if begin.start() < end:
            continue
        separator = _SEPARATOR.match(text, begin.start())
        if separator is not None:
            end = separator.end()
            yield separator.span()


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without surrounding white space and marker; ``indent`` is that of its text, ``row`` says whether it has cells."""

    start: int
    end: int
    indent: int
    row: bool

    @property
    def width(self) -> int:
        return self.indent + self.end - self.start


def _wrapped(text: str, separators: Sequence[tuple[int, int]]) -> set[int]:
    """Return the starts of the separators that merely wrap lines."""
    lines = list(_lines(text, separators))
    full: list[list[int]] = []  # indices of lines by block
    for candidate, indices in groupby(
        range(len(lines) - 1), lambda index: _may_wrap(text, lines[index], lines[index + 1])
    ):
        if candidate:
            full.append(_full(text, lines, list(indices)))
    runs_on = {i: _runs_on(text, lines[i + 1]) for block in full for i in block}
    of_text = sum(runs_on.values()), len(runs_on)
    wrapped = {
        line.end for line, following in pairwise(lines) if _divides_word(text, line, following)
    }
    for block in full:
        of_block = sum(runs_on[i] for i in block), len(block)
        running, count = of_block if len(block) > 1 else of_text
        wrapped |= {lines[i].end for i in block if 0 < count - 1 <= 2 * (running - runs_on[i])}
    return wrapped


def _lines(text: str, separators: Sequence[tuple[int, int]]) -> Iterator[_Line]:
    start, indent, row = 0, 0, False
    for gap_start, gap_end in (*separators, (len(text), len(text))):
        if gap_start < len(text) and not _LINE_END.search(text, gap_start, gap_end):
            row |= gap_start > 0
            continue
        yield _Line(start, gap_start, indent, row)
        after = max(map(text[gap_start:gap_end].rfind, LINE_ENDS), default=-1) + 1
        start, indent, row = gap_end, gap_end - gap_start - after, False


def _may_wrap(text: str, line: _Line, following: _Line) -> bool:
    if line.row or following.row or not SHORTEST_WRAPPED <= line.width <= _LONGEST:
        return False
    if not _ONE_LINE_END.fullmatch(text, line.end, following.start):
        return False
    item = _ITEM.match(text, line.start, line.end)
    text_begins = line.indent + (len(item[0]) if item else 0)
    end = min(following.end, following.start + _LONGEST)
    return following.indent <= text_begins and not any(
        pattern.match(text, following.start, end) for pattern in (_ITEM, _BEGINS_ANEW)
    )


def _divides_word(text: str, line: _Line, following: _Line) -> bool:
    return (
        line.width > 1
        and text[line.end - 1] in _HYPHENS
        and text[line.end - 2].isalpha()
        and _runs_on(text, following)
        and _LINE_ENDS_ALONE.fullmatch(text, line.end, following.start) is not None
    )


def _full(text: str, lines: Sequence[_Line], block: Sequence[int]) -> list[int]:
    """Return the lines of a block that have no space for the next word."""
    width = max(lines[i].width for i in (*block, block[-1] + 1))
    return [
        i for i in block if lines[i].width + 1 + _first_word(text, lines[i + 1]) > _FULL * width
    ]


def _first_word(text: str, line: _Line) -> int:
    word = _WORD.match(text, line.start, line.end)
    return len(word[0]) if word else 0


def _runs_on(text: str, line: _Line) -> bool:
    first = text[line.start : line.start + 1]
    return first.isalpha() and not first.isupper()
