"""Figures 2 and 4 of Morris et al. (2022), side by side: curves, and masked words by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reidentification_methods import CLASSES
from reidentification_rows import Point, Row, by_class

from tacenda_lab.evaluation.plots import FONT_SIZE, INK, blank, save

COLOURS = {"search": "#b4552d", "IDF": "#2f6f8f", "IDF, profile first": "#d9a441"}


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
    for number, (method, shares) in enumerate(by_class(curves, found, guide)):
        heights = [place + 0.2 - 0.4 * number for place in range(len(CLASSES))]
        colour = COLOURS["IDF" if method.startswith("IDF") else "search"]
        right.barh(heights, shares, height=0.36, color=colour, label=method)
    right.set_yticks(range(len(CLASSES)), CLASSES)
    right.invert_yaxis()
    right.set_xlabel("% of the words of a class that are masked", fontsize=FONT_SIZE, color=INK)
    right.legend(fontsize=6, frameon=False, labelcolor=INK, loc="lower right")
    save(figure, path)
