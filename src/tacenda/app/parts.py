"""Parts of a project's files besides their text, which are decided before a release.

document ─ written as it would leave ─▶ parts, kept in the store ─ people decide ─▶ carried on

To inspect a file, it must be written; ``store.parts`` remembers what was found, and at which
revision.
"""

from __future__ import annotations

import time

from ..documents.parts import WITH_PARTS, BesidePart, accepted_changes, parts_of
from ..errors import InputError, LeakError
from .events import Event
from .export import as_it_came
from .page_messages import page_message
from .service import DocumentView, Service
from .store.parts import StoredPart

LEFT_SHOWN = "can't be inspected while masked strings are left"


def look(service: Service, project: int, seconds: float = float("inf")) -> int:
    """Inspect files that have changed since the last inspection, for a limited time; return how many are left."""
    end = time.monotonic() + seconds
    ids = service.store.parts.stale(project)
    for number, id in enumerate(ids):
        if number and time.monotonic() >= end:
            return len(ids) - number
        look_at(service, service.open(id))
    return 0


def look_at(service: Service, view: DocumentView) -> None:
    """Inspect a document's file, ignoring the cache."""
    row, fault = view.row, ""
    found: tuple[BesidePart, ...] = ()
    if row.file is not None and row.format in WITH_PARTS:
        try:
            found = _found(service, view)
        except LeakError:
            fault = LEFT_SHOWN
        except InputError as error:
            fault = page_message(error)
    decisions = view.reviewed.state.parts
    with service.store.database.transaction():
        if service.store.documents.get(row.id).revision == row.revision:
            service.store.parts.write(row.project, row.id, row.revision, found, decisions, fault)


def _found(service: Service, view: DocumentView) -> tuple[BesidePart, ...]:
    """Return the parts of a document's file, with the content of pictures.

    Raises:
        LeakError: if masked strings are left, so the file can't be written.
        InputError: if the file has changed or can't be read.
    """
    sanitized = view.reviewed.in_file
    # The output depends only on these, not on decisions about the parts themselves.
    key = hash((view.row.file, sanitized.text, sanitized.replacements, sanitized.leaks))
    return service.readings.parts.get_or_compute(
        (view.row.handle, key), lambda: _of_file(service, view)
    )


def _of_file(service: Service, view: DocumentView) -> tuple[BesidePart, ...]:
    file = service.store.files.get(view.row.file or 0)
    content = as_it_came(file, [view.reviewed.in_file], shows_parts=True)
    changes = accepted_changes(file.content, file.format)
    return (*parts_of(content, view.row.format), *([] if changes is None else [changes]))


def parts(service: Service, view: DocumentView) -> list[StoredPart]:
    """Return the parts of a document's file as it would be released, with the decisions on them."""
    if view.row.id in service.store.parts.stale(view.row.project):
        look_at(service, view)
    return service.store.parts.of(view.row.id)


def part(service: Service, document: int, key: str) -> StoredPart:
    """Return a part of a document by its key.

    Raises:
        InputError: if there is none.
    """
    for item in parts(service, service.open(document)):
        if item.part.key == key:
            return item
    raise InputError("the file no longer has this part; reload the page.")


def picture_of(service: Service, document: int, key: str) -> BesidePart:
    """Return a picture in a document's file by its key, with its content.

    Raises:
        LeakError: if masked strings are left, so the file can't be written.
        InputError: if there is none.
    """
    for item in _found(service, service.open(document)):
        if item.key == key and item.content:
            return item
    raise InputError("the file has no such picture; reload the page.")


def decide_part(
    service: Service, document: int, person: str, expected: int, change: Event
) -> StoredPart:
    """Decide on a part, and return it with the decision.

    Raises:
        InputError: if the file has no such part, or this can't be done to it.
        RevisionConflict: if the document is no longer at revision ``expected``.
    """
    item = part(service, document, change.part).part
    if change.value not in item.treatments:
        allowed = ", ".join(item.treatments)
        raise InputError(f"{item.kind} of {item.place} can't be {change.value}; use {allowed}.")
    if change.boxes and not item.media_type:
        raise InputError("boxes are drawn on pictures only.")
    service.change(document, person, expected, change)
    return part(service, document, change.part)
