"""A share and its confidence interval as a dot with whiskers, one line high, from 0 to 1."""

from __future__ import annotations

from typing import Final

from ..evaluate.bootstrap import Interval
from .marks import kind, marker
from .svg import Axis, element, label, line

_WIDTH: Final = 190
_HEIGHT: Final = 16
_AXIS: Final = Axis(0, 1, 8, _WIDTH - 8)
_MIDDLE: Final = _HEIGHT / 2


def strip(value: float | None, interval: Interval | None, index: int = 0) -> str:
    """Return the picture for a cell; nothing but the grid where the share is undefined.

    Args:
        value: the share.
        interval: about it; None without a bootstrap.
        index: of the system, for its colour and shape.
    """
    parts = [line((_AXIS(at), 0), (_AXIS(at), _HEIGHT), "grid") for at in (0, 0.25, 0.5, 0.75, 1)]
    if interval:
        left, right = _AXIS(interval.low), _AXIS(interval.high)
        name = f"whisker {kind(index)}"
        parts.append(line((left, _MIDDLE), (right, _MIDDLE), name))
        parts += (line((x, _MIDDLE - 3), (x, _MIDDLE + 3), name) for x in (left, right))
    if value is not None:
        # Some figures can leave [0, 1] by a little; the dot must not leave the picture.
        parts.append(marker(index, (_AXIS(min(1, max(0, value))), _MIDDLE), 3.5))
    return _picture("".join(parts), _HEIGHT)


def scale() -> str:
    """Return the axis of the strips, for the head of their column."""
    labels = [
        label(f"{at:g}", _AXIS(at), 11, "tick", "middle") for at in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    return _picture("".join(labels), 14)


def _picture(content: str, height: int) -> str:
    # The numbers stand beside it, so it says nothing to a screen reader.
    return element(
        "svg",
        content,
        kind="strip",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=str(_WIDTH),
        height=str(height),
        aria_hidden="true",
    )
