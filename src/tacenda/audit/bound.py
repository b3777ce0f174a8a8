"""The bound on what is left in a release: from a sample and what a person found in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from ..errors import InputError
from .confidence import StratumCount, StratumTotal, largest_number_of_hits, largest_total
from .sample import Allocation, Sample, smallest_sizes

VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class StratumBound:
    """A stratum as it was found.

    Attributes:
        units: its units.
        read: of them.
        with_missed: of those read, units with an identifier left.
        missed: identifiers left in those read.
        risk: smallest and largest risk of its units.
        bound: upper confidence bound of its units with an identifier left, by itself.
    """

    units: int
    read: int
    with_missed: int
    missed: int
    risk: tuple[float, float]
    bound: int


@dataclass(frozen=True, slots=True)
class Left:
    """Identifiers left in the whole release.

    Attributes:
        found: in the sample.
        estimate: in the release, without bias.
        bound: upper confidence bound.
        share: the bound as a share of all units; None for what has no whole.
    """

    found: int
    estimate: float
    bound: int
    share: float | None = None


@dataclass(frozen=True, slots=True)
class FurtherReading:
    """Number of further units to read for a bound on the share of units with an identifier left.

    Attributes:
        share: the bound wanted.
        if_none: units to read in addition if nothing more is found.
        at_this_rate: if as much is found as so far; None if all must be read and more is left.
    """

    share: float
    if_none: int
    at_this_rate: int | None


@dataclass(frozen=True, slots=True)
class CorpusBound:
    """Upper confidence bounds on what is left in a release; each holds by itself.

    Attributes:
        confidence: of each bound.
        looks: bounds that share the error, of samples that were enlarged.
        cap: identifiers of a unit are counted up to this number in ``identifiers``.
        documents, words: of the release.
        release_sha256: digest of its texts.
        units: with at least one identifier left.
        documents_left: bound on the documents with at least one identifier left.
        identifiers: left, counted up to the cap in a unit.
        strata: in order of their risk.
        further: for a share that was asked for; None for none.
    """

    confidence: float
    looks: int
    cap: int
    documents: int
    words: int
    release_sha256: str
    units: Left
    documents_left: int
    identifiers: Left
    strata: tuple[StratumBound, ...]
    further: FurtherReading | None = None

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"schema_version": VERSION, "kind": "audit bound", **asdict(self)}


def bound(
    sample: Sample,
    missed: Mapping[str, int],
    *,
    confidence: float = 0.95,
    looks: int = 1,
    share: float | None = None,
) -> CorpusBound:
    """Bound what is left in the release of a sample.

    Args:
        sample: as it was drawn.
        missed: identifiers left in each of its units.
        confidence: of each bound, in (0, 1).
        looks: samples of this release that a bound was or will be made of, because one larger than the last
            was wanted; they share the error.
        share: of units with an identifier left, to tell how much more must be read for it; None for nothing.

    Raises:
        InputError: if a number is out of range.
    """
    if not 0 < confidence < 1 or looks < 1 or (share is not None and not 0 < share < 1):
        raise InputError("confidence and share must lie between 0 and 1, and looks be at least 1.")
    error = (1 - confidence) / looks
    counts: list[list[int]] = [[] for _ in sample.strata]
    for unit in sample.units:
        counts[unit.stratum].append(missed[unit.id])
    strata = [
        StratumCount(stratum.units, stratum.read, sum(count > 0 for count in values))
        for stratum, values in zip(sample.strata, counts, strict=True)
    ]
    totals = [
        StratumTotal(stratum.units, tuple(values))
        for stratum, values in zip(sample.strata, counts, strict=True)
    ]
    capped = [[min(count, sample.cap) for count in values] for values in counts]
    maximum = largest_number_of_hits(strata, error)
    identifiers = largest_total(totals, sample.cap, error)
    return CorpusBound(
        confidence=confidence,
        looks=looks,
        cap=sample.cap,
        documents=sample.release.documents,
        words=sample.release.words,
        release_sha256=sample.release.sha256,
        units=Left(
            sum(stratum.hits for stratum in strata),
            _estimate(sample, [stratum.hits for stratum in strata]),
            maximum,
            round(maximum / sample.release.units, 6),
        ),
        documents_left=min(maximum, sample.release.documents),
        identifiers=Left(
            sum(map(sum, counts)), _estimate(sample, list(map(sum, capped))), identifiers
        ),
        strata=tuple(
            StratumBound(
                stratum.units,
                stratum.read,
                count.hits,
                sum(values),
                stratum.risk,
                largest_number_of_hits([count], error),
            )
            for stratum, count, values in zip(sample.strata, strata, counts, strict=True)
        ),
        further=None if share is None else _further(sample, strata, share, error),
    )


def _estimate(sample: Sample, sums: list[int]) -> float:
    parts = (
        stratum.units / stratum.read * n for stratum, n in zip(sample.strata, sums, strict=True)
    )
    return round(sum(parts), 2)


def _further(
    sample: Sample, strata: list[StratumCount], share: float, error: float
) -> FurtherReading:
    counts = [stratum.size for stratum in strata]
    # As they were drawn: of another allocation, more of the same.
    weights = [float(s.read if sample.allocation is Allocation.NEYMAN else s.size) for s in strata]
    n_read = sum(stratum.read for stratum in strata)
    hits = [stratum.hits for stratum in strata]
    none = smallest_sizes(counts, weights, share, error, hits=hits)
    rates = [stratum.hits / stratum.read for stratum in strata]
    same = smallest_sizes(counts, weights, share, error, rates=rates)
    n_left = sum(round(rate * count) for rate, count in zip(rates, counts, strict=True))
    is_possible = n_left <= share * sum(counts)
    return FurtherReading(
        share, max(0, sum(none) - n_read), max(0, sum(same) - n_read) if is_possible else None
    )
