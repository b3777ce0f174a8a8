"""Leaves of JSON: its strings and numbers with their places, and the names of its fields.

Only what changes is rewritten, so numbers keep their digits, objects the order and the doubles of their
keys, and everything its white space.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..text.decoding import BYTE_ORDER_MARK, check_surrogates, writable
from .fields import FieldRule, Fields, Treatment
from .leaves import Leaf, RecordBuilder
from .record import Edit, Kept

# Numbers are skipped, not understood: they keep their digits, however many.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
BLANK = " \t\n\r"


def dumps(text: str) -> str:
    """Write a string as JSON, in its own characters where they can be written."""
    return json.dumps(writable(text), ensure_ascii=False)


class JsonScanner:
    """Scanner of one JSON value, whose leaves go to a builder.

    Args:
        source: with white space and a byte order mark around the value, perhaps.
        fields: the treatments.
        parts: takes the leaves.
        name: of the record, for errors.
    """

    def __init__(self, source: str, fields: Fields, parts: RecordBuilder, name: str) -> None:
        self.strings: dict[str, list[bool]] = {}
        self._source = source
        self._fields = fields
        self._parts = parts
        self._name = name
        self._numbers: dict[str, int] = {}
        self._unlisted: dict[str, None] = {}
        self._objects = 0

    @property
    def unlisted(self) -> dict[int, str]:
        """Fields without treatment, by their place among all names."""
        return {self._numbers.get(name, 0): name for name in self._unlisted}

    def scan(self, expected: str = "") -> None:
        """Scan the whole source.

        Args:
            expected: characters of which the value begins with one.

        Raises:
            ValueError: if it is not one JSON value.
            RecursionError: if it is nested too deeply.
            InputError: if a text has half a character.
        """
        marked = self._source.lstrip(BLANK).startswith(BYTE_ORDER_MARK)
        start = self._source.index(BYTE_ORDER_MARK) + 1 if marked else 0
        end = self._value(self._skip(start, expected), (), 0)
        if self._skip(end) != len(self._source):
            raise json.JSONDecodeError("more after the value", self._source, end)

    def _skip(self, position: int, expected: str = "") -> int:
        while self._source[position : position + 1] in BLANK and position < len(self._source):
            position += 1
        if expected and self._source[position : position + 1] not in tuple(expected):
            raise json.JSONDecodeError("unexpected", self._source, position)
        return position

    def _object(self, start: int, path: tuple[str, ...]) -> int:
        self._objects += 1
        owner = self._objects
        position = self._skip(start + 1, '"}')
        members: list[tuple[int, int, bool]] = []
        while self._source[position] == '"':
            begin = position
            key, position = _DECODER.raw_decode(self._source, begin)
            inside = (*path, key)
            self._numbers.setdefault(".".join(inside), len(self._numbers) + 1)
            value = self._skip(self._skip(position, ":") + 1)
            if dropped := self._is_dropped(inside):
                _, end = _DECODER.raw_decode(self._source, value)
            else:
                self._parts.keep(Kept(begin, position, key, dumps))
                end = self._value(value, inside, owner)
            members.append((begin, end, dropped))
            position = self._skip(end, ",}")
            if self._source[position] == ",":
                position = self._skip(position + 1, '"')
        for edit in _removals(members):
            self._parts.edit(edit)
        return position + 1

    def _array(self, start: int, path: tuple[str, ...], owner: int) -> int:
        position = self._skip(start + 1)
        while self._source[position : position + 1] != "]":
            position = self._skip(self._value(position, path, owner), ",]")
            if self._source[position] == ",":
                position = self._skip(position + 1)
                if self._source[position : position + 1] == "]":
                    raise json.JSONDecodeError("unexpected", self._source, position)
        return position + 1

    def _value(self, start: int, path: tuple[str, ...], owner: int) -> int:
        opening = self._source[start : start + 1]
        strings = self.strings.setdefault(".".join(path), [])
        if opening in ("{", "["):
            end = self._object(start, path) if opening == "{" else self._array(start, path, owner)
            if opening == "{":
                strings.append(False)
            if self._skip(start + 1) == end - 1:
                self._rule(path)
            return end
        value, end = _DECODER.raw_decode(self._source, start)
        strings.append(opening == '"')
        rule = self._rule(path)
        if rule is None:
            return end
        if rule.treatment is Treatment.DROP:
            self._parts.edit((start, end, "null"))
        elif isinstance(value, str):  # true, false and null say nothing
            if rule.treatment is Treatment.TEXT:
                check_surrogates(value, self._name)
            self._parts.add(Leaf(path, value, start, end, dumps, owner), rule)
        return end

    def _is_dropped(self, path: tuple[str, ...]) -> bool:
        rule = self._fields.rule(path)
        return (
            rule is not None and rule.treatment is Treatment.DROP and not self._fields.within(path)
        )

    def _rule(self, path: tuple[str, ...]) -> FieldRule | None:
        rule = self._fields.rule(path)
        if rule is None:
            # A field within one of which a part is named must be named itself.
            prefixes = [path[:length] for length in range(1, len(path) + 1)] or [path]
            outer = next((p for p in prefixes if not self._fields.within(p)), path)
            self._unlisted[".".join(outer)] = None
        return rule


def _removals(members: Sequence[tuple[int, int, bool]]) -> Iterator[Edit]:
    """Yield the edits to remove members, each with one comma.

    Args:
        members: ``[start, end)`` of each member of an object, and whether it goes.
    """
    has_previous = False
    for index, (start, end, removed) in enumerate(members):
        if not removed:
            has_previous = True
        elif has_previous:
            yield members[index - 1][1], end, ""
        else:
            yield start, members[index + 1][0] if index + 1 < len(members) else end, ""
