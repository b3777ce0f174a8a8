"""Annotations as TAB standoff JSON (TAB, section 4.3) and as WikiReplace JSON.

TAB: a list of ``{doc_id, dataset_type, text, task, quality_checked, annotations}``, with
``entity_mentions`` for each annotator; ``tacenda evaluate stats``, ``agreement`` and ``masks`` read
it. ``quality_checked`` names the annotators whose current annotation a peer has reviewed.

WikiReplace: the same with one annotation, by the author of the marks; each span to be masked has
``replacement: {generalizations, generalization_selection}``, and the document has ``generalized_text``,
with the most frequent choice for each such span.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...annotations.corpus import AnnotatedDocument, AnnotatedMention, Annotation
from ...annotations.tab import document_record
from ...document import IdentifierType
from ...policy import Policy
from .annotation import SUPPRESSED, DocumentAnnotation, MarkedMention, SpanMark, SpanMarks
from .events import replay
from .rendering import written
from .service import AnnotationProject, AnnotationView
from .sources import with_options
from .store import AnnotationSource, Flow

_KEYS = (
    "doc_id",
    "dataset_type",
    "text",
    "task",
    "meta",
    "quality_checked",
    "annotations",
    "generalized_text",
)


def tab(
    flow: Flow, views: Sequence[AnnotationView], numbers: Mapping[str, int]
) -> AnnotatedDocument:
    """Return a document with submitted annotations in TAB's format.

    Args:
        flow: the flow; in *replacement* there is one annotation, the initial marks.
        views: the document's submitted annotations, at least one.
        numbers: a number for each annotator, used in ids.
    """
    source = views[0].source
    checks: list[str] = []
    if flow is Flow.REPLACEMENT:
        by, annotation = _marked(source)
        annotations = [Annotation(by, _mentions(source, annotation, 1))]
    else:
        annotations = [
            Annotation(view.annotator, _mentions(source, view.annotation, numbers[view.annotator]))
            for view in views
        ]
        checks = [view.annotator for view in views if _protected(view.annotation)]
    return _document(source, annotations, quality_checked=checks)


def wikireplace(
    source: AnnotationSource, annotations: Mapping[str, DocumentAnnotation]
) -> AnnotatedDocument:
    """Return a document with the annotators' choices in WikiReplace's format.

    Args:
        source: the document; its marks have options.
        annotations: submitted annotations by annotator.
    """
    by, annotation = _marked(source)
    selections = _selections(source, annotations)
    replacements = {
        mark.span: _replacement(mark, selection) for mark, selection in selections.items()
    }
    mentions = tuple(
        _replaced(mention, replacements.get(mention.extent))
        for mention in _mentions(source, annotation, 1)
    )
    options = {
        mark.span: _most_chosen(selection) for mark, selection in selections.items() if selection
    }
    text = written(source.text, options)
    return _document(source, [Annotation(by, mentions)], generalized_text=text)


def _replaced(mention: AnnotatedMention, replacement: dict[str, Any] | None) -> AnnotatedMention:
    properties = {} if replacement is None else {"replacement": replacement}
    return replace(mention, status=None, properties={**mention.properties, **properties})


def _document(
    source: AnnotationSource, annotations: Sequence[Annotation], **properties: Any
) -> AnnotatedDocument:
    task = {}
    if source.target:
        names = ", ".join(source.target)
        task["task"] = f"Task: Annotate the document to anonymise the following person: {names}"
    return AnnotatedDocument(
        source.name,
        source.text,
        tuple(annotations),
        {
            "dataset_type": source.split,
            **task,
            "meta": {"applicant": source.target[0]} if source.target else {},
            **properties,
        },
    )


def _mentions(
    source: AnnotationSource, annotation: DocumentAnnotation, number: int
) -> tuple[AnnotatedMention, ...]:
    prefix = f"{source.name}_a{number}"
    ids = {
        mention.span: f"{prefix}_em{place}" for place, mention in enumerate(annotation.mentions, 1)
    }
    related = _related(source.text, annotation)
    entities = {entity: place for place, entity in enumerate(annotation.entities(), 1)}
    mentions = []
    for mention in annotation.mentions:
        properties: dict[str, Any] = {"edit_type": mention.edit}
        if relatives := related.get(mention):
            properties["related_mentions"] = [ids[relative.span] for relative in relatives]
        mentions.append(
            AnnotatedMention(
                (mention.span,),
                str(mention.type),
                mention.identifier or IdentifierType.NO_MASK,
                mention.status,
                f"{prefix}_e{entities[mention.entity]}",
                ids[mention.span],
                properties=properties,
            )
        )
    return tuple(mentions)


def _related(text: str, annotation: DocumentAnnotation) -> dict[MarkedMention, list[MarkedMention]]:
    """Return the first mentions of an entity's other strings, by its first mention."""
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
    """Return the annotators' names by option, for each mark with options."""
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
    """Return the submitted annotations of a document visible to ``viewer``, in the order the annotators joined."""
    order = project.annotators.index
    views = [view for view in project.shown(document, viewer) if view.annotation.submitted]
    return sorted(views, key=lambda view: order(view.annotator))


def _record(document: AnnotatedDocument) -> dict[str, Any]:
    """Return a document as standoff JSON, with its keys in the order these files have always had."""
    record = document_record(document)
    return {key: record[key] for key in _KEYS if key in record}


def as_tab(project: AnnotationProject, viewer: str) -> list[dict[str, Any]]:
    """Return all documents with submitted annotations as TAB standoff JSON."""
    return [_record(document) for document in tab_documents(project, viewer)]


def as_adjudicated(
    project: AnnotationProject, views: Sequence[AnnotationView]
) -> list[dict[str, Any]]:
    """Return adjudicated annotations, one per document, as TAB JSON or, in the *replacement* flow, WikiReplace JSON."""
    if project.flow is Flow.TAB:
        documents = [tab(project.flow, [view], {view.annotator: 1}) for view in views]
    else:
        documents = [wikireplace(view.source, {view.annotator: view.annotation}) for view in views]
    return [_record(document) for document in documents]


def tab_documents(project: AnnotationProject, viewer: str) -> list[AnnotatedDocument]:
    """Return all documents with the submitted annotations visible to ``viewer``."""
    numbers = {name: number for number, name in enumerate(project.annotators, start=1)}
    return [
        tab(project.flow, views, numbers)
        for document in project.documents()
        if (views := submitted(project, document, viewer))
    ]


def as_wikireplace(project: AnnotationProject, viewer: str, by: str = "") -> list[dict[str, Any]]:
    """Return all documents with submitted annotations as WikiReplace JSON.

    Args:
        project: the project.
        viewer: the person asking.
        by: in the *tab* flow, the annotator whose spans are taken, since the format has one
            annotation per document; empty for the first visible one. Options are computed, but none
            is chosen.
    """
    return [_record(document) for document in wikireplace_documents(project, viewer, by)]


def wikireplace_documents(
    project: AnnotationProject, viewer: str, by: str = ""
) -> list[AnnotatedDocument]:
    """Return all documents with the choices in the submitted annotations; see ``as_wikireplace``."""
    documents = []
    for number in project.documents():
        views = submitted(project, number, viewer)
        if project.flow is Flow.TAB:
            views = [view for view in views if by in ("", view.annotator)][:1]
            documents += [wikireplace(_as_source(view), {}) for view in views]
        elif views:
            annotations = {view.annotator: view.annotation for view in views}
            documents.append(wikireplace(views[0].source, annotations))
    return documents


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
