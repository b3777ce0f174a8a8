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
from typing import Any

from ...document import IdentifierType
from .annotation import Annotated, Annotation
from .fold import fold
from .marks import SUPPRESSED, Mark
from .masked import written
from .service import Opened
from .store import Flow, Source


def tab(flow: Flow, opened: Sequence[Opened], numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return a document with submitted annotations as TAB's standoff JSON.

    Args:
        flow: in the *replacement* flow the annotation is that of who marked the spans.
        opened: submitted annotations of one document, at least one.
        numbers: the number of each annotator, for ids.
    """
    source = opened[0].source
    if flow is Flow.REPLACEMENT:
        by, annotation = _marked(source)
        annotations = {by: _mentions(source, annotation, 1)}
    else:
        annotations = {
            item.annotator: _mentions(source, item.annotation, numbers[item.annotator])
            for item in opened
        }
    checked = [item.annotator for item in opened if _protected(item.annotation)]
    return _document(source) | {
        "quality_checked": checked if flow is Flow.TAB else [],
        "annotations": {
            name: {"entity_mentions": mentions} for name, mentions in annotations.items()
        },
    }


def wikireplace(source: Source, chosen: Mapping[str, Annotation]) -> dict[str, Any]:
    """Return a document with the choices of annotators as WikiReplace's JSON.

    Args:
        source: the document, whose marks have options.
        chosen: submitted annotations, by annotator.
    """
    by, annotation = _marked(source)
    selections = _selections(source, chosen)
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


def _document(source: Source) -> dict[str, Any]:
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


def _mentions(source: Source, annotation: Annotation, number: int) -> list[dict[str, Any]]:
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
        if others := related.get(mention):
            item["related_mentions"] = [ids[other.span] for other in others]
        result.append(item)
    return result


def _related(text: str, annotation: Annotation) -> dict[Annotated, list[Annotated]]:
    """Return for the first mention of an entity the first ones of its other strings."""
    related = {}
    for mentions in annotation.entities().values():
        first: dict[str, Annotated] = {}
        for mention in mentions:
            first.setdefault(mention.span.of(text), mention)
        head, *others = first.values()
        if others:
            related[head] = others
    return related


def _protected(annotation: Annotation) -> bool:
    checks = (annotation.checks or {}).values()
    return any(check.holds and check.value == "protected" for check in checks)


def _marked(source: Source) -> tuple[str, Annotation]:
    return source.marks.by or "nobody", fold(source.text, source.marks, ())


def _selections(
    source: Source, chosen: Mapping[str, Annotation]
) -> dict[Mark, dict[str, list[str]]]:
    """Return who chose which option, for each mark that has some."""
    selections: dict[Mark, dict[str, list[str]]] = {
        mark: {} for mark in source.marks.items if mark.options
    }
    for name, annotation in chosen.items():
        choices = {mention.span: mention.choice for mention in annotation.mentions}
        for mark, selection in selections.items():
            if choice := choices.get(mark.span):
                selection.setdefault(choice, []).append(name)
    return selections


def _replacement(mark: Mark, selection: Mapping[str, Sequence[str]]) -> dict[str, Any]:
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
