"""Measuring text sanitization as the Text Anonymization Benchmark does.

Gold and masks in, a report of figures out:

    from tacenda.evaluate import evaluate, load_gold, load_masks

    report = evaluate(load_gold("dev.json"), load_masks("masks.json"), bootstrap=1000)
    report.scores["entity_recall_direct"]
"""

from ..annotations.tab import parse_masks
from .agreement import Agreement, measure_agreement
from .comparison import Comparison, compare
from .composition import Composition, describe
from .evaluation import Report, evaluate
from .gold import (
    GoldDocument,
    GoldEntity,
    GoldMention,
    load_gold,
    parse_gold,
)
from .matching import IgnoredTokenLists
from .systems import load_masks

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
