"""A person's marks in a sample: a table or lines filled in by hand, or standoff JSON from the annotation or review app."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..annotations.checked_json import parse_json, read_text
from ..annotations.tab import parse_documents
from ..document import IdentifierType
from ..errors import InputError, in_one_line
from .release import digest_of
from .sample import Sample, SampledUnit

_LARGEST_FIELD: Final = 2**24


class UnitMark(NamedTuple):
    """The number of identifiers left in a unit, and the digest of the text that was read, if known."""

    unit: str
    missed: int
    sha256: str | None


def read_marks(sample: Sample, paths: Sequence[str]) -> dict[str, int]:
    """Return the number of identifiers left in each unit of a sample; if several files mark a unit, the largest number counts.

    Args:
        sample: the sample that was to be read.
        paths: .csv or .jsonl with *unit*, *missed* (a number, or what was missed) and *sha256*; or
            standoff JSON of units or whole documents, in which every mark that isn't NO_MASK
            counts, whoever made it.

    Raises:
        InputError: if a file can't be read or belongs to another sample, or a unit wasn't read.
    """
    digests = {unit.id: unit.sha256 for unit in sample.units}
    counts: dict[str, int] = {}
    for path in paths:
        for mark in _marks(path, sample):
            if mark.unit not in digests:
                raise InputError(
                    "has a unit that is not in the sample; is it for a different sample?", path
                )
            if mark.sha256 not in (None, digests[mark.unit]):
                raise InputError(
                    f"unit {mark.unit!r} has a different text than in the sample", path
                )
            counts[mark.unit] = max(mark.missed, counts.get(mark.unit, 0))
    unread = [repr(id) for id in digests if id not in counts]
    if unread:
        raise InputError(
            f"{len(unread)} of {len(digests)} units of the sample were not read: {in_one_line(unread)}. "
            "Read them and record the result (missed: 0, or submit the page): the bound holds for the sample as a whole."
        )
    return counts


def _marks(path: str, sample: Sample) -> Iterator[UnitMark]:
    text = read_text(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        yield from _rows(text, path)
    elif suffix == ".jsonl":
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield from _line(parse_json(line, path, number), path, number)
    elif suffix == ".json":
        yield from _standoff(parse_json(text, path), path, sample)
    else:
        raise InputError("must be .csv, .jsonl or .json (standoff)", path)


def _rows(text: str, path: str) -> Iterator[UnitMark]:
    csv.field_size_limit(_LARGEST_FIELD)
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    try:
        for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter):
            if not {"unit", "missed"} <= row.keys():
                raise InputError("needs columns unit and missed", path)
            yield from _mark(row["unit"], row["missed"], row.get("sha256"), path)
    except csv.Error as error:
        raise InputError(f"is not a table: {error}", path) from None


def _line(raw: Any, path: str, number: int) -> Iterator[UnitMark]:
    if not isinstance(raw, dict) or not {"unit", "missed"} <= raw.keys():
        raise InputError(f"line {number}: needs unit and missed", path)
    yield from _mark(raw["unit"], raw["missed"], raw.get("sha256"), path)


def _mark(unit: Any, missed: Any, digest: Any, path: str) -> Iterator[UnitMark]:
    """Return the mark of a unit, or None if nobody filled it in."""
    if not isinstance(unit, str):
        raise InputError("has a unit that is not a string", path)
    match missed:
        case None:
            return
        case list():
            number = len(missed)
        case bool() | float() | dict():
            raise InputError(f"unit {unit!r}: missed must be a number or a list of strings", path)
        case int():
            number = missed
        case str() if not missed.strip():
            return
        case str() if missed.strip().isdecimal():
            number = int(missed)
        case _:
            number = len([item for item in str(missed).split("|") if item.strip()])
    if number < 0:
        raise InputError(f"unit {unit!r}: missed is below 0", path)
    yield UnitMark(unit, number, digest or None)


def _standoff(raw: Any, path: str, sample: Sample) -> Iterator[UnitMark]:
    """Yield the marks of units, and of documents that contain units; other documents aren't in the sample.

    Raises:
        InputError: if the file contains nothing from the sample.
    """
    passages: dict[str, list[SampledUnit]] = {}
    for unit in sample.units:
        passages.setdefault(unit.document, []).append(unit)
    ids = {unit.id for unit in sample.units}
    documents = list(parse_documents(raw, path))
    if documents and all(one.id not in ids and one.id not in passages for one in documents):
        raise InputError("has no unit of the sample; is it for a different sample?", path)
    for document in documents:
        if not document.annotations:
            continue
        spans = {
            mention.extent
            for annotation in document.annotations
            for mention in annotation.mentions
            if mention.identifier is not IdentifierType.NO_MASK
        }
        if document.id in ids:
            digest = None if document.text is None else digest_of(document.text)
            yield UnitMark(document.id, len(spans), digest)
        elif document.text is not None:
            for unit in passages.get(document.id, ()):
                missed = sum(span.start < unit.end and unit.start < span.end for span in spans)
                yield UnitMark(unit.id, missed, digest_of(document.text[unit.start : unit.end]))
