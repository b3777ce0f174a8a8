"""The leaves of JSON: its strings and numbers with their positions, and its field names.

Only what changes is rewritten, so numbers keep their digits, objects keep the order and duplicates
of their keys, and all white space stays. What a string contains (a tool's arguments in JSON, a
narrative in HTML) is read in place: each of its characters has a position in the source, however it
is escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..text.decoding import BYTE_ORDER_MARK, check_surrogates, writable
from .fhir import definitions, patient
from .fields import FieldRule, Fields, Treatment
from .html import extract
from .leaves import Leaf, RecordBuilder
from .names import NameScrubber
from .record import Edit, Extraction, Kept, Region, plain

# Numbers are skipped, not parsed, so they keep all their digits.
DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
BLANK = " \t\n\r"
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)


def dumps(text: str) -> str:
    """Return a string as JSON, with its own characters where the encoding allows."""
    return json.dumps(writable(text), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class HeldSource:
    """Where a value's source is: in the file itself, or in nested JSON strings.

    Attributes:
        places: positions of its code points and of its end in the file; empty for the file itself.
        depth: number of strings around it.
    """

    places: tuple[int, ...] = ()
    depth: int = 0

    def at(self, position: int) -> int:
        """Return the position in the file."""
        return self.places[position] if self.places else position

    def encoder(self, encode: Callable[[str], str]) -> Callable[[str], str]:
        """Return an encoder for the file's syntax."""
        return partial(_escaped, encode, self.depth) if self.depth else encode

    def string(self, source: str, start: int, end: int) -> HeldSource:
        """Return the position of the content of the string at ``[start, end)``."""
        matches = _CHARACTER.finditer(source, start + 1, end - 1)
        places = tuple(self.at(match.start()) for match in matches)
        return HeldSource((*places, self.at(end - 1)), self.depth + 1)


def _escaped(encode: Callable[[str], str], depth: int, text: str) -> str:
    text = encode(text)
    for _ in range(depth):
        text = dumps(text)[1:-1]
    return text


def _strike(
    strike: Callable[[str, NameScrubber], str | None], depth: int, value: str, forms: NameScrubber
) -> str | None:
    """Strike names out of a region inside JSON strings."""
    inner = value
    for _ in range(depth):
        inner = json.loads(f'"{inner}"')
    output = strike(inner, forms)
    if output is None or output == inner:
        return None if output is None else value
    return _escaped(plain, depth, output)


@dataclass(frozen=True, slots=True)
class _JsonPlace:
    """What is known about a value before it is read.

    Attributes:
        path: the segments of its path.
        owner: number of the object that contains it.
        names: its other names, from definitions.
        type: its type, from definitions; empty if unknown.
    """

    path: tuple[str, ...]
    owner: int = 0
    names: tuple[str, ...] = ()
    type: str = ""


class JsonScanner:
    """Scans one JSON value and passes its leaves to a builder.

    Args:
        source: the value, perhaps with white space and a byte order mark around it.
        fields: the treatments.
        parts: the builder that takes the leaves.
        name: the record's name, for errors.

    Attributes:
        strings: for each path, whether its values are strings or null.
        unlisted: fields without a treatment, in order.
        line: line of the source with the first of these, or 0.
    """

    def __init__(self, source: str, fields: Fields, parts: RecordBuilder, name: str) -> None:
        self.strings: dict[str, list[bool]] = {}
        self._source = self._file = source
        self._position = 0
        self._fields = fields
        self._parts = parts
        self._name = name
        self._held = HeldSource()
        self.unlisted: dict[str, None] = {}
        self.line = 0
        self._objects = 0
        self._definitions = definitions() if fields.policy.definitions else None

    def scan(self, expected: str = "", path: tuple[str, ...] = ()) -> None:
        """Scan the whole source.

        Args:
            expected: the characters that the value may start with.
            path: the value's path in its file.

        Raises:
            ValueError: if it isn't a single JSON value.
            RecursionError: if it is nested too deeply.
            InputError: if a text has an unpaired surrogate.
        """
        marked = self._source.lstrip(BLANK).startswith(BYTE_ORDER_MARK)
        start = self._source.index(BYTE_ORDER_MARK) + 1 if marked else 0
        end = self._value(self._skip(start, expected), _JsonPlace(path))
        if self._skip(end) != len(self._source):
            raise json.JSONDecodeError("more after the value", self._source, end)

    def _skip(self, position: int, expected: str = "") -> int:
        while self._source[position : position + 1] in BLANK and position < len(self._source):
            position += 1
        if expected and self._source[position : position + 1] not in tuple(expected):
            raise json.JSONDecodeError("unexpected", self._source, position)
        return position

    def _object(self, start: int, place: _JsonPlace) -> int:
        self._objects += 1
        owner = self._objects
        content: dict[str, Any] = {}
        if self._definitions is not None:
            place, content = self._typed(start, place)
        position = self._skip(start + 1, '"}')
        members: list[tuple[int, int, bool]] = []
        while self._source[position] == '"':
            begin = position
            key, position = DECODER.raw_decode(self._source, begin)
            inside = self._member(place, key, owner, content)
            value = self._skip(self._skip(position, ":") + 1)
            if dropped := self._is_dropped(inside):
                _, end = DECODER.raw_decode(self._source, value)
            else:
                self._keep(begin, position, key, owner)
                end = self._value(value, inside)
            members.append((begin, end, dropped))
            position = self._skip(end, ",}")
            if self._source[position] == ",":
                position = self._skip(position + 1, '"')
        for edit in _removals(members):
            self._edit(*edit)
        return position + 1

    def _typed(self, start: int, place: _JsonPlace) -> tuple[_JsonPlace, dict[str, Any]]:
        """Return the place of an object with its type, and with its content if that says more."""
        assert self._definitions is not None
        if place.type not in ("", "Resource", "Reference", "Extension"):
            return place, {}
        content, _ = DECODER.raw_decode(self._source, start)
        name = content.get("resourceType")
        is_resource = isinstance(name, str) and self._definitions.is_resource(name)
        if place.type in ("", "Resource") and is_resource:
            place = _JsonPlace((name,), type=name)
        self._parts.person = self._parts.person or patient(place.type, place.path, content)
        return place, content

    def _member(
        self, place: _JsonPlace, key: str, owner: int, content: dict[str, Any]
    ) -> _JsonPlace:
        path = (*place.path, key)
        if self._definitions is None:
            return _JsonPlace(path, owner)
        names, type = self._definitions.names(place.type, key, content)
        return _JsonPlace(path, owner, names, type)

    def _array(self, start: int, place: _JsonPlace) -> int:
        position = self._skip(start + 1)
        while self._source[position : position + 1] != "]":
            position = self._skip(self._value(position, place), ",]")
            if self._source[position] == ",":
                position = self._skip(position + 1)
                if self._source[position : position + 1] == "]":
                    raise json.JSONDecodeError("unexpected", self._source, position)
        return position + 1

    def _value(self, start: int, place: _JsonPlace) -> int:
        self._position = self._held.at(start)
        opening = self._source[start : start + 1]
        strings = self.strings.setdefault(".".join(place.path), [])
        if opening in ("{", "["):
            end = self._object(start, place) if opening == "{" else self._array(start, place)
            if opening == "{":
                strings.append(False)
            if self._skip(start + 1) == end - 1 and not self._fields.is_of_records(place.path):
                self._rule(place)
            return end
        value, end = DECODER.raw_decode(self._source, start)
        strings.append(opening == '"' or self._source[start:end] == "null")
        rule = self._rule(place)
        if rule is None:
            return end
        if rule.treatment is Treatment.DROP:
            self._edit(start, end, "null")
        elif not isinstance(value, str):  # true, false and null say nothing
            return end
        elif opening == '"' and rule.holds is not None:
            self._inside(start, end, value, rule, place)
        else:
            self._leaf(start, end, value, rule, place)
        return end

    def _leaf(self, start: int, end: int, value: str, rule: FieldRule, place: _JsonPlace) -> None:
        if rule.treatment is Treatment.TEXT:
            check_surrogates(value, self._name)
        held = self._held
        encode = held.encoder(dumps)
        leaf = Leaf(place.path, value, held.at(start), held.at(end), encode, place.owner)
        self._parts.add(leaf, rule)

    def _inside(self, start: int, end: int, value: str, rule: FieldRule, place: _JsonPlace) -> None:
        """Scan what a string contains; if that isn't valid, the string is plain text."""
        check_surrogates(value, self._name)
        held = self._held.string(self._source, start, end)
        if rule.holds == "html":
            self._parts.embed(*placed_page(value, held))
            return
        if value.lstrip(BLANK)[:1] not in ("{", "[") or not _is_json(value):
            self._leaf(start, end, value, rule, place)
            return
        outer = self._source, self._held
        self._source, self._held = value, held
        try:
            self._value(self._skip(0), place)
        finally:
            self._source, self._held = outer

    def _keep(self, start: int, end: int, value: str, owner: int) -> None:
        held = self._held
        self._parts.keep(
            Kept(held.at(start), held.at(end), value, held.encoder(dumps), object=owner)
        )

    def _edit(self, start: int, end: int, text: str) -> None:
        leaf = self._held
        self._parts.edit((leaf.at(start), leaf.at(end), leaf.encoder(plain)(text)))

    def _is_dropped(self, place: _JsonPlace) -> bool:
        rule = self._fields.rule(place.path, *place.names)
        return (
            rule is not None
            and rule.treatment is Treatment.DROP
            and not self._fields.within(place.path)
        )

    def _rule(self, place: _JsonPlace) -> FieldRule | None:
        path = place.path
        if self._fields.observe is not None:
            self._fields.observe(path, "")  # also of true, null and an empty list
        rule = self._fields.rule(path, *place.names)
        if rule is None:
            self.unlisted[".".join(self._outermost(path))] = None
            self.line = self.line or self._file.count("\n", 0, self._position) + 1
        return rule

    def _outermost(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the field to list: a field inside one that is named in part must be named itself.

        For a resource, whose fields are treated by type, it is the field itself.
        """
        if self._definitions is not None:
            return path
        prefixes = [path[:length] for length in range(1, len(path) + 1)] or [path]
        return next((p for p in prefixes if not self._fields.within(p)), path)


def _is_json(text: str) -> bool:
    try:
        DECODER.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def placed_page(page: str, held: HeldSource) -> tuple[Extraction, list[Region]]:
    """Return the text of an HTML page and its regions, with their positions in the file."""
    inner, regions = extract(page)
    extraction = Extraction("")
    position = 0
    for slot in inner.slots:
        extraction.gap(inner.text[position : slot.start])
        start, end = held.at(slot.source_start), held.at(slot.source_end)
        text = inner.text[slot.start : slot.end]
        extraction.opaque(start, end, text, held.encoder(slot.encode), rewritten=slot.rewritten)
        position = slot.end
    extraction.gap(inner.text[position:])
    places = [
        Region(
            held.at(region.start),
            held.at(region.end),
            partial(_strike, region.strike, held.depth),
            held.encoder(plain)(region.empty),
        )
        for region in regions
    ]
    return extraction, places


def _removals(members: Sequence[tuple[int, int, bool]]) -> Iterator[Edit]:
    """Yield the edits that remove members, each with one comma.

    Args:
        members: ``[start, end)`` of each member of an object, and whether to remove it.
    """
    has_previous = False
    for index, (start, end, removed) in enumerate(members):
        if not removed:
            has_previous = True
        elif has_previous:
            yield members[index - 1][1], end, ""
        else:
            yield start, members[index + 1][0] if index + 1 < len(members) else end, ""
