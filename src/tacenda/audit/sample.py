"""A sample of a release for a person to read: strata by risk, their sizes, the draw, and the files.

The draw uses digests: in each stratum, the units with the smallest SHA-256 of seed and id are read,
so that anyone can repeat the draw without this program, and a larger sample contains the smaller
one. Units are divided into strata with about equal sums of √(p (1 - p)), where p is a unit's risk
(the cumulative square root rule of Dalenius and Hodges, 1959). *Proportional* sizes are best if
nothing is left; *Neyman* sizes read more where the risk is higher, which pays off if much is left
there and nowhere else.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .._version import __version__
from ..annotations.checked_json import read_json
from ..annotations.corpus import AnnotatedDocument
from ..annotations.tab import document_record
from ..atomic import write_atomically
from ..errors import InputError
from ..text.decoding import writable
from .confidence import StratumCount, largest_number_of_hits
from .release import AuditUnit, ReleasedDocument, digest_of, digest_of_release, units_of

VERSION: Final = "1.0"
_Count = Annotated[int, Field(ge=0, strict=True)]
_Share = Annotated[float, Field(ge=0, le=1)]


Model = TypeVar("Model", bound=BaseModel)


class Allocation(StrEnum):
    """Number of units read in each stratum."""

    PROPORTIONAL = "proportional"
    NEYMAN = "neyman"


class FrozenModel(BaseModel):
    """A value read from JSON; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SampledStratum(FrozenModel):
    """A stratum: number of units, how many are read, and the lowest and highest risk."""

    units: _Count
    read: _Count
    risk: tuple[_Share, _Share]


class SampledUnit(FrozenModel):
    """A unit to read; ``stratum`` counts from 0, ``sha256`` is the digest of its text."""

    id: str
    document: str
    start: _Count
    end: _Count
    stratum: _Count
    sha256: str


class SampledRelease(FrozenModel):
    """The size and the digest of the release."""

    documents: _Count
    units: _Count
    words: _Count
    sha256: str


class Sample(FrozenModel):
    """A sample: how it was drawn and what it contains, without texts.

    Attributes:
        seed: seed of the draw.
        allocation: how sizes were allocated.
        passage_words: maximum number of words in a unit; 0 for whole documents.
        cap: at most this many identifiers left in a unit are counted.
        release: the release it was drawn from.
        strata: the strata in order of risk.
        units: the units in the order to read them.
    """

    schema_version: Literal["1.0"] = VERSION
    kind: Literal["audit sample"] = "audit sample"
    created: str
    tool: dict[str, str]
    seed: str
    allocation: Allocation
    passage_words: _Count
    cap: Annotated[int, Field(ge=1, strict=True)]
    release: SampledRelease
    strata: tuple[SampledStratum, ...]
    units: tuple[SampledUnit, ...]


@dataclass(frozen=True, slots=True)
class SampleDesign:
    """The settings of a sample, chosen before it is read.

    Attributes:
        size: total number of units; None if ``share`` or ``per_stratum`` is given.
        per_stratum: number of units per stratum; None to allocate a size.
        share: the bound that the sample should give if nothing is found; None if a size is given.
        confidence: confidence level of that bound.
        strata: maximum number of strata.
        allocation: how to allocate the size.
        passage_words: maximum number of words in a unit; 0 for whole documents.
        cap: see ``Sample``.
        seed: any string.

    Raises:
        InputError: unless exactly one of size, per_stratum and share is given, and all values are
            in range.
    """

    size: int | None = None
    per_stratum: int | None = None
    share: float | None = None
    confidence: float = 0.95
    strata: int = 3
    allocation: Allocation = Allocation.PROPORTIONAL
    passage_words: int = 400
    cap: int = 5
    seed: str = "1"

    def __post_init__(self) -> None:
        sizes = [value for value in (self.size, self.per_stratum, self.share) if value is not None]
        if len(sizes) != 1 or sizes[0] <= 0:
            raise InputError(
                "a sample needs a size, a number per stratum or a share to bound, above 0."
            )
        if self.strata < 1 or self.cap < 1 or self.passage_words < 0:
            raise InputError("strata and cap must be at least 1, words of a passage at least 0.")


@dataclass(frozen=True, slots=True)
class DrawnSample:
    """A sample, and its units with their texts, in the same order."""

    sample: Sample
    units: tuple[AuditUnit, ...]


def draw(documents: Sequence[ReleasedDocument], design: SampleDesign) -> DrawnSample:
    """Draw a sample of a release.

    Raises:
        InputError: if the ids of passages and documents can't be told apart.
    """
    units = [unit for item in documents for unit in units_of(item, design.passage_words)]
    if len({unit.id for unit in units}) < len(units):
        raise InputError(
            "a document has the same id as a passage of another one (id#1); rename it."
        )
    strata = stratify(units, design.strata)
    sizes = _sizes(strata, design)
    drawn = [
        (number, unit)
        for number, (members, size) in enumerate(zip(strata, sizes, strict=True))
        for unit in chosen(members, size, design.seed)
    ]
    # The reading order reveals nothing about strata.
    drawn.sort(key=lambda pair: _ticket(design.seed, pair[1].id))
    sample = Sample(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        tool={"name": "tacenda", "version": __version__},
        seed=design.seed,
        allocation=design.allocation,
        passage_words=design.passage_words,
        cap=design.cap,
        release=release_of(documents, len(units)),
        strata=tuple(
            SampledStratum(
                units=len(members),
                read=size,
                risk=(round(members[0].risk, 4), round(members[-1].risk, 4)),
            )
            for members, size in zip(strata, sizes, strict=True)
        ),
        units=tuple(
            SampledUnit(
                id=unit.id,
                document=unit.document,
                start=unit.start,
                end=unit.end,
                stratum=number,
                sha256=digest_of(unit.text),
            )
            for number, unit in drawn
        ),
    )
    return DrawnSample(sample, tuple(unit for _, unit in drawn))


def release_of(documents: Sequence[ReleasedDocument], units: int) -> SampledRelease:
    """Return the size and digest of documents with this number of units."""
    texts = [document.text for document in documents]
    return SampledRelease(
        documents=len(texts),
        units=units,
        words=sum(len(text.split()) for text in texts),
        sha256=digest_of_release(texts),
    )


def chosen(members: Sequence[AuditUnit], size: int, seed: str) -> list[AuditUnit]:
    """Return the units of a stratum to read: a random sample without replacement."""
    return sorted(members, key=lambda unit: _ticket(seed, unit.id))[:size]


def _ticket(seed: str, id: str) -> str:
    return hashlib.sha256(writable(f"{seed}\n{id}").encode()).hexdigest()


def stratify(units: Sequence[AuditUnit], number: int) -> list[list[AuditUnit]]:
    """Return strata of units in order of risk; units with the same risk are in the same stratum.

    Args:
        units: at least one.
        number: maximum number of strata.
    """
    ordered = sorted(units, key=lambda unit: (unit.risk, unit.id))
    total = math.fsum(map(_deviation, ordered))
    strata: list[list[AuditUnit]] = [[]]
    reached = 0.0
    for place, unit in enumerate(ordered):
        is_new = place > 0 and unit.risk > ordered[place - 1].risk
        if is_new and len(strata) < number and reached >= total * len(strata) / number:
            strata.append([])
        strata[-1].append(unit)
        reached += _deviation(unit)
    return strata


def _deviation(unit: AuditUnit) -> float:
    """Return the standard deviation of whether something is left in a unit."""
    return math.sqrt(unit.risk * (1 - unit.risk))


def _sizes(strata: Sequence[Sequence[AuditUnit]], design: SampleDesign) -> list[int]:
    counts = [len(members) for members in strata]
    if design.per_stratum is not None:
        return [min(count, design.per_stratum) for count in counts]
    if design.allocation is Allocation.NEYMAN:
        weights = [math.fsum(map(_deviation, members)) for members in strata]
    else:
        weights = [float(count) for count in counts]
    if design.size is not None:
        return allocate(counts, weights, design.size)
    return smallest_sizes(counts, weights, design.share or 0.0, 1 - design.confidence)


def allocate(counts: Sequence[int], weights: Sequence[float], size: int) -> list[int]:
    """Return the sizes of strata by weight: at least 1 and at most all; they never shrink with a larger total size."""
    size = min(max(size, len(counts)), sum(counts))
    minimum = max(math.fsum(weights), 1e-9) * 1e-9
    weights = [max(weight, minimum) for weight in weights]

    def at(factor: float) -> list[int]:
        return [
            min(count, max(1, math.floor(factor * weight)))
            for count, weight in zip(counts, weights, strict=True)
        ]

    low, high = 0.0, (sum(counts) + 1) / min(weights)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(at(middle)) <= size else (low, middle)
    sizes = at(low)
    for place, next_size in enumerate(at(high)):
        # Several strata may reach their next unit at once.
        if next_size > sizes[place] and sum(sizes) < size:
            sizes[place] += 1
    return sizes


def smallest_sizes(
    counts: Sequence[int],
    weights: Sequence[float],
    share: float,
    error: float,
    *,
    hits: Sequence[int] = (),
    rates: Sequence[float] = (),
) -> list[int]:
    """Return the sizes of the smallest sample that bounds the share of units with a hit, given how many are found.

    Args:
        counts: number of units in each stratum.
        weights: weights of the allocation.
        share: the desired bound.
        error: error probability of the bound.
        hits: number of units with a hit found in each stratum, whatever the size; by default none.
        rates: or the share of units read that have a hit; by default none.
    """
    hits = list(hits) or [0] * len(counts)
    rates = list(rates) or [0.0] * len(counts)
    limit = math.floor(share * sum(counts) + 1e-9)

    def bound(size: int) -> int:
        sizes = allocate(counts, weights, size)
        strata = [
            StratumCount(count, read, min(read, max(hit, round(rate * read))))
            for count, read, rate, hit in zip(counts, sizes, rates, hits, strict=True)
        ]
        return largest_number_of_hits(strata, error)

    low, high = 0, sum(counts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) <= limit else (middle, high)
    return allocate(counts, weights, high)


# Files: the sample, and its texts for the reader.


def write_sample(drawn: DrawnSample, path: Path) -> tuple[Path, Path]:
    """Write a sample to a path, and next to it what is to be read: a table, and standoff JSON for the app.

    Returns:
        The paths of the table and the standoff file.

    Raises:
        OutputError: if one can't be written.
    """
    table, standoff = path.with_suffix(".read.csv"), path.with_suffix(".read.json")
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(("unit", "sha256", "missed", "text"))
    writer.writerows(
        (writable(unit.id), digest_of(unit.text), "", writable(unit.text)) for unit in drawn.units
    )
    records = [document_record(AnnotatedDocument(unit.id, unit.text, ())) for unit in drawn.units]
    write_atomically(table, lines.getvalue().encode())
    write_atomically(standoff, writable(json.dumps(records, ensure_ascii=False, indent=1)).encode())
    write_atomically(path, (drawn.sample.model_dump_json(indent=1) + "\n").encode())
    return table, standoff


def read_sample(path: str | Path) -> Sample:
    """Read a sample written by ``write_sample``.

    Raises:
        InputError: if it isn't a sample, or contradicts itself.
    """
    name = str(path)
    sample = read_model(Sample, path, "a sample of `tacenda audit sample`")
    counts = [0] * len(sample.strata)
    for unit in sample.units:
        if unit.stratum >= len(counts):
            raise InputError(f"has a unit of stratum {unit.stratum}, which it hasn't", name)
        counts[unit.stratum] += 1
    is_whole = sum(stratum.units for stratum in sample.strata) == sample.release.units
    if counts != [stratum.read for stratum in sample.strata] or not is_whole:
        raise InputError("was changed: units don't add up to those of its strata", name)
    return sample


def read_model(kind: type[Model], path: str | Path, title: str) -> Model:
    """Read a model from its JSON file.

    Raises:
        InputError: if it is invalid; names the field, never its value.
    """
    return parse(kind, read_json(path, finite=True), str(path), title)


def parse(kind: type[Model], raw: Any, name: str, title: str) -> Model:
    """Return a model from parsed JSON.

    Raises:
        InputError: if it is invalid; names the field, never its value.
    """
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"])) or "it"
        raise InputError(f"is not {title}: {place}: {fault['msg']}", name) from None
