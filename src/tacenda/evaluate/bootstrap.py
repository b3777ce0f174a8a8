"""How far a score would move with other documents: percentile bootstrap over documents.

Documents are drawn with replacement and only their sufficient statistics are added up again, so
a thousand resamples cost one small matrix product and no matching.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from .metrics import Metric
from .statistics import DocumentStatistics, Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE: Final = 0.95


class Interval(NamedTuple):
    """A confidence interval at the 95 % level."""

    low: float
    high: float


def intervals(
    statistics: Sequence[DocumentStatistics], metrics: Sequence[Metric], n: int, seed: int = 0
) -> dict[str, Interval]:
    """Return a confidence interval for each metric that is defined in at least one resample.

    Args:
        statistics: one for each document, at least one.
        metrics: the figures wanted.
        n: number of resamples, at least 1.
        seed: of the random numbers; the same seed gives the same intervals.
    """
    import numpy as np

    table = StatisticsTable(statistics)
    draws = np.random.default_rng(seed).multinomial(
        len(statistics), [1 / len(statistics)] * len(statistics), size=n
    )
    values: dict[str, list[float]] = {metric.name: [] for metric in metrics}
    for sums in table.sums(draws.astype(float)):
        for metric in metrics:
            score = metric.score(sums)
            if score is not None:
                values[metric.name].append(score)
    tail = (1 - CONFIDENCE) / 2
    return {
        name: Interval(*(float(value) for value in np.quantile(scores, [tail, 1 - tail])))
        for name, scores in values.items()
        if scores
    }


class StatisticsTable:
    """Statistics as a matrix: documents by tallies (hits, then totals).

    Args:
        statistics: one for each document.
        names: the tallies to hold; all that occur if None.
    """

    def __init__(
        self, statistics: Sequence[DocumentStatistics], names: Sequence[str] | None = None
    ) -> None:
        import numpy as np

        self.names = tuple(
            sorted({name for document in statistics for name in document.tallies})
            if names is None
            else names
        )
        nothing = Tally(0, 0)
        rows = [[d.tallies.get(name, nothing) for name in self.names] for d in statistics]
        self.matrix: NDArray[np.float64] = np.array(
            [[t.hits for t in row] + [t.total for t in row] for row in rows], dtype=np.float64
        )

    def sums(self, weights: NDArray[np.float64]) -> Iterator[dict[str, Tally]]:
        """Yield the sums for each row of ``weights`` (resamples by documents)."""
        return self.unpack(weights @ self.matrix)

    def unpack(self, rows: NDArray[np.float64]) -> Iterator[dict[str, Tally]]:
        """Yield rows of such a matrix as sums by name."""
        width = len(self.names)
        for row in rows.tolist():
            yield {
                name: Tally(hits, total)
                for name, hits, total in zip(self.names, row[:width], row[width:], strict=True)
            }
