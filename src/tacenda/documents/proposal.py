"""A field policy proposed for a file, by a sample of its records: a treatment and its reasons for each path.

Names of fields, how many records have a value, how many values differ, of which kind they are, and what a
recognizer finds in them decide; no value is shown. In doubt a field is text or an identifier, never kept.

| what is seen | treatment |
|---|---|
| a name of somebody, by the field's name or by the recognizer | identifier, struck out of its record |
| e-mail addresses, telephone numbers, codes of many different values | identifier |
| an address by the field's name | drop |
| dates | their year at birth, else shifted with those of the same person |
| numbers of many different values, or of ages | bins |
| few different values, all of them often, in which nothing is found | keep |
| JSON or HTML in strings | text that holds it |
| the rest | text |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import yaml

from ..document import Document, Mention, SemanticType
from ..errors import InputError
from .fields import FieldPolicy, Fields, Treatment
from .leaves import binned, generalized
from .record import Failure, SourceDocument

SAMPLE = 500
"""Records that are looked at."""
_VALUES = 200
"""Values of a field of which kinds are counted, and ..."""
_READ = 40
"""... those that a recognizer reads."""
_LONGEST = 2_000
_MANY_NAMES = 40
"""Names in one object from which on they are data, not a schema."""
_MOST = 0.8
_FEW, _OFTEN = 20, 3

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_GIVEN = frozenset("first given fore forename vorname prenom firstname givenname".split())
_SURNAME = frozenset("last sur surname family lastname familyname nachname nom apellido".split())
_NAMES = frozenset(
    "name fullname patient customer author employee contact person sender recipient".split()
)
_NOT_NAMES = frozenset(
    "file product company model type status class field column event item".split()
)
_ADDRESS = frozenset(
    "address street city town zip zipcode postal postcode plz lat lon latitude longitude geo location".split()
)
_IDS = frozenset("id ids uuid guid key no nr number mrn ssn phone account iban".split())
_BIRTH = frozenset("birth born dob birthdate birthday geburtsdatum".split())
_AGE = frozenset("age alter".split())
_KINDS: dict[str, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"),
    "telephone numbers": re.compile(r"(?:\+|00|\(?0)[\d ()/.-]{6,}\d"),
    "JSON": re.compile(r"\s*[{\[].*[}\]]\s*", re.DOTALL),
    "HTML": re.compile(r"\s*<[a-zA-Z!].*>\s*", re.DOTALL),
    "codes": re.compile(r"(?=\S*\d)[\w./:#-]{4,64}"),
}
_SIGNS = {
    "openai-chat": ("messages.role", "messages.content"),
    "anthropic-chat": ("messages.role", "messages.content.type"),
    "sharegpt": ("conversations.from", "conversations.value"),
    "fhir": ("resourceType",),
}
"""Paths by which a shipped policy is known, the most special at last."""

Analyze = Callable[[Sequence[Document]], Sequence[Sequence[Mention]]]
"""From documents to the mentions of each, in order."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Treatment proposed for a path.

    Attributes:
        path: its name in a field policy.
        rule: the treatment with its options, as in YAML.
        filled: share of records with a value, in [0, 1].
        different: share of values that differ, in [0, 1].
        kinds: share of values of each kind, in [0, 1].
        mentions: share of values in which the recognizer finds each semantic type, in [0, 1].
        reasons: why, the weightiest first, without a value.
    """

    path: str
    rule: dict[str, Any]
    filled: float
    different: float
    kinds: dict[str, float]
    mentions: dict[str, float]
    reasons: tuple[str, ...]


@dataclass(slots=True)
class _Column:
    """Values seen at a path."""

    records: int = 0
    count: int = 0
    values: list[str] = field(default_factory=list)
    hashes: Counter[int] = field(default_factory=Counter)

    def add(self, value: str) -> None:
        if not value.strip():
            return
        self.count += 1
        self.hashes[hash(value)] += 1
        if len(self.values) < _VALUES:
            self.values.append(value[:_LONGEST])


class Sample:
    """Values of a file by path.

    Attributes:
        records: number of records looked at.
        faults: number of records that could not be read.
    """

    def __init__(self) -> None:
        self.records = 0
        self.faults = 0
        self._columns: dict[tuple[str, ...], _Column] = {}
        self._seen: set[tuple[str, ...]] = set()

    def fields(self) -> Fields:
        """Return treatments under which each value is shown to the sample."""
        everything = FieldPolicy.model_validate({"fields": {"*": "keep"}})
        return replace(Fields(everything, "the sample"), observe=self._add)

    def take(self, items: Iterable[SourceDocument | Failure]) -> None:
        """Look at the records of a file, up to the size of a sample.

        Raises:
            InputError: if none of them can be read.
        """
        fault: InputError | None = None
        for item in islice(items, SAMPLE):
            if isinstance(item, Failure):
                fault = item.error
                self.faults += 1
            elif self._seen:
                self.records += 1
            for path in self._seen:
                self._columns[path].records += 1
            self._seen = set()
        if fault is not None and not self.records:
            raise fault

    def _add(self, path: tuple[str, ...], value: str) -> None:
        self._columns.setdefault(path, _Column()).add(value)
        if value.strip():
            self._seen.add(path)

    def shipped(self) -> str | None:
        """Return the name of the shipped policy that is made for such a file; None if there is none."""
        names = {".".join(path) for path in self._columns}
        fitting = [name for name, signs in _SIGNS.items() if names.issuperset(signs)]
        return fitting[-1] if fitting else None

    def columns(self) -> dict[tuple[str, ...], _Column]:
        """Return the values by path; names that are data are a star."""
        inner: dict[tuple[str, ...], set[str]] = {}
        for path in self._columns:
            for length in range(len(path)):
                inner.setdefault(path[:length], set()).add(path[length])
        many = {prefix for prefix, names in inner.items() if prefix and len(names) > _MANY_NAMES}
        columns: dict[tuple[str, ...], _Column] = {}
        for path, column in self._columns.items():
            short = tuple("*" if path[:n] in many else name for n, name in enumerate(path))
            whole = columns.setdefault(short, _Column())
            whole.records = max(whole.records, column.records)
            whole.count += column.count
            whole.values += column.values[: _VALUES - len(whole.values)]
            whole.hashes += column.hashes
        return columns


def proposals(sample: Sample, analyze: Analyze) -> list[Proposal]:
    """Return a proposal for each path, in the order in which they were seen.

    Args:
        sample: of the records.
        analyze: the recognizer.
    """
    columns = {path: column for path, column in sample.columns().items() if path}
    documents: list[Document] = []
    for path, column in columns.items():
        values = dict.fromkeys(column.values)
        documents += (Document(".".join(path), value) for value in islice(values, _READ))
    found: dict[str, Counter[str]] = {}
    read: Counter[str] = Counter()
    for document, mentions in zip(documents, analyze(documents), strict=True):
        read[document.id] += 1
        certain = {str(mention.type) for mention in mentions if mention.p_mask >= 0.5}
        found.setdefault(document.id, Counter()).update(certain)
    results = []
    for path, column in columns.items():
        name = ".".join(path)
        shares = {type: count / read[name] for type, count in sorted(found.get(name, {}).items())}
        results.append(_proposal(path, column, shares, sample.records))
    return _with_persons(results)


def _proposal(
    path: tuple[str, ...], column: _Column, mentions: dict[str, float], records: int
) -> Proposal:
    values = column.values
    kinds = _kinds(values)
    filled = column.records / max(records, 1)
    different = len(column.hashes) / max(column.count, 1)
    words = _words(path[-1])
    rule, reason = _rule(words, column, kinds, mentions, different)
    if "*" in path and rule["treatment"] is Treatment.KEEP:
        rule, reason = {"treatment": Treatment.TEXT}, "names of fields that are data"
    number = sum(len(value.split()) for value in values) / max(len(values), 1)
    reasons = [
        reason,
        f"{filled:.0%} of records have it",
        f"{len(column.hashes)} different values",
        f"{number:.0f} words on average" if number >= 1.5 else "",
        *(f"{share:.0%} {kind}" for kind, share in kinds.items()),
        *(f"{type} found in {share:.0%}" for type, share in mentions.items()),
    ]
    name = ".".join(path)
    return Proposal(name, rule, filled, different, kinds, mentions, tuple(filter(None, reasons)))


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)} | {name.lower()}


def _kinds(values: Sequence[str]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    date = FieldPolicy.model_validate({"fields": {"a": "date"}}).fields["a"]
    number = FieldPolicy.model_validate({"fields": {"a": "number"}}).fields["a"]
    for value in values:
        text = value.strip()
        if binned(text, number) is not None and not (len(text) == 8 and generalized(text, date)):
            counts["numbers"] += 1
        elif generalized(text, date) is not None:
            counts["dates"] += 1
        else:
            kind = next((name for name, form in _KINDS.items() if form.fullmatch(text)), None)
            if kind is not None:
                counts[kind] += 1
    return {kind: count / len(values) for kind, count in counts.most_common()}


def _rule(
    words: set[str],
    column: _Column,
    kinds: dict[str, float],
    mentions: dict[str, float],
    different: float,
) -> tuple[dict[str, Any], str]:
    """Return a treatment and the reason for it."""
    main = next((kind for kind, share in kinds.items() if share >= _MOST), "")
    if not column.values:
        return {"treatment": Treatment.TEXT}, "no value was seen"
    if words & _GIVEN and main != "numbers":
        return _named("given"), "called as a first name"
    if words & _SURNAME and main != "numbers":
        return _named("surname"), "called as a family name"
    if words & _ADDRESS:
        return {"treatment": Treatment.DROP}, "called as an address or a place"
    if main in ("JSON", "HTML"):
        return {"treatment": Treatment.TEXT, "holds": main.lower()}, f"{main} inside"
    if main in ("e-mail addresses", "telephone numbers"):
        return {"treatment": Treatment.IDENTIFIER}, main
    if main == "dates":
        if words & _BIRTH:
            return {"treatment": Treatment.DATE, "to": "year"}, "called as a day of birth"
        return {"treatment": Treatment.DATE, "to": "shift"}, "dates"
    few = len(column.hashes) <= _FEW and min(column.hashes.values()) >= _OFTEN
    if main == "numbers":
        return _number(words, column, few, different)
    is_person = mentions.get(SemanticType.PERSON, 0.0) >= 0.5
    short = sum(len(value.split()) for value in column.values) <= 5 * len(column.values)
    called = bool(words & _NAMES) and not words & (_NOT_NAMES | _IDS)
    if short and (called or is_person):
        return _named("person"), "called as a name" if called else "names of people are found in it"
    if main == "codes" and different > 0.5:
        return {"treatment": Treatment.IDENTIFIER}, "codes, most of them different"
    if words & _IDS:
        return {"treatment": Treatment.IDENTIFIER}, "called as an identifier"
    if few and not any(mentions.values()):
        return {"treatment": Treatment.KEEP}, "few different values, nothing found in them"
    return {"treatment": Treatment.TEXT}, "words"


def _named(part: str) -> dict[str, Any]:
    return {"treatment": Treatment.IDENTIFIER, "name": part}


def _number(
    words: set[str], column: _Column, few: bool, different: float
) -> tuple[dict[str, Any], str]:
    whole = all(value.strip().lstrip("+-").isdigit() for value in column.values)
    long = sum(len(value.strip()) >= 5 for value in column.values) > len(column.values) / 2
    if words & _IDS or (whole and long and different > _MOST):
        return {"treatment": Treatment.IDENTIFIER}, "numbers that stand for somebody or something"
    if words & _AGE:
        return {"treatment": Treatment.NUMBER, "bins": 10}, "called as an age"
    if few:
        return {"treatment": Treatment.KEEP}, "few different numbers"
    numbers = sorted(abs(float(value)) for value in column.values if _is_number(value))
    middle = numbers[len(numbers) // 2] or 1.0
    width = 10.0 ** max(-6, min(12, len(str(int(middle))) - 1 if middle >= 1 else -1))
    return {"treatment": Treatment.NUMBER, "bins": int(width) if width >= 1 else width}, "numbers"


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _with_persons(results: list[Proposal]) -> list[Proposal]:
    """Return the proposals with shifts by the field that tells whose records they are."""
    owners = [
        item.path
        for item in results
        if item.rule == {"treatment": Treatment.IDENTIFIER}
        and item.filled >= _MOST
        and 0.01 < item.different < 0.95
        and "." not in item.path
    ]
    owners.sort(key=lambda path: not _words(path) & _IDS)
    if not owners:
        return results
    return [
        replace(item, rule=item.rule | {"by": owners[0]})
        if item.rule.get("to") == "shift"
        else item
        for item in results
    ]


def as_yaml(name: str, sample: Sample, items: Sequence[Proposal], base: str | None) -> str:
    """Return a field policy in YAML, with the reasons beside it.

    Args:
        name: of the file it is for.
        sample: of its records.
        items: the proposals.
        base: a shipped policy to extend, which treats all they name; None if there is none.
    """
    counts = f"{sample.records} records" + (f", {sample.faults} unreadable" * bool(sample.faults))
    lines = [
        f"# Proposed for {name} by {counts}; read it before you use it.",
        *([f"extends: {base}"] if base else ["unlisted: refuse", "fields:"]),
    ]
    for item in () if base else items:
        rule = {
            key: str(value) if key == "treatment" else value for key, value in item.rule.items()
        }
        value: Any = rule if len(rule) > 1 else rule["treatment"]
        text = yaml.safe_dump(
            {item.path: value}, default_flow_style=None, sort_keys=False, width=1_000
        ).strip()
        if text.startswith("{"):
            text = text[1:-1]
        lines += [f"  # {', '.join(item.reasons)}", f"  {text}"]
    return "\n".join(lines) + "\n"
