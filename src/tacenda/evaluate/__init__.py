"""Measures of text sanitization by the Text Anonymization Benchmark (TAB, sections 6 and 7).

    settings = EvaluationSettings(bootstrap=1000)
    report = evaluate(load_gold("dev.json"), load_masks("masks.json"), settings)
    report.scores["entity_recall_direct"]

Masks are spans ``[start, end)`` of code points by document id. Scores are shares in [0, 1], or None
if their denominator is 0. The package also compares systems on the same documents (``compare``),
measures the agreement of annotators (``measure_agreement``), describes the composition of a corpus
(``describe``), and measures what a reader can still do with sanitized texts (``measure_utility``),
which needs no annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..annotations.tab import parse_masks
from .agreement import Agreement, AgreementRow, measure_agreement
from .composition import Composition, SplitRow, TypeRow, describe
from .errors import ErrorKind, ErrorReport, MaskingError
from .evaluation import (
    Comparison,
    EvaluationSettings,
    ExtraFigures,
    ExtraMeasure,
    PairedTest,
    Report,
    compare,
    evaluate,
)
from .gold import GoldDocument, GoldEntity, GoldMention, load_gold, parse_gold
from .matching import IgnoredTokenLists
from .metrics import DocumentStatistics, Interval, Tally
from .systems import load_masks
from .weights import InformationContent, UniformWeights, weighting

if TYPE_CHECKING:
    from .releases import Release, Rewriting, read_pairs, read_releases
    from .utility import Estimate, Utility, measure_utility

# These import networks and document readers, which a help page must not load.
_MODULE_OF: Final = {
    "Estimate": "utility",
    "Release": "releases",
    "Rewriting": "releases",
    "Utility": "utility",
    "measure_utility": "utility",
    "read_pairs": "releases",
    "read_releases": "releases",
}

__all__ = [
    "Agreement",
    "AgreementRow",
    "Comparison",
    "Composition",
    "DocumentStatistics",
    "ErrorKind",
    "ErrorReport",
    "Estimate",
    "EvaluationSettings",
    "ExtraFigures",
    "ExtraMeasure",
    "GoldDocument",
    "GoldEntity",
    "GoldMention",
    "IgnoredTokenLists",
    "InformationContent",
    "Interval",
    "MaskingError",
    "PairedTest",
    "Release",
    "Report",
    "Rewriting",
    "SplitRow",
    "Tally",
    "TypeRow",
    "UniformWeights",
    "Utility",
    "compare",
    "describe",
    "evaluate",
    "load_gold",
    "load_masks",
    "measure_agreement",
    "measure_utility",
    "parse_gold",
    "parse_masks",
    "read_pairs",
    "read_releases",
    "weighting",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tacenda.evaluate' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
