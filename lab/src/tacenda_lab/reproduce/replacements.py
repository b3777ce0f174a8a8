"""replacement: Olstad et al. (2023), *Generation of Replacement Options in Text Sanitization*, its tables and figures, compared with our options."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tacenda.document import Document, Entity, Option, SemanticType
from tacenda.evaluate.replacement_gold import (
    ReplacedSpan,
    load_replacements,
    measure_annotators,
    normal,
)
from tacenda.rewrite.generalize.options import rules
from tacenda.rewrite.ontology import open_ontology

from ..evaluation.replacements import measure_coverage
from .tables import Cell, Experiment, ReproducedTable, left_out, published_rows
from .workbench import Workbench

TITLE: Final = "Generation of Replacement Options in Text Sanitization"

_LEVELS: Final = published_rows("replacement", "Table 2")
_COLUMNS: Final = ("level 1", "level 2", "level > 2", "***")


def _spans(workbench: Workbench) -> tuple[ReplacedSpan, ...]:
    return load_replacements(workbench.path("replacements"))


def _levels(workbench: Workbench) -> ReproducedTable:
    """Return Table 2: the level that people chose among the file's options."""
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
        published_rows("replacement", "Figure 2"),
        figure=kappa_map(found),
    )


def _selected(workbench: Workbench) -> ReproducedTable:
    """Return section 4.2: how many selections are ``***``, and how many are the least general option."""
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
        published_rows("replacement", "Section 4.2"),
        (
            "The published counts of Table 2 give .265 for ***, and .116 for MISC; the text of the section says "
            ".36 and .20.",
        ),
    )


# Section 3.2: steps of the ontology.


_STEPS: Final = {
    "Oslo": (SemanticType.LOC, "capital city"),
    "capital city": (SemanticType.LOC, "city"),
    "genre": (SemanticType.MISC, "creative work"),
    "door": (SemanticType.MISC, "house"),
    "drummer": (
        SemanticType.DEM,
        "percussionist → instrumentalist → musician → artist → creator → person",
    ),
    "mother": (SemanticType.DEM, "parent → first-degree relative → kin → person"),
}
"""The paper's examples, by term, with the type it has here: Table 1 up to *door*, the rest of section 3.2.2."""


def _steps(workbench: Workbench) -> ReproducedTable:
    """Return the ontology's options for the paper's examples."""
    knowledge = open_ontology(workbench.means.ontology)
    rows = {
        term: (" → ".join(each.text for each in knowledge.lookup(term, type)) or "unknown",)
        for term, (type, _) in _STEPS.items()
    }
    return ReproducedTable(
        ("more general, step by step",),
        rows,
        {term: (steps,) for term, (_, steps) in _STEPS.items()},
        (
            "Ours are of the shipped ontology, or of --ontology: `tacenda lab build ontology` makes one by the paper's rules, "
            "and `tacenda models lookup` shows any term.",
        ),
    )


# Section 4.1: what was annotated, and our own options for it.


def _annotated(workbench: Workbench) -> ReproducedTable:
    """Return the number of documents, annotators and spans in the file."""
    spans = _spans(workbench)
    documents: dict[str, set[str]] = {}
    for span in spans:
        documents.setdefault(span.document.id, set()).update(span.choices())
    n = len({each for annotators in documents.values() for each in annotators})
    by_each = sum(map(len, documents.values())) / n if n else None
    several = sum(len(annotators) > 1 for annotators in documents.values())
    return ReproducedTable(
        (
            "documents",
            "marked spans",
            "annotators",
            "documents an annotator",
            "of several annotators",
        ),
        {"all": (len(documents), len(spans), n, by_each, several)},
        published_rows("replacement", "Section 4.1"),
    )


def _our_options(workbench: Workbench) -> ReproducedTable:
    """Return how often our rules and ontology offer what people chose among the file's options."""
    of_type = rules(open_ontology(workbench.means.ontology))

    def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
        return of_type[entity.type].options(document, entity)

    found = measure_coverage(_spans(workbench), offer)
    return ReproducedTable(
        ("spans", "with an option but ***", "choices but ***", "of them offered"),
        {
            name: (
                each.spans,
                each.with_option / each.spans if each.spans else None,
                each.decided,
                each.chosen_offered / each.decided if each.decided else None,
            )
            for name, each in [*found.by_type.items(), ("all", found.total)]
        },
        notes=(
            "Ours alone: people chose among the paper's options, so that only equal wording counts. `tacenda evaluate replacements` has more.",
        ),
    )


EXPERIMENTS: Final = (
    left_out(
        "Figure 1", "where replacement options come from", "a drawing; ARCHITECTURE.md has ours"
    ),
    Experiment("Table 1, section 3.2.2", "steps of the ontology", _steps),
    Experiment("Section 4.1", "what was annotated", _annotated),
    Experiment("Table 2", "levels of generalisation that people chose", _levels),
    Experiment("Beside Table 2", "our options for the same spans", _our_options),
    Experiment("Section 4.2", "shares of the selections", _selected),
    Experiment("Figure 2", "agreement of pairs of annotators", _pairs),
    left_out(
        "Appendix A",
        "guidelines and pictures of the annotation tool",
        "the authors' text and tool; in `tacenda annotate --flow replacement` options are chosen as chips",
    ),
)
