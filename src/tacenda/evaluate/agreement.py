"""How far annotators agree: Table 5 of the benchmark paper and what belongs to it.

Sections 5.2 and 5.4 and appendix A of TAB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..errors import InputError
from .coefficients import cohen_kappa, fleiss_kappa, krippendorff_alpha, observed_agreement
from .disagreement import Pair, masking_disagreements, type_disagreements
from .gold import GoldDocument
from .layers import LAYERS, UNMARKED, Labels, character_items, span_items, with_unmarked
from .relations import relation_pairs


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A line of Table 5; a coefficient is None where it is undefined.

    Attributes:
        layer: type of annotation.
        unit: ``span`` or ``character``.
        match: ``exact`` or ``partial``.
        items: number of items that the coefficients are over.
        observed: average observed agreement.
        fleiss_kappa: corrected for chance.
        krippendorff_alpha: of those who marked the item.
    """

    layer: str
    unit: str
    match: str
    items: int
    observed: float | None
    fleiss_kappa: float | None
    krippendorff_alpha: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the annotators of a corpus agree.

    Attributes:
        documents: number of documents with several annotators; only those count.
        rows: Table 5.
        relations_kappa: Cohen's κ on which mentions are one entity.
        relations_kappa_different_strings: the same without pairs of equal strings.
        type_disagreements: Figure 6, spans by the pair of semantic types.
        masking_disagreements: Table 10, spans by semantic type and pair of identifier types.
    """

    documents: int
    rows: tuple[AgreementRow, ...]
    relations_kappa: float | None
    relations_kappa_different_strings: float | None
    type_disagreements: Mapping[Pair, int]
    masking_disagreements: Mapping[str, Mapping[Pair, int]]

    def as_json(self) -> dict[str, Any]:
        """Return what ``tacenda agreement --json`` prints; a stable form."""
        return {
            "documents": self.documents,
            "agreement": [asdict(row) for row in self.rows],
            "relations_cohen_kappa": self.relations_kappa,
            "relations_cohen_kappa_different_strings": self.relations_kappa_different_strings,
            "type_disagreements": [
                {"types": list(pair), "spans": n} for pair, n in self.type_disagreements.items()
            ],
            "masking_disagreements": {
                type_: {f"{one} vs {other}": n for (one, other), n in pairs.items()}
                for type_, pairs in self.masking_disagreements.items()
            },
        }


def measure_agreement(documents: Sequence[GoldDocument]) -> Agreement:
    """Compute all coefficients of agreement of a corpus.

    Raises:
        InputError: no document has several annotators.
    """
    shared = [document for document in documents if len(document.annotators) > 1]
    if not shared:
        raise InputError(
            f"none of the {len(documents)} documents has several annotators, so there is nothing "
            "to agree on",
            "gold",
        )
    rows = []
    for layer in LAYERS:
        for partial in (False, True):
            items = span_items(shared, layer, partial=partial)
            match = "partial" if partial else "exact"
            rows.append(_row(layer.name, "span", match, items, layer.unmarked))
        items = character_items(shared, layer)
        rows.append(_row(layer.name, "character", "exact", items, UNMARKED))
    return Agreement(
        documents=len(shared),
        rows=tuple(rows),
        relations_kappa=cohen_kappa(relation_pairs(shared)),
        relations_kappa_different_strings=cohen_kappa(
            relation_pairs(shared, different_strings=True)
        ),
        type_disagreements=dict(type_disagreements(shared).most_common()),
        masking_disagreements=masking_disagreements(shared),
    )


def _row(layer: str, unit: str, match: str, items: Counter[Labels], unmarked: str) -> AgreementRow:
    complete = with_unmarked(items, unmarked)
    return AgreementRow(
        layer=layer,
        unit=unit,
        match=match,
        items=items.total(),
        observed=observed_agreement(complete),
        fleiss_kappa=fleiss_kappa(complete),
        krippendorff_alpha=krippendorff_alpha(items),
    )
