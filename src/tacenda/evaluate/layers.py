"""The layers of an annotation that annotators agree on or not, as items (TAB, section 5.2).

*Exact* spans are the same item if start and end are equal, *partial* ones if the start is. At
the level of characters each code point is an item. Only documents with several annotators
count.

The benchmark paper does not say how a span that one annotator left unmarked enters observed
agreement and κ. Its figures tell: for the entity type and the identifier type it is a
disagreement (a label of its own), for confidential status of spans it reads as "not
confidential". For α it is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from ..document import ConfidentialStatus
from .gold import GoldDocument, GoldMention

Labels = tuple[str | None, ...]
Layers = dict[str, GoldMention]
"""The mention of each annotator at one place."""

UNMARKED: Final = "UNMARKED"


@dataclass(frozen=True, slots=True)
class Layer:
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
    Layer("entity type", lambda mention: mention.type),
    Layer("identifier type", lambda mention: mention.identifier.value),
    Layer(
        "confidential status",
        lambda mention: mention.status.value,
        unmarked=ConfidentialStatus.NOT_CONFIDENTIAL.value,
    ),
)


def spans_marked(document: GoldDocument, *, partial: bool = False) -> list[Layers]:
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
    opened: dict[str, list[tuple[int, int, int, GoldMention]]] = {name: [] for name in waiting}
    edges = {offset for group in by_annotator.values() for m in group for offset in _edges(m)}
    positions = sorted({0} | edges)
    for start, end in zip(positions, [*positions[1:], len(document.text)], strict=True):
        place: Layers = {}
        for name, heap in opened.items():
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
    documents: Sequence[GoldDocument], layer: Layer, *, partial: bool = False
) -> Counter[Labels]:
    """Return the items of a layer at the level of spans, unmarked ones as None."""
    items: Counter[Labels] = Counter()
    for document in documents:
        for place in spans_marked(document, partial=partial):
            items[_labels(document, place, layer)] += 1
    return items


def character_items(documents: Sequence[GoldDocument], layer: Layer) -> Counter[Labels]:
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
        replaced[tuple(label if given is None else given for given in labels)] += n
    return replaced


def mentions_by_annotator(document: GoldDocument) -> dict[str, list[GoldMention]]:
    """Return the mentions of each annotator, also of one who marked nothing."""
    mentions: dict[str, list[GoldMention]] = {name: [] for name in document.annotators}
    for entity in document.entities:
        mentions[entity.annotator] += entity.mentions
    return mentions


def _labels(document: GoldDocument, place: Layers, layer: Layer) -> Labels:
    given = [place.get(name) for name in document.annotators]
    return tuple(None if mention is None else layer.label(mention) for mention in given)
