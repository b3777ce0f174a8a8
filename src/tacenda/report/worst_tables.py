"""The worst documents of each system, with the way to their texts."""

from __future__ import annotations

from collections.abc import Mapping

from ..evaluate.statistics import Tally
from .marks import key
from .markup import UNDEFINED, Cell, figure, number, table, text
from .run import Findings, Run
from .worst import DocumentFigures, worst_documents

WORST = 10
"""How many documents of a system are listed."""


def worst_tables(run: Run) -> str:
    """Return a table a system."""
    places = {d.document.id: number for number, d in enumerate(run.documents)}
    parts = []
    for idx, found in enumerate(run.findings):
        if len(run.findings) > 1:
            parts.append(f"<h3>{key(idx)} {text(found.system.name)}</h3>")
        parts.append(_table(found, places))
    return "".join(parts)


def _table(found: Findings, places: Mapping[str, int]) -> str:
    worst = worst_documents(found.report.statistics, WORST)
    if not worst:
        return "<p>In no document anything was left or masked in vain.</p>"
    head = [
        Cell("document"),
        Cell("direct left", "n"),
        Cell("quasi left", "n"),
        Cell("words left", "n"),
        Cell("R", "n"),
        Cell("words in vain", "n"),
        Cell("P", "n"),
    ]
    return table("", head, (_row(figures, places[figures.document]) for figures in worst))


def _row(figures: DocumentFigures, place: int) -> list[Cell]:
    return [
        Cell(f'<a href="#d{place}">{text(figures.document)}</a>'),
        Cell(_left(figures.direct), "n"),
        Cell(_left(figures.quasi), "n"),
        Cell(_left(figures.recall), "n"),
        Cell(_share(figures.recall), "n"),
        Cell(_left(figures.precision), "n"),
        Cell(_share(figures.precision), "n"),
    ]


def _left(tally: Tally) -> str:
    return f'{number(tally.total - tally.hits)} <span class="quiet">of {number(tally.total)}</span>'


def _share(tally: Tally) -> str:
    return figure(tally.hits / tally.total) if tally.total else UNDEFINED
