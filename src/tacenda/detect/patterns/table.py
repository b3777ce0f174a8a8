"""The table of pattern detectors: what each finds, with its type and prior.

The table is ``data/detectors.toml``. The order of its rows decides between equal hits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from ...document import SemanticType
from ...shipped import shipped_table
from .base import Finder, Hit

_ROWS: dict[str, dict[str, Any]] = shipped_table("detectors")


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of a kind: its semantic type and probabilities.

    Attributes:
        type: the semantic type.
        p_mask: masking probability of its mentions, in [0, 1].
        p_direct: probability that they are direct identifiers, in [0, 1]; at most ``p_mask``.
        contextual: whether the context decides, as judged by the recognizer.
    """

    type: SemanticType
    p_mask: float
    p_direct: float
    contextual: bool = False


PRIORS = {
    row.get("kind", name): Prior(
        SemanticType(row["type"]), row["mask"], row["direct"], row.get("contextual", False)
    )
    for name, row in _ROWS.items()
    if "type" in row
}
"""Semantic type and masking probability by kind of hit."""


def families(regions: Sequence[str], off: Collection[str] = ()) -> tuple[Finder, ...]:
    """Return all finders, the one with the strongest evidence first.

    Args:
        regions: ISO 3166 codes of the regions whose national telephone numbers count.
        off: row names and kinds to ignore.
    """
    paths: dict[str, set[str]] = {}
    for name, row in _ROWS.items():
        if "finder" in row and name not in off:
            paths.setdefault(row["finder"], set()).add(row.get("kind", name))
    # National numbers have rows of their own, some with another kind.
    arguments = {"phones.PhoneFinder": regions, "national_ids.NationalIdFinder": off}
    finders: list[Finder] = []
    for path, kinds in paths.items():
        module, name = path.split(".")
        find = getattr(import_module(f".{module}", __package__), name)
        if path in arguments:
            find = find(arguments[path])
        if not off:
            finders.append(find)
        elif not kinds <= set(off):
            finders.append(partial(_without, find, frozenset(off)))
    return tuple(finders)


def _without(find: Finder, off: frozenset[str], text: str) -> Iterator[Hit]:
    hits: Iterable[Hit] = find(text)
    return (hit for hit in hits if hit.kind not in off)
