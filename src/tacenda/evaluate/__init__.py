"""Measuring text sanitization as the Text Anonymization Benchmark does.

from tacenda.evaluate import evaluate, load_gold, load_masks

report = evaluate(load_gold("dev.json"), load_masks("masks.json"), bootstrap=1000)
report.scores["entity_recall_direct"]
"""

from .agreement import Agreement, measure_agreement
from .comparison import Comparison, compare
from .composition import Composition, describe
from .evaluation import Report, evaluate
from .gold import (
    GoldDocument,
    GoldEntity,
    GoldMention,
    load_gold,
    load_masks,
    parse_gold,
    parse_masks,
)
from .matching import IgnoredTokenLists

__all__ = [
    "Agreement",
    "Comparison",
    "Composition",
    "GoldDocument",
    "GoldEntity",
    "GoldMention",
    "IgnoredTokenLists",
    "Report",
    "compare",
    "describe",
    "evaluate",
    "load_gold",
    "load_masks",
    "measure_agreement",
    "parse_gold",
    "parse_masks",
]
