"""Bound what is left in a release, given a sample and what a person found in it."""

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
    """What was found in a stratum.

    Attributes:
        units: number of units.
        read: number of units read.
        with_missed: number of units read in which an identifier was left.
        missed: number of identifiers left in the units read.
        risk: lowest and highest risk of its units.
        bound: upper confidence bound on its units with an identifier left; valid on its own.
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
        found: number found in the sample.
        estimate: unbiased estimate for the release.
        bound: upper confidence bound.
        share: the bound as a share of all units; None if there is no total.
    """

    found: int
    estimate: float
    bound: int
    share: float | None = None


@dataclass(frozen=True, slots=True)
class FurtherReading:
    """How many more units to read for a given bound on the share of units with an identifier left.

    Attributes:
        share: the desired bound.
        if_none: units to read in addition if nothing more is found.
        at_this_rate: units to read in addition if identifiers are found at the same rate; None if
            even reading everything isn't enough.
    """

    share: float
    if_none: int
    at_this_rate: int | None


@dataclass(frozen=True, slots=True)
class CorpusBound:
    """Upper confidence bounds on what is left in a release; each is valid on its own.

    Attributes:
        confidence: confidence level of each bound.
        looks: number of bounds, from successively larger samples, that share the error.
        cap: at most this many identifiers per unit count in ``identifiers``.
        documents, words: size of the release.
        release_sha256: digest of its texts.
        units: units with at least one identifier left.
        documents_left: bound on the documents with at least one identifier left.
        identifiers: identifiers left, counting each unit up to the cap.
        strata: the strata in order of risk.
        further: for the requested share; None if none was requested.
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
        """Return the bound as JSON values."""
        return {"schema_version": VERSION, "kind": "audit bound", **asdict(self)}


def bound(
    sample: Sample,
    missed: Mapping[str, int],
    *,
    confidence: float = 0.95,
    looks: int = 1,
    share: float | None = None,
) -> CorpusBound:
    """Bound what is left in the release that a sample was drawn from.

    Args:
        sample: the sample as drawn.
        missed: number of identifiers left in each of its units.
        confidence: confidence level of each bound, in (0, 1).
        looks: number of samples of this release for which a bound was or will be computed, each
            larger than the last; they share the error.
        share: desired bound on the share of units with an identifier left, to compute how many more
            must be read; None for none.

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
    # Units as drawn; with another allocation, more of the same kind.
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
