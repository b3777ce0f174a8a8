"""003: Olstad et al. (2023), *Generation of Replacement Options in Text Sanitization*, Table 2 and Figure 2."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tacenda.evaluate.replacement_gold import (
    ReplacedSpan,
    load_replacements,
    measure_annotators,
    normal,
)

from .tables import Cell, Experiment, ReproducedTable
from .workbench import Workbench

TITLE: Final = "Generation of Replacement Options in Text Sanitization"

_LEVELS: Final = {
    "DATETIME": (1025, 1032, 360, 764),
    "DEM": (265, 202, 242, 318),
    "LOC": (356, 419, 263, 524),
    "MISC": (272, 622, 481, 964),
    "ORG": (652, 773, 430, 1066),
    "PERSON": (2478, 85, 0, 18),
    "QUANTITY": (381, 5, 0, 5),
    "all": (5429, 3138, 1776, 3726),
}
_COLUMNS: Final = ("level 1", "level 2", "level > 2", "***")


def _spans(workbench: Workbench) -> tuple[ReplacedSpan, ...]:
    return load_replacements(workbench.path("replacements"))


def _levels(workbench: Workbench) -> ReproducedTable:
    """Table 2: the level that people chose among the options of the file."""
    counts: dict[str, Counter[str]] = {}
    for span in _spans(workbench):
        levels = {normal(option): level for level, option in enumerate(span.shown, 1)}
        for option, annotators in span.chosen.items():
            level = levels.get(normal(option))
            column = (
                "***" if normal(option) == "***" or level is None else _COLUMNS[min(level, 3) - 1]
            )
            for key in (span.entity.type.value, "all"):
                counts.setdefault(key, Counter())[column] += len(annotators)
    rows: dict[str, tuple[Cell, ...]] = {
        type: tuple(counts[type][column] for column in _COLUMNS)
        for type in [*sorted(counts.keys() - {"all"}), "all"]
        if type in counts
    }
    note = "Levels are places in the file's list of options, heuristics before the ontology's."
    return ReproducedTable(_COLUMNS, rows, _LEVELS, (note,))


def _pairs(workbench: Workbench) -> ReproducedTable:
    from ..evaluation.plots import kappa_map

    found = measure_annotators(_spans(workbench))
    kappas = [kappa for kappa in found.kappa.values() if kappa is not None]
    return ReproducedTable(
        ("Light's κ", "lowest of a pair", "highest of a pair", "spans with several annotators"),
        {
            "all": (
                found.light_kappa,
                min(kappas, default=None),
                max(kappas, default=None),
                found.spans,
            )
        },
        {"all": (0.61, 0.46, 0.85, None)},
        figure=kappa_map(found),
    )


def _selected(workbench: Workbench) -> ReproducedTable:
    """Section 4.2: how many selections are ``***``; PERSON and QUANTITY at their least general option."""
    rows = _levels(workbench).ours

    def share(type: str, column: int) -> float | None:
        counts = [int(n or 0) for n in rows.get(type, ())]
        return counts[column] / sum(counts) if sum(counts) else None

    return ReproducedTable(
        ("share of the selections",),
        {
            "***": (share("all", 3),),
            "QUANTITY, least general": (share("QUANTITY", 0),),
            "PERSON, least general": (share("PERSON", 0),),
            "MISC, least general": (share("MISC", 0),),
        },
        {
            "***": (0.36,),
            "QUANTITY, least general": (0.98,),
            "PERSON, least general": (0.96,),
            "MISC, least general": (0.20,),
        },
        (
            "The published counts of Table 2 give .265 for ***, and .116 for MISC; the text of the section says "
            ".36 and .20.",
        ),
    )


EXPERIMENTS: Final = (
    Experiment("Table 2", "levels of generalisation that people chose", _levels),
    Experiment("Section 4.2", "shares of the selections", _selected),
    Experiment("Figure 2", "agreement of pairs of annotators", _pairs),
)
