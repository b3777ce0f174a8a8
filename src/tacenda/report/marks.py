"""How a system is told from others in a picture: a colour, a shape, a dash. Six, then again."""

from __future__ import annotations

from math import pi, sin
from typing import Final

from .svg import Point, element

KINDS: Final = 6


def kind(index: int) -> str:
    """Return the class of the system at ``index``: its colour and dash."""
    return f"s{index % KINDS}"


def marker(index: int, at: Point, size: float = 4.5, extra: str = "") -> str:
    """Return the shape of the system at ``index``, about ``2 * size`` wide.

    Args:
        index: place of the system in the order given.
        at: its centre.
        size: half of its width.
        extra: further classes.
    """
    x, y = at
    name = f"mark {kind(index)} {extra}".rstrip()
    corners = _CORNERS[index % KINDS]
    if not corners:
        return element("circle", cx=x, cy=y, r=size, kind=name)
    places = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners)
    return element("polygon", points=places, kind=name)


def key(index: int) -> str:
    """Return the marker as a small picture to stand before a name."""
    content = marker(index, (6, 6))
    return element(
        "svg", content, kind="key", viewBox="0 0 12 12", width="12", height="12", aria_hidden="true"
    )


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
    _polygon(3, pi),  # a triangle upside down
    _polygon(5, 0),  # a pentagon
)
