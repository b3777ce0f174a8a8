"""Measuring what is written instead, on gold in the format of WikiReplace.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section 4.

    coverage    share of spans with an option, and with the option that people chose (Table 2)
    choices     the option chosen automatically against those that people chose
    checks      options that name their entity, or are not above what it is linked to

Beside this folder: ``replacement_gold``, the spans, the options people saw and the ones they chose;
``replacement_agreement``, Cohen's kappa of each two annotators, and Light's kappa (Figure 2).
"""

from __future__ import annotations

from ..replacement_gold import (
    AnnotatorAgreement,
    ReplacedSpan,
    load_replacements,
    measure_annotators,
    parse_replacements,
)
from .checks import OptionFaults, find_faults
from .choices import ChoiceAgreement, ChoiceCounts, measure_choices
from .coverage import Coverage, TypeCoverage, measure_coverage

__all__ = [
    "AnnotatorAgreement",
    "ChoiceAgreement",
    "ChoiceCounts",
    "Coverage",
    "OptionFaults",
    "ReplacedSpan",
    "TypeCoverage",
    "find_faults",
    "load_replacements",
    "measure_annotators",
    "measure_choices",
    "measure_coverage",
    "parse_replacements",
]
