"""004: Papadopoulou et al. (2023), *Neural Text Sanitization with Privacy Risk Indicators*, sections 4 and 6.

Entities are those of each annotator, so that detection plays no part; an entity is to be masked if any of its
mentions is DIRECT or QUASI. An indicator answers for each entity, or says nothing, which counts as *keep*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tacenda.document import Document, IdentifierType
from tacenda.evaluate.gold import GoldDocument
from tacenda.risk.assess import load_indicators

from .gold_entities import views
from .risk_measures import by_type
from .tables import Cell, Experiment, ReproducedTable
from .workbench import Workbench

TITLE: Final = "Neural Text Sanitization with Privacy Risk Indicators"

_INDICATORS: Final = {
    "LLM probabilities (5.1)": "language",
    "LLM probabilities, threshold (5.1)": "language_threshold",
    "span classification (5.2)": "span",
    "perturbations (5.3)": "perturbation",
    "web search (5.5)": "search_emulated",
}
"""Rows by the name of the indicator in a policy."""

_NOTE: Final = "The paper's own figures for this table are not in the text at hand; compare with its section 6."


class _Counts:
    """Entities called risky and entities to mask."""

    def __init__(self) -> None:
        self.right = self.risky = self.masked = 0

    def add(self, risky: Sequence[bool], masked: Sequence[bool]) -> None:
        self.right += sum(map(bool.__and__, risky, masked))
        self.risky += sum(risky)
        self.masked += sum(masked)

    def figures(self) -> tuple[float | None, float | None, float | None]:
        """Precision, recall and F1; None over nothing."""
        p = self.right / self.risky if self.risky else None
        r = self.right / self.masked if self.masked else None
        return p, r, 2 * p * r / (p + r) if p and r else None


def _alone(workbench: Workbench) -> ReproducedTable:
    rows: dict[str, Sequence[Cell]] = {}
    for corpus in _corpora(workbench):
        for name, counts in _counted(workbench.gold(corpus)).items():
            rows[f"{name}, {corpus}"] = counts.figures()
    return ReproducedTable(("precision", "recall", "F1"), rows, notes=(_NOTE,))


def _counted(gold: Sequence[GoldDocument]) -> Mapping[str, _Counts]:
    indicators = load_indicators(list(_INDICATORS.values()))
    found = {name: _Counts() for name in [*_INDICATORS, "any of them", "at least two"]}
    for document in gold:
        for entities, masked in views(document):
            votes = [0] * len(entities)
            for name, indicator in zip(_INDICATORS, indicators, strict=True):
                judged = indicator.judge(Document(document.id, document.text), entities)
                risky = [
                    each is not None and each.identifier is not IdentifierType.NO_MASK
                    for each in judged
                ]
                found[name].add(risky, masked)
                votes = [n + one for n, one in zip(votes, risky, strict=True)]
            found["any of them"].add([n > 0 for n in votes], masked)
            found["at least two"].add([n > 1 for n in votes], masked)
    return found


def _corpora(workbench: Workbench) -> tuple[str, ...]:
    return (*workbench.judged()[-1:], *(("biographies",) if workbench.has("biographies") else ()))


EXPERIMENTS: Final = (
    Experiment("Section 4.3", "the privacy-oriented recognizer, by semantic type", by_type),
    Experiment("Section 6.2", "each indicator alone, and together", _alone),
)
