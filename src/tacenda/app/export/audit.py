"""The audit record of reviewed documents: what the policy decided, and what people did."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...audit import SCHEMA_VERSION, Act, as_object, origin_of
from ...audit.page import page_document, page_end, page_start
from ...document import Sanitized
from ...errors import InputError
from ...policy import Policy
from ..review import Reviewed
from ..review.change import Change, Kind
from ..review.history import Entry, in_force

_DECIDES = (Kind.DECIDE, Kind.DECIDE_MENTION)


def audit(
    documents: Iterable[tuple[str, Reviewed, Sequence[Entry]]],
    policy: Policy,
    threshold: float,
    *,
    model: str | Path | None = None,
    name: str = "",
    format: str = "json",
) -> bytes:
    """Return the audit record of documents.

    Args:
        documents: of each, a name that tells nobody, its review and its log.
        policy: of the project.
        threshold: that holds where nobody set a bound.
        model: name or folder of the recognizer; the default one if None.
        name: of the policy.
        format: ``json``, or ``html`` for a page to print.

    Raises:
        InputError: if the format is neither.
        ModelError: if the digests of the model can't be read.
    """
    if format not in ("json", "html"):
        raise InputError(f"format {format[:40]!r} is not known; use json or html.")
    origin = origin_of(policy, threshold, model, name=name)
    items = [
        as_object(
            reviewed.sanitized,
            reviewed.assessments,
            acts_of(reviewed.sanitized, entries),
            name=title,
        )
        for title, reviewed, entries in documents
    ]
    if format == "html":
        page = "".join((page_start(origin), *map(page_document, items), page_end()))
        return page.encode("utf-8", "replace")
    record = {"schema_version": SCHEMA_VERSION, **origin.as_object(), "documents": items}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


def acts_of(sanitized: Sanitized, entries: Sequence[Entry]) -> tuple[Act, ...]:
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


def _entities(sanitized: Sanitized, change: Change) -> tuple[str, ...]:
    return tuple(
        entity.id
        for entity in sanitized.entities
        if any(mention.span.overlaps(span) for mention in entity.mentions for span in change.spans)
    )
