"""The audit record of reviewed documents: the policy's decisions and people's changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..audit.decisions import Act, as_object, provenance_with
from ..documents.names import filename_leaks
from ..errors import InputError
from ..pages.audit import ends, section
from ..result import SCHEMA_VERSION, Result
from ..text.decoding import writable
from .events import SIGN_OFFS, Event, EventKind, ReviewAction
from .export import Download
from .missed import missed_file, training_file
from .review.redecide import Reviewed
from .review.sign_off import SignOff, SignOffs, sign_offs
from .service import DocumentView, Service
from .store.documents import Status
from .store.log import LogEntry, in_force
from .store.projects import Project

_DECIDES = (EventKind.DECIDE, EventKind.DECIDE_MENTION)
AUDIT_FORMATS = {"json": "application/json", "html": "text/html; charset=utf-8"}
"""Format of a record to its media type; ``html`` is a page to print."""
_LESSONS = {"missed": missed_file, "training": training_file}


@dataclass(frozen=True, slots=True)
class AuditedDocument:
    """A document in the audit record.

    Attributes:
        name: its title in the record, which identifies nobody.
        reviewed: its current state.
        entries: its event log.
        model: name and digests of the recognizer, or None if there is none.
    """

    name: str
    reviewed: Reviewed
    entries: Sequence[LogEntry]
    model: dict[str, Any] | None = None


def audit(
    documents: Sequence[AuditedDocument],
    project: Project,
    background: dict[str, Any] | None = None,
    format: str = "json",
) -> bytes:
    """Return the audit record of a project's documents.

    Args:
        documents: the documents in order.
        project: the project, with its policy, name and default threshold.
        background: name and digest of the attacker's background knowledge, or None.
        format: one of ``AUDIT_FORMATS``.

    Raises:
        InputError: if the format is unknown.
    """
    if format not in AUDIT_FORMATS:
        raise InputError(f"unknown format {format[:40]!r}; use json or html.")
    model = documents[0].model if documents else None
    origin = provenance_with(
        project.policy, project.threshold, model, background, name=project.policy_name
    )
    header = {**origin.as_object(), "linked": project.linked}
    items = [_item(document, model) for document in documents]
    if format == "html":
        start, end = ends(header)
        return "".join((start, *map(section, items), end)).encode()
    record = {"schema_version": SCHEMA_VERSION, **header, "documents": items}
    return writable(json.dumps(record, ensure_ascii=False)).encode()


def _item(document: AuditedDocument, model: dict[str, Any] | None) -> dict[str, Any]:
    sanitized = document.reviewed.sanitized
    item = as_object(
        sanitized,
        document.reviewed.assessments,
        acts_of(sanitized, document.entries),
        name=document.name,
    )
    item |= {"review": _review(sign_offs(document.entries))}
    if decisions := document.reviewed.state.parts:
        item["parts"] = [
            {
                "part": key,
                "treatment": str(each.treatment),
                "boxes": [list(box) for box in each.boxes],
            }
            for key, each in decisions.items()
        ]
    # Analysed in another run than the first one, a document may have had another recognizer.
    return item if document.model == model else item | {"model": document.model}


def acts_of(sanitized: Result, entries: Sequence[LogEntry]) -> tuple[Act, ...]:
    """Return people's acts in force, the earliest first, with sign-offs only while they hold."""
    signed = sign_offs(entries)
    holding = {
        item.entry
        for item in (signed.reviewed, signed.approved, signed.released)
        if item is not None
    }
    return tuple(
        Act(
            person=entry.person,
            at=entry.at,
            action=str(event.kind),
            value=": ".join(filter(None, (event.value, event.option))),
            entity_ids=_entities(sanitized, event),
            decides=event.kind in _DECIDES and event.value != ReviewAction.AUTO,
        )
        for entry in in_force(entries)
        if (event := entry.event) is not None
        and (event.kind not in SIGN_OFFS or entry.id in holding)
    )


def _review(signed: SignOffs) -> dict[str, Any]:
    """Return the review stage of a document, with who signed off, as JSON."""
    item: dict[str, Any] = {"stage": str(signed.stage)}
    for name in ("reviewed", "approved", "released"):
        sign_off: SignOff | None = getattr(signed, name)
        if sign_off is not None:
            item[name] = {"person": sign_off.person, "at": sign_off.at}
            item[name] |= {"sha256": sign_off.digest} if sign_off.digest else {}
    if (reset := signed.reset) is not None:
        item["reset"] = {"stage": str(reset.stage), "person": reset.person, "at": reset.at}
    return item


def _entities(sanitized: Result, event: Event) -> tuple[str, ...]:
    return tuple(
        entity.id
        for entity in sanitized.entities
        if any(mention.span.overlaps(span) for mention in entity.mentions for span in event.spans)
    )


def document_audit(service: Service, id: int, format: str) -> Download:
    """Return the audit record of a document; see ``audit``."""
    view = service.open(id)
    return _recorded(service, [view], f"document-{view.row.place}-audit", format)


def project_audit(service: Service, id: int, format: str) -> Download:
    """Return the audit record of all analyzed documents of a project; for ``missed`` and ``training`` see ``missed.py``."""
    if format in _LESSONS:
        return _LESSONS[format](service, id)
    rows = service.store.documents.of(service.project(id).id)
    views = [service.open(row.id) for row in rows if row.status is Status.READY]
    return _recorded(service, views, "project-audit", format, project=id)


def _recorded(
    service: Service,
    views: list[DocumentView],
    name: str,
    format: str,
    project: int | None = None,
) -> Download:
    origin = views[0].project if project is None else service.project(project)
    model = service.store.documents.model
    documents = [
        AuditedDocument(_name(view), view.reviewed, view.entries, model(view.row.id))
        for view in views
    ]
    content = audit(documents, origin, service.background_of(origin), format)
    return Download(f"{name}.{format}", AUDIT_FORMATS[format], content)


def _name(view: DocumentView) -> str:
    tells = filename_leaks(view.row.name, (view.reviewed.sanitized,))
    return f"document-{view.row.place}" if tells else view.row.name
