"""001: Papadopoulou et al. (2022), *Neural Text Sanitization with Explicit Measures of Privacy Risk*, Tables 2 and 3, Figures 2 and 3.

Indicators are those of a policy, asked about the entities of the shipped recognizer. Direct identifiers are
masked under every measure of risk, as the paper's optimiser must.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tacenda.annotations.tab import load_documents
from tacenda.document import Assessment, Document, IdentifierType, SemanticType, Span
from tacenda.link.linking import link
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.risk.assess import assess, load_indicators

from ..evaluation.typed_tokens import Tally, Typed, measure
from .risk_figures import TYPES, silver_types, threshold_curve
from .tables import Cell, Experiment, ReproducedTable
from .workbench import Workbench

TITLE: Final = "Neural Text Sanitization with Explicit Measures of Privacy Risk"

# Table 2: semantic types, token by token.

_RECOGNIZERS: Final = {
    "generic NER": ".98 .79 .88 .62 .91 .74 .97 .64 .77 .90 .99 .94 .34 .92 .50 .39 .75 .51 .77 .42 .54 .03 .26 .05",
    "generic NER + gazetteer": ".97 .93 .95 .78 .95 .86 .98 .95 .96 .93 .94 .94 .72 .90 .80 .95 .72 .81 .28 .73 .40 "
    ".10 .36 .15",
    "privacy-enhanced recognizer": ".98 .97 .97 .76 .96 .87 .98 .98 .98 .92 .99 .95 .53 .89 .66 .42 .84 .56 .27 .76 "
    ".40 .10 .32 .15",
}


def by_type(workbench: Workbench) -> ReproducedTable:
    """Return precision, recall and F1 of the shipped recognizer by semantic type."""
    from tacenda.detect.neural import NeuralDetector
    from tacenda.models.networks import RecognizerModel
    from tacenda.models.session import cores

    detector = NeuralDetector(RecognizerModel.load(), threads=cores())
    ours: dict[str, Sequence[Cell]] = {}
    for split in workbench.judged():
        gold = workbench.gold(split)
        found = detector.detect([Document(each.id, each.text) for each in gold])
        typed: list[list[Typed]] = [
            [(each.span.start, each.span.end, each.type.value) for each in mentions]
            for mentions in found
        ]
        ours[f"recognizer as shipped, {split}"] = _figures(measure(gold, typed))
    paper = {name: tuple(map(float, line.split())) for name, line in _RECOGNIZERS.items()}
    columns = tuple(f"{type} {figure}" for type in TYPES for figure in ("P", "R", "F1"))
    return ReproducedTable(
        columns,
        ours,
        paper,
        (
            "The shipped recognizer has learned from masking decisions too; `tacenda train zero-shot` makes the "
            "paper's.",
        ),
    )


def _figures(tally: Tally) -> tuple[float, ...]:
    return tuple(figure for type in TYPES for figure in tally.figures(type))


# Table 3: who decides what is masked.

_SPECIFIC: Final = {SemanticType(t) for t in ("CODE", "PERSON", "DATETIME", "LOC", "QUANTITY")}
_COLUMNS: Final = {
    "P": "token_precision",
    "WP": "weighted_token_precision",
    "R_all": "entity_recall",
    "R_direct": "entity_recall_direct",
    "R_quasi": "entity_recall_quasi",
}
_STRATEGIES: Final = {
    "mask all": (0.52, 0.57, 0.98, 0.99, 0.97, 0.68),
    "mask most specific": (0.76, 0.77, 0.84, 0.98, 0.87, 0.83),
    "BERT-based risk": (0.54, 0.58, 0.95, 0.99, 0.89, 0.69),
    "web query risk": (0.64, 0.68, 0.84, 0.91, 0.78, 0.73),
    "supervised risk": (0.79, 0.81, 0.89, 0.99, 0.89, 0.84),
    "supervised + web query risk": (0.64, 0.69, 0.94, 0.99, 0.93, 0.76),
    "all three": (0.54, 0.58, 0.97, 0.99, 0.95, 0.69),
}
_NAMES: Final = {
    "BERT-based risk": "language_threshold",
    "supervised risk": "span",
    "web query risk": "search_emulated",
}
"""Measures of risk by the indicator that stands for them here."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A document's entities, and for each measure what it calls risky."""

    document: Document
    assessments: tuple[Assessment, ...]
    risky: Mapping[str, Sequence[bool]]


Rule = Callable[[_Judged], Sequence[bool]]


def _strategies(workbench: Workbench) -> ReproducedTable:
    rules: dict[str, Rule] = {
        "mask all": lambda judged: [True] * len(judged.assessments),
        "mask most specific": lambda judged: [
            each.entity.type in _SPECIFIC for each in judged.assessments
        ],
        "BERT-based risk": _any_of("BERT-based risk"),
        "web query risk": _any_of("web query risk"),
        "supervised risk": _any_of("supervised risk"),
        "supervised + web query risk": _any_of("supervised risk", "web query risk"),
        "all three": _any_of(*_NAMES),
    }
    ours: dict[str, Sequence[Cell]] = {}
    split = workbench.judged()[-1]
    judged = _judge(workbench, split)
    for name, rule in rules.items():
        masks = {each.document.id: _masks(each, rule(each)) for each in judged}
        scores = workbench.report(masks, split).scores
        p, r = scores["token_precision"] or 0.0, scores["entity_recall"] or 0.0
        figures = [scores.get(metric) for metric in _COLUMNS.values()]
        ours[name] = (*figures, 2 * p * r / (p + r) if p + r else 0.0)
    return ReproducedTable(
        (*_COLUMNS, "F1"),
        ours,
        _STRATEGIES,
        (
            f"Split: {split}. The paper's rows are of its fine-tuned half, test split.",
            "BERT-based risk: the indicator language_threshold. Web query risk: search_emulated, a network that "
            "tells what a search would find. Supervised risk: the span classifier.",
            *workbench.notes(),
        ),
    )


def _judge(workbench: Workbench, split: str) -> list[_Judged]:
    indicators = dict(zip(_NAMES, load_indicators(list(_NAMES.values())), strict=True))
    sanitizer = load()
    targets = _applicants(workbench, split)
    judged = []
    for gold in workbench.gold(split):
        document = Document(gold.id, gold.text, target=targets.get(gold.id, ()))
        entities = link(document, sanitizer.analyze(document).mentions)
        risky = {
            name: [
                found is not None and found.identifier is not IdentifierType.NO_MASK
                for found in indicator.judge(document, entities)
            ]
            for name, indicator in indicators.items()
        }
        judged.append(_Judged(document, assess(document, entities, Policy()), risky))
    return judged


def _applicants(workbench: Workbench, split: str) -> dict[str, tuple[str, ...]]:
    """The person to protect of each judgment that names one."""
    found: dict[str, tuple[str, ...]] = {}
    for document in load_documents(workbench.path(split)):
        meta: Any = document.properties.get("meta") or {}
        if applicant := meta.get("applicant"):
            found[document.id] = (applicant, f"{applicant.split()[-1]} v.")
    return found


def _any_of(*names: str) -> Rule:
    def rule(judged: _Judged) -> list[bool]:
        return [
            each.identifier is IdentifierType.DIRECT
            or any(judged.risky[name][place] for name in names)
            for place, each in enumerate(judged.assessments)
        ]

    return rule


def _masks(judged: _Judged, masked: Sequence[bool]) -> list[Span]:
    return sorted(
        mention.span
        for each, is_masked in zip(judged.assessments, masked, strict=True)
        if is_masked
        for mention in each.entity.mentions
    )


EXPERIMENTS: Final = (
    Experiment("Figure 2", "semantic types of the silver corpus", silver_types),
    Experiment("Table 2", "recognition by semantic type", by_type),
    Experiment("Table 3", "who decides what is masked", _strategies),
    Experiment(
        "Figure 3", "precision and recall by threshold of the language model", threshold_curve
    ),
)
