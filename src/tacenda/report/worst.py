"""The documents of a run that a system did worst on: most left unmasked, direct identifiers first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..evaluate.statistics import (
    ENTITIES_DIRECT,
    ENTITIES_QUASI,
    MASKED_TOKENS,
    TOKENS,
    DocumentStatistics,
    Tally,
)


@dataclass(frozen=True, slots=True)
class DocumentFigures:
    """What a system left and took in one document, summed over its annotators.

    Attributes:
        document: its id.
        direct: entities masked, of the direct identifiers.
        quasi: the same of the quasi-identifiers.
        recall: words masked, of those to mask.
        precision: words that had to be masked, of those masked.
    """

    document: str
    direct: Tally
    quasi: Tally
    recall: Tally
    precision: Tally


def worst_documents(
    statistics: Sequence[DocumentStatistics], n: int
) -> tuple[DocumentFigures, ...]:
    """Return up to ``n`` documents in which something was left or masked in vain.

    Ordered by direct identifiers left, then by words left, then by words masked in vain.
    """
    figures = [_figures(document) for document in statistics]
    faulty = [f for f in figures if any(map(_left, (f.direct, f.quasi, f.recall, f.precision)))]
    return tuple(sorted(faulty, key=_badness)[:n])


def _badness(figures: DocumentFigures) -> tuple[float, float, float, str]:
    return (
        -_left(figures.direct),
        -_left(figures.recall),
        -_left(figures.precision),
        figures.document,
    )


def _left(tally: Tally) -> float:
    return tally.total - tally.hits


def _figures(statistics: DocumentStatistics) -> DocumentFigures:
    tallies = statistics.tallies
    nothing = Tally(0, 0)
    return DocumentFigures(
        document=statistics.document,
        direct=tallies.get(ENTITIES_DIRECT, nothing),
        quasi=tallies.get(ENTITIES_QUASI, nothing),
        recall=_sum(tallies, TOKENS),
        precision=_sum(tallies, MASKED_TOKENS),
    )


def _sum(tallies: Mapping[str, Tally], prefix: str) -> Tally:
    chosen = [tally for name, tally in tallies.items() if name.startswith(prefix)]
    return Tally(sum(tally.hits for tally in chosen), sum(tally.total for tally in chosen))
