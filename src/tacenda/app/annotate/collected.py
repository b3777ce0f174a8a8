"""All annotations that a person may have, as one file."""

from __future__ import annotations

from typing import Any

from ...policy import Policy
from .annotation import Annotation
from .export import tab, wikireplace
from .marks import Mark, Marks
from .options import with_options
from .service import Annotating, Opened
from .store import Flow, Source


def submitted(annotating: Annotating, document: int, viewer: str) -> list[Opened]:
    """Return the submitted annotations of a document that ``viewer`` may see, as annotators joined."""
    order = annotating.annotators.index
    shown = [item for item in annotating.shown(document, viewer) if item.annotation.submitted]
    return sorted(shown, key=lambda item: order(item.annotator))


def as_tab(annotating: Annotating, viewer: str) -> list[dict[str, Any]]:
    """Return all documents with submitted annotations as TAB's standoff JSON."""
    numbers = {name: number for number, name in enumerate(annotating.annotators, start=1)}
    return [
        tab(annotating.flow, opened, numbers)
        for id in annotating.store.documents()
        if (opened := submitted(annotating, id, viewer))
    ]


def as_wikireplace(annotating: Annotating, viewer: str, by: str = "") -> list[dict[str, Any]]:
    """Return all documents with submitted annotations as WikiReplace's JSON.

    Args:
        annotating: the project.
        viewer: who asks.
        by: in the *tab* flow, whose spans are marked, since the format has one annotation a
            document; empty for the first that may be seen. Options are computed, none is chosen.
    """
    result = []
    for id in annotating.store.documents():
        opened = submitted(annotating, id, viewer)
        if annotating.flow is Flow.TAB:
            opened = [item for item in opened if by in ("", item.annotator)][:1]
            result += [wikireplace(_as_source(item), {}) for item in opened]
        elif opened:
            chosen = {item.annotator: item.annotation for item in opened}
            result.append(wikireplace(opened[0].source, chosen))
    return result


def _as_source(item: Opened) -> Source:
    source = item.source
    marks = Marks(item.annotator, _marks(item.annotation))
    marked = Source(source.name, source.text, source.split, source.target, marks, source.id)
    return with_options(marked, Policy(operator="generalize"))


def _marks(annotation: Annotation) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            mention.span,
            mention.type,
            mention.identifier,
            mention.status,
            str(mention.entity),
            mention.edit,
        )
        for mention in annotation.mentions
    )
