"""How far annotators choose the same: Cohen's κ of each two, and their mean, Light's κ (Figure 2).

The labels are the options themselves, compared without case and brackets. Light, "Measures of
Response Agreement for Qualitative Data" (1971); Conger, "Integration and Generalization of Kappas
for Multiple Raters" (1980).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .coefficients import cohen_kappa
from .replacement_gold import ReplacedSpan

Pair = tuple[str, str]
"""Two annotators, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Agreement of annotators on what is written.

    Attributes:
        annotators: those who share a span with another one, in alphabetical order.
        spans: spans that several of them chose for.
        shared: spans of each pair; pairs that share none are left out.
        kappa: Cohen's κ of each pair; None where it is undefined.
        light_kappa: mean of those that are defined; None without any.
    """

    annotators: tuple[str, ...]
    spans: int
    shared: Mapping[Pair, int]
    kappa: Mapping[Pair, float | None]
    light_kappa: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the part ``annotators`` of ``tacenda evaluate-replacements --json``."""
        return {
            "spans": self.spans,
            "light_kappa": self.light_kappa,
            "pairs": [
                {"annotators": list(pair), "spans": self.shared[pair], "cohen_kappa": kappa}
                for pair, kappa in self.kappa.items()
            ],
        }


def measure_annotators(spans: Sequence[ReplacedSpan]) -> AnnotatorAgreement:
    """Compute the agreement of each two annotators over the spans that both chose for."""
    pairs: dict[Pair, Counter[tuple[str, str]]] = {}
    several = 0
    for span in spans:
        chosen = sorted(span.choices().items())
        several += len(chosen) > 1
        for (one, first), (other, second) in combinations(chosen, 2):
            pairs.setdefault((one, other), Counter())[first, second] += 1
    kappa = {pair: cohen_kappa(counts) for pair, counts in sorted(pairs.items())}
    return AnnotatorAgreement(
        annotators=tuple(sorted({name for pair in pairs for name in pair})),
        spans=several,
        shared={pair: counts.total() for pair, counts in sorted(pairs.items())},
        kappa=kappa,
        light_kappa=light_kappa(kappa.values()),
    )


def light_kappa(kappas: Iterable[float | None]) -> float | None:
    """Return Light's κ: the mean of the κ of each pair, of those that are defined; None of none."""
    defined = [kappa for kappa in kappas if kappa is not None]
    return sum(defined) / len(defined) if defined else None
