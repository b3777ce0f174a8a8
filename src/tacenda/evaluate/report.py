"""What an evaluation found: the figures, how they were made, and what could not be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from .bootstrap import Interval
from .errors import ErrorReport
from .statistics import DocumentStatistics

if TYPE_CHECKING:
    from rich.table import Table


class ExtraFigures(Protocol):
    """Figures of a further measure of a system."""

    @property
    def signature(self) -> str:
        """How they were made."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know, in sentences."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Return a form for JSON; stable."""
        ...

    @classmethod
    def table(cls, systems: Mapping[str, Self]) -> Table:
        """Return the figures of systems, by name, side by side."""
        ...


class ExtraMeasure(Protocol):
    """A further measure of masked documents, such as their similarity to the originals."""

    @property
    def name(self) -> str:
        """Its name in the report."""
        ...

    def measure(self, originals: Sequence[str], masked: Sequence[str]) -> ExtraFigures:
        """Compare documents with their masked versions, in the same order."""
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one system.

    Attributes:
        scores: value of each metric, a share; None where it is undefined.
        token_recall_by_type: by semantic type of the entity, the most frequent first.
        token_precision_by_type: by the semantic type that annotators gave the masked token;
            ``NONE`` are tokens that they left unmarked, so its precision is 0. The types,
            weighted by their share, add up to ``token_precision``.
        documents: number of documents counted.
        signature: how the figures were made.
        undefined: metrics with nothing to divide by.
        notes: what the reader must know, in sentences.
        intervals: 95 % confidence intervals; empty without a bootstrap.
        errors: what was missed and over-masked; None unless asked for.
        extras: figures of further measures, by name of the measure.
        statistics: of each document, for tests and comparisons.
    """

    scores: Mapping[str, float | None]
    token_recall_by_type: Mapping[str, float]
    token_precision_by_type: Mapping[str, float]
    documents: int
    signature: str
    undefined: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    errors: ErrorReport | None = None
    extras: Mapping[str, ExtraFigures] = field(default_factory=dict)
    statistics: tuple[DocumentStatistics, ...] = field(default=(), repr=False)

    def without_errors(self) -> Report:
        """Return the figures alone, without any text of the documents."""
        return replace(self, errors=None)

    def as_json(self) -> dict[str, Any]:
        """Return what ``tacenda evaluate --json`` prints; a stable form."""
        result: dict[str, Any] = {
            **self.scores,
            "token_recall_by_type": dict(self.token_recall_by_type),
            "token_precision_by_type": dict(self.token_precision_by_type),
            "documents": self.documents,
            "signature": self.signature,
            "undefined": list(self.undefined),
            "notes": list(self.notes),
        }
        if self.intervals:
            result["intervals"] = {name: list(pair) for name, pair in self.intervals.items()}
        if self.errors is not None:
            result["errors"] = self.errors.as_json()
        return result | {name: figures.as_json() for name, figures in self.extras.items()}
