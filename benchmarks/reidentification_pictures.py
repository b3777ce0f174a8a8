"""Figures 2 and 4 of Morris et al. (2022), side by side: curves, and masked words by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reidentification_methods import CLASSES
from reidentification_rows import Point, Row

from tacenda.evaluate.plots.drawing import FONT_SIZE, INK, QUIET, blank
from tacenda.evaluate.plots.saving import save

COLOURS = {"search": "#b4552d", "IDF": "#2f6f8f", "IDF, profile first": "#d9a441"}
_K = 8


def draw(
    curves: Mapping[str, Sequence[Point]],
    found: Mapping[tuple[str, float], Sequence[Row]],
    guide: str,
    path: Path,
) -> None:
    """Draw both figures for the search by one attacker, judged by the others."""
    figure, (left, right) = blank(7.0, 3.0, columns=2)
    for name, points in curves.items():
        places = [(100 * point.masked, 100 * point.found) for point in points]
        colour = COLOURS.get("search" if name.startswith("search") else name, INK)
        if len(points) == 1:
            left.plot(*places[0], "o", color=colour, markersize=4)
            left.annotate(
                name, places[0], (4, 4), textcoords="offset points", fontsize=6, color=INK
            )
        else:
            places.sort()
            left.plot(*zip(*places, strict=True), "-o", color=colour, markersize=2.5, label=name)
    left.set_xlabel("% of words masked", fontsize=FONT_SIZE, color=INK)
    left.set_ylabel("% re-identified", fontsize=FONT_SIZE, color=INK)
    left.grid(color="#e4e7ea", linewidth=0.6)
    left.legend(fontsize=6, frameon=False)
    search = f"search, {guide}"
    goal = next(point.masked for point in curves[search] if point.setting == _K)
    level = min(curves["IDF"], key=lambda point: abs(point.masked - goal))
    bars = {f"{search}, K = {_K}": (search, float(_K)), "IDF": ("IDF", level.setting)}
    for number, (label, method) in enumerate(bars.items()):
        shares = [_share(found[method], place) for place in range(len(CLASSES))]
        heights = [place + 0.2 - 0.4 * number for place in range(len(CLASSES))]
        colour = COLOURS["IDF" if method[0] == "IDF" else "search"]
        right.barh(heights, shares, height=0.36, color=colour, label=label)
    right.set_yticks(range(len(CLASSES)), CLASSES)
    right.invert_yaxis()
    right.set_xlabel("% of the words of a class that are masked", fontsize=FONT_SIZE, color=INK)
    right.legend(fontsize=6, frameon=False, labelcolor=QUIET)
    save(figure, path)


def _share(rows: Sequence[Row], place: int) -> float:
    masked = sum(row.classes[place][0] for row in rows)
    return 100 * masked / max(sum(row.classes[place][1] for row in rows), 1)
