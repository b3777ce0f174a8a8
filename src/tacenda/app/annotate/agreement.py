"""How far the annotators of a project agree, by the functions of ``tacenda.evaluate``.

The *tab* flow: Table 5, Figure 6 and Table 10 of TAB. The *replacement* flow: Cohen's κ of each
two annotators and Light's κ (Olstad et al., Figure 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ...evaluate.agreement import Agreement, measure_agreement
from ...evaluate.gold import parse_gold
from ...evaluate.replacement_gold import AnnotatorAgreement, measure_annotators, parse_replacements
from .collected import as_tab, as_wikireplace
from .heat_map import Cell, triangle
from .service import Annotating
from .store import Flow


@dataclass(frozen=True, slots=True)
class AgreementView:
    """What the page shows.

    Attributes:
        documents: number of documents with several annotations that may be seen.
        found: of the *tab* flow.
        chosen: of the *replacement* flow.
        picture: SVG; None where there is nothing to draw.
    """

    documents: int
    found: Agreement | None = None
    chosen: AnnotatorAgreement | None = None
    picture: Markup | None = None


def agreement_view(annotating: Annotating, viewer: str) -> AgreementView:
    """Return how far the annotations agree that ``viewer`` may see."""
    if annotating.flow is Flow.REPLACEMENT:
        return _of_replacements(annotating, viewer)
    records = [record for record in as_tab(annotating, viewer) if len(record["annotations"]) > 1]
    if not records:
        return AgreementView(0)
    found = measure_agreement(parse_gold(records))
    return AgreementView(len(records), found=found, picture=_types(found))


def _of_replacements(annotating: Annotating, viewer: str) -> AgreementView:
    records = [record for record in as_wikireplace(annotating, viewer) if _replaced(record)]
    if not records:
        return AgreementView(0)
    chosen = measure_annotators(parse_replacements(records))
    documents = len(records) if chosen.spans else 0
    return AgreementView(documents, chosen=chosen, picture=_kappa(chosen))


def _replaced(record: dict[str, Any]) -> bool:
    """Tell whether any span of the document is replaced."""
    (annotation,) = record["annotations"].values()
    return any("replacement" in mention for mention in annotation["entity_mentions"])


def _types(found: Agreement) -> Markup | None:
    counts = found.type_disagreements
    if not counts:
        return None
    hottest = max(counts.values())
    cells = {pair: Cell(str(n), n / hottest) for pair, n in counts.items()}
    names = sorted({name for pair in counts for name in pair})
    return triangle(names, cells, "0", "Spans that were given two entity types, by pair of types")


def _kappa(chosen: AnnotatorAgreement) -> Markup | None:
    if not chosen.kappa:
        return None
    cells = {
        pair: Cell("–" if kappa is None else f"{kappa:.2f}", max(kappa or 0.0, 0.0))
        for pair, kappa in chosen.kappa.items()
    }
    return triangle(chosen.annotators, cells, "–", "Cohen's kappa of each two annotators")
