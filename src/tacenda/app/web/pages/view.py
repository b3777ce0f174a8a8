"""What the document page and its updates show, as values for the templates."""

from __future__ import annotations

from typing import Any

from ...export.formats import ONE_DOCUMENT
from ...review.history import redoable, undoable
from ...review.options import options_of
from ...review.redecide import Reviewed
from ...service import Opened, Service
from ...store.documents import StoredDocument
from ..entity_view import EntityView, entity_views
from ..figures import STEPS, figures
from ..markup import changed_rows, row_elements

SHOWN_TOGETHER = 12
"""Combinations of an entity that the panel shows; somebody well known may be in hundreds."""


def common(opened: Opened, person: str, views: list[EntityView]) -> dict[str, Any]:
    """Return what every answer about a document has."""
    kept = [view for view in views if not view.decision.masked]
    masked = [view for view in views if view.decision.masked]
    return {
        "row": opened.row,
        "project": opened.project,
        "figures": figures(opened.reviewed, opened.project.policy),
        "steps": STEPS,
        "undo": undoable(opened.entries, person) is not None,
        "redo": redoable(opened.entries, person) is not None,
        "done": opened.reviewed.state.done,
        "own_format": own_format(opened.row),
        "shown_together": SHOWN_TOGETHER,
        "groups": [("Kept, the most dangerous first", kept), ("Masked", masked)],
    }


def own_format(row: StoredDocument) -> str:
    """Return how the format is called that a document can be saved in as it came; often empty."""
    alone = row.file is not None and row.format in ONE_DOCUMENT
    return (
        {"docx": ".docx", "pdf": "PDF", "html": "HTML", "markdown": "Markdown"}[row.format]
        if alone
        else ""
    )


def whole(opened: Opened, person: str) -> dict[str, Any]:
    """Return what the page shows."""
    views = entity_views(opened.reviewed)
    return (
        common(opened, person, views) | _nothing_chosen() | {"rows": row_elements(opened.reviewed)}
    )


def update(
    opened: Opened,
    service: Service,
    person: str,
    before: Reviewed | None,
    chosen: str,
    notice: str = "",
    warning: bool = False,
) -> dict[str, Any]:
    """Return what changed since ``before``; all rows if that is None.

    Args:
        opened: the document as it stands.
        service: knows the other documents.
        person: whose undo and redo are shown.
        before: what the page shows now.
        chosen: anchor of the entity in the panel *why*; may be empty.
        notice: a sentence for the person.
        warning: whether it is about something that did not happen.
    """
    changed = None if before is None else changed_rows(before, opened.reviewed)
    views = entity_views(opened.reviewed)
    values = common(opened, person, views) | {
        "rows": row_elements(opened.reviewed) if changed is None else None,
        "changed": changed or [],
        "notice": notice,
        "warning": warning,
        "with_why": True,
    }
    return values | why(opened, service, chosen, views)


def why(
    opened: Opened, service: Service, chosen: str, views: list[EntityView] | None = None
) -> dict[str, Any]:
    """Return what the panel shows of the entity at a span, ``start-end``."""
    views = entity_views(opened.reviewed) if views is None else views
    view = entity_at(views, chosen)
    if view is None:
        return _nothing_chosen()
    notes = opened.reviewed.state.notes
    spans = {f"{span.start}-{span.end}": note for span, note in notes.items()}
    return {
        "view": view,
        "row": opened.row,
        "options": options_of(opened.reviewed, opened.project.policy, view.id),
        "others": [item for item in views if item.type == view.type and item is not view],
        "note": next((spans[span] for span in view.spans.split() if span in spans), ""),
        "several": len(service.store.documents.of(opened.project.id)) > 1,
        "shown_together": SHOWN_TOGETHER,
    }


def entity_at(views: list[EntityView], span: str) -> EntityView | None:
    """Return the entity with a mention at ``start-end``, or one that overlaps it."""
    exact = next((view for view in views if span in view.spans.split()), None)
    if exact is not None or "-" not in span:
        return exact
    start, _, end = span.partition("-")
    if not (start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
        return None
    for view in views:
        for mention in view.decision.entity.mentions:
            if mention.span.start < int(end) and int(start) < mention.span.end:
                return view
    return None


def _nothing_chosen() -> dict[str, Any]:
    return {"view": None, "options": (), "others": (), "note": "", "several": False}
