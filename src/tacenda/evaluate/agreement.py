"""Agreement of annotators, and where they disagree (TAB, sections 5.2 and 5.4 and appendix A).

The figures of Table 5, of Figure 6 and of Table 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from itertools import combinations
from typing import Any, Final

from ..document import ConfidentialStatus
from ..errors import InputError
from .coefficients import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    observed_agreement,
    relation_pairs,
)
from .gold import GoldDocument, GoldMention

# Items of agreement. *Exact* spans are the same item if start and end are equal, *partial* ones if
# the start is. At the level of characters each code point is an item. Only documents with several
# annotators count.
#
# The benchmark paper does not say how a span that one annotator left unmarked enters observed
# agreement and κ. Its figures tell: for the entity type and the identifier type it is a
# disagreement (a label of its own), for confidential status of spans it reads as "not
# confidential". For α it is missing.


Labels = tuple[str | None, ...]
Layers = dict[str, GoldMention]
"""The mention of each annotator at one place."""

UNMARKED: Final = "UNMARKED"


@dataclass(frozen=True, slots=True)
class AnnotationLayer:
    """A type of annotation.

    Attributes:
        name: as in Table 5.
        label: its label of a mention.
        unmarked: label of a span that an annotator did not mark, for κ.
    """

    name: str
    label: Callable[[GoldMention], str]
    unmarked: str = UNMARKED


LAYERS: Final = (
    AnnotationLayer("entity type", lambda mention: mention.type),
    AnnotationLayer("identifier type", lambda mention: mention.identifier.value),
    AnnotationLayer(
        "confidential status",
        lambda mention: mention.status.value,
        unmarked=ConfidentialStatus.NOT_CONFIDENTIAL.value,
    ),
)


def marked_spans(document: GoldDocument, *, partial: bool = False) -> list[Layers]:
    """Return what each annotator marked at each span that any of them marked.

    Args:
        document: one with several annotators.
        partial: whether spans with the same start are the same. Of several with one start an
            annotator's longest is taken.
    """
    places: dict[tuple[int, int], Layers] = {}
    for annotator, mentions in mentions_by_annotator(document).items():
        for mention in sorted(mentions, key=lambda mention: mention.span):
            end = 0 if partial else mention.span.end
            places.setdefault((mention.span.start, end), {})[annotator] = mention
    return list(places.values())


def runs_of_characters(document: GoldDocument) -> Iterator[tuple[int, Layers]]:
    """Yield (number of code points, what each annotator marked there), over the whole text.

    Where an annotator's mentions overlap, the one that starts last counts.
    """
    by_annotator = mentions_by_annotator(document)
    waiting = {
        name: sorted(mentions, key=lambda mention: mention.span, reverse=True)
        for name, mentions in by_annotator.items()
    }
    # A heap of open mentions, the one that starts last on top; what has ended is dropped once
    # it is on top, so that nested mentions cost no more than their number times its logarithm.
    heaps: dict[str, list[tuple[int, int, int, GoldMention]]] = {name: [] for name in waiting}
    edges = {offset for group in by_annotator.values() for m in group for offset in _edges(m)}
    positions = sorted({0} | edges)
    for start, end in zip(positions, [*positions[1:], len(document.text)], strict=True):
        place: Layers = {}
        for name, heap in heaps.items():
            queue = waiting[name]
            while queue and queue[-1].span.start == start:
                mention = queue.pop()
                heappush(heap, (-start, -mention.span.end, len(queue), mention))
            while heap and -heap[0][1] <= start:
                heappop(heap)
            if heap:
                place[name] = heap[0][3]
        if end > start:
            yield end - start, place


def _edges(mention: GoldMention) -> tuple[int, int]:
    return mention.span.start, mention.span.end


def span_items(
    documents: Sequence[GoldDocument], layer: AnnotationLayer, *, partial: bool = False
) -> Counter[Labels]:
    """Return the items of a layer at the level of spans, unmarked ones as None."""
    items: Counter[Labels] = Counter()
    for document in documents:
        for place in marked_spans(document, partial=partial):
            items[_labels(document, place, layer)] += 1
    return items


def character_items(documents: Sequence[GoldDocument], layer: AnnotationLayer) -> Counter[Labels]:
    """Return the items of a layer at the level of code points, unmarked ones as None."""
    items: Counter[Labels] = Counter()
    for document in documents:
        for length, place in runs_of_characters(document):
            items[_labels(document, place, layer)] += length
    return items


def with_unmarked(items: Counter[Labels], label: str) -> Counter[Labels]:
    """Return the items with a label in place of None."""
    replaced: Counter[Labels] = Counter()
    for labels, n in items.items():
        replaced[tuple(label if value is None else value for value in labels)] += n
    return replaced


def mentions_by_annotator(document: GoldDocument) -> dict[str, list[GoldMention]]:
    """Return the mentions of each annotator, also of one who marked nothing."""
    mentions: dict[str, list[GoldMention]] = {name: [] for name in document.annotators}
    for entity in document.entities:
        mentions[entity.annotator] += entity.mentions
    return mentions


def _labels(document: GoldDocument, place: Layers, layer: AnnotationLayer) -> Labels:
    mentions = [place.get(name) for name in document.annotators]
    return tuple(None if mention is None else layer.label(mention) for mention in mentions)


# Disagreements: Figure 6 and Table 10. Both look at spans that two annotators marked exactly alike.
# A disagreement about a span is counted once, however many pairs of annotators have it.


Pair = tuple[str, str]


def type_disagreements(documents: Sequence[GoldDocument]) -> Counter[Pair]:
    """Count spans by the two semantic types that they got, in alphabetical order."""
    counts: Counter[Pair] = Counter()
    for document in documents:
        for place in marked_spans(document):
            types = sorted({mention.type for mention in place.values()})
            counts.update(combinations(types, 2))
    return counts


def masking_disagreements(documents: Sequence[GoldDocument]) -> dict[str, Counter[Pair]]:
    """Count spans by semantic type and the two identifier types that they got.

    Only annotators who agree on the semantic type of a span are compared. The pair is in the
    order DIRECT, QUASI, NO_MASK; types are in alphabetical order.
    """
    counts: dict[str, Counter[Pair]] = {}
    for document in documents:
        for place in marked_spans(document):
            identifiers: dict[str, set[str]] = {}
            for mention in place.values():
                identifiers.setdefault(mention.type, set()).add(mention.identifier.value)
            for type_, labels in identifiers.items():
                pairs = combinations(sorted(labels, key=_ORDER.index), 2)
                counts.setdefault(type_, Counter()).update(pairs)
    return dict(sorted(counts.items()))


_ORDER = ("DIRECT", "QUASI", "NO_MASK")
MASKING_PAIRS: tuple[Pair, ...] = tuple(combinations(_ORDER, 2))
"""The columns of Table 10."""


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
                type_: {f"{first} vs {second}": n for (first, second), n in pairs.items()}
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
