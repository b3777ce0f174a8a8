"""Annotations as TAB standoff JSON (TAB, section 4.3) and as WikiReplace JSON.

TAB: a list of ``{doc_id, dataset_type, text, task, quality_checked, annotations}``; under each
annotator ``entity_mentions``, which ``tacenda stats``, ``agreement`` and ``evaluate`` read.
``quality_checked`` names the annotators whose annotation another one has reviewed as it is.

WikiReplace: the same with one annotation, that of who marked the spans; a span that needs
masking has ``replacement: {generalizations, generalization_selection}``, and the document
``generalized_text``, in which each such span is the option that most annotators chose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...document import IdentifierType
from ...policy import Policy
from .annotation import SUPPRESSED, DocumentAnnotation, MarkedMention, SpanMark, SpanMarks
from .events import replay
from .rendering import written
from .service import AnnotationProject, AnnotationView
from .sources import with_options
from .store import AnnotationSource, Flow


def tab(flow: Flow, views: Sequence[AnnotationView], numbers: Mapping[str, int]) -> dict[str, Any]:
    """A document with submitted annotations as TAB's standoff JSON.

    Args:
        flow: in the *replacement* flow the annotation is that of who marked the spans.
        views: submitted annotations of one document, at least one.
        numbers: the number of each annotator, for ids.
    """
    source = views[0].source
    if flow is Flow.REPLACEMENT:
        by, annotation = _marked(source)
        annotations = {by: _mentions(source, annotation, 1)}
    else:
        annotations = {
            view.annotator: _mentions(source, view.annotation, numbers[view.annotator])
            for view in views
        }
    checked = [view.annotator for view in views if _protected(view.annotation)]
    return _document(source) | {
        "quality_checked": checked if flow is Flow.TAB else [],
        "annotations": {
            name: {"entity_mentions": mentions} for name, mentions in annotations.items()
        },
    }


def wikireplace(
    source: AnnotationSource, annotations: Mapping[str, DocumentAnnotation]
) -> dict[str, Any]:
    """A document with the choices of annotators as WikiReplace's JSON.

    Args:
        source: the document, whose marks have options.
        annotations: submitted annotations, by annotator.
    """
    by, annotation = _marked(source)
    selections = _selections(source, annotations)
    mentions = _mentions(source, annotation, 1)
    for mention, raw in zip(annotation.mentions, mentions, strict=True):
        del raw["confidential_status"]
        mark = next(mark for mark in source.marks.items if mark.span == mention.span)
        if mark.options:
            raw["replacement"] = _replacement(mark, selections[mark])
    options = {
        mark.span: _most_chosen(selection) for mark, selection in selections.items() if selection
    }
    return _document(source) | {
        "annotations": {by: {"entity_mentions": mentions}},
        "generalized_text": written(source.text, options),
    }


def _document(source: AnnotationSource) -> dict[str, Any]:
    task = {}
    if source.target:
        names = ", ".join(source.target)
        task["task"] = f"Task: Annotate the document to anonymise the following person: {names}"
    return {
        "doc_id": source.name,
        "dataset_type": source.split,
        "text": source.text,
        **task,
        "meta": {"applicant": source.target[0]} if source.target else {},
    }


def _mentions(
    source: AnnotationSource, annotation: DocumentAnnotation, number: int
) -> list[dict[str, Any]]:
    prefix = f"{source.name}_a{number}"
    ids = {
        mention.span: f"{prefix}_em{place}" for place, mention in enumerate(annotation.mentions, 1)
    }
    related = _related(source.text, annotation)
    entities = {entity: place for place, entity in enumerate(annotation.entities(), 1)}
    result = []
    for mention in annotation.mentions:
        item: dict[str, Any] = {
            "entity_type": str(mention.type),
            "entity_mention_id": ids[mention.span],
            "start_offset": mention.span.start,
            "end_offset": mention.span.end,
            "span_text": mention.span.of(source.text),
            "edit_type": mention.edit,
            "identifier_type": str(mention.identifier or IdentifierType.NO_MASK),
            "entity_id": f"{prefix}_e{entities[mention.entity]}",
            "confidential_status": str(mention.status),
        }
        if relatives := related.get(mention):
            item["related_mentions"] = [ids[relative.span] for relative in relatives]
        result.append(item)
    return result


def _related(text: str, annotation: DocumentAnnotation) -> dict[MarkedMention, list[MarkedMention]]:
    """First mentions of the other strings of an entity, by its first mention."""
    related = {}
    for mentions in annotation.entities().values():
        first: dict[str, MarkedMention] = {}
        for mention in mentions:
            first.setdefault(mention.span.of(text), mention)
        head, *relatives = first.values()
        if relatives:
            related[head] = relatives
    return related


def _protected(annotation: DocumentAnnotation) -> bool:
    checks = (annotation.checks or {}).values()
    return any(check.holds and check.value == "protected" for check in checks)


def _marked(source: AnnotationSource) -> tuple[str, DocumentAnnotation]:
    return source.marks.by or "nobody", replay(source.text, source.marks, ())


def _selections(
    source: AnnotationSource, annotations: Mapping[str, DocumentAnnotation]
) -> dict[SpanMark, dict[str, list[str]]]:
    """Names of annotators by option, for each mark with options."""
    selections: dict[SpanMark, dict[str, list[str]]] = {
        mark: {} for mark in source.marks.items if mark.options
    }
    for name, annotation in annotations.items():
        choices = {mention.span: mention.choice for mention in annotation.mentions}
        for mark, selection in selections.items():
            if choice := choices.get(mark.span):
                selection.setdefault(choice, []).append(name)
    return selections


def _replacement(mark: SpanMark, selection: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {
        "generalizations": {
            source: [*(text for text in texts if text != SUPPRESSED), SUPPRESSED]
            for source, texts in mark.options
        },
        "generalization_selection": {text: list(names) for text, names in selection.items()},
    }


def _most_chosen(selection: Mapping[str, Sequence[str]]) -> str:
    votes = Counter({text: len(names) for text, names in selection.items()})
    return votes.most_common(1)[0][0]


def submitted(project: AnnotationProject, document: int, viewer: str) -> list[AnnotationView]:
    """The submitted annotations of a document that ``viewer`` may see, as annotators joined."""
    order = project.annotators.index
    views = [view for view in project.shown(document, viewer) if view.annotation.submitted]
    return sorted(views, key=lambda view: order(view.annotator))


def as_tab(project: AnnotationProject, viewer: str) -> list[dict[str, Any]]:
    """All documents with submitted annotations as TAB's standoff JSON."""
    numbers = {name: number for number, name in enumerate(project.annotators, start=1)}
    return [
        tab(project.flow, views, numbers)
        for document in project.documents()
        if (views := submitted(project, document, viewer))
    ]


def as_wikireplace(project: AnnotationProject, viewer: str, by: str = "") -> list[dict[str, Any]]:
    """All documents with submitted annotations as WikiReplace's JSON.

    Args:
        project: the project.
        viewer: who asks.
        by: in the *tab* flow, whose spans are marked, since the format has one annotation a
            document; empty for the first that may be seen. Options are computed, none is chosen.
    """
    records = []
    for document in project.documents():
        views = submitted(project, document, viewer)
        if project.flow is Flow.TAB:
            views = [view for view in views if by in ("", view.annotator)][:1]
            records += [wikireplace(_as_source(view), {}) for view in views]
        elif views:
            annotations = {view.annotator: view.annotation for view in views}
            records.append(wikireplace(views[0].source, annotations))
    return records


def _as_source(view: AnnotationView) -> AnnotationSource:
    marks = SpanMarks(view.annotator, _marks(view.annotation))
    return with_options(replace(view.source, marks=marks), Policy(operator="generalize"))


def _marks(annotation: DocumentAnnotation) -> tuple[SpanMark, ...]:
    return tuple(
        SpanMark(
            mention.span,
            mention.type,
            mention.identifier,
            mention.status,
            str(mention.entity),
            mention.edit,
        )
        for mention in annotation.mentions
    )
