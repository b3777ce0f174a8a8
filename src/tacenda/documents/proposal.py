"""Propose a field policy for a file from a sample of its records: a treatment with reasons for each path.

The proposal depends on field names, how many records have a value, how many values differ, what
kinds of values they are, and what a recognizer finds in them; no value is shown. If in doubt, a
field is text or an identifier, never kept.

| what is seen | treatment |
|---|---|
| a person's name, judging by the field's name or the recognizer, but not a sentence | identifier, struck out everywhere in its record |
| e-mail addresses, telephone numbers, codes with many different values | identifier |
| an address, judging by the field's name | drop |
| a ward or clinic, judging by the field's name, under a policy for clinical notes | identifier |
| dates | the year for birth dates, otherwise shifted together with other dates of the same person |
| numbers with many different values, or ages | bins |
| few different values, all frequent, in which nothing is found | keep |
| files in base64, bytes that aren't text | drop |
| JSON or HTML in strings | text that contains it |
| the rest | text |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil
from typing import Any

import yaml

from ..document import Document, Mention, SemanticType
from ..policy.forms import FORMS
from ..rewrite.surrogate.dates import month_comes_first
from .base64_data import holds_base64
from .fields import ALL, FieldPolicy, FieldRule, Treatment
from .leaves import binned, generalized, is_readable, read_number
from .name_fields import (
    CAMEL_WORD,
    are_like_names,
    is_called_a_birth,
    is_called_a_text,
    words_in,
    words_of,
)
from .sample import Column, RecordSample

_READ = 40
"""Number of values of a field that the recognizer reads."""
_MOST = 0.8
_HALF = 0.5
_MAX_CODES, _MIN_CODE_USES = 20, 3
_GROUP = 5
"""Number of values in a bin that hide each other."""
_IN_GROUPS = f"in bins of {_GROUP} or more"
_DIGITS = 6
"""Maximum number of digits, after the first, that the narrowest bins distinguish."""
_POWERS = 15
"""Maximum power of ten, positive or negative, of the width of bins."""

_GIVEN = words_of("given")
_SURNAME = words_of("surname")
_NAMES = words_of("names")
_NOT_NAMES = words_of("not_names")
_CERTAIN = 3
"""Number of distinct values recognized as names from which a field counts as a name field."""
_ADDRESS = words_of("address")
_IDS = words_of("ids")
_UNITS = words_of("units")
_WITHOUT_NAMES = (Treatment.TEXT, Treatment.KEEP, Treatment.NUMBER)
"""Treatments in which the name of a ward may stay."""
_AGE = words_of("age")
_DATA = "files"
_KINDS: dict[str, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"),
    "telephone numbers": re.compile(r"(?:\+|00|\(?0)[\d ()/.-]{6,}\d"),
    "JSON": re.compile(r"\s*[{\[].*[}\]]\s*", re.DOTALL),
    "HTML": re.compile(r"\s*<[a-zA-Z!].*>\s*", re.DOTALL),
    "codes": re.compile(r"(?=\S*\d)[\w./:#-]{4,64}"),
}
Analyze = Callable[[Sequence[Document]], Sequence[Sequence[Mention]]]
"""From documents to the mentions of each, in order."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The treatment proposed for a path.

    Attributes:
        path: the path's name in a field policy.
        rule: the treatment with its options, as in YAML.
        filled: share of records with a value, in [0, 1].
        different: share of values that differ, in [0, 1].
        kinds: share of values of each kind, in [0, 1].
        mentions: share of values in which the recognizer finds each semantic type, in [0, 1].
        reasons: the reasons, most important first, without values.
    """

    path: str
    rule: dict[str, Any]
    filled: float
    different: float
    kinds: dict[str, float]
    mentions: dict[str, float]
    reasons: tuple[str, ...]


def proposals(
    sample: RecordSample, analyze: Analyze, *, is_clinical: bool = False
) -> list[Proposal]:
    """Return a proposal for each path, in the order in which paths were seen.

    Args:
        sample: the sample of records.
        analyze: the recognizer.
        is_clinical: whether the text policy is for clinical notes, so that wards and ages over 89
            are hidden.
    """
    columns = {path: column for path, column in sample.columns().items() if path}
    documents: list[Document] = []
    for path, column in columns.items():
        values = _spread(list(dict.fromkeys(column.values)), _READ)
        documents += (Document(".".join(path), value) for value in values)
    found: dict[str, Counter[str]] = {}
    names: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for document, mentions in zip(documents, analyze(documents), strict=True):
        read[document.id] += 1
        certain = [mention for mention in mentions if mention.p_mask >= 0.5]
        found.setdefault(document.id, Counter()).update({str(item.type) for item in certain})
        names[document.id] += _is_name(document.text, certain)
    results = []
    for path, column in columns.items():
        name = ".".join(path)
        shares = {type: count / read[name] for type, count in sorted(found.get(name, {}).items())}
        is_person = names[name] >= max(_CERTAIN, _HALF * read[name])
        results.append(
            _proposal(path, column, shares, is_person, sample.records, is_clinical=is_clinical)
        )
    return _with_persons(results)


def _spread(values: Sequence[str], number: int) -> list[str]:
    """Return at most this many values, evenly spaced from start to end."""
    if len(values) <= number:
        return list(values)
    return [values[place * len(values) // number] for place in range(number)]


def _is_name(text: str, mentions: Iterable[Mention]) -> bool:
    """Return whether a value consists mostly of people's names."""
    places = {
        place
        for mention in mentions
        if mention.type is SemanticType.PERSON
        for place in range(mention.span.start, mention.span.end)
    }
    letters = [place for place, character in enumerate(text) if character.isalnum()]
    return sum(place in places for place in letters) > _HALF * len(letters)


def _proposal(
    path: tuple[str, ...],
    column: Column,
    mentions: dict[str, float],
    is_person: bool,
    records: int,
    *,
    is_clinical: bool,
) -> Proposal:
    values = column.values
    kinds = _kinds(values)
    filled = column.records / max(records, 1)
    different = min(len(column.different) / max(column.count, 1), 1.0)
    rule, reason = _rule(path[-1], column, kinds, mentions, is_person, different)
    if is_clinical:
        rule, reason = _clinical_rule(path[-1], column, rule, reason)
    # An attachment's name is also a star, since it may be a person's.
    inner = path[2:] if path[:2] == ("attachments", ALL) else path
    if ALL in inner and rule["treatment"] is Treatment.KEEP:
        rule, reason = {"treatment": Treatment.TEXT}, "names of fields that are data"
    rule, reason = _possible(rule, reason, column, kinds)
    number = sum(len(value.split()) for value in values) / max(len(values), 1)
    reasons = [
        reason,
        f"{filled:.0%} of records have it",
        f"{len(column.different):,} different values",
        f"{number:.0f} words on average" if number >= 1.5 else "",
        *(f"{share:.0%} {kind}" for kind, share in kinds.items()),
        *(f"{type} found in {share:.0%}" for type, share in mentions.items()),
    ]
    name = ".".join(path)
    if not name:
        name, rule = ALL, {"treatment": Treatment.TEXT}  # A policy can't use such a name.
    return Proposal(name, rule, filled, different, kinds, mentions, tuple(filter(None, reasons)))


def _kinds(values: Sequence[str]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    date = FieldPolicy.model_validate({"fields": {"a": "date"}}).fields["a"]
    number = FieldPolicy.model_validate({"fields": {"a": "number"}}).fields["a"]
    for value in values:
        text = value.strip()
        if "\ufffd" in text or "\0" in text or holds_base64(text):
            counts[_DATA] += 1
        elif binned(text, number) is not None and not (len(text) == 8 and generalized(text, date)):
            counts["numbers"] += 1
        elif generalized(text, date) is not None:
            counts["dates"] += 1
        else:
            kind = next((name for name, form in _KINDS.items() if form.fullmatch(text)), None)
            if kind is not None:
                counts[kind] += 1
    return {kind: count / len(values) for kind, count in counts.most_common()}


def _rule(
    name: str,
    column: Column,
    kinds: dict[str, float],
    mentions: dict[str, float],
    is_person: bool,
    different: float,
) -> tuple[dict[str, Any], str]:
    """Return a treatment and the reason for it."""
    main = next((kind for kind, share in kinds.items() if share >= _MOST), "")
    if not column.values:
        return {"treatment": Treatment.TEXT}, "no value was seen"
    words = words_in(name)
    is_text = is_called_a_text(CAMEL_WORD.findall(name))
    likely = main in ("", "codes") and not is_text and are_like_names(set(column.values))
    if words & _GIVEN and likely:
        return _named("given"), "called as a first name"
    if words & _SURNAME and likely:
        return _named("surname"), "called as a family name"
    if main == _DATA:
        return {"treatment": Treatment.DROP}, "files, not text"
    if words & _ADDRESS:
        return {"treatment": Treatment.DROP}, "called as an address or a place"
    if main in ("JSON", "HTML"):
        return {"treatment": Treatment.TEXT, "holds": main.lower()}, f"{main} inside"
    if main in ("e-mail addresses", "telephone numbers"):
        return {"treatment": Treatment.IDENTIFIER}, main
    if main == "dates":
        if is_called_a_birth(name):
            return {"treatment": Treatment.DATE, "to": "year"}, "called as a day of birth"
        return {"treatment": Treatment.DATE, "to": "shift"}, "dates"
    few = len(column.different) <= _MAX_CODES and column.different.rarest >= _MIN_CODE_USES
    if main == "numbers":
        is_certain = few and kinds[main] == 1.0 and not mentions.get("PERSON")
        return _number(words, column, is_certain, different)
    short = _is_short(column)
    called = bool(words & _NAMES) and not words & (_NOT_NAMES | _IDS)
    others = sum(share for type, share in mentions.items() if type != SemanticType.PERSON)
    if short and likely and (called or (is_person and others <= 1 - _MOST)):
        return _named("person"), "called as a name" if called else "names of people are found in it"
    if main == "codes" and different > 0.5:
        return {"treatment": Treatment.IDENTIFIER}, "codes, most of them different"
    if words & _IDS:
        return {"treatment": Treatment.IDENTIFIER}, "called as an identifier"
    if few and not any(mentions.values()):
        return {"treatment": Treatment.KEEP}, "few different values, nothing found in them"
    return {"treatment": Treatment.TEXT}, "words"


def _clinical_rule(
    name: str, column: Column, rule: dict[str, Any], reason: str
) -> tuple[dict[str, Any], str]:
    """Return a rule that hides names of wards and early birth years, and has one bin for ages over 89."""
    words = words_in(name)
    birth = {"treatment": Treatment.DATE, "to": "year"}
    may_be_birth = is_called_a_birth(name) and rule["treatment"] in _WITHOUT_NAMES
    if may_be_birth and column.values and _are_readable(column.values, birth):
        return birth, "called as a year of birth"
    if rule["treatment"] is Treatment.NUMBER and words & _AGE:
        return {"treatment": Treatment.NUMBER, "edges": [*range(10, 91, 10)]}, reason
    may_name = words & _UNITS and rule["treatment"] in _WITHOUT_NAMES and _is_short(column)
    if may_name and not _are_measures(column.values):
        return {"treatment": Treatment.IDENTIFIER}, "called as a ward or clinic"
    return rule, reason


def _are_measures(values: Sequence[str]) -> bool:
    """Return whether values are units of measurement, such as ``mmol/L``."""
    return all(FORMS["measure"].fullmatch(f"1 {value.strip()}") for value in values)


def _is_short(column: Column) -> bool:
    """Return whether values have at most five words on average."""
    return sum(len(value.split()) for value in column.values) <= 5 * len(column.values)


def _possible(
    rule: dict[str, Any], reason: str, column: Column, kinds: dict[str, float]
) -> tuple[dict[str, Any], str]:
    """Return a rule that is possible for the column's type and all values seen."""
    treatments = column.treatments
    always = (Treatment.KEEP, Treatment.DROP)
    if treatments == frozenset((Treatment.IDENTIFIER,)):
        if rule["treatment"] is not Treatment.IDENTIFIER:
            rule, reason = {"treatment": Treatment.IDENTIFIER}, f"a key; {reason}"
    elif treatments is not None and rule["treatment"] not in (*treatments, *always):
        reason = f"{reason}; its type has no values for {rule['treatment']}"
        is_text = rule["treatment"] is Treatment.TEXT
        if is_text and Treatment.NUMBER in treatments:
            rule, more = _binned(column.values)
            reason = f"{reason}; {more}"
        elif is_text and Treatment.DATE in treatments:
            rule = {"treatment": Treatment.DATE, "to": "shift"}
        elif is_text and Treatment.KEEP in treatments:
            rule = {"treatment": Treatment.KEEP}
        else:
            rule = {"treatment": Treatment.DROP}
    rule = dict(rule)
    readable = {
        Treatment.TEXT: 1.0 - kinds.get(_DATA, 0.0),
        Treatment.NUMBER: kinds.get("numbers", 0.0),
    }
    if rule["treatment"] is Treatment.DATE and column.values:
        if rule.get("to") == "shift" and not _are_readable(column.values, rule):
            month_first = month_comes_first("\n".join(column.values))
            rule |= {} if month_first is None else {"month_first": month_first}
        readable[Treatment.DATE] = float(_are_readable(column.values, rule))
    if column.values and readable.get(rule["treatment"], 1.0) < 1.0:
        rule["unreadable"] = "drop"
    return rule, reason


def _are_readable(values: Iterable[str], rule: dict[str, Any]) -> bool:
    """Return whether a rule can write every date."""
    chosen = FieldRule.model_validate(rule)
    return all(is_readable(value, chosen) for value in values)


def _named(part: str) -> dict[str, Any]:
    return {"treatment": Treatment.IDENTIFIER, "name": part}


def _number(
    words: set[str], column: Column, few: bool, different: float
) -> tuple[dict[str, Any], str]:
    is_integer = all(value.strip().lstrip("+-").isdigit() for value in column.values)
    long = sum(len(value.strip()) >= 5 for value in column.values) > len(column.values) / 2
    if words & _IDS or (is_integer and long and different > _MOST):
        return {"treatment": Treatment.IDENTIFIER}, "numbers that identify a person or thing"
    if words & _AGE:
        return {"treatment": Treatment.NUMBER, "bins": 10}, "called as an age"
    if few:
        return {"treatment": Treatment.KEEP}, "few different numbers"
    return _binned(column.values)


def _binned(values: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return the treatment for numbers and the reason for it: the narrowest bins that group them.

    Their width is 1, 2 or 5 times a power of ten, at least 2 for whole numbers. Most values must be
    in bins with at least ``_GROUP`` values that aren't all equal; if no width achieves that, most
    are in one bin per sign.
    """
    numbers = [number for value in values if (number := read_number(value)) is not None]
    if not numbers:
        return {"treatment": Treatment.NUMBER, "bins": 10}, "numbers"
    sizes = sorted(map(abs, numbers))
    size = sizes[ceil(_MOST * len(sizes)) - 1]
    last = max(-_POWERS, min(_POWERS, size.adjusted() if size else 0))
    is_whole = all(number == number.to_integral_value() for number in numbers)
    first = 0 if is_whole else max(last - _DIGITS, -_POWERS)
    width, grouped = Decimal(10), 0.0
    for power in range(min(first, last), last + 1):
        for step in (2, 5, 10):
            width = step * Decimal(10) ** power
            grouped = _grouped(numbers, width)
            if grouped >= _MOST:
                return _bins(width), f"numbers, {grouped:.0%} of them {_IN_GROUPS}"
    return _bins(
        width
    ), f"numbers too few or too far apart for narrower bins, {grouped:.0%} of them {_IN_GROUPS}"


def _bins(width: Decimal) -> dict[str, Any]:
    bins = int(width) if width >= 1 else float(width)
    return {"treatment": Treatment.NUMBER, "bins": bins}


def _grouped(numbers: Sequence[Decimal], width: Decimal) -> float:
    """Return the share of numbers that are in bins of this width with several values that aren't all equal."""
    groups: dict[Decimal, list[Decimal]] = {}
    for number in numbers:
        groups.setdefault((number / width).to_integral_value("ROUND_FLOOR"), []).append(number)
    held = (group for group in groups.values() if len(group) >= _GROUP and len(set(group)) > 1)
    return sum(map(len, held)) / len(numbers)


def _with_persons(results: list[Proposal]) -> list[Proposal]:
    """Return the proposals with dates shifted by the field that says whose records they are."""
    owners = [
        item.path
        for item in results
        if item.rule == {"treatment": Treatment.IDENTIFIER}
        and item.filled >= _MOST
        and 0.01 < item.different < 0.95
        and "." not in item.path
    ]
    owners.sort(key=lambda path: not words_in(path) & _IDS)
    if not owners:
        return results
    return [
        replace(item, rule=item.rule | {"by": owners[0]})
        if item.rule.get("to") == "shift"
        else item
        for item in results
    ]


_LONGEST_KEY = 1_000
"""Maximum number of code points of a name before a colon (YAML 1.2, 7.4.2)."""
_WIDEST = 1 << 30


def as_yaml(name: str, sample: RecordSample, items: Sequence[Proposal], base: str | None) -> str:
    """Return a field policy in YAML, with the reasons as comments.

    Args:
        name: name of the file it is for.
        sample: the sample of its records.
        items: the proposals.
        base: a shipped policy to extend, which treats all other paths, or None.
    """
    lines = [
        f"# Proposed for {_comment(name)} by {sample.extent}; read it before you use it.",
        *(f"# {_comment(note)}" for note in sample.notes),
        *([_line("records", sample.place)] if sample.place else []),
        *([f"extends: {base}"] if base else ["unlisted: refuse", "fields:"]),
    ]
    for item in () if base else items:
        rule = {
            key: str(value) if key == "treatment" else value for key, value in item.rule.items()
        }
        value: Any = rule if len(rule) > 1 else rule["treatment"]
        lines += [f"  # {_comment(', '.join(item.reasons))}", f"  {_line(item.path, value)}"]
    return "\n".join(lines) + "\n"


def _line(name: str, value: Any) -> str:
    """Return a name and its value as YAML, on one line, or two if the name is too long."""
    key, content = _scalar(name), _scalar(value)
    return f"{key}: {content}" if len(key) <= _LONGEST_KEY else f"? {key}\n  : {content}"


def _scalar(value: Any) -> str:
    """Return a value as one line of YAML, quoted if it has characters that need it."""
    for style in (None, '"'):
        text: str = yaml.safe_dump(
            value,
            default_flow_style=True,
            default_style=style,
            sort_keys=False,
            allow_unicode=True,
            width=_WIDEST,
        )
        text = text.removesuffix("...\n").removesuffix("\n")
        if len(text.splitlines()) == 1:
            break
    return text


def _comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)
