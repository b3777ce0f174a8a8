"""Turn a record's leaves into one document, and its edits back into a value for each leaf; see ``fields``."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from ..document import Document
from ..errors import InputError
from ..result import Result
from ..rewrite.surrogate.dates import Grain, Moves, WrittenDate, read_date
from ..rewrite.surrogate.drawing import Draw
from ..text.dates import years_ending_in
from ..text.names import parse_name
from ..text.normal_form import fold_text
from .base64_data import holds_base64
from .blocks import Block
from .fields import FieldRule, Fields, Treatment
from .name_fields import is_called_a_birth
from .names import NameScrubber
from .record import (
    Container,
    Edit,
    Extraction,
    Head,
    Kept,
    Origin,
    Region,
    SourceDocument,
    SurroundingFields,
    plain,
    source_edits,
)

_NOBODY = frozenset(
    "anonymous deceased n/a na nil no none null redacted tba tbd test unknown unnamed withheld".split()
)
"""Values of name fields that identify no one."""
_CODE = re.compile(r"(?=.*[\d@])\S(?:.{3,62})\S")
"""Identifiers that mean nothing else when they occur in a text."""
_COMPACT_DATE = re.compile(r"^([12]\d{3})(\d{2})(\d{2})$")
_MONTH = re.compile(r"^([12]\d{3}-\d{2})$")
HIDDEN_DATE = "[date]"
"""Replaces a date whose year the policy hides."""
_LARGEST_POWER = 999
"""Maximum power of ten of a number; the label of a larger number's bin would have as many digits."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value in a record, with its position.

    Attributes:
        path: the segments of its path; lists add none.
        value: the value as a string.
        start, end: its position in the record's source, in code points.
        encode: converts a value to source syntax.
        owner: number of the object that contains it; name parts in the same object belong together.
        rewritten: whether it is rewritten even if unchanged.
        joined: whether its text continues the previous leaf's on the same line.
    """

    path: tuple[str, ...]
    value: str = field(repr=False)
    start: int
    end: int
    encode: Callable[[str], str] = field(default=plain, repr=False)
    owner: int = 0
    rewritten: bool = False
    joined: bool = False


class RecordBuilder:
    """Builds the document of a record.

    Args:
        source: the record's source.
        fields: the treatments.

    Attributes:
        person: id of its subject, which determines by how many days dates are shifted; empty if
            unknown.
    """

    def __init__(self, source: str, fields: Fields) -> None:
        self._extraction = Extraction(source)
        self._fields = fields
        self.person = ""
        self._has_text = False
        self._kept: list[Kept] = []
        self._regions: list[Region] = []
        self._edits: list[Edit] = []
        self._codes: dict[str, None] = {}
        self._names: dict[int, dict[str, list[str]]] = {}
        self._values: dict[str, list[str]] = {}
        self._dates: list[tuple[Leaf, FieldRule]] = []
        self._unreadable: list[tuple[str, Treatment]] = []
        self._blocks: list[Block] = []

    def add(self, leaf: Leaf, rule: FieldRule) -> None:
        """Add a leaf; text leaves in the order in which they should be read."""
        if self._fields.observe is not None:
            self._fields.observe(leaf.path, leaf.value)
        if rule.treatment is Treatment.TEXT and holds_base64(leaf.value):
            self._write_if_readable(leaf, rule, None)
            return
        self._values.setdefault(".".join(leaf.path), []).append(leaf.value)
        if rule.name is not None:
            names = self._names.setdefault(leaf.owner, {})
            names.setdefault(rule.name, []).append(leaf.value)
        match rule.treatment:
            case Treatment.TEXT:
                if self._has_text and not leaf.joined:
                    self._extraction.part()
                self._has_text = True
                self._blocks.append(Block(self._extraction.length, ".".join(leaf.path)))
                self._extraction.opaque(
                    leaf.start, leaf.end, leaf.value, leaf.encode, rewritten=leaf.rewritten
                )
            case Treatment.KEEP:
                self.keep(Kept(leaf.start, leaf.end, leaf.value, leaf.encode, leaf.rewritten))
            case Treatment.IDENTIFIER:
                code = leaf.value.strip()
                if rule.form == "reference":
                    code = re.split(r"[/:#|?]", code)[-1]
                if rule.name is None and _CODE.fullmatch(code):
                    self._codes[code] = None
                self._write(leaf, self._fields.pseudonym(leaf.value, rule))
            case Treatment.DATE if leaf.value.strip():
                self._dates.append((leaf, rule))
            case Treatment.NUMBER if leaf.value.strip():
                self._write_if_readable(leaf, rule, binned(leaf.value, rule))

    def embed(self, extraction: Extraction, regions: Iterable[Region]) -> None:
        """Add the text of a leaf's content, whose slots and regions have positions in the source."""
        if self._has_text:
            self._extraction.part()
        self._has_text = True
        self._blocks.append(Block(self._extraction.length))
        position = 0
        for slot in extraction.slots:
            self._extraction.gap(extraction.text[position : slot.start])
            text = extraction.text[slot.start : slot.end]
            self._extraction.opaque(slot.source_start, slot.source_end, text, slot.encode)
            position = slot.end
        self._extraction.gap(extraction.text[position:])
        self._regions += regions

    def keep(self, item: Kept) -> None:
        """Add a string that stays, such as a field's name."""
        self._kept.append(item)

    def edit(self, item: Edit) -> None:
        """Add an edit that doesn't depend on the document's decisions."""
        self._edits.append(item)

    def _write(self, leaf: Leaf, value: str) -> None:
        self._edits.append((leaf.start, leaf.end, leaf.encode(value)))

    def _write_if_readable(self, leaf: Leaf, rule: FieldRule, value: str | None) -> None:
        name = ".".join(leaf.path)
        if value is None and rule.unreadable == "drop":
            self._fields.dropped[self._fields.pattern(name)] += 1
        elif value is None:
            self._unreadable.append((name, rule.treatment))
        self._write(leaf, value or "")

    def document(
        self,
        id: str,
        origin: Origin,
        *,
        place: str = "",
        head: Head | None = None,
        container: Container | None = None,
        refusal: str = "",
        refuses_file: bool = False,
    ) -> SourceDocument:
        """Return the record's document.

        Args:
            id: the document's id.
            origin: its file.
            place: its position in the file.
            head: what precedes the file's first record.
            container: writes the record if its source isn't all of it.
            refusal: why it can't be written; empty if it can.
            refuses_file: whether no other record in the file can be written either.
        """
        self._write_dates()
        if self._unreadable and not refusal:
            name, treatment = self._unreadable[0]
            name = self._fields.pattern(name)
            fault = f"can't be read as a {treatment}; correct it"
            if treatment is Treatment.TEXT:
                fault = "is a file in base64 or hexadecimal, not text; drop it"
            refusal = (
                f"the value of field {name!r} {fault}, or set unreadable: drop in the field policy."
            )
        document = Document(id, self._extraction.text, self._target(), codes=tuple(self._codes))
        beside = SurroundingFields(
            tuple(self._kept), tuple(self._edits), refusal, refuses_file=refuses_file
        )
        slots = tuple(self._extraction.slots)
        source = self._extraction.source
        regions = tuple(sorted(self._regions, key=lambda region: region.start))
        return SourceDocument(
            document,
            origin,
            source,
            slots,
            regions,
            place=place,
            container=container,
            head=head,
            beside=beside,
            blocks=tuple(self._blocks),
        )

    def _target(self) -> tuple[str, ...]:
        """Return the names known from fields, without duplicates; names in parts are assembled."""
        names: dict[str, None] = {}
        for parts in (*self._names.values(), self._divided()):
            pieces = (*parts.get("given", ()), *parts.get("surname", ()))
            whole = " ".join(pieces)
            # Strings that can't be split again are also searched for in parts.
            apart = pieces if parse_name(fold_text(whole)) is None else ()
            for name in (*parts.get("person", ()), whole, *apart):
                if any(map(str.isalpha, name)) and name.strip().lower() not in _NOBODY:
                    names[" ".join(name.split())] = None
        return tuple(names)

    def _divided(self) -> dict[str, list[str]]:
        """Return the parts of a name that two objects contain: one all first names, one all family names."""
        alone: dict[str, list[list[str]]] = {"given": [], "surname": []}
        for parts in self._names.values():
            present = [part for part in alone if any(map(str.strip, parts.get(part, ())))]
            if len(present) == 1:
                alone[present[0]].append(parts[present[0]])
        if any(len(lists) != 1 for lists in alone.values()):
            return {}
        return {part: lists[0] for part, lists in alone.items()}

    def _write_dates(self) -> None:
        shifted: dict[str, list[WrittenDate | None]] = {}
        for leaf, rule in self._dates:
            if rule.to == "shift":
                shifted.setdefault(self._seed(rule), []).append(_read(leaf.value, rule))
        draw = Draw(self._fields.key)
        moves = {
            seed: Moves(draw, seed, [date for date in dates if date is not None], "shift")
            for seed, dates in shifted.items()
        }
        for leaf, rule in self._dates:
            is_birth = is_called_a_birth(leaf.path[-1])
            if self._hides(leaf.value, rule, is_birth=is_birth):
                value: str | None = HIDDEN_DATE
            elif rule.to == "shift":
                value = _moved(leaf.value, rule, moves[self._seed(rule)])
            else:
                value = generalized(leaf.value, rule, is_birth=is_birth)
            self._write_if_readable(leaf, rule, value)

    def _hides(self, value: str, rule: FieldRule, *, is_birth: bool) -> bool:
        """Return whether the text policy hides the year of a date, however it is read."""
        hides = self._fields.hides_year
        return hides is not None and any(
            hides(str(year)) for year, _ in _months(value, rule, is_birth=is_birth)
        )

    def _seed(self, rule: FieldRule) -> str:
        """Return the id that determines by how many days dates are shifted: the document's if no person is named."""
        if rule.by is None:
            return self.person or self._extraction.text
        return "\0".join(self._values.get(rule.by, ()))


def _read(value: str, rule: FieldRule, *, month_first: bool | None = None) -> WrittenDate | None:
    """Return a date, also one written as ``19740305``, or ``1974-03``, which counts as mid-month."""
    text = _MONTH.sub(r"\1-15", _COMPACT_DATE.sub(r"\1-\2-\3", value.strip()))
    return read_date(text, rule.month_first if month_first is None else month_first)


def _moved(value: str, rule: FieldRule, moves: Moves) -> str | None:
    """Return a date in its format, moved by whole days, so that the time of day stays in every file format."""
    date = _read(value, rule)
    day = None if date is None else read_date(date.date.isoformat(), None)
    target = None if day is None else moves.date(day)
    if date is None or target is None:
        return None
    text = date.at(dt.date.fromisoformat(target), date.minutes)
    if text is None:
        return None
    if _MONTH.fullmatch(value.strip()):
        return text[:7]
    return text.replace("-", "") if _COMPACT_DATE.fullmatch(value.strip()) else text


def generalized(value: str, rule: FieldRule, *, is_birth: bool = False) -> str | None:
    """Return the period that a date is in, such as ``1993`` or ``1993-Q2``; None if it isn't a date.

    Also returns None if it may be in two periods, because of the order of day and month or the
    century of birth.
    """
    periods = {_period(*month, rule.to) for month in _months(value, rule, is_birth=is_birth)}
    return periods.pop() if len(periods) == 1 else None


def is_readable(value: str, rule: FieldRule) -> bool:
    """Return whether a date can be moved, or written as its period."""
    return (_read if rule.to == "shift" else generalized)(value, rule) is not None


def _months(value: str, rule: FieldRule, *, is_birth: bool) -> set[tuple[int, int]]:
    """Return year and month, 0 if unknown, for each possible reading of a date; a two-digit year isn't in the future."""
    orders = (True, False) if rule.month_first is None else (rule.month_first,)
    months: set[tuple[int, int]] = set()
    for month_first in orders:
        written = _read(value, rule, month_first=month_first)
        if written is not None and written.has_year:
            year = written.date.year
            years = (
                (year,) if str(year) in value else years_ending_in(year % 100, is_birth=is_birth)
            )
            month = 0 if written.grain is Grain.YEAR else written.date.month
            months.update((year, month) for year in years)
    return months


def _period(year: int, month: int, to: str | None) -> str:
    if to == "decade":
        return f"{year // 10 * 10}s"
    if not month or to not in ("quarter", "month"):
        return str(year)
    return f"{year}-Q{(month + 2) // 3}" if to == "quarter" else f"{year}-{month:02}"


def read_number(value: str) -> Decimal | None:
    """Return a number; None for anything else, codes like ``5e12345678`` included (``5e12345678``)."""
    try:
        number = Decimal(value.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and number.adjusted() <= _LARGEST_POWER else None


def binned(value: str, rule: FieldRule) -> str | None:
    """Return a number's bin, such as ``40-49``, ``[0.5, 1)``, ``<18``; None if it isn't a number.

    Bins include their start but not their end. All numbers in a bin get the same label: if a bin is
    wider than 1 and starts and ends at whole numbers, its label ends with its last whole number, so
    49.5 is in ``40-49``.
    """
    number = read_number(value)
    if number is None:
        return None
    if rule.edges:
        edges = [Decimal(repr(edge)) for edge in rule.edges]
        place = bisect_left(edges, number)
        place += place < len(edges) and edges[place] == number
        if not place:
            return f"<{_plain(edges[0])}"
        if place == len(edges):
            return f">={_plain(edges[-1])}"
        first, end = edges[place - 1], edges[place]
    else:
        width = Decimal(repr(rule.bins or 10.0))
        # Without the sign that zero may have.
        first = (number / width).to_integral_value("ROUND_FLOOR") * width + 0
        end = first + width
    if end - first > 1 and first == int(first) and end == int(end):
        return f"{int(first)}-{int(end) - 1}"
    return f"[{_plain(first)}, {_plain(end)})"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


# Records that have no source to edit.


@dataclass(frozen=True, slots=True)
class LeafRecord:
    """A record whose source consists of its leaves' values, one per line.

    Attributes:
        document: the document to sanitize and check; its ``beside.refusal`` says why it can't be
            written.
        spans: code points of each value in the source.
        dropped: indexes of the leaves that are left out, from 0.
    """

    document: SourceDocument
    spans: tuple[tuple[int, int], ...]
    dropped: frozenset[int]

    def values(
        self, sanitized: Result, forms: NameScrubber | None = None
    ) -> tuple[str | None, ...]:
        """Return the new value of each leaf; None if it is dropped.

        Args:
            sanitized: the sanitized record.
            forms: its masked strings, if the caller has them.

        Raises:
            InputError: if the record can't be written.
        """
        if self.document.beside.refusal:
            raise InputError(self.document.beside.refusal, self.document.document.id)
        edits = {start: text for start, _, text in source_edits(self.document, sanitized, forms)}
        return tuple(
            None if number in self.dropped else edits.get(start, self.document.source[start:end])
            for number, (start, end) in enumerate(self.spans)
        )


def record_of(
    leaves: Iterable[tuple[Sequence[str], str]], fields: Fields, origin: Origin, place: str
) -> LeafRecord:
    """Return the record with these leaves.

    Args:
        leaves: path and value of each leaf, in the order in which text should be read.
        fields: the treatments.
        origin: its file.
        place: its position in the file, such as ``:17``.
    """
    items = [(tuple(path), value) for path, value in leaves]
    parts = RecordBuilder("".join(f"{value}\n" for _, value in items), fields)
    spans: list[tuple[int, int]] = []
    unlisted: dict[int, str] = {}
    dropped: set[int] = set()
    position = 0
    for number, (path, value) in enumerate(items):
        spans.append((position, position + len(value)))
        rule = fields.rule(path)
        if rule is None:
            unlisted[number + 1] = ".".join(path)
        elif rule.treatment is Treatment.DROP:
            dropped.add(number)
        else:
            parts.add(Leaf(path, value, *spans[-1]), rule)
        position += len(value) + 1
    refusal = fields.refusal(unlisted, "field") if unlisted else ""
    document = parts.document(origin.name + place, origin, place=place, refusal=refusal)
    return LeafRecord(document, tuple(spans), frozenset(dropped))
