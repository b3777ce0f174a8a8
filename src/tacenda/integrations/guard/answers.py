"""Answers that name only people the user named: everything else that the policy masks gets a tag such as ``[PERSON]``.

A text is read in units of a few sentences or lines, each together with what comes before it and the
unit after it. Where a unit ends depends only on the text, so however a stream is cut, the result is
the same as for the whole answer. JSON is read when it is complete, value by value with the names of
the fields. The conversation's placeholders are kept, to be revealed. Tags have no number, so they
can't be mistaken for placeholders.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...pipeline import Sanitizer
from ...text.placeholders import LITERAL, pending
from .hiding import CONTEXT, Hidden, Hiding
from .shapes import (
    AS_THEY_ARE,
    IN_JSON,
    SETTING,
    PromptPiece,
    PromptTreatment,
    parsed,
    rewritten_json,
)
from .stand_ins import replaced
from .vault import VaultContent

Answers = Literal["keep", "mask"]
"""Treatment of people that a model names on its own."""
_LEAST = 160
"""Code points of a unit, up to the next end of a sentence or line."""
_MOST = 4_000
"""Code points after which a unit ends at the next blank."""
_CLOSING = "\"'”’»)]"
_END = re.compile(rf"(?:\n|[.!?…][{re.escape(_CLOSING)}]*[^\S\n])\s*(?=\S)|[。！？](?=\S)")
_BLANK = re.compile(r"\s+(?=\S)")
_JSON = re.compile(r"\s*(?:\{|\[\s*[\[{\"])")
_PERHAPS_JSON = re.compile(r"\s*(?:\[\s*)?")
_UNREADABLE = re.compile(r"(?:data:[\w.+-]+/[\w.+-]+;base64,[\w+/-]+|[\w+/-]{512,})={0,2}", re.A)
_FILE = "[FILE]"
"""Stands for pictures and sounds, which can't be read."""


class AnswerMask:
    """One text of an answer, processed piece by piece.

    Args:
        sanitizer: decides what is masked.
        is_json: whether it is JSON source; otherwise it counts as JSON if it starts like an object
            or a list.
    """

    def __init__(self, sanitizer: Sanitizer, is_json: bool = False) -> None:
        self._originals = VaultContent.none()
        self._hiding = Hiding(sanitizer, self._originals, str)
        self._is_json: bool | None = is_json or None
        self._before = self._held = ""
        self._least = _LEAST
        self._end: int | None = None
        self._sought = 0

    def feed(self, piece: str) -> str:
        """Return the text that can be shown after one more piece."""
        self._held += piece
        if self._is_json is None and not _PERHAPS_JSON.fullmatch(self._held):
            self._is_json = _JSON.match(self._held) is not None
        pieces: list[str] = []
        while self._is_json is False:
            self._end = self._end or self._end_of_unit(0, self._least)
            if self._end is None:
                break
            after = self._end_of_unit(self._end, self._end + _LEAST)
            if after is None:
                break
            pieces.append(self._unit(self._end, after))
        return "".join(pieces)

    def end(self) -> str:
        """Return the rest."""
        if self._is_json and isinstance(content := parsed(self._held), dict | list):
            self._held = ""
            return json.dumps(self.value(content), ensure_ascii=False)
        return self._unit(len(self._held), len(self._held)) if self._held else ""

    def whole(self, text: str) -> str:
        """Return a text that came in one piece."""
        return self.feed(text) + self.end()

    def value(self, value: Any) -> Any:
        """Return a JSON value; a masked number becomes a string."""
        pieces: list[PromptPiece] = []

        def collected(piece: PromptPiece) -> str:
            pieces.append(piece)
            return piece.text

        rewritten_json(value, "answer", collected)
        parts = iter(self._hiding.parts(pieces))
        return rewritten_json(value, "answer", lambda piece: _tagged(piece.text, next(parts)))

    def _end_of_unit(self, start: int, least: int) -> int | None:
        """Return where the unit that starts at ``start`` ends; None if its end hasn't arrived yet."""
        text = self._held
        for match in heapq.merge(
            _END.finditer(text, max(least, self._sought)),
            _BLANK.finditer(text, max(least, start + _MOST, self._sought)),
            key=re.Match.end,
        ):
            if pending(text[: match.end()]) == match.end():
                self._sought = 0
                return match.end()
        # An end may start with the last character before blanks and closing punctuation, but not
        # earlier.
        length = len(text)
        while length and (text[length - 1].isspace() or text[length - 1] in _CLOSING):
            length -= 1
        self._sought = length - 1
        return None

    def _unit(self, end: int, after: int) -> str:
        """Return the unit up to an end, read together with what follows; mentions that continue beyond it wait."""
        unit = _UNREADABLE.sub(_FILE, self._held[:end])
        text = unit + _UNREADABLE.sub(_FILE, self._held[end:after])
        self._originals.texts.clear()
        self._originals.context = self._before
        (parts,) = self._hiding.parts([PromptPiece(text, "answer", PromptTreatment.TEXT)])
        shown = next(
            (part.span.start for part in parts if part.span.start < len(unit) < part.span.end),
            len(unit),
        )
        self._end, self._sought = None, 0
        # A name that starts at the first word and continues beyond the unit waits for more text.
        self._least = _LEAST if shown else after
        self._before = (self._before + text[:shown])[-CONTEXT:]
        self._held = text[shown:] + self._held[after:]
        return _tagged(text[:shown], [part for part in parts if part.span.end <= shown])


def _tagged(text: str, parts: Sequence[Hidden]) -> str:
    """Return a text with tags in place of its parts; placeholders stay."""
    tags = (
        (part.span, part.span.of(text) if part.item.word == LITERAL else f"[{part.item.word}]")
        for part in parts
    )
    return replaced(text, tags)[0]


def masked(value: Any, sanitizer: Sanitizer, key: str = "") -> Any:
    """Return an answer with its texts masked.

    Args:
        value: a JSON value.
        sanitizer: decides what is masked.
        key: name of the field that contains the value.
    """
    if key == "logprobs":
        # They repeat the text.
        return None if isinstance(value, Mapping) else value and []
    if isinstance(value, Mapping):
        if key == "input":
            return AnswerMask(sanitizer).value(value)
        return {name: masked(item, sanitizer, name) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked(item, sanitizer, key) for item in value]
    is_setting = key in AS_THEY_ARE or key.endswith("_id")
    if not isinstance(value, str) or (is_setting and SETTING.fullmatch(value)):
        return value
    return AnswerMask(sanitizer, key in IN_JSON).whole(value)
