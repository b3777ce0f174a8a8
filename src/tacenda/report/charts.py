"""Precision against recall, and figures against the threshold, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ..evaluate.bootstrap import Interval
from .curve import CurvePoint
from .frame import BOTTOM, LEFT, TOP, WIDTH, chart, frame
from .marks import kind, marker
from .run import Findings
from .svg import Axis, Point, label, line, polyline, shares_axis

_RIGHT: Final = WIDTH - 16
_RIGHT_OF_LINES: Final = WIDTH - 84
"""Leaves room for the names of lines at their ends."""

_AROUND: Final = 0.15
"""How far the axes go below operating points and their intervals, at least."""

_APART: Final = 34
"""How far the thresholds written beside a curve are from one another, at least."""

_LINE: Final = 14
"""Height of a line of text."""

FIGURES: Final = {
    "entity_recall_direct": "ER direct",
    "entity_recall_quasi": "ER quasi",
    "token_recall": "R",
    "token_precision": "P",
}
"""What is drawn against the threshold, by the name at the end of the line."""


def precision_recall(findings: Sequence[Findings]) -> str:
    """Return a chart of token precision against token recall.

    A system is drawn as the curve of its thresholds, if those are known, and as its operating
    point with confidence intervals both ways. The axes begin somewhat below the operating
    points: the ends of a curve, where nearly nothing is masked, would take all the room.
    """
    recalls = [value for found in findings for value in _extent(found, "token_recall")]
    precisions = [value for found in findings for value in _extent(found, "token_precision")]
    x = shares_axis([value - _AROUND for value in recalls], LEFT, _RIGHT)
    y = shares_axis([value - _AROUND for value in precisions], BOTTOM, TOP)
    parts = [frame(x, y, "token recall R", "token precision P")]
    taken = [_place(found, x, y) for found in findings]
    for idx, found in enumerate(findings):
        points = [p for p in _points(found.curve) if p[0] >= x.low and p[1] >= y.low]
        places = [(x(recall), y(precision)) for recall, precision, _ in points]
        if places:
            parts.append(polyline(places, f"curve {kind(idx)}"))
            parts += _thresholds(places, [threshold for _, _, threshold in points], taken, idx)
    parts += (_operating_point(found, idx, x, y) for idx, found in enumerate(findings))
    names = ", ".join(found.system.name for found in findings)
    return chart("".join(parts), f"Token precision against token recall of {names}")


def by_threshold(found: Findings) -> str:
    """Return a chart of recalls and precision against the threshold, of a system with a curve."""
    lines = {name: _line(found.curve, name) for name in FIGURES}
    values = [value for points in lines.values() for _, value in points]
    x = Axis(0, 1, LEFT, _RIGHT_OF_LINES)
    y = shares_axis(values, BOTTOM, TOP)
    parts = [frame(x, y, "threshold", "share")]
    if found.system.threshold is not None:
        at = x(found.system.threshold)
        parts.append(line((at, y.start), (at, y.end), "operating"))
        parts.append(label(f"{found.system.threshold:g}", at + 4, y.start - 6, "note"))
    drawn = {name: points for name, points in lines.items() if points}
    ends = _spread([y(points[-1][1]) for points in drawn.values()])
    for idx, (name, points) in enumerate(drawn.items()):
        places = [(x(threshold), y(value)) for threshold, value in points]
        parts.append(polyline(places, f"curve l{idx}"))
        end = places[-1][0] + 6
        parts.append(label(FIGURES[name], end, ends[idx] + 4, f"name l{idx}"))
    return chart("".join(parts), f"Recall and precision of {found.system.name} by threshold")


def _points(curve: Sequence[CurvePoint]) -> list[tuple[float, float, float]]:
    """Return (recall, precision, threshold) where both are defined."""
    found = []
    for point in curve:
        recall, precision = point.scores["token_recall"], point.scores["token_precision"]
        if recall is not None and precision is not None:
            found.append((recall, precision, point.threshold))
    return found


def _line(curve: Sequence[CurvePoint], metric: str) -> list[Point]:
    values = [(point.threshold, point.scores[metric]) for point in curve]
    return [(threshold, value) for threshold, value in values if value is not None]


def _extent(found: Findings, metric: str) -> list[float]:
    """Return the operating point's value and interval in one figure, as far as there are any."""
    value, interval = found.report.scores[metric], _interval(found, metric)
    return [] if value is None else [value, *interval] if interval else [value]


def _interval(found: Findings, metric: str) -> Interval | None:
    return found.report.intervals.get(metric)


def _place(found: Findings, x: Axis, y: Axis) -> Point:
    recall = found.report.scores["token_recall"]
    precision = found.report.scores["token_precision"]
    return x(recall or 0.0), y(precision or 0.0)


def _operating_point(found: Findings, idx: int, x: Axis, y: Axis) -> str:
    if found.report.scores["token_recall"] is None:
        return ""
    at = _place(found, x, y)
    name = f"whisker {kind(idx)}"
    recalls, precisions = _interval(found, "token_recall"), _interval(found, "token_precision")
    parts = []
    if recalls:
        parts.append(line((x(recalls.low), at[1]), (x(recalls.high), at[1]), name))
    if precisions:
        parts.append(line((at[0], y(precisions.low)), (at[0], y(precisions.high)), name))
    parts.append(marker(idx, at, 5.5, "point"))
    return "".join(parts)


def _thresholds(
    places: Sequence[Point], thresholds: Sequence[float], taken: list[Point], idx: int
) -> list[str]:
    """Return dots on a curve with their thresholds, where there is room for them.

    Args:
        places: of the points of the curve.
        thresholds: of those points.
        taken: places to keep clear of; those labelled are added.
        idx: of the system.
    """
    shown = []
    for at, threshold in zip(places, thresholds, strict=True):
        if all(abs(at[0] - x) + abs(at[1] - y) >= _APART for x, y in taken):
            taken.append(at)
            shown.append(marker(idx, at, 2.5))
            shown.append(label(f"{threshold:g}", at[0] - 6, at[1] + 12, "note", "end"))
    return shown


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights moved down as far as names need to be apart, then up into the frame."""
    order = sorted(range(len(heights)), key=lambda idx: heights[idx])
    moved = list(heights)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + _LINE)
    limit = float(BOTTOM)
    for idx in reversed(order):
        moved[idx] = min(moved[idx], limit)
        limit = moved[idx] - _LINE
    return moved
