"""Similarity as a table for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rich.table import Table

from ..tables import coefficient

if TYPE_CHECKING:
    from .figures import Similarity


def similarity_table(found: Mapping[str, Similarity]) -> Table:
    """Return the figures of systems side by side.

    Args:
        found: by name of the system, at least one.
    """
    table = Table(title="masked documents against their originals", title_justify="left")
    table.add_column("figure")
    for name in found:
        table.add_column(name, justify="right")
    table.add_row("cosine", *(coefficient(each.cosine) for each in found.values()))
    for clustering, title in _CLUSTERINGS.items():
        for name, short in _COEFFICIENTS.items():
            values = ((each.as_json()[clustering] or {}).get(name) for each in found.values())
            table.add_row(f"{title}, {short}", *map(coefficient, values))
    return table


_CLUSTERINGS: Final = {
    "masked": "clusters that survive",
    "restarted": "the originals from another start",
}
_COEFFICIENTS: Final = {"normalized_mutual_information": "NMI", "adjusted_rand_index": "ARI"}
