"""Units in which tools count offsets, and their translation to code points.

Python counts code points; JavaScript, Java and C# count UTF-16 units (a character outside the
basic plane is two); Go and Rust count bytes of UTF-8. A file does not say which it means, so the
user does.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from itertools import accumulate

from ..document import Span
from ..errors import InputError


class Unit(StrEnum):
    """What an offset counts."""

    CODE_POINTS = "code-points"
    UTF_16 = "utf-16"
    BYTES = "bytes"


class Ruler:
    """Offsets of one text: of a unit to code points, and back.

    Args:
        text: the text; None if it is not known.
        unit: what the offsets outside count.
        document: name of the document, for messages.

    Raises:
        InputError: the unit can't be translated without the text.
    """

    def __init__(self, text: str | None, unit: Unit, document: str) -> None:
        if text is None and unit is not Unit.CODE_POINTS:
            raise InputError(
                f"offsets in {unit} can't be translated without the text; give it by --text.",
                document,
            )
        self._document = document
        self._unit = unit
        self._length = None if text is None else len(text)
        self._edges: list[int] | None = None
        if text is not None and unit is not Unit.CODE_POINTS and not text.isascii():
            widths = (_width(character, unit) for character in text)
            self._edges = list(accumulate(widths, initial=0))

    def span(self, start: object, end: object, at: str) -> Span:
        """Return the span in code points.

        Raises:
            InputError: the offsets are no integers, no span of the text, or part a character.
        """
        if type(start) is not int or type(end) is not int:
            raise InputError(f"{at}: start and end must be two integers.", self._document)
        last = self._edges[-1] if self._edges else self._length
        if not 0 <= start < end or (last is not None and end > last):
            limit = "" if last is None else f" of a text of {last} {self._unit}"
            raise InputError(
                f"{at}: [{start}, {end}) is no span{limit}; 0 <= start < end <= length must hold "
                "(are these offsets in another unit? see --from-offsets).",
                self._document,
            )
        return Span(self._code_point(start, at), self._code_point(end, at))

    def offsets(self, span: Span) -> tuple[int, int]:
        """Return start and end of a span in the unit."""
        if self._edges is None:
            return span.start, span.end
        return self._edges[span.start], self._edges[span.end]

    def _code_point(self, offset: int, at: str) -> int:
        if self._edges is None:
            return offset
        index = bisect_left(self._edges, offset)
        if self._edges[index] != offset:
            raise InputError(
                f"{at}: offset {offset} in {self._unit} is inside a character; the file counts "
                "another unit, see --from-offsets.",
                self._document,
            )
        return index


def _width(character: str, unit: Unit) -> int:
    code = ord(character)
    if unit is Unit.UTF_16:
        return 2 if code > 0xFFFF else 1
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
