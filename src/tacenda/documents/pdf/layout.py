"""Read positioned glyphs as text: words, lines, columns and paragraphs.

    glyphs ─ direction ─▶ lines (one baseline) ─ white space of many ─▶ columns ─ gaps ─▶ segments

The order in which glyphs are drawn is ignored, except where they overlap.

| in a line | |
|---|---|
| a gap wider than usual between letters by 0.13 of the font size | a blank |
| a gap of 1.8 of the font size | the end of a segment: a tab, or another column |
| a letter drawn twice (bold), an accent drawn over a letter | one letter |
| overlapping letters (a shadow, a box with words drawn over a name) | separate lines |
| letters of a right-to-left script | in reading order |
| stacked letters, each alone in its place | a separate line, from the top |

A vertical strip that many lines leave free is a gutter if words are unlikely to leave it free by
chance: 5 lines of 10 points for a strip of 6 points. If there is prose on both sides, the sides are
read one after the other; the cells of a table are read row by row. Text in another direction
follows the page's main text.
"""

from __future__ import annotations

import math
import statistics
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from itertools import groupby, pairwise, takewhile
from operator import itemgetter

from ...shipped import shipped_table
from ..hyphenation import HYPHENS
from .glyphs import Glyph, TooMuchError

CELL = "\t"
_SAME_DIRECTION = 2.0  # degrees
_BASELINE = 0.4  # shares of the font size, like all lengths below
_RAISED = 0.6
_BLANK = 0.13
_CLOSE = 0.2
_SEGMENT = 1.8
_TWICE = 0.12
_UPON = 0.5  # share of a glyph's own width
_NARROW = 0.4  # the narrowest gutter; most blanks are narrower
_GUTTER = 1.0  # between cells
_CHANCE = math.log(1e-6)
_PARAGRAPH = 1.6  # times the usual line spacing
_COLUMN_ROWS = 3
_COLUMN_LETTERS = 20
_WRAPPED_LETTERS = 40
_STACK = 4  # letters
_STACK_DOWN = 3.5
_MOST_STRANDS = 64
_MOST_GUTTERS = 32
_ACCENTS: dict[str, str] = shipped_table("pdf")["accents"]
_MIRRORED = {"(": ")", ")": "(", "[": "]", "]": "["}
UNREADABLE = "\ufffd"
"""Placeholder for a glyph whose letter can't be known."""

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
    """Words on a line without a wide gap between them, in reading order."""

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
    """Return the text of a page in pieces; ``UNREADABLE`` replaces each glyph without text.

    Raises:
        TooMuchError: if too many letters overlap.
    """
    pieces: list[Piece] = []
    for angle, group in _directions(glyphs):
        lines = _lines(_turned(glyphs, group, angle))
        rows = [row for line in lines for row in _strands(_once(line)) if _has_letters(row)]
        stacks = list(_stacks([_segments(row) for row in rows]))
        apart = {
            index
            for stack in stacks
            for letter in stack
            for _, origins in letter.pieces
            for index in origins
        }
        rest = ([mark for mark in row if mark.order not in apart] for row in rows)
        ordered = _in_order([row for row in rest if _has_letters(row)])
        upright = _paragraphs(_with_whole_words([_segments(row) for row in ordered]))
        for number, line in enumerate([*upright, *map(_stacked, stacks)]):
            if number or pieces:
                pieces.append(("\n", ()))
            pieces += line
    return pieces


def _directions(glyphs: Sequence[Glyph]) -> Iterator[tuple[float, list[int]]]:
    """Yield each direction in degrees with the indexes of its glyphs, the most common one first."""
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
    """Return the letters of a glyph, with ligatures and presentation forms split."""
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
    """Yield the lines, joining raised and lowered letters to theirs."""
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


def _has_letters(row: Iterable[_Mark]) -> bool:
    return any(not mark.text.isspace() for mark in row)


def _segments(row: Sequence[_Mark]) -> list[_Segment]:
    """Return the segments of a row."""
    usual = _usual_gap(row)
    segments: list[_Segment] = []
    run: list[_Mark] = []
    last: _Mark | None = None
    for mark in row:
        if mark.text.isspace():
            if run:
                run.append(mark)
            continue
        if last and mark.u - last.end > _SEGMENT * max(mark.size, last.size) + usual:
            segments.append(_segment(run, usual))
            run = []
        run.append(mark)
        last = mark
    return [*segments, _segment(run, usual)]


def _once(marks: list[_Mark]) -> list[_Mark]:
    """Return a line's marks from left to right, without duplicates, and with accents joined to their letters."""
    result: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.u, mark.order)):
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
    """Return a line's marks as sequences without overlaps."""
    strands: list[list[_Mark]] = []
    for mark in marks:
        if len(strands) == 1 and not _lies_on(mark, strands[0][-1]):
            strands[0].append(mark)
            continue
        free = [strand for strand in strands if not _lies_on(mark, strand[-1])]
        follows = [strand for strand in free if strand[-1].order + 1 == mark.order]
        if follows or free:
            max(follows or free, key=lambda strand: strand[-1].end).append(mark)
        elif len(strands) == _MOST_STRANDS:
            raise TooMuchError
        else:
            strands.append([mark])
    return strands


def _lies_on(mark: _Mark, last: _Mark) -> bool:
    if last.text.isspace():  # which the next letter may overlap
        return mark.u < last.u - _TWICE * mark.size
    return mark.u < last.end - _UPON * min(last.width, mark.width or mark.size)


def _usual_gap(marks: Sequence[_Mark]) -> float:
    """Return the gap between the letters of a line: 0, unless they are spaced out or tightened."""
    gaps = sorted(
        following.u - mark.end
        for mark, following in pairwise(marks)
        if mark.text.isalnum() and following.text.isalnum()  # not the dots of a table of contents
    )
    if len(gaps) < 3:
        return 0.0
    gap, tight = statistics.median(gaps), gaps[len(gaps) // 4]
    size = statistics.median(mark.size for mark in marks)
    if gap - tight > _BLANK * size:  # most words are so short that most gaps are blanks
        gap = tight
    return gap if -_CLOSE * size <= gap <= size else 0.0


def _segment(run: Sequence[_Mark], usual: float) -> _Segment:
    visible = [mark for mark in run if not mark.text.isspace()]
    words = _words(run, usual)
    sizes = [len(word) for word in words if word[0][0].isalnum() or len(word) > 1]
    if len(sizes) >= 5 and sizes.count(1) >= 0.8 * len(sizes):
        words = _words(visible, max(usual, _typical(visible) * 1.3))
    pieces: list[Piece] = []
    for word in _logical(words):
        pieces += [(" ", ()), *word] if pieces else word
    size = max(mark.size for mark in visible)
    return _Segment(tuple(pieces), visible[0].u, max(m.end for m in visible), visible[0].v, size)


def _typical(marks: Sequence[_Mark]) -> float:
    return max(0.0, statistics.median(after.u - mark.end for mark, after in pairwise(marks)))


def _words(run: Sequence[_Mark], usual: float) -> list[list[Piece]]:
    """Return the words in a run as their glyphs' texts, from left to right."""
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
    """Return words in reading order; right to left if most letters are."""
    kinds = [_is_right_to_left(word) for word in words]
    if not any(kinds):
        return words
    texts = [
        list(_turned_word(word)) if kind else word for word, kind in zip(words, kinds, strict=True)
    ]
    letters = [sum(c.isalpha() for text, _ in word for c in text) for word in texts]
    right = sum(count for count, kind in zip(letters, kinds, strict=True) if kind)
    base = right * 2 >= sum(letters)
    # Words against the line's direction keep their own order; words without letters follow the
    # line.
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
    """Yield the glyphs of a word from right to left, except numbers."""
    for is_number, run in groupby(reversed(word), lambda piece: piece[0].isdecimal()):
        glyphs = list(run)
        if is_number:
            yield from reversed(glyphs)
        else:
            yield from ((_MIRRORED.get(sign, sign), origins) for sign, origins in glyphs)


def _stacks(rows: Sequence[Sequence[_Segment]]) -> Iterator[list[_Segment]]:
    """Yield stacked letters, each alone in its place.

    In rows with words, such as those of a table, only if some of the letters are lowercase. Letters
    in consecutive rows with nothing else are lines, of which the first and the last may be parts of
    other lines.
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
    """Return the letters of a stack as a line, with a blank where one is missing."""
    gaps = [above.v - below.v for above, below in pairwise(stack)]
    pieces = list(stack[0].pieces)
    for gap, letter in zip(gaps, stack[1:], strict=True):
        pieces += [(" ", ()), *letter.pieces] if gap > 1.5 * min(gaps) else letter.pieces
    return pieces


@dataclass(frozen=True, slots=True)
class _FreeStretch:
    """A strip without letters in one row or several consecutive rows.

    Attributes:
        left, right: its edges.
        is_inner: whether each row has letters on both sides of it.
        is_wide: whether it separates segments in each row that has letters on both sides.
        first: number of the first row.
        last: number of the row after the last one.
    """

    left: float
    right: float
    is_inner: bool
    is_wide: bool
    first: int
    last: int

    @property
    def width(self) -> float:
        return self.right - self.left


def _in_order(rows: list[list[_Mark]]) -> Iterator[list[_Mark]]:
    """Yield rows in reading order, one column after another."""
    pending = [rows]
    while pending:
        part = pending.pop()
        for gutter in _gutters(part):
            sides = _sides(part[gutter.first : gutter.last], (gutter.left + gutter.right) / 2)
            if all(map(_is_prose, sides)):
                pending += [part[gutter.last :], *reversed(sides), part[: gutter.first]]
                break
        else:
            yield from part


def _gutters(rows: Sequence[Sequence[_Mark]]) -> list[_FreeStretch]:
    """Return the strips that may be gutters between columns, longest first."""
    if len(rows) < _COLUMN_ROWS:
        return []
    start = min(row[0].u for row in rows)
    end = max(mark.end for row in rows for mark in row)
    size = statistics.median(mark.size for row in rows for mark in row)
    free = [_free(row, number, start, end) for number, row in enumerate(rows)]
    common = (
        stretch
        for stretch in _common(free, _NARROW * size)
        if start < stretch.left < stretch.right < end
        and stretch.last - stretch.first >= _COLUMN_ROWS
    )
    largest = nlargest(
        _MOST_GUTTERS, common, key=lambda each: each.width * (each.last - each.first)
    )
    gutters: list[tuple[int, float, _FreeStretch]] = []
    for gutter in largest:
        gaps = free[gutter.first : gutter.last]
        chance = sum(_chance(row, gutter, end - start, size) for row in gaps)
        if chance < _CHANCE or (gutter.is_wide and gutter.width >= _GUTTER * size):
            gutters.append((-len(gaps), chance, gutter))
    return [gutter for _, _, gutter in sorted(gutters, key=itemgetter(0, 1))]


def _free(row: Sequence[_Mark], number: int, start: float, end: float) -> list[_FreeStretch]:
    """Return the parts of ``[start, end]`` that a row leaves free and that are wide enough for gutters."""
    usual = _usual_gap(row)
    visible = [mark for mark in row if not mark.text.isspace()]
    stretches: list[_FreeStretch] = []
    edge = visible[0].end
    for last, mark in pairwise(visible):
        gap, size = mark.u - edge - usual, max(mark.size, last.size)
        if gap >= _NARROW * size:
            stretches.append(
                _FreeStretch(edge, mark.u, True, gap > _SEGMENT * size, number, number + 1)
            )
        edge = max(edge, mark.end)
    stretches += [
        _FreeStretch(left, right, False, True, number, number + 1)
        for left, right in ((start, visible[0].u), (edge, end))
        if left < right
    ]
    return nlargest(_MOST_GUTTERS, stretches, key=lambda stretch: stretch.width)


def _common(free: Iterable[Sequence[_FreeStretch]], width: float) -> Iterator[_FreeStretch]:
    """Yield the strips of at least a given width that rows have in common, each with all its rows."""
    common: list[_FreeStretch] = []
    for row in free:
        longer: dict[tuple[float, float], _FreeStretch] = {}
        for above in common:
            for stretch in row:
                left, right = max(above.left, stretch.left), min(above.right, stretch.right)
                twin = longer.get((left, right))
                if right - left >= width and (twin is None or above.first < twin.first):
                    is_inner = above.is_inner and stretch.is_inner
                    is_wide = above.is_wide and stretch.is_wide
                    longer[left, right] = _FreeStretch(
                        left, right, is_inner, is_wide, above.first, stretch.last
                    )
            if (above.left, above.right) not in longer:
                yield above
        for stretch in row:
            longer.setdefault((stretch.left, stretch.right), stretch)
        common = nlargest(_MOST_GUTTERS, longer.values(), key=lambda each: each.last - each.first)
    yield from common


def _chance(row: Iterable[_FreeStretch], gutter: _FreeStretch, length: float, size: float) -> float:
    """Return the logarithm of the probability that a row of a given length leaves a gutter free by chance."""
    total = 0.0
    for stretch in row:
        if stretch.is_inner and stretch.width >= gutter.width:
            total += min(stretch.width, size)
        elif not stretch.is_inner and stretch.left <= gutter.left < gutter.right <= stretch.right:
            return math.log(stretch.width / length)
    return math.log(total / length)


def _sides(rows: Iterable[Sequence[_Mark]], middle: float) -> list[list[list[_Mark]]]:
    """Return the rows left of a position, and those right of it."""
    sides: list[list[list[_Mark]]] = [[], []]
    for row in rows:
        for side, is_right in zip(sides, (False, True), strict=True):
            part = [mark for mark in row if (mark.u >= middle) == is_right]
            if _has_letters(part):
                side.append(part)
    return sides


def _is_prose(rows: Sequence[Sequence[_Mark]]) -> bool:
    """Return whether most rows have longer segments than table cells."""
    lengths = [statistics.fmean(each.length for each in _segments(row)) for row in rows]
    return len(rows) >= _COLUMN_ROWS and statistics.median(lengths) >= _COLUMN_LETTERS


def _with_whole_words(rows: Iterable[list[_Segment]]) -> list[list[_Segment]]:
    """Return rows in which the rest of a word divided at the end of a cell is joined to its first part.

    The rest starts the segment below with the same left edge. For line ends, see ``joined_words``.
    """
    whole: list[list[_Segment]] = []
    for row in rows:
        above = whole[-1] if whole else []
        for place, segment in enumerate(above):
            peers = [n for n, peer in enumerate(row) if _continues(peer, segment)]
            if peers and (peers[0] or place + 1 < len(above)):
                above[place], row[peers[0] : peers[0] + 1] = _joined(segment, row[peers[0]])
        if row:
            whole.append(row)
    return whole


def _continues(segment: _Segment, above: _Segment) -> bool:
    """Return whether a segment starts with the rest of the word that ends the one above."""
    text = above.text
    return (
        text[-1:] in HYPHENS
        and text[-2:-1].isalpha()
        and segment.text[0].isalpha()
        and abs(segment.u - above.u) <= _CLOSE * above.size
    )


def _joined(segment: _Segment, below: _Segment) -> tuple[_Segment, list[_Segment]]:
    """Return a segment with the first word of the one below, and what is left of that one."""
    word = tuple(takewhile(lambda piece: piece[1], below.pieces))
    *pieces, (letter, origins), (_, hyphen) = segment.pieces
    is_double_name = word[0][0][0].isupper()
    head = segment.pieces if is_double_name else (*pieces, (letter, origins + hyphen))
    rest = below.pieces[len(word) + 1 :]
    return replace(segment, pieces=head + word), [replace(below, pieces=rest)] if rest else []


def _paragraphs(rows: Sequence[Sequence[_Segment]]) -> list[list[Piece]]:
    """Return the lines, with an empty one wherever the spacing is larger than usual.

    Lines of prose that end where the next word wouldn't fit are joined, so that a name may continue
    in the next line.
    """
    gaps = [above[0].v - below[0].v for above, below in pairwise(rows)]
    usual = statistics.median([gap for gap in gaps if gap > 0] or [0.0])
    edges: dict[int, float] = {}
    for row in rows:
        edges[round(row[0].u)] = max(row[-1].end, edges.get(round(row[0].u), 0.0))
    lines: list[list[Piece]] = []
    for index, row in enumerate(rows):
        line = [piece for segment in row for piece in ((CELL, ()), *segment.pieces)][1:]
        if index:
            size = max(row[0].size, rows[index - 1][0].size)
            if gaps[index - 1] > _PARAGRAPH * max(min(usual, 2 * size), size):
                lines.append([])
            elif _is_wrapped(rows[index - 1], row, edges[round(row[0].u)]):
                lines[-1] += [(" ", ()), *line]
                continue
        lines.append(line)
    return lines


def _is_wrapped(above: Sequence[_Segment], below: Sequence[_Segment], edge: float) -> bool:
    """Return whether a line of prose continues in the one below, whose first word wouldn't have fit."""
    line, rest = above[-1], below[0]
    width = (rest.end - rest.u) * (len(rest.text.split(" ")[0]) + 1) / rest.length
    return (
        len(above) == len(below) == 1
        and line.length >= _WRAPPED_LETTERS
        and abs(line.size - rest.size) <= _CLOSE * line.size
        and line.u >= rest.u - _CLOSE * line.size
        and line.text[-1] not in HYPHENS
        and line.end + width > edge
    )
