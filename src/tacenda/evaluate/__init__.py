"""Measures of text sanitization by the Text Anonymization Benchmark (TAB, sections 6 and 7).

    report = evaluate(load_gold("dev.json"), load_masks("masks.json"), bootstrap=1000)
    report.scores["entity_recall_direct"]

Masks are, by document id, spans ``[start, end)`` of code points. Scores are shares in [0, 1], None
if their denominator is 0. Further: comparison of systems on the same documents (``compare``),
agreement of annotators (``measure_agreement``), and composition of a corpus (``describe``).
"""

from ..annotations.tab import parse_masks
from .agreement import Agreement, AgreementRow, measure_agreement
from .composition import Composition, SplitRow, TypeRow, describe
from .errors import ErrorKind, ErrorReport, MaskingError
from .evaluation import (
    Comparison,
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

__all__ = [
    "Agreement",
    "AgreementRow",
    "Comparison",
    "Composition",
    "DocumentStatistics",
    "ErrorKind",
    "ErrorReport",
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
    "Report",
    "SplitRow",
    "Tally",
    "TypeRow",
    "UniformWeights",
    "compare",
    "describe",
    "evaluate",
    "load_gold",
    "load_masks",
    "measure_agreement",
    "parse_gold",
    "parse_masks",
    "weighting",
]
