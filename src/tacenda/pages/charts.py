"""Charts of all pages as SVG: curves, rates with their intervals, bars and keys.

Colors, dashes and fonts are classes in the style sheet, so that they depend on light, dark and
print modes; the page's security policy allows no inline styles. Everything except ``Markup`` is
escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, pi, sin
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from ..wording import CURVES

if TYPE_CHECKING:
    from ..evaluate.curves import CurvePoint, Findings
    from ..evaluate.metrics import Interval
    from ..reidentify.rates import Rates

Point = tuple[float, float]

_WIDTH: Final = 520
_HEIGHT: Final = 400
_LEFT: Final = 52
_TOP: Final = 14
_BOTTOM: Final = _HEIGHT - 46
_RIGHT: Final = _WIDTH - 16
_RIGHT_OF_LINES: Final = _WIDTH - 84
"""Leaves room for the names of lines at their ends."""

_AROUND: Final = 0.15
"""Minimum margin of the axes below operating points and their intervals."""

_APART: Final = 34
"""Minimum distance of the thresholds written beside a curve."""

_LINE: Final = 14
"""Height of a line of text."""

_QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2)
_TICKS: Final = 6
_KINDS: Final = 6
"""Systems are told apart by six colours, shapes and dashes; then they begin again."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear map from ``[low, high]`` to positions from ``start`` to ``end``, which may be reversed."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return up to seven round values on the axis."""
        width = self.high - self.low
        step = next((step for step in _STEPS if width / step <= _TICKS), _STEPS[-1])
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(n * step, 2) for n in range(first, last + 1)]


def shares_axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Return an axis from a round value below all values to 1."""
    low = max(0.0, floor(min(values, default=0.0) * 10 - 1e-9) / 10)
    return Axis(min(low, 0.9), 1.0, start, end)


def element(name: str, *content: str, **attributes: str | float) -> Markup:
    """Return an element; numbers are written with one decimal, and ``_`` in names as ``-``.

    ``kind`` is its class.
    """
    pairs = (
        (_attribute(key), value if isinstance(value, str) else f"{value:.1f}")
        for key, value in attributes.items()
    )
    head = "".join(f' {key}="{escape(value)}"' for key, value in pairs)
    return Markup(f"<{name}{head}>{''.join(map(escape, content))}</{name}>")


def _attribute(name: str) -> str:
    return "class" if name == "kind" else name.replace("_", "-")


def picture(width: int, height: int, kind: str, *content: str) -> Markup:
    """Return a small picture that accompanies numbers and is hidden from screen readers."""
    return element(
        "svg",
        *content,
        kind=kind,
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        aria_hidden="true",
    )


def label(string: str, x: float, y: float, kind: str = "", anchor: str = "start") -> Markup:
    """Return a string at a position."""
    return element("text", string, x=x, y=y, kind=kind, text_anchor=anchor)


def line(start: Point, end: Point, kind: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], kind=kind)


def polyline(points: Sequence[Point], kind: str) -> Markup:
    """Return a line through points."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=places, kind=kind)


def bar(y: float, length: float, height: float, kind: str, x: float = 0) -> Markup:
    """Return a horizontal bar."""
    return element("rect", x=x, y=y, width=length, height=height, kind=kind)


def _system(idx: int) -> str:
    """Return the class of the system at ``idx``: its color and dash."""
    return f"s{idx % _KINDS}"


def marker(idx: int, at: Point, size: float = 4.5, extra: str = "") -> Markup:
    """Return the shape of the system at ``idx``, about ``2 * size`` wide."""
    x, y = at
    kind = f"mark {_system(idx)} {extra}".rstrip()
    corners = _CORNERS[idx % _KINDS]
    if not corners:
        return element("circle", cx=x, cy=y, r=size, kind=kind)
    places = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners)
    return element("polygon", points=places, kind=kind)


def key(idx: int) -> Markup:
    """Return a system's marker as a picture to put before its name."""
    return picture(12, 12, "key", marker(idx, (6, 6)))


def _polygon(n: int, turn: float) -> tuple[Point, ...]:
    return tuple(
        (1.15 * sin(2 * pi * i / n + turn), -1.15 * sin(2 * pi * i / n + turn + pi / 2))
        for i in range(n)
    )


_CORNERS: Final[tuple[tuple[Point, ...], ...]] = (
    (),  # a circle
    _polygon(4, pi / 4),  # a square
    _polygon(3, 0),  # a triangle
    _polygon(4, 0),  # a diamond
    _polygon(3, pi),  # an upside-down triangle
    _polygon(5, 0),  # a pentagon
)

# A share and its confidence interval as a dot with whiskers, one line high, on a scale from 0 to 1.

_STRIP: Final = Axis(0, 1, 8, 182)
_STRIP_WIDTH: Final = 190
_STRIP_HEIGHT: Final = 16


def strip(value: float | None, interval: Interval | None, idx: int = 0) -> Markup:
    """Return the picture of a share for a table cell; only the grid if the share is undefined.

    Args:
        value: the share.
        interval: its interval; None without a bootstrap.
        idx: index of the system, for its color and shape.
    """
    middle = _STRIP_HEIGHT / 2
    parts = [line((_STRIP(at), 0), (_STRIP(at), _STRIP_HEIGHT), "grid") for at in _QUARTERS]
    if interval:
        low, high = _STRIP(interval.low), _STRIP(interval.high)
        kind = f"whisker {_system(idx)}"
        parts.append(line((low, middle), (high, middle), kind))
        parts += (line((x, middle - 3), (x, middle + 3), kind) for x in (low, high))
    if value is not None:
        # Some figures can be slightly outside [0, 1], but the dot must stay inside the picture.
        parts.append(marker(idx, (_STRIP(min(1, max(0, value))), middle), 3.5))
    return picture(_STRIP_WIDTH, _STRIP_HEIGHT, "strip", *parts)


def scale() -> Markup:
    """Return the axis of the strips, for their column's header."""
    labels = [label(f"{at:g}", _STRIP(at), 11, "tick", "middle") for at in _QUARTERS]
    return picture(_STRIP_WIDTH, 14, "strip", *labels)


def two_bars(share: float, reference: float, idx: int) -> Markup:
    """Return a share as a bar in a system's color, above a thin bar for a reference."""
    thick = bar(1, 150 * share, 8, f"bar {_system(idx)}")
    return picture(150, 16, "strip", thick, bar(11, 150 * reference, 3, "bar other"))


def weight(share: float) -> Markup:
    """Return a weight as a bar that is always long enough to be seen."""
    return picture(120, 10, "strip", bar(0, max(2, 120 * share), 10, "bar weight"))


# Charts of systems' figures against each other and against the threshold.


def precision_recall(findings: Sequence[Findings]) -> Markup:
    """Return a chart of token precision against token recall.

    A system is drawn as a curve over its thresholds, if known, and as its operating point with
    confidence intervals in both directions. The axes start somewhat below the operating points,
    since the ends of a curve, where almost nothing is masked, would take up all the space.
    """
    recalls = [value for one in findings for value in _extent(one, "token_recall")]
    precisions = [value for one in findings for value in _extent(one, "token_precision")]
    x = shares_axis([value - _AROUND for value in recalls], _LEFT, _RIGHT)
    y = shares_axis([value - _AROUND for value in precisions], _BOTTOM, _TOP)
    parts = _grid(x, y, "token recall R", "token precision P")
    label_places = [_place(one, x, y) for one in findings]
    for idx, one in enumerate(findings):
        points = [p for p in _points(one.curve) if p[0] >= x.low and p[1] >= y.low]
        places = [(x(recall), y(precision)) for recall, precision, _ in points]
        if places:
            parts.append(polyline(places, f"curve {_system(idx)}"))
            thresholds = [threshold for _, _, threshold in points]
            parts += _thresholds(places, thresholds, label_places, idx)
    for idx, one in enumerate(findings):
        parts += _operating_point(one, idx, x, y)
    names = ", ".join(one.system.name for one in findings)
    return _chart(parts, f"Token precision against token recall of {names}")


def by_threshold(findings: Findings) -> Markup:
    """Return a chart of recalls and precision against the threshold, for a system with a curve."""
    lines = {name: _line(findings.curve, metric) for metric, name in CURVES.items()}
    x = Axis(0, 1, _LEFT, _RIGHT_OF_LINES)
    y = shares_axis([value for points in lines.values() for _, value in points], _BOTTOM, _TOP)
    parts = _grid(x, y, "threshold", "share")
    threshold = findings.system.threshold
    if threshold is not None:
        at = x(threshold)
        parts.append(line((at, y.start), (at, y.end), "operating"))
        parts.append(label(f"{threshold:g}", at + 4, y.start - 6, "note"))
    curves = {name: points for name, points in lines.items() if points}
    ends = _spread([y(points[-1][1]) for points in curves.values()])
    for idx, (name, points) in enumerate(curves.items()):
        places = [(x(at), y(value)) for at, value in points]
        parts.append(polyline(places, f"curve l{idx}"))
        parts.append(label(name, places[-1][0] + 6, ends[idx] + 4, f"name l{idx}"))
    return _chart(parts, f"Recall and precision of {findings.system.name} by threshold")


def _chart(parts: Sequence[Markup], description: str) -> Markup:
    view = f"0 0 {_WIDTH} {_HEIGHT}"
    return element("svg", *parts, kind="chart", viewBox=view, role="img", aria_label=description)


def _grid(x: Axis, y: Axis, x_title: str, y_title: str) -> list[Markup]:
    """Return grid lines with their values, and titles; axes may have any range."""
    parts = []
    for value in x.ticks():
        parts.append(line((x(value), y.start), (x(value), y.end), "grid"))
        parts.append(label(_tick(value), x(value), y.start + 17, "tick", "middle"))
    for value in y.ticks():
        parts.append(line((x.start, y(value)), (x.end, y(value)), "grid"))
        parts.append(label(_tick(value), x.start - 8, y(value) + 4, "tick", "end"))
    parts.append(label(x_title, (x.start + x.end) / 2, _HEIGHT - 8, "axis", "middle"))
    middle = (y.start + y.end) / 2
    turn = f"rotate(-90 13 {middle:.1f})"
    parts.append(
        element("text", y_title, x=13, y=middle, kind="axis", text_anchor="middle", transform=turn)
    )
    return parts


def _tick(value: float) -> str:
    return "0" if value == 0 else "1" if value == 1 else f"{value:.2f}".rstrip("0")


def _points(curve: Sequence[CurvePoint]) -> list[tuple[float, float, float]]:
    """Return recall, precision and threshold wherever both figures are defined."""
    points = []
    for point in curve:
        recall, precision = point.scores["token_recall"], point.scores["token_precision"]
        if recall is not None and precision is not None:
            points.append((recall, precision, point.threshold))
    return points


def _line(curve: Sequence[CurvePoint], metric: str) -> list[Point]:
    values = [(point.threshold, point.scores[metric]) for point in curve]
    return [(threshold, value) for threshold, value in values if value is not None]


def _extent(findings: Findings, metric: str) -> list[float]:
    """Return the operating point's value and interval for one figure, if any."""
    value, interval = findings.report.scores[metric], findings.report.intervals.get(metric)
    return [] if value is None else [value, *interval] if interval else [value]


def _place(findings: Findings, x: Axis, y: Axis) -> Point:
    scores = findings.report.scores
    return x(scores["token_recall"] or 0.0), y(scores["token_precision"] or 0.0)


def _operating_point(findings: Findings, idx: int, x: Axis, y: Axis) -> list[Markup]:
    report = findings.report
    if report.scores["token_recall"] is None:
        return []
    at = _place(findings, x, y)
    kind = f"whisker {_system(idx)}"
    parts = []
    if recalls := report.intervals.get("token_recall"):
        parts.append(line((x(recalls.low), at[1]), (x(recalls.high), at[1]), kind))
    if precisions := report.intervals.get("token_precision"):
        parts.append(line((at[0], y(precisions.low)), (at[0], y(precisions.high)), kind))
    return [*parts, marker(idx, at, 5.5, "point")]


def _thresholds(
    places: Sequence[Point], thresholds: Sequence[float], label_places: list[Point], idx: int
) -> list[Markup]:
    """Return dots on a curve with their thresholds, where there is space for them.

    Args:
        places: positions of the curve's points.
        thresholds: the points' thresholds.
        label_places: positions of labels to avoid; new ones are added.
        idx: of the system.
    """
    parts = []
    for at, threshold in zip(places, thresholds, strict=True):
        if all(abs(at[0] - x) + abs(at[1] - y) >= _APART for x, y in label_places):
            label_places.append(at)
            parts.append(marker(idx, at, 2.5))
            parts.append(label(f"{threshold:g}", at[0] - 6, at[1] + 12, "note", "end"))
    return parts


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights moved down until names don't overlap, then up into the frame."""
    order = sorted(range(len(heights)), key=lambda idx: heights[idx])
    places = list(heights)
    for above, below in pairwise(order):
        places[below] = max(places[below], places[above] + _LINE)
    limit = float(_BOTTOM)
    for idx in reversed(order):
        places[idx] = min(places[idx], limit)
        limit = places[idx] - _LINE
    return places


# Rates of an attack at rank 1, one bar per attacker.

_RATES: Final = Axis(0, 1, 150, 710)
_ROW: Final = 24


def rates(n_people: int, groups: Sequence[tuple[str, str, Mapping[str, Rates]]]) -> Markup:
    """Return a chart of rates with their intervals, and of the chance of a blind guess.

    Args:
        n_people: number of candidates.
        groups: title, class and rates by attacker.
    """
    parts: list[Markup] = []
    top = 8
    for title, kind, by_attacker in groups:
        parts.append(label(title, 0, top + 16, "group"))
        for name, rate in by_attacker.items():
            top += _ROW
            parts += _rate(name, rate, kind, top)
        top += _ROW + 8
    chance = _RATES(1 / n_people)
    grid = [line((_RATES(share), 8), (_RATES(share), top), "grid") for share in _QUARTERS]
    grid += [
        label(f"{share:.0%}", _RATES(share), top + 16, "tick", "middle") for share in _QUARTERS
    ]
    width, height = int(_RATES.end) + 150, top + 24
    return element(
        "svg",
        *grid,
        *parts,
        line((chance, 8), (chance, top), "operating"),
        kind="rates",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
        aria_label="Share of documents whose person is ranked first; the figures are below.",
    )


def _rate(name: str, rate: Rates, kind: str, top: int) -> list[Markup]:
    value, low, high = rate.first
    middle = top + _ROW // 2
    figures = f"{value:.1%} ({low:.0%}–{high:.0%})"
    return [
        label(name, 12, middle + 4),
        bar(top + 5, _RATES(value) - _RATES.start, 14, f"bar {kind}", _RATES.start),
        line((_RATES(low), middle), (_RATES(high), middle), "whisker"),
        label(figures, _RATES.end + 12, middle + 4, "tick"),
    ]
