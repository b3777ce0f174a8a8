"""Comparison of several annotations: their differences, and their agreement.

Agreement in the *tab* flow: Table 5, Figure 6 and Table 10 of TAB. In the *replacement* flow:
Cohen's κ of each pair of annotators and Light's κ (Olstad et al., Figure 2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from ...document import Span
from ...evaluate.agreement import Agreement, measure_agreement
from ...evaluate.gold import gold_document
from ...evaluate.replacement_gold import AnnotatorAgreement, measure_annotators, replaced_spans
from .annotation import MarkedMention
from .export import tab_documents, wikireplace_documents
from .service import AnnotationProject, AnnotationView
from .store import Flow

_SHADES: Final = 5
"""Classes ``heat-0`` to ``heat-5`` of the style sheet, which knows light and dark."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Text and heat, in [0, 1], of a cell."""

    text: str = field(repr=False)
    heat: float

    @property
    def shade(self) -> int:
        """Number of its class, for its color."""
        return max(1, round(self.heat * _SHADES))


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A triangle with a row for each name but the first and a column for each but the last.

    Attributes:
        title: what the cells are.
        names: in order.
        cells: cells by pair of names, the earlier name first.
        empty: label for a pair without a value.
    """

    title: str
    names: Sequence[str]
    cells: Mapping[tuple[str, str], HeatCell]
    empty: str


@dataclass(frozen=True, slots=True)
class ComparedPlace:
    """A marked stretch of text, with the mentions of each annotator.

    Attributes:
        span: from the first to the last marked character.
        marked: the mentions of each annotator, in order of the annotations.
        differ: the properties in which they differ: ``span``, ``type``, ``identifier``, ``status``,
            ``entity``, ``replacement``; empty if all agree.
    """

    span: Span
    marked: tuple[tuple[MarkedMention, ...], ...]
    differ: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """Digest of all marks here, to detect changes since a ruling."""
        content = [
            [(m.span.start, m.span.end, m.type, m.identifier, m.status, m.choice) for m in mentions]
            for mentions in self.marked
        ]
        return sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def places(views: Sequence[AnnotationView]) -> list[ComparedPlace]:
    """Return all places in order: runs of overlapping mentions by any annotators."""
    mentions = [
        (mention, number)
        for number, view in enumerate(views)
        for mention in view.annotation.mentions
    ]
    mentions.sort(key=lambda pair: (pair[0].span, pair[1]))
    runs: list[list[tuple[MarkedMention, int]]] = []
    end = -1
    for mention, number in mentions:
        if mention.span.start >= end:
            runs.append([])
        runs[-1].append((mention, number))
        end = max(end, mention.span.end)
    companions = [_companions(view) for view in views]
    return [_place(run, len(views), companions) for run in runs]


_Companions = dict[Span, frozenset[Span]]


def _companions(item: AnnotationView) -> _Companions:
    """Return the spans of each mention's entity, by the mention's span."""
    return {
        mention.span: frozenset(companion.span for companion in mentions)
        for mentions in item.annotation.entities().values()
        for mention in mentions
    }


def _place(
    run: Sequence[tuple[MarkedMention, int]], annotators: int, companions: Sequence[_Companions]
) -> ComparedPlace:
    marked = tuple(
        tuple(mention for mention, number in run if number == annotator)
        for annotator in range(annotators)
    )
    span = Span(run[0][0].span.start, max(mention.span.end for mention, _ in run))
    return ComparedPlace(span, marked, tuple(_differ(marked, companions)))


def _differ(
    marked: Sequence[tuple[MarkedMention, ...]], companions: Sequence[_Companions]
) -> list[str]:
    spans = [tuple(mention.span for mention in mentions) for mentions in marked]
    if len(set(spans)) > 1:
        return ["span"]
    kinds: dict[str, Callable[[MarkedMention], object]] = {
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
    # Entities differ if they have different members among the spans that everyone marked.
    common = frozenset.intersection(*(frozenset(entities) for entities in companions))
    groups = {
        tuple(entities[span] & common for span in group)
        for entities, group in zip(companions, spans, strict=True)
    }
    return [*differ, "entity"] if len(groups) > 1 else differ


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Values of the agreement page.

    Attributes:
        documents: number of documents with several visible annotations.
        found: agreement in the *tab* flow.
        chosen: agreement in the *replacement* flow.
        heat_map: the disagreement by pair of types, or the agreement by pair of annotators; None if there is none.
    """

    documents: int
    found: Agreement | None = None
    chosen: AnnotatorAgreement | None = None
    heat_map: HeatMap | None = None

    @property
    def disputed(self) -> dict[str, Mapping[tuple[str, str], int]]:
        """Disputed pairs of identifier types, by entity type."""
        counts = {} if self.found is None else self.found.masking_disagreements
        return {type: pairs for type, pairs in counts.items() if any(pairs.values())}


def agreement_view(project: AnnotationProject, viewer: str) -> AgreementView:
    """Return the agreement of the annotations visible to ``viewer``."""
    if project.flow is Flow.REPLACEMENT:
        return _of_replacements(project, viewer)
    documents = tab_documents(project, viewer)
    shared = [gold_document(item) for item in documents if len(item.annotations) > 1]
    if not shared:
        return AgreementView(0)
    agreement = measure_agreement(shared)
    return AgreementView(len(shared), found=agreement, heat_map=_types(agreement))


def _of_replacements(project: AnnotationProject, viewer: str) -> AgreementView:
    spans = replaced_spans(wikireplace_documents(project, viewer))
    agreement = measure_annotators(spans)
    documents = len({span.document.id for span in spans}) if agreement.spans else 0
    return AgreementView(documents, chosen=agreement, heat_map=_kappa(agreement))


def _types(agreement: Agreement) -> HeatMap | None:
    counts = agreement.type_disagreements
    if not counts:
        return None
    hottest = max(counts.values())
    cells = {pair: HeatCell(str(n), n / hottest) for pair, n in counts.items()}
    names = sorted({name for pair in counts for name in pair})
    return HeatMap("Spans that were given two entity types, by pair of types", names, cells, "0")


def _kappa(agreement: AnnotatorAgreement) -> HeatMap | None:
    if not agreement.kappa:
        return None
    cells = {
        pair: HeatCell("–" if kappa is None else f"{kappa:.2f}", max(kappa or 0.0, 0.0))
        for pair, kappa in agreement.kappa.items()
    }
    return HeatMap("Cohen's κ of each two annotators", agreement.annotators, cells, "–")
