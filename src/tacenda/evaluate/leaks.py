"""What leaks, by semantic type, beside how frequent the type is (TAB, Figure 5)."""

from __future__ import annotations

from collections import Counter

from .errors import ErrorKind, ErrorReport
from .report import Report
from .statistics import TOKENS, total


def leaks_by_type(errors: ErrorReport | None) -> Counter[str]:
    """Count the false negatives of a system: the errors of every kind but over-masked."""
    leaked: Counter[str] = Counter()
    for (kind, type_), n in errors.counts.items() if errors else ():
        if kind is not ErrorKind.OVER_MASKED:
            leaked[type_] += n
    return leaked


def frequency_by_type(report: Report) -> dict[str, float]:
    """Return the share of each type in the tokens that need masking."""
    tokens = {
        name.removeprefix(TOKENS): tally.total
        for name, tally in total(report.statistics).items()
        if name.startswith(TOKENS)
    }
    all_tokens = sum(tokens.values()) or 1
    return {type_: n / all_tokens for type_, n in tokens.items()}
