"""The audit record of reviewed documents: what the policy decided, and what people did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...audit import SCHEMA_VERSION, Act, as_object, origin_with
from ...documents.decoding import writable
from ...errors import InputError
from ...pages.audit import ends, section
from ...result import Result
from ..review.change import Change, Kind
from ..review.history import Entry, in_force
from ..review.redecide import Reviewed
from ..store.projects import Project

_DECIDES = (Kind.DECIDE, Kind.DECIDE_MENTION)
AUDIT_FORMATS = {"json": "application/json", "html": "text/html; charset=utf-8"}
"""Format of a record to its media type; ``html`` is a page to print."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A document to be recorded.

    Attributes:
        name: what to call it; it tells nobody.
        reviewed: as it stands.
        entries: its log.
        model: what recognized, by name and digests; None where nothing did.
    """

    name: str
    reviewed: Reviewed
    entries: Sequence[Entry]
    model: dict[str, Any] | None = None


def audit(
    documents: Sequence[Audited],
    project: Project,
    background: dict[str, Any] | None = None,
    format: str = "json",
) -> bytes:
    """Return the audit record of documents of a project.

    Args:
        documents: what to record, in order.
        project: has the policy, its name, and the threshold that holds where nobody set a bound.
        background: name and digest of what an adversary was taken to know; None if nothing.
        format: one of ``AUDIT_FORMATS``.

    Raises:
        InputError: if the format is neither.
    """
    if format not in AUDIT_FORMATS:
        raise InputError(f"format {format[:40]!r} is not known; use json or html.")
    model = documents[0].model if documents else None
    origin = origin_with(
        project.policy, project.threshold, model, background, name=project.policy_name
    )
    items = [_item(document, model) for document in documents]
    if format == "html":
        start, end = ends(origin.as_object())
        return "".join((start, *map(section, items), end)).encode()
    record = {"schema_version": SCHEMA_VERSION, **origin.as_object(), "documents": items}
    return writable(json.dumps(record, ensure_ascii=False)).encode()


def _item(document: Audited, model: dict[str, Any] | None) -> dict[str, Any]:
    sanitized = document.reviewed.sanitized
    item = as_object(
        sanitized,
        document.reviewed.assessments,
        acts_of(sanitized, document.entries),
        name=document.name,
    )
    # Analysed in another run than the first one, a document may have had another recognizer.
    return item if document.model == model else item | {"model": document.model}


def acts_of(sanitized: Result, entries: Sequence[Entry]) -> tuple[Act, ...]:
    """Return what people did that still holds, the earliest first."""
    return tuple(
        Act(
            person=entry.person,
            at=entry.at,
            action=str(entry.change.kind),
            value=": ".join(filter(None, (entry.change.value, entry.change.option))),
            entity_ids=_entities(sanitized, entry.change),
            decides=entry.change.kind in _DECIDES and entry.change.value != "auto",
        )
        for entry in in_force(entries)
        if entry.change is not None
    )


def _entities(sanitized: Result, change: Change) -> tuple[str, ...]:
    return tuple(
        entity.id
        for entity in sanitized.entities
        if any(mention.span.overlaps(span) for mention in entity.mentions for span in change.spans)
    )
