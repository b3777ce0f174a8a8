"""Bits of SVG: elements, and axes that map values to places.

Nothing here has a ``style``, since the page's policy allows no style but its own sheet; colours
are classes, so that light, dark and print choose them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from .markup import text

Point = tuple[float, float]

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
_TICKS = 6


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """Return an element; numbers are written with one digit, ``_`` in a name as ``-``.

    ``kind`` is its class. ``content`` is markup, attributes are escaped here.
    """
    written = "".join(
        f' {_attribute(key)}="{text(value) if isinstance(value, str) else f"{value:.1f}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>"


def label(string: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    """Return a string at a place, escaped."""
    return element("text", text(string), x=x, y=y, kind=kind, text_anchor=anchor)


def line(start: Point, end: Point, kind: str) -> str:
    """Return a straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], kind=kind)


def polyline(points: Sequence[Point], kind: str) -> str:
    """Return a line through points."""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=places, kind=kind)


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps ``[low, high]`` to places from ``start`` to ``end``, which may run backwards."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return round values on the axis, at most seven."""
        width = self.high - self.low
        step = next((step for step in _STEPS if width / step <= _TICKS), _STEPS[-1])
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(n * step, 2) for n in range(first, last + 1)]


def shares_axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Return an axis that ends at 1 and begins at a round value below all values."""
    low = max(0.0, floor(min(values, default=0.0) * 10 - 1e-9) / 10)
    return Axis(min(low, 0.9), 1.0, start, end)


def _attribute(name: str) -> str:
    return "class" if name == "kind" else name.replace("_", "-")
