"""Recall and precision of words by semantic type, with their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..evaluate.bootstrap import Interval, intervals
from ..evaluate.metrics import Share
from ..evaluate.statistics import MASKED_TOKENS, TOKENS, DocumentStatistics, total


@dataclass(frozen=True, slots=True)
class TypeShare:
    """A share of the words of one type.

    Attributes:
        type: semantic type, as the annotators name it; ``NONE`` for words left unmarked.
        words: what the share is of, counted once for each annotator.
        value: the share.
        interval: at the 95 % level; None without a bootstrap.
    """

    type: str
    words: int
    value: float
    interval: Interval | None


def recall_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return which share of the words to mask is masked, the most frequent type first."""
    return _shares(statistics, TOKENS, resamples, seed)


def precision_by_type(
    statistics: Sequence[DocumentStatistics], resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    """Return which share of the words masked had to be, the type masked most first."""
    return _shares(statistics, MASKED_TOKENS, resamples, seed)


def _shares(
    statistics: Sequence[DocumentStatistics], prefix: str, resamples: int, seed: int
) -> tuple[TypeShare, ...]:
    sums = {
        name.removeprefix(prefix): tally
        for name, tally in total(statistics).items()
        if name.startswith(prefix) and tally.total
    }
    metrics = [Share(type_, (prefix + type_,)) for type_ in sums]
    found = intervals(statistics, metrics, resamples, seed) if resamples else {}
    shares = [
        TypeShare(type_, int(tally.total), tally.hits / tally.total, found.get(type_))
        for type_, tally in sums.items()
    ]
    return tuple(sorted(shares, key=lambda share: (-share.words, share.type)))
