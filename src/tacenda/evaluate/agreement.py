"""Coefficients of agreement between annotators (TAB, section 5.2).

An *item* is something that several annotators labelled; it is represented by the tuple of their
labels, in any order. Items are passed as counts, since only the labels matter: a thousand
characters labelled alike are one entry of weight 1,000.

    observed agreement    share of agreeing pairs of annotators, averaged over items
    Fleiss' κ             the same, corrected for chance by the overall share of each label
    Krippendorff's α      1 − observed/expected disagreement, where missing labels don't count
    Cohen's κ             for two annotators, corrected by the shares of each of them

Sources: Fleiss (1971), generalized as usual to items with different numbers of annotators;
Krippendorff, Content Analysis (2004), chapter 11, nominal data; Cohen (1960).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from itertools import combinations
from typing import Any, Final, TypeVar

from ..document import ConfidentialStatus
from ..errors import InputError
from .gold import GoldDocument, GoldMention

Label = str | None
"""A label; None stands for one that is missing."""

Items = Mapping[tuple[Label, ...], int]
"""Number of items with these labels."""

T = TypeVar("T")


def observed_agreement(items: Items) -> float | None:
    """Return the share of agreeing pairs of labels, averaged over items with two or more.

    Missing labels must have been replaced by a label of their own. Returns None if there is no such
    item.
    """
    agreement = weight = 0.0
    for labels, n in items.items():
        if len(labels) > 1:
            agreement += n * _agreeing_pairs(labels) / (len(labels) * (len(labels) - 1))
            weight += n
    return agreement / weight if weight else None


def fleiss_kappa(items: Items) -> float | None:
    """Return Fleiss' κ, or None if nothing was labelled twice or only one label occurs.

    Missing labels must have been replaced by a label of their own.
    """
    observed = observed_agreement(items)
    shares: Counter[Label] = Counter()
    for labels, n in items.items():
        if len(labels) > 1:
            for label in labels:
                shares[label] += n
    return _corrected(observed, _chance(shares))


def krippendorff_alpha(items: Items) -> float | None:
    """Return Krippendorff's α for nominal data; None labels are missing and don't count.

    Returns None if no item has two labels or only one label occurs.
    """
    observed = 0.0
    marginals: Counter[Label] = Counter()
    for labels, n in items.items():
        present = tuple(label for label in labels if label is not None)
        size = len(present)
        if size > 1:
            observed += n * (size * (size - 1) - _agreeing_pairs(present)) / (size - 1)
            for label in present:
                marginals[label] += n
    total = sum(marginals.values())
    expected = total * total - sum(n * n for n in marginals.values())
    if not expected:
        return None
    return 1 - (total - 1) * observed / expected


def cohen_kappa(pairs: Mapping[tuple[T, T], int]) -> float | None:
    """Return Cohen's κ from counts of pairs of labels (first's, second's).

    Returns None if there is no pair, or if both used only one label, the same one.
    """
    total = sum(pairs.values())
    if not total:
        return None
    first: Counter[T] = Counter()
    second: Counter[T] = Counter()
    for (row, column), n in pairs.items():
        first[row] += n
        second[column] += n
    observed = sum(n for (row, column), n in pairs.items() if row == column) / total
    return _corrected(observed, sum(first[label] * second[label] for label in first) / total**2)


def _agreeing_pairs(labels: tuple[Label, ...]) -> int:
    """Return the number of ordered pairs of equal labels."""
    return sum(n * (n - 1) for n in Counter(labels).values())


def _chance(shares: Counter[Label]) -> float:
    total = sum(shares.values())
    return sum((n / total) ** 2 for n in shares.values()) if total else 0.0


def _corrected(observed: float | None, chance: float) -> float | None:
    if observed is None or chance == 1:
        return None
    return (observed - chance) / (1 - chance)


# Agreement on entities (TAB, section 5.4). To each of two annotators, a pair of mentions that both
# marked is either one entity or two; Cohen's κ is computed over all such pairs. Pairs are counted
# from group sizes, in time linear in the number of mentions.


Pairs = Counter[tuple[bool, bool]]
"""Number of pairs of mentions that are one entity for the (first, second) annotator."""


def relation_pairs(documents: Sequence[GoldDocument], *, different_strings: bool = False) -> Pairs:
    """Count pairs of mentions by whether each of two annotators joins them.

    Args:
        documents: only those with several annotators matter; every two annotators are compared.
        different_strings: leave out pairs of equal strings, which the annotation tool joined
            automatically.
    """
    pairs: Pairs = Counter()
    for document in documents:
        entity_of: dict[str, dict[tuple[int, int], str]] = {}
        for entity in document.entities:
            spans = entity_of.setdefault(entity.annotator, {})
            for mention in entity.mentions:
                spans[mention.span.start, mention.span.end] = entity.id
        for first, second in combinations(entity_of.values(), 2):
            common = first.keys() & second.keys()
            triples = [(first[s], second[s], document.text[s[0] : s[1]]) for s in common]
            pairs.update(_count(triples))
            if different_strings:
                by_string: dict[str, list[tuple[str, str, str]]] = {}
                for triple in triples:
                    by_string.setdefault(triple[2], []).append(triple)
                for group in by_string.values():
                    pairs.subtract(_count(group))
    return +pairs


def _count(triples: Sequence[tuple[str, str, str]]) -> Pairs:
    both = _pairs_within((row, column) for row, column, _ in triples)
    first = _pairs_within(row for row, _, _ in triples)
    second = _pairs_within(column for _, column, _ in triples)
    total = len(triples) * (len(triples) - 1) // 2
    return Counter(
        {
            (True, True): both,
            (True, False): first - both,
            (False, True): second - both,
            (False, False): total - first - second + both,
        }
    )


def _pairs_within(groups: Iterable[Hashable]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(groups).values())


# How far annotators agree, and where they disagree (TAB, sections 5.2 and 5.4, appendix A).
#
# These are the figures in Table 5, Figure 6 and Table 10.


# The items. *Exact* spans are the same item if start and end are equal, *partial* spans if the
# starts are equal. At the character level each code point is an item. Only documents with several
# annotators count.
#
# The benchmark paper doesn't say how a span that one annotator left unmarked counts in observed
# agreement and κ. Its figures show it: for the entity type and the identifier type it is a
# disagreement (a label of its own), for the confidential status of spans it counts as "not
# confidential". For α it is missing.


Labels = tuple[str | None, ...]
Layers = dict[str, GoldMention]
"""The mention of each annotator at one place."""

UNMARKED: Final = "UNMARKED"


@dataclass(frozen=True, slots=True)
class AnnotationLayer:
    """One kind of annotation.

    Attributes:
        name: its name in Table 5.
        label: returns a mention's label.
        unmarked: the label for a span that an annotator didn't mark, for κ.
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
    """Return all annotators' mentions at each marked span.

    Args:
        document: a document with several annotators.
        partial: whether spans with the same start count as the same span. If an annotator has
            several with one start, the longest is used.
    """
    places: dict[tuple[int, int], Layers] = {}
    for annotator, mentions in mentions_by_annotator(document).items():
        for mention in sorted(mentions, key=lambda mention: mention.span):
            end = 0 if partial else mention.span.end
            places.setdefault((mention.span.start, end), {})[annotator] = mention
    return list(places.values())


def runs_of_characters(document: GoldDocument) -> Iterator[tuple[int, Layers]]:
    """Yield (number of code points, each annotator's mention there) over the whole text.

    If an annotator's mentions overlap, the one that starts last counts.
    """
    by_annotator = mentions_by_annotator(document)
    waiting = {
        name: sorted(mentions, key=lambda mention: mention.span, reverse=True)
        for name, mentions in by_annotator.items()
    }
    # A heap of open mentions with the one that starts last on top. A mention that has ended is
    # dropped once it is on top, so that n nested mentions take O(n log n).
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
    """Return a layer's items at the span level; unmarked spans are None."""
    items: Counter[Labels] = Counter()
    for document in documents:
        for place in marked_spans(document, partial=partial):
            items[_labels(document, place, layer)] += 1
    return items


def character_items(documents: Sequence[GoldDocument], layer: AnnotationLayer) -> Counter[Labels]:
    """Return a layer's items at the code point level; unmarked code points are None."""
    items: Counter[Labels] = Counter()
    for document in documents:
        for length, place in runs_of_characters(document):
            items[_labels(document, place, layer)] += length
    return items


def with_unmarked(items: Counter[Labels], label: str) -> Counter[Labels]:
    """Return the items with a label instead of None."""
    replaced: Counter[Labels] = Counter()
    for labels, n in items.items():
        replaced[tuple(label if value is None else value for value in labels)] += n
    return replaced


def mentions_by_annotator(document: GoldDocument) -> dict[str, list[GoldMention]]:
    """Return the mentions of each annotator; the list is empty for an annotator without mentions."""
    mentions: dict[str, list[GoldMention]] = {name: [] for name in document.annotators}
    for entity in document.entities:
        mentions[entity.annotator] += entity.mentions
    return mentions


def _labels(document: GoldDocument, place: Layers, layer: AnnotationLayer) -> Labels:
    mentions = [place.get(name) for name in document.annotators]
    return tuple(None if mention is None else layer.label(mention) for mention in mentions)


# Disagreements (Figure 6 and Table 10) concern spans with the same start and end from two
# annotators. A disagreement about a span is counted once, however many pairs of annotators have it.


Pair = tuple[str, str]


def type_disagreements(documents: Sequence[GoldDocument]) -> Counter[Pair]:
    """Count spans by conflicting pair of semantic types, in alphabetical order."""
    counts: Counter[Pair] = Counter()
    for document in documents:
        for place in marked_spans(document):
            types = sorted({mention.type for mention in place.values()})
            counts.update(combinations(types, 2))
    return counts


def masking_disagreements(documents: Sequence[GoldDocument]) -> dict[str, Counter[Pair]]:
    """Count spans by semantic type and conflicting pair of identifier types.

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
    """A row of Table 5; a coefficient is None if it is undefined.

    Attributes:
        layer: the kind of annotation.
        unit: ``span`` or ``character``.
        match: ``exact`` or ``partial``.
        items: number of items.
        observed: average observed agreement.
        fleiss_kappa: agreement corrected for chance.
        krippendorff_alpha: agreement among the annotators who marked the item.
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
        documents: number of documents with several annotators, the only ones that count.
        rows: Table 5.
        relations_kappa: Cohen's κ for the grouping of mentions into entities.
        relations_kappa_different_strings: the same without pairs of equal strings.
        type_disagreements: Figure 6, spans by pair of semantic types.
        masking_disagreements: Table 10, spans by semantic type and pair of identifier types.
    """

    documents: int
    rows: tuple[AgreementRow, ...]
    relations_kappa: float | None
    relations_kappa_different_strings: float | None
    type_disagreements: Mapping[Pair, int]
    masking_disagreements: Mapping[str, Mapping[Pair, int]]

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate agreement --json``; its form is stable."""
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
    """Compute all agreement coefficients for a corpus.

    Raises:
        InputError: if no document has several annotators.
    """
    shared = [document for document in documents if len(document.annotators) > 1]
    if not shared:
        raise InputError(
            f"none of the {len(documents)} documents has several annotators, so agreement can't "
            "be measured",
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
