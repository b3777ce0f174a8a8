"""Where annotations of one document differ, place by place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...document import Span
from .annotation import Annotated
from .service import Opened


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of text that somebody marked, with what each annotator marked there.

    Attributes:
        span: from the first to the last character that any of them marked.
        marked: of each annotator, in order of the annotations.
        differ: in what they differ: ``span``, ``type``, ``identifier``, ``status``, ``entity``,
            ``replacement``; empty where all agree.
    """

    span: Span
    marked: tuple[tuple[Annotated, ...], ...]
    differ: tuple[str, ...]


def places(opened: Sequence[Opened]) -> list[Place]:
    """Return all places, in order: runs of mentions, of any annotators, that overlap."""
    mentions = [
        (mention, number)
        for number, item in enumerate(opened)
        for mention in item.annotation.mentions
    ]
    mentions.sort(key=lambda pair: (pair[0].span, pair[1]))
    runs: list[list[tuple[Annotated, int]]] = []
    end = -1
    for mention, number in mentions:
        if mention.span.start >= end:
            runs.append([])
        runs[-1].append((mention, number))
        end = max(end, mention.span.end)
    together = [_companions(item) for item in opened]
    return [_place(run, len(opened), together) for run in runs]


_Companions = dict[Span, frozenset[Span]]


def _companions(item: Opened) -> _Companions:
    """Return for each mention the spans of its entity."""
    return {
        mention.span: frozenset(other.span for other in mentions)
        for mentions in item.annotation.entities().values()
        for mention in mentions
    }


def _place(
    run: Sequence[tuple[Annotated, int]], annotators: int, together: Sequence[_Companions]
) -> Place:
    marked = tuple(
        tuple(mention for mention, number in run if number == annotator)
        for annotator in range(annotators)
    )
    span = Span(run[0][0].span.start, max(mention.span.end for mention, _ in run))
    return Place(span, marked, tuple(_differ(marked, together)))


def _differ(marked: Sequence[tuple[Annotated, ...]], together: Sequence[_Companions]) -> list[str]:
    spans = [tuple(mention.span for mention in mentions) for mentions in marked]
    if len(set(spans)) > 1:
        return ["span"]
    kinds: dict[str, Callable[[Annotated], object]] = {
        "type": lambda mention: mention.type,
        "identifier": lambda mention: mention.identifier,
        "status": lambda mention: mention.status,
        "replacement": lambda mention: mention.choice,
    }
    differ = [
        name
        for name, value in kinds.items()
        if len({tuple(map(value, mentions)) for mentions in marked}) > 1
    ]
    # Entities differ if, of the spans that all have marked, other ones belong to this one.
    common = frozenset.intersection(*(frozenset(known) for known in together))
    groups = {
        tuple(known[span] & common for span in own)
        for known, own in zip(together, spans, strict=True)
    }
    return [*differ, "entity"] if len(groups) > 1 else differ
