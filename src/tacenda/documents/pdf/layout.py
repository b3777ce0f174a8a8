"""Glyphs with their places read as text: words, lines, columns and paragraphs.

    glyphs ─ direction ─▶ lines (one baseline) ─ gaps ─▶ segments ─ columns ─▶ rows in reading order

Nothing is taken from the order in which glyphs are drawn, but where they lie on one another.

| in a line | |
|---|---|
| a gap of 0.13 of the font's size more than is usual between its letters | a blank |
| a gap of 1.8 of it | the end of a segment: a tab, or another column |
| a letter drawn twice (bold), an accent drawn over a letter | one letter |
| letters upon one another (a shadow, a box with words drawn over a name) | lines of their own |
| letters of a script that is read from right to left | in the order in which they are read |
| letters below one another, each alone in its place | a line of their own, from the top |

Rows whose segments leave a gutter free, with prose on both sides of it, are read column by column;
the cells of a table are read row by row. Text in another direction follows that of the page.
"""

from __future__ import annotations

import math
import statistics
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from itertools import groupby, pairwise

from .glyphs import Glyph, TooMuchError

CELL = "\t"
_SAME_DIRECTION = 2.0  # degrees
_BASELINE = 0.4  # shares of the font's size, as all lengths below
_RAISED = 0.6
_BLANK = 0.13
_CLOSE = 0.2
_SEGMENT = 1.8
_TWICE = 0.12
_UPON = 0.5  # share of a glyph's own width
_GUTTER = 1.0
_PARAGRAPH = 1.6  # times the usual distance of lines
_COLUMN_ROWS = 3
_COLUMN_LETTERS = 20
_STACK = 4  # letters
_STACK_DOWN = 3.5
_MOST_STRANDS = 64
_MOST_GUTTERS = 32
_ACCENTS = {
    "\u00a8": "\u0308",
    "\u00b4": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "\u02c6": "\u0302",
    "~": "\u0303",
    "\u02dc": "\u0303",
    "\u00b8": "\u0327",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02d9": "\u0307",
    "\u00af": "\u0304",
    "\u02db": "\u0328",
}
_MIRRORED = {"(": ")", ")": "(", "[": "]", "]": "["}
UNREADABLE = "\ufffd"
"""What stands for a glyph whose letter can't be known."""

Piece = tuple[str, tuple[int, ...]]
"""Characters of a text, and the indices of the glyphs that draw them; none for what is not drawn."""


@dataclass(slots=True)
class _Mark:
    """A glyph in the axes of its direction: ``u`` along the baseline, ``v`` up from it."""

    text: str
    u: float
    v: float
    width: float
    size: float
    origins: tuple[int, ...]

    @property
    def order(self) -> int:
        return self.origins[0]

    @property
    def end(self) -> float:
        return self.u + self.width


@dataclass(frozen=True, slots=True)
class _Segment:
    """Words of a line without a wide gap, as they are read."""

    pieces: tuple[Piece, ...]
    u: float
    end: float
    v: float
    size: float

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)

    @property
    def length(self) -> int:
        return len(self.text)


def page_pieces(glyphs: Sequence[Glyph]) -> list[Piece]:
    """Return the text of a page in pieces; ``UNREADABLE`` stands for each glyph without text.

    Raises:
        TooMuchError: if too many letters lie on one another.
    """
    pieces: list[Piece] = []
    for angle, group in _directions(glyphs):
        lines = _lines(_turned(glyphs, group, angle))
        rows = [row for line in lines for row in _segments(line)]
        stacks = list(_stacks(rows))
        apart = {id(letter) for stack in stacks for letter in stack}
        rows = [rest for row in rows if (rest := [each for each in row if id(each) not in apart])]
        upright = _paragraphs(list(_in_order(rows)))
        for number, line in enumerate([*upright, *map(_stacked, stacks)]):
            if number or pieces:
                pieces.append(("\n", ()))
            pieces += line
    return pieces


def _directions(glyphs: Sequence[Glyph]) -> Iterator[tuple[float, list[int]]]:
    """Yield each direction in degrees with the indices of its glyphs, the usual one first."""
    by_degree: dict[int, list[int]] = {}
    for index, glyph in enumerate(glyphs):
        by_degree.setdefault(round(glyph.direction) % 360, []).append(index)
    groups: dict[int, list[int]] = {}
    for degree, indices in sorted(by_degree.items(), key=lambda item: -len(item[1])):
        near = (
            group for group in groups if abs((group - degree + 180) % 360 - 180) <= _SAME_DIRECTION
        )
        groups.setdefault(next(near, degree), []).extend(indices)
    for degree, indices in groups.items():
        turns = [(glyphs[i].direction - degree + 180) % 360 - 180 for i in indices]
        yield degree + statistics.fmean(turns), sorted(indices)


def _turned(glyphs: Sequence[Glyph], indices: Iterable[int], angle: float) -> Iterator[_Mark]:
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for index in indices:
        glyph = glyphs[index]
        u, v = glyph.x * cosine + glyph.y * sine, glyph.y * cosine - glyph.x * sine
        width = max(0.0, glyph.dx * cosine + glyph.dy * sine)
        yield _Mark(_letters(glyph.text), u, v, width, glyph.size or 1.0, (index,))


@lru_cache(maxsize=1024)
def _letters(text: str) -> str:
    """Return the letters of a glyph, ligatures and presentation forms taken apart."""
    if not text or any(unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") for c in text.strip()):
        return UNREADABLE
    if any("\ufb00" <= c <= "\ufdff" or "\ufe70" <= c <= "\ufefc" for c in text):
        return unicodedata.normalize("NFKC", text)
    return text


def _lines(marks: Iterable[_Mark]) -> list[list[_Mark]]:
    """Return the marks by baseline, from the top."""
    lines: list[list[_Mark]] = []
    height = 0.0  # mean of the line's baselines
    for mark in sorted(marks, key=lambda mark: (-mark.v, mark.u, mark.order)):
        if lines:
            line = lines[-1]
            size = min(mark.size, line[-1].size)
            if abs(height - mark.v) <= _BASELINE * size:
                height += (mark.v - height) / (len(line) + 1)
                line.append(mark)
                continue
        lines.append([mark])
        height = mark.v
    return list(_with_raised(lines))


def _with_raised(lines: Sequence[list[_Mark]]) -> Iterator[list[_Mark]]:
    """Yield the lines, raised and lowered letters joined to their line."""
    merged = [False] * len(lines)
    for index, line in enumerate(lines):
        size = max(mark.size for mark in line)
        for neighbour in (index - 1, index + 1):
            if not 0 <= neighbour < len(lines) or merged[neighbour] or merged[index]:
                continue
            host = lines[neighbour]
            large = max(mark.size for mark in host)
            if size < large and abs(line[0].v - host[0].v) <= _RAISED * large:
                host_ends = [(mark.u, mark.end) for mark in host if not mark.text.isspace()]
                if all(
                    any(u - large <= mark.u <= end + large for u, end in host_ends)
                    for mark in (line[0], line[-1])
                ):
                    host += line
                    merged[index] = True
    yield from (line for index, line in enumerate(lines) if not merged[index])


def _segments(line: list[_Mark]) -> Iterator[list[_Segment]]:
    """Yield the rows of a line: one, but for letters that lie on one another."""
    for strand in _strands(_once(sorted(line, key=lambda mark: (mark.u, mark.order)))):
        usual = _usual_gap(strand)
        row: list[_Segment] = []
        run: list[_Mark] = []
        for mark in strand:
            if mark.text.isspace():
                if run:
                    run.append(mark)
                continue
            last = next((item for item in reversed(run) if not item.text.isspace()), None)
            if last and mark.u - last.end > _SEGMENT * max(mark.size, last.size) + usual:
                row.append(_segment(run, usual))
                run = []
            run.append(mark)
        if any(not mark.text.isspace() for mark in run):
            row.append(_segment(run, usual))
        if row:
            yield row


def _once(marks: list[_Mark]) -> list[_Mark]:
    """Return the marks without those drawn a second time, and accents with their letters."""
    result: list[_Mark] = []
    for mark in marks:
        twin = next(
            (
                peer
                for peer in result[-4:]
                if peer.text == mark.text
                and abs(peer.u - mark.u) <= _TWICE * mark.size
                and abs(peer.v - mark.v) <= _TWICE * mark.size
            ),
            None,
        )
        if twin is None or mark.width == 0 or mark.text == UNREADABLE:
            result.append(mark)
        else:
            twin.origins += mark.origins
    for index, mark in enumerate(result):
        combining = _ACCENTS.get(mark.text)
        if combining is None:
            continue
        for peer in result[index + 1 : index + 2] + result[max(0, index - 1) : index]:
            overlap = min(mark.end, peer.end) - max(mark.u, peer.u)
            if peer.text.isalpha() and overlap > _UPON * mark.width:
                peer.text = unicodedata.normalize("NFC", peer.text + combining)
                peer.origins += mark.origins
                mark.text = ""
                break
    return [mark for mark in result if mark.text]


def _strands(marks: list[_Mark]) -> list[list[_Mark]]:
    """Return the marks of a line as sequences without overlap."""
    strands: list[list[_Mark]] = []
    for mark in marks:
        if len(strands) == 1 and not _lies_on(mark, strands[0][-1]):
            strands[0].append(mark)
            continue
        free = [strand for strand in strands if not _lies_on(mark, strand[-1])]
        follows = [strand for strand in free if strand[-1].order + 1 == mark.order]
        if follows or free:
            max(follows or free, key=lambda strand: strand[-1].end).append(mark)
        else:
            if len(strands) == _MOST_STRANDS:
                raise TooMuchError
            strands.append([mark])
    return strands


def _lies_on(mark: _Mark, last: _Mark) -> bool:
    if last.text.isspace():  # which the next letter may be moved onto
        return mark.u < last.u - _TWICE * mark.size
    return mark.u < last.end - _UPON * min(last.width, mark.width or mark.size)


def _usual_gap(marks: Sequence[_Mark]) -> float:
    """Return the gap between the letters of a line: 0, unless they are spaced out or drawn in."""
    gaps = [
        following.u - mark.end
        for mark, following in pairwise(marks)
        if not mark.text.isspace() and not following.text.isspace()
    ]
    if len(gaps) < 3:
        return 0.0
    gap = statistics.median(gaps)
    size = statistics.median(mark.size for mark in marks)
    return gap if -_CLOSE * size <= gap <= size else 0.0


def _segment(run: Sequence[_Mark], usual: float) -> _Segment:
    visible = [mark for mark in run if not mark.text.isspace()]
    words = _words(run, usual)
    if len(words) >= 5 and sum(len(word) == 1 for word in words) >= 0.8 * len(words):
        words = _words(visible, max(usual, _typical(visible) * 1.3))
    pieces: list[Piece] = []
    for word in _logical(words):
        pieces += [(" ", ()), *word] if pieces else word
    size = max(mark.size for mark in visible)
    return _Segment(tuple(pieces), visible[0].u, max(m.end for m in visible), visible[0].v, size)


def _typical(marks: Sequence[_Mark]) -> float:
    return max(0.0, statistics.median(after.u - mark.end for mark, after in pairwise(marks)))


def _words(run: Sequence[_Mark], usual: float) -> list[list[Piece]]:
    """Return the words of a run as their glyphs' texts, from left to right."""
    words: list[list[Piece]] = []
    last: _Mark | None = None
    is_boundary = True
    for mark in run:
        if mark.text.isspace():
            is_boundary = True
            continue
        if last is not None:
            is_boundary |= mark.u - last.end > usual + _BLANK * max(mark.size, last.size)
        if is_boundary or last is None:
            words.append([])
        words[-1].append((mark.text, mark.origins))
        last, is_boundary = mark, False
    return words


def _logical(words: list[list[Piece]]) -> list[list[Piece]]:
    """Return words in reading order; right to left where most letters are."""
    kinds = [_is_right_to_left(word) for word in words]
    if not any(kinds):
        return words
    texts = [
        list(_turned_word(word)) if kind else word for word, kind in zip(words, kinds, strict=True)
    ]
    letters = [sum(c.isalpha() for text, _ in word for c in text) for word in texts]
    right = sum(count for count, kind in zip(letters, kinds, strict=True) if kind)
    base = right * 2 >= sum(letters)
    # Words that go against the line keep their own order, those without a letter go along.
    turned = [kind if count else base for count, kind in zip(letters, kinds, strict=True)]
    ordered = list(zip(texts, turned, strict=True))
    if base:
        ordered.reverse()
    result: list[list[Piece]] = []
    run: list[list[Piece]] = []
    for word, kind in ordered:
        if kind != base:
            run.insert(0, word)
            continue
        result += [*run, word]
        run = []
    return result + run


def _is_right_to_left(word: Iterable[Piece]) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL") for text, _ in word for c in text)


def _turned_word(word: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the glyphs of a word from right to left, but for the numbers in it."""
    for is_number, run in groupby(reversed(word), lambda piece: piece[0].isdecimal()):
        glyphs = list(run)
        if is_number:
            yield from reversed(glyphs)
        else:
            yield from ((_MIRRORED.get(sign, sign), origins) for sign, origins in glyphs)


def _stacks(rows: Sequence[Sequence[_Segment]]) -> Iterator[list[_Segment]]:
    """Yield letters that stand below one another, each alone in its place.

    In rows with words, as those of a table, only letters of which some are small. Letters of rows that follow
    one another with nothing else are lines, among which the first and the last may be parts of others.
    """
    stacks: list[list[_Segment]] = []
    lowest: dict[tuple[float, int], list[_Segment]] = {}
    alone: dict[int, int] = {}
    for number, row in enumerate(rows):
        letters = [segment for segment in row if segment.length == 1 and segment.text.isalpha()]
        alone |= {id(letter): number for letter in letters if len(letters) == len(row)}
        for letter in letters:
            column = round((letter.u + letter.end) / letter.size)  # half a letter wide
            places = [(round(letter.size, 1), column + side) for side in (0, -1, 1)]
            near = (lowest[place] for place in places if place in lowest)
            depth = _STACK_DOWN * letter.size
            stack = next((each for each in near if 0 < each[-1].v - letter.v <= depth), None)
            if stack is None:
                stack = []
                stacks.append(stack)
            stack.append(letter)
            lowest[places[0]] = stack
    for stack in stacks:
        text = "".join(letter.text for letter in stack)
        numbers = {alone[id(letter)] for letter in stack if id(letter) in alone}
        is_alone = len(numbers) == len(stack)
        if is_alone and max(numbers) - min(numbers) < len(stack):
            continue
        if len(stack) >= _STACK and len(set(text)) > 2 and (is_alone or not text.isupper()):
            yield stack


def _stacked(stack: Sequence[_Segment]) -> list[Piece]:
    """Return the letters of a stack as a line, with a blank where one is left out."""
    gaps = [above.v - below.v for above, below in pairwise(stack)]
    pieces = list(stack[0].pieces)
    for gap, letter in zip(gaps, stack[1:], strict=True):
        pieces += [(" ", ()), *letter.pieces] if gap > 1.5 * min(gaps) else letter.pieces
    return pieces


def _in_order(rows: list[list[_Segment]]) -> Iterator[list[_Segment]]:
    """Yield rows in reading order, those of columns one column after the other."""
    start = min((segment.u for row in rows for segment in row), default=0.0)
    end = max((segment.end for row in rows for segment in row), default=0.0)
    free = [_free(row, start, end) for row in rows]
    first = 0
    while first < len(rows):
        last, gutters = _zone(free, first)
        columns = _columns(rows[first:last], gutters)
        if columns is None:
            yield from rows[first:last]
        else:
            for column in columns:
                yield from _in_order(column)
        first = last


def _zone(
    free: Sequence[Sequence[tuple[float, float]]], first: int
) -> tuple[int, list[tuple[float, float]]]:
    """Return the end of the run of rows from ``first`` with common gutters, and these."""
    gutters = list(free[first])
    last = first + 1
    while last < len(free) and gutters:
        common = [
            (max(a, c), min(b, d))
            for a, b in gutters
            for c, d in free[last]
            if max(a, c) < min(b, d)
        ]
        if not common:
            break
        gutters = common
        last += 1
    return last, gutters


def _free(row: Sequence[_Segment], start: float, end: float) -> list[tuple[float, float]]:
    """Return the free stretches of ``[left, right]`` in a row, wide enough for gutters."""
    edges = [start, *(edge for segment in row for edge in (segment.u, segment.end)), end]
    minimum = _GUTTER * max(segment.size for segment in row)
    free = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= minimum]
    return sorted(nlargest(_MOST_GUTTERS, free, key=lambda gutter: gutter[1] - gutter[0]))


def _columns(
    rows: Sequence[Sequence[_Segment]], gutters: Iterable[tuple[float, float]]
) -> list[list[list[_Segment]]] | None:
    """Return the rows as two columns, if there is prose on both sides of a gutter."""
    for start, end in sorted(gutters, key=lambda gutter: gutter[0] - gutter[1]):
        middle = (start + end) / 2
        sides = [
            [part for row in rows if (part := [s for s in row if (s.u >= middle) == second])]
            for second in (False, True)
        ]
        if all(
            len(side) >= _COLUMN_ROWS
            and statistics.median(s.length for row in side for s in row) >= _COLUMN_LETTERS
            for side in sides
        ):
            return sides
    return None


def _paragraphs(rows: Sequence[Sequence[_Segment]]) -> Iterator[list[Piece]]:
    """Yield the lines, with an empty one where the distance of two is larger than usual."""
    gaps = [above[0].v - below[0].v for above, below in pairwise(rows)]
    usual = statistics.median([gap for gap in gaps if gap > 0] or [0.0])
    for index, row in enumerate(rows):
        if index:
            size = max(row[0].size, rows[index - 1][0].size)
            if gaps[index - 1] > _PARAGRAPH * max(min(usual, 2 * size), size):
                yield []
        line: list[Piece] = []
        for segment in row:
            line += [(CELL, ()), *segment.pieces] if line else segment.pieces
        yield line
