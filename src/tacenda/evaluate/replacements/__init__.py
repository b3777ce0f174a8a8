"""Measuring what is written instead, on gold in the format of WikiReplace.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section 4.

    gold        the spans, the options people saw and the ones they chose
    coverage    share of spans with an option, and with the option that people chose (Table 2)
"""

from __future__ import annotations

from .coverage import Coverage, TypeCoverage, measure_coverage
from .gold import ReplacedSpan, load_replacements, parse_replacements

__all__ = [
    "Coverage",
    "ReplacedSpan",
    "TypeCoverage",
    "load_replacements",
    "measure_coverage",
    "parse_replacements",
]
