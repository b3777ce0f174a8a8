"""What became of documents, added up: points of a curve, and the settings that reach a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reidentification_methods import CLASSES

LEVELS = (0.25, 0.05, 0.01)
"""Of re-identification, below which Table 2 looks for the setting that masks least."""
_K = 8.0
"""Of the search that Figure 4 looks at."""


@dataclass(frozen=True, slots=True)
class Row:
    """A masked document: ranks by attacker, share of words masked, loss, (masked, all) by class."""

    ranks: Mapping[str, int]
    masked: float
    loss: float
    classes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A method at a setting, over all documents."""

    setting: float
    found: float
    masked: float
    loss: float


def pareto(found: Mapping[tuple[str, float], Sequence[Row]], guide: str) -> dict[str, list[Point]]:
    """Return points by method, judged by all attackers but the one that guides the search."""
    curves: dict[str, list[Point]] = {}
    for (method, setting), rows in found.items():
        if method.startswith("search") and method != f"search, {guide}":
            continue
        hits = sum(_judged(row, guide) for row in rows)
        n = len(rows)
        point = Point(
            setting, hits / n, sum(r.masked for r in rows) / n, sum(r.loss for r in rows) / n
        )
        curves.setdefault(method, []).append(point)
    return curves


def _judged(row: Row, guide: str) -> bool:
    return any(rank == 1 for name, rank in row.ranks.items() if name != guide)


def by_level(curves: Mapping[str, Sequence[Point]]) -> list[tuple[str, ...]]:
    """Return Table 2: fixed methods, then for each level what masks least below it."""
    rows = [("method", "setting", "ensemble ReID", "% masked", "info. loss %")]
    rows += [_cells(name, curves[name][0]) for name in curves if len(curves[name]) == 1]
    for level in LEVELS:
        rows.append((f"**< {level:.0%}**", "", "", "", ""))
        for name, points in curves.items():
            below = [point for point in points if point.found < level]
            if len(points) > 1 and below:
                rows.append(_cells(name, min(below, key=lambda point: point.masked)))
            elif len(points) > 1:
                rows.append((name, "none", "", "", ""))
    return rows


def _cells(name: str, point: Point) -> tuple[str, ...]:
    figures = (point.found, point.masked, point.loss)
    setting = f"{point.setting:g}" if point.setting else ""
    return (name, setting, *(f"{100 * figure:.1f}" for figure in figures))


def by_class(
    curves: Mapping[str, Sequence[Point]],
    found: Mapping[tuple[str, float], Sequence[Row]],
    guide: str,
) -> list[tuple[str, list[float]]]:
    """Return Figure 4: % of the words of each class that the search and IDF mask, at one level.

    IDF is at the threshold that masks about as much as the search does.
    """
    search = f"search, {guide}"
    goal = next(point.masked for point in curves[search] if point.setting == _K)
    level = min(curves["IDF"], key=lambda point: abs(point.masked - goal)).setting
    named = {f"{search}, K = {_K}": (search, _K), f"IDF > {level:g}": ("IDF", level)}
    return [
        (name, [_share(found[method], place) for place in range(len(CLASSES))])
        for name, method in named.items()
    ]


def _share(rows: Sequence[Row], place: int) -> float:
    masked = sum(row.classes[place][0] for row in rows)
    return 100 * masked / max(sum(row.classes[place][1] for row in rows), 1)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows as Markdown; the first has the headings."""
    head, *rest = rows
    for row in (head, ["---"] * len(head), *rest):
        print(f"| {' | '.join(row)} |")
