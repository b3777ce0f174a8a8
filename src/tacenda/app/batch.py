"""One decision in all documents of a project: "mask this person everywhere"."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ..document import SemanticType
from ..errors import InputError
from .review.change import Change, Kind
from .review.matching import Found, find, names_of
from .service import Opened, Service
from .store.documents import Status
from .store.log import Stale

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a decision would act in one document."""

    document: int
    handle: str
    name: str
    type: SemanticType
    found: Found


def reach(service: Service, opened: Opened, entity: str, action: str) -> list[Reach]:
    """Return the other documents of the project where the entity is named.

    Args:
        service: has the documents.
        opened: the document that the entity is in.
        entity: its id there.
        action: mask or keep.

    Raises:
        InputError: if there is no such entity, or the action is neither.
    """
    if action not in ("mask", "keep"):
        raise InputError(f"{action[:40]!r} can't be done everywhere; mask or keep can.")
    sanitized = opened.reviewed.sanitized
    chosen = next((item for item in sanitized.entities if item.id == entity), None)
    if chosen is None:
        raise InputError(f"there is no entity {entity[:40]!r}; open the document again.")
    names = names_of(sanitized.document.text, chosen)
    result = []
    for row in service.store.documents.of(opened.project.id):
        if row.id == opened.row.id or row.status is not Status.READY:
            continue
        found = find(service.open(row.id).reviewed, names, action)
        if found.mentions or found.unseen or found.contrary:
            result.append(Reach(row.id, row.handle, row.name, names.type, found))
    return result


def apply(service: Service, person: str, reaches: list[Reach], action: str) -> int:
    """Do it in each document, as changes of ``person``; return how many were changed.

    Documents where somebody decided otherwise are left as they are, mention by mention.
    """
    batch = secrets.token_hex(8)
    changed = 0
    for item in reaches:
        changes = []
        if item.found.mentions:
            changes.append(Change(Kind.DECIDE, item.found.mentions, action))
        if item.found.unseen:
            changes.append(Change(Kind.ADD, item.found.unseen, str(item.type)))
        for change in changes:
            _insist(service, item.document, person, change, batch)
        changed += bool(changes)
    return changed


def _insist(service: Service, document: int, person: str, change: Change, batch: str) -> None:
    """Make the change although others may be working on the document: it stands in no way."""
    for attempt in range(_ATTEMPTS):
        try:
            seen = service.store.documents.get(document).revision
            service.change(document, person, seen, change, batch)
        except Stale:
            if attempt == _ATTEMPTS - 1:
                raise
        else:
            return
