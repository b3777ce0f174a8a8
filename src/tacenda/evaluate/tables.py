"""Plain tables of numbers for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table


def count_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Table:
    """Return a table: the first column names, the others are numbers.

    Args:
        title: above the table.
        header: name of each column.
        rows: cells; integers get thousands separators.
    """
    table = Table(title=title, title_justify="left")
    for idx, name in enumerate(header):
        table.add_column(name, justify="right" if idx else "left", overflow="fold")
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else cell for cell in row))
    return table


def share(n: int, total: int) -> str:
    """Return ``n`` with its percentage of ``total``."""
    return f"{n:,} ({n / total:.1%})" if total else f"{n:,}"


def coefficient(value: float | None) -> str:
    """Return a coefficient with three digits; a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}"
