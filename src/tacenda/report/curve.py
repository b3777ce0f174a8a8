"""The figures of a system at each threshold that its masks are known for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import InputError
from ..evaluate.evaluation import evaluate_prepared
from ..evaluate.information import InformationContent
from ..evaluate.matching import PreparedDocument
from .systems import System


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Figures at a threshold.

    Attributes:
        threshold: in [0, 1].
        scores: as in a report, but None wherever there is nothing to divide by: a system that
            masks nothing has no place on a curve.
    """

    threshold: float
    scores: Mapping[str, float | None]


def curve(
    prepared: Sequence[PreparedDocument],
    system: System,
    weights: InformationContent | None = None,
) -> tuple[CurvePoint, ...]:
    """Return the figures at each level of a system, in order of thresholds.

    Args:
        prepared: the documents that the report is on.
        system: with masks of each of them at every level.
        weights: information content, if weighted precision is wanted.

    Raises:
        InputError: a level lacks a document, or a span ends past its text.
    """
    points = []
    for threshold, masks in system.levels:
        missing = [d.document.id for d in prepared if d.document.id not in masks]
        if missing:
            raise InputError(
                f"at threshold {threshold:g} {len(missing)} of the {len(prepared)} documents "
                f"reported on have no masks, {missing[0]!r} for one; all points of a curve must "
                "be on the same documents",
                system.name,
            )
        report = evaluate_prepared(prepared, masks, weights=weights)
        scores = {
            name: None if name in report.undefined else value
            for name, value in report.scores.items()
        }
        points.append(CurvePoint(threshold, scores))
    return tuple(points)
