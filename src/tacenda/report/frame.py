"""The frame of a chart: grid, ticks and the names of its axes."""

from __future__ import annotations

from typing import Final

from .svg import Axis, element, label, line

WIDTH: Final = 520
HEIGHT: Final = 400
LEFT: Final = 52
TOP: Final = 14
BOTTOM: Final = HEIGHT - 46


def frame(x: Axis, y: Axis, x_title: str, y_title: str) -> str:
    """Return grid lines with their values, and titles; the axes may be of any range."""
    parts = []
    for value in x.ticks():
        parts.append(line((x(value), y.start), (x(value), y.end), "grid"))
        parts.append(label(_tick(value), x(value), y.start + 17, "tick", "middle"))
    for value in y.ticks():
        parts.append(line((x.start, y(value)), (x.end, y(value)), "grid"))
        parts.append(label(_tick(value), x.start - 8, y(value) + 4, "tick", "end"))
    parts.append(label(x_title, (x.start + x.end) / 2, HEIGHT - 8, "axis", "middle"))
    middle = (y.start + y.end) / 2
    parts.append(
        element(
            "text",
            y_title,
            x=13,
            y=middle,
            kind="axis",
            text_anchor="middle",
            transform=f"rotate(-90 13 {middle:.1f})",
        )
    )
    return "".join(parts)


def chart(content: str, description: str) -> str:
    """Return a chart with what it says to who can't see it."""
    return element(
        "svg",
        content,
        kind="chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=description,
    )


def _tick(value: float) -> str:
    return "0" if value == 0 else "1" if value == 1 else f"{value:.2f}".rstrip("0")
