r"""Field policies: how each field of a record is treated, for every record format.

A record is a tree of leaves, each with a path: a table row, a JSON object, an XML element. A
``FieldPolicy`` in YAML says what happens to each leaf:

    # Visits of patients
    unlisted: refuse                  # a path that no pattern has: refuse the record, or treat as text
    definitions: fhir-r4              # fields may be named by their types as well; see ``fhir``
    extends: openai-chat              # a shipped one, of which other fields take the place
    records: list.patient             # JSON, XML: each value there is a record of its own
    fields:
      note: text                      # sanitized; all text of a record is one document
      messages.content: text          # a path; lists add nothing to it
      "*.comment": text               # * stands for one segment, alone for all others
      call.arguments: {treatment: text, holds: json}  # a string with JSON inside, whose paths go on; or html
      mrn: identifier                 # [ID 1]: the same for the same value in a run; under a key in every run
      id: {treatment: identifier, form: token}        # ID-1; form: reference replaces what is behind / : #
      first: {treatment: text, name: given}          # with ``last`` the name of a person, masked
      last: {treatment: identifier, name: surname}   # and struck out in all of the record
      born: {treatment: date, to: year}              # or decade, quarter, month; shift: by a number of days,
      seen: {treatment: date, to: shift, by: mrn}    # one shift for all dates of the same mrn
      age: {treatment: number, bins: 10}             # or edges: [18, 40, 65]
      ward: keep                      # unchanged, except for people masked in the record
      photo: drop                     # neither the value nor the name of the field

A treatment applies to everything inside its field that doesn't have its own; the longest path
counts. In some formats, a field may also be named by position (``column 3``).

How a format uses it, ``Fields`` being a policy in one run:

    rule = fields.rule(path)                      # None: unlisted, and refused
    parts = RecordBuilder(source, fields)         # ``leaves``: leaves with their places in a source
    parts.add(Leaf(path, value, start, end, encode), rule)
    document = parts.document(id, origin)         # a SourceDocument: written by ``edited_source``

and if there is no source to edit, as in binary tables:

    record = record_of([(path, value), …], fields, origin, ":17")
    result = next(sanitizer.pipe([record.document.document]))  # its ``target`` are names known from fields
    values = record.values(result)                # a string for each leaf, None where it is dropped

Values go in and come out as strings; unchanged values are the same string. A record with a
``document.beside.refusal`` isn't written; the refusal says why, naming the field but no value.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from importlib import resources
from itertools import islice
from pathlib import Path
from secrets import token_bytes
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from ..errors import BY_POLICY, InputError, Message, PolicyError
from ..policy.loading import parse, read
from .record import Failure, SourceDocument
from .running_numbers import RunningNumbers

ALL = "*"
_PLAIN = re.compile(r"(?=.{1,60}\Z)[a-z][A-Za-z0-9_]*(?:\.[@#]?[a-z][A-Za-z0-9_]*)*")
_SHOWN = 10
"""Maximum number of names in a message."""
_LAST = re.compile(r"[^/:#|?]+\Z")
_NO_TOKEN = re.compile(r"[^A-Za-z0-9]+")
_CACHED = 10_000
"""Number of paths whose rules are cached, since data may have any number of names."""


class Treatment(StrEnum):
    """How a field is treated."""

    TEXT = "text"
    IDENTIFIER = "identifier"
    DATE = "date"
    NUMBER = "number"
    KEEP = "keep"
    DROP = "drop"


class FieldRule(BaseModel):
    """A field's treatment and its options.

    Attributes:
        treatment: see the module docstring.
        holds: for text, the format inside the string; if it isn't in that format, the string is
            text.
        form: for identifiers, how the pseudonym is written.
        name: for text and identifiers, which part of a person's name it is; masked throughout the
            record.
        to: for dates, what is left; ``shift`` moves the date by a number of days.
        by: for dates, the path of the field whose value determines the number of days; by default,
            each record has its own.
        month_first: for dates, whether ``3/4/2004`` is in March; if not set, such dates are
            unreadable.
        bins: for numbers, the width of bins, which start at its multiples.
        edges: for numbers, the starts of bins instead, in order; values below and above form bins
            too.
        unreadable: for dates, numbers and text, how to treat a value that isn't one; a base64 file
            isn't text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    treatment: Treatment
    holds: Literal["json", "html"] | None = None
    form: Literal["label", "token", "reference"] | None = None
    name: Literal["person", "given", "surname"] | None = None
    to: Literal["year", "decade", "quarter", "month", "shift"] | None = None
    by: str | None = None
    month_first: bool | None = None
    bins: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    edges: tuple[Annotated[float, Field(allow_inf_nan=False)], ...] = ()
    unreadable: Literal["refuse", "drop"] | None = None

    @model_validator(mode="after")
    def _has_options_of_its_treatment(self) -> FieldRule:
        for option, treatments in _OPTIONS.items():
            if getattr(self, option) not in (None, ()) and self.treatment not in treatments:
                raise ValueError(f"{option} is for {' and '.join(treatments)}")
        if self.by is not None and self.to != "shift":
            raise ValueError("by is for to: shift")
        if self.bins is not None and self.edges:
            raise ValueError("bins and edges are both given; remove one")
        if sorted(set(self.edges)) != list(self.edges):
            raise ValueError("edges must rise")
        return self


_OPTIONS: Mapping[str, tuple[Treatment, ...]] = {
    "holds": (Treatment.TEXT,),
    "form": (Treatment.IDENTIFIER,),
    "name": (Treatment.TEXT, Treatment.IDENTIFIER),
    "to": (Treatment.DATE,),
    "by": (Treatment.DATE,),
    "month_first": (Treatment.DATE,),
    "bins": (Treatment.NUMBER,),
    "edges": (Treatment.NUMBER,),
    "unreadable": (Treatment.TEXT, Treatment.DATE, Treatment.NUMBER),
}
TEXT = FieldRule(treatment=Treatment.TEXT)


def _with_options(value: object) -> object:
    return {"treatment": value} if isinstance(value, str) else value


class FieldPolicy(BaseModel):
    """How every path of a record is treated; see the module docstring.

    Raises:
        PolicyError: on ``load``, if it is invalid; names each fault and its field.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    unlisted: Literal["refuse", "text"] = "refuse"
    definitions: Literal["fhir-r4"] | None = None
    records: str = ""
    fields: dict[str, Annotated[FieldRule, BeforeValidator(_with_options)]] = Field(
        default_factory=dict
    )

    @field_validator("fields")
    @classmethod
    def _has_paths(cls, value: dict[str, FieldRule]) -> dict[str, FieldRule]:
        if "" in value:
            raise ValueError("a field has no name; use '*' for all others")
        return value

    @model_validator(mode="after")
    def _has_records_by_paths_alone(self) -> FieldPolicy:
        if self.records and self.definitions:
            raise ValueError("records and definitions are both given; remove one")
        return self

    @classmethod
    def load(cls, path: str | Path) -> FieldPolicy:
        """Read a shipped policy by name, or a YAML file by path.

        Raises:
            PolicyError: if it is invalid; names the file, the line and the field.
        """
        text = shipped().get(str(path))
        if text is None:
            text = read(Path(path), "field policies", shipped())
        source = parse(text, str(path))
        values = dict(source.fields)
        if (base := values.pop("extends", None)) is not None:
            if base not in shipped():
                raise PolicyError(
                    f"{path}: line {source.line(['extends'])}, extends: {base!r} is not one of the "
                    f"shipped field policies: {', '.join(shipped())}"
                )
            parent = cls.load(base).model_dump(exclude_unset=True)
            fields = values.get("fields")
            values = parent | values
            if isinstance(fields, dict):
                values["fields"] = fields | {
                    k: v for k, v in parent["fields"].items() if k not in fields
                }
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            faults = [
                f"line {source.line(fault['loc'])}, {'.'.join(map(str, fault['loc']))}: "
                f"{fault['msg'].removeprefix('Value error, ')}"
                for fault in error.errors(include_url=False, include_input=False)
            ]
            raise PolicyError(f"{path}: {'; '.join(faults)}") from None


@cache
def shipped() -> dict[str, str]:
    """Return the YAML of each shipped field policy, by name."""
    folder = resources.files(__package__) / "field_policies"
    return {
        item.name.removesuffix(".yaml"): item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
    }


@dataclass(frozen=True, slots=True)
class Fields:
    """A field policy in one run.

    Attributes:
        policy: the treatments.
        source: its file, for messages; empty if it comes from command-line options.
        name: returns the pseudonym for an identifier's value.
        key: key that determines by how many days dates are shifted; None for a new one in every
            run.
        harmless: whether cells that a spreadsheet would treat as formulas get an apostrophe in
            front (CSV only).
        observe: called with the path of each leaf that is read, and possibly its value.
        takes: called with the path of each table column, and the treatments besides drop that its
            type allows; None if all.
        passes: called before a record is parsed; returns whether to skip it, to look at only part
            of a large file.
        places: the fields' numbers by name, which messages show instead.
        prefix: prefix for names in messages, for fields of a file inside another.
        hides_year: returns whether the text policy hides a year, such as an early birth year; dates
            in fields are then also hidden. None if it hides none.
        dropped: number of values dropped as unreadable, by field name.
        optional: names of fields that a file may lack, whatever their treatment.
    """

    policy: FieldPolicy = field(default_factory=FieldPolicy)
    source: str = ""
    name: Callable[[str], str] = field(default_factory=RunningNumbers, repr=False, compare=False)
    key: bytes = field(default_factory=partial(token_bytes, 32), repr=False, compare=False)
    harmless: bool = False
    observe: Callable[[tuple[str, ...], str], None] | None = field(
        default=None, repr=False, compare=False
    )
    takes: Callable[[tuple[str, ...], frozenset[Treatment] | None], None] | None = field(
        default=None, repr=False, compare=False
    )
    passes: Callable[[], bool] | None = field(default=None, repr=False, compare=False)
    prefix: str = ""
    hides_year: Callable[[str], bool] | None = field(default=None, repr=False, compare=False)
    dropped: Counter[str] = field(default_factory=Counter, repr=False, compare=False)
    optional: frozenset[str] = frozenset()
    places: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    _rules: dict[tuple[str, ...], FieldRule | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def of_options(
        cls,
        keep: Iterable[str] = (),
        drop: Iterable[str] = (),
        pseudonym: Iterable[str] = (),
        **options: Any,
    ) -> Fields:
        """Return the treatments given by command-line options with column names or paths.

        Raises:
            InputError: if a name is in two of them.
        """
        rules: dict[str, FieldRule] = {}
        first: dict[str, str] = {}
        for option, treatment, names in (
            ("keep", Treatment.KEEP, keep),
            ("drop", Treatment.DROP, drop),
            ("pseudonym", Treatment.IDENTIFIER, pseudonym),
        ):
            for name in sorted(names):
                if name in first:
                    raise InputError(
                        f"{name!r} is in --{first[name]}-columns and in --{option}-columns; leave "
                        "one out."
                    )
                first[name] = option
                rules[name] = FieldRule(treatment=treatment)
        return cls(FieldPolicy(fields=rules), **options)

    def declare(
        self, path: tuple[str, ...], treatments: frozenset[Treatment] | None = None
    ) -> None:
        """Report that a table has this column, with or without values; see ``takes``."""
        if self.takes is not None:
            self.takes(path, treatments)

    def passes_over(self) -> bool:
        """Return whether to skip the next record; see ``passes``."""
        return self.passes is not None and self.passes()

    def with_texts(self, names: Sequence[str]) -> Fields:
        """Return a copy in which these fields are text."""
        texts = dict.fromkeys(names, TEXT)
        rest = {name: rule for name, rule in self.policy.fields.items() if name not in texts}
        return replace(self, policy=self.policy.model_copy(update={"fields": texts | rest}))

    def rule(self, path: Sequence[str], *aliases: str) -> FieldRule | None:
        """Return a leaf's treatment; None if it has none and must not be released.

        Args:
            path: the segments of its path.
            aliases: its other names, such as its number or its type, most specific first; patterns
                for its path take precedence.
        """
        key = (*path, "\0", *aliases)
        if key not in self._rules:
            if len(self._rules) >= _CACHED:
                self._rules.clear()
            self._rules[key] = self._find(path, aliases)
        return self._rules[key]

    def _find(self, path: Sequence[str], aliases: Sequence[str]) -> FieldRule | None:
        rules = self.policy.fields
        for length in range(len(path), 0, -1):
            name = ".".join(path[:length])
            if name in rules:
                return rules[name]
            pattern = next((p for p in self._patterns(length) if _fits(p, path[:length])), None)
            if pattern is not None:
                return rules[".".join(pattern)]
        for name in (*aliases, ALL):
            if name in rules:
                return rules[name]
        return TEXT if self.policy.unlisted == "text" else None

    def _patterns(self, length: int) -> list[list[str]]:
        """Return the patterns with this many segments and a ``*``, those with the fewest first."""
        names = (name.split(".") for name in self.policy.fields if name != ALL and ALL in name)
        patterns = [name for name in names if ALL in name and len(name) == length]
        return sorted(patterns, key=lambda name: name.count(ALL))

    def is_of_records(self, path: Sequence[str]) -> bool:
        """Return whether each value at a path is a separate record."""
        pattern = self.policy.records.split(".") if self.policy.records else []
        return len(pattern) == len(path) > 0 and _fits(pattern, path)

    def within(self, path: Sequence[str]) -> bool:
        """Return whether a field inside the one at this path may have its own treatment."""
        name = ".".join(path) + "."
        return any(
            other.startswith(name)
            or (ALL in other and other.count(".") >= len(path) and _fits(other.split("."), path))
            for other in self.policy.fields
        )

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return the dropped or replaced names that aren't in ``names``."""
        quiet = (Treatment.KEEP, Treatment.TEXT)
        changed = {name for name, rule in self.policy.fields.items() if rule.treatment not in quiet}
        changed -= {name for name in changed if f"{name}.".startswith("attachments.")}
        return sorted(changed - {*names, ALL} - self.optional)

    def keeps_others(self) -> bool:
        """Return whether fields that aren't named stay."""
        rule = self.policy.fields.get(ALL)
        return rule is not None and rule.treatment is Treatment.KEEP

    def pseudonym(self, value: str, rule: FieldRule) -> str:
        """Return the pseudonym for a value; an empty value has none."""
        if rule.form == "reference":
            last = _LAST.search(value)
            return value[: last.start()] + self._token(last[0]) if last else value
        if not value.strip():
            return value
        return self._token(value) if rule.form == "token" else self.name(value.strip())

    def _token(self, value: str) -> str:
        return _NO_TOKEN.sub("-", self.name(value.strip())).strip("-")

    def with_names(self, names: Mapping[str, str]) -> Fields:
        """Return a copy in which fields named by number have their actual names.

        Args:
            names: the names by number.
        """
        if names.keys().isdisjoint(self.policy.fields):
            return self
        rules = {names.get(name, name): rule for name, rule in self.policy.fields.items()}
        places = {**self.places, **{name: place for place, name in names.items()}}
        policy = self.policy.model_copy(update={"fields": rules})
        return replace(self, policy=policy, places=places)

    def pattern(self, name: str, public: Container[str] = ()) -> str:
        """Return a name for messages that field policies also understand; ``*`` replaces parts that may be a person's name.

        Args:
            name: a field's name; it is shown if the policy itself contains it.
            public: parts of names that belong to no person.
        """
        if name in self.places or name in self.policy.fields:
            return self.prefix + self.places.get(name, name)
        return self.prefix + ".".join(
            part if part in public or _PLAIN.fullmatch(part) else ALL for part in name.split(".")
        )

    def refusal(self, names: Mapping[int, str] | Mapping[str, str], noun: str) -> str:
        """Return the message for fields (``noun``) without treatment, which says how to allow them.

        Args:
            names: the names by number or position in the file, which is shown instead of a name
                that may be a person's. ``with_names`` understands these.
            noun: ``column``, which can also be given by number, or ``field``.
        """
        labels = [
            self.prefix
            + (
                name
                if _PLAIN.fullmatch(name)
                else place.removeprefix(self.prefix)
                if isinstance(place, str)
                else f"{noun} {place}"
            )
            for place, name in islice(names.items(), _SHOWN)
        ]
        line = _line(labels)
        count = f"{len(names)} {noun}{'s'[: len(names) > 1]}"
        more = len(names) - len(labels)
        if self.source:
            rest = f" and {more} more" if more else ""
            return (
                f"{self.source} has no treatment for {count} ({line}{rest}); list them there, or "
                "set unlisted: text."
            )
        line = shlex.quote(line)
        rest = f" (and {more} more; '*' is all that are not named)" if more else ""
        fault = f"{count} would be written beside the text without a treatment"
        return Message(
            f"{fault}; use --keep-columns {line}, --drop-columns {line} or --pseudonym-columns "
            f"{line}{rest}, or {BY_POLICY}.",
            f"{fault}; choose how to treat each of them in a new project.",
        )


def column_label(name: str, number: int) -> str:
    """Return a column for messages: its name in quotes, or its position if the name may be a person's."""
    return repr(name) if _PLAIN.fullmatch(name) else str(number)


UNSAID = Fields()
"""No field has a treatment."""


def _fits(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Return whether the first segments of a pattern match a path."""
    return all(part in (ALL, name) for part, name in zip(pattern, path, strict=False))


def _line(names: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(names)
    return stream.getvalue()


def names_of(line: str) -> tuple[str, ...]:
    """Return the names in an option's value: ``id,ward``; names with a comma are in quotes."""
    return tuple(name for row in csv.reader(io.StringIO(line, newline="")) for name in row)


def refuse_unnamed(
    items: Iterable[SourceDocument | Failure], to: str
) -> Iterator[SourceDocument | Failure]:
    """Yield items; a record that can't be written back becomes a failure.

    If a treatment is missing in all records of a file, one failure replaces the record and the rest
    of the file.
    """
    refused = ""
    for item in items:
        if isinstance(item, SourceDocument):
            if refused == item.origin.path:
                continue
            carried = to == "same" or to == item.origin.format
            if carried and item.beside.refusal:
                if item.beside.refuses_file:
                    refused = item.origin.path
                yield Failure(InputError(item.beside.refusal, item.document.id))
                continue
        yield item
