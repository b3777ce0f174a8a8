"""The release of a project: what has to be settled before, and the archive that leaves.

documents + their parts ─ checklist ─▶ what is open ─ release ─▶ files, record, digest
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..documents.beside import FORMATS, BesidePart, Decided, accepted_changes, parts_of
from ..errors import InputError, LeakError
from .audit import project_audit
from .export import Download, as_it_came, decided_parts, files_of, of_files
from .review.events import ReviewEvent, ReviewKind
from .review.sign_off import Stage
from .service import DocumentView, Service, summary
from .store.documents import Status, StoredDocument
from .store.releases import Release


@dataclass(frozen=True, slots=True)
class DecidablePart:
    """A part of a document's file with the decision on it.

    Attributes:
        row: the document.
        part: the part.
        decided: the decision; None without one.
    """

    row: StoredDocument
    part: BesidePart
    decided: Decided | None


@dataclass(frozen=True, slots=True)
class Check:
    """An item of the checklist.

    Attributes:
        name: in plain words.
        open: the documents where it isn't settled; with the reason.
    """

    name: str
    open: tuple[tuple[StoredDocument, str], ...]

    @property
    def is_settled(self) -> bool:
        """Whether nothing is open."""
        return not self.open


def parts(service: Service, view: DocumentView) -> list[DecidablePart]:
    """The parts of a document's file as it would leave, with the decisions on them.

    Raises:
        LeakError: if masked strings are left, so that the file can't be written.
    """
    row = view.row
    if row.file is None or row.format not in FORMATS:
        return []
    key = (row.handle, row.revision)
    found = service.readings.parts.get_or_compute(key, lambda: _parts(service, view))
    decisions = view.reviewed.state.parts
    return [DecidablePart(row, part, decisions.get(part.key)) for part in found]


def _parts(service: Service, view: DocumentView) -> tuple[BesidePart, ...]:
    file = service.store.files.get(view.row.file or 0)
    content = as_it_came(file, [view.reviewed.sanitized])
    changes = accepted_changes(file.content, file.format)
    return (*parts_of(content, file.format), *([] if changes is None else [changes]))


def part(service: Service, document: int, key: str) -> DecidablePart:
    """A part of a document by its key.

    Raises:
        InputError: if there is none.
    """
    for item in parts(service, service.open(document)):
        if item.part.key == key:
            return item
    raise InputError("the file has no such part any more; load the page again.")


def decide_part(
    service: Service, document: int, person: str, expected: int, change: ReviewEvent
) -> DocumentView:
    """Decide on a part.

    Raises:
        InputError: if the file has no such part, or it can't become that.
        RevisionConflict: if the document is not at revision ``expected`` any more.
    """
    item = part(service, document, change.part).part
    if change.value not in item.treatments:
        allowed = ", ".join(item.treatments)
        raise InputError(f"{item.kind} of {item.place} can't be {change.value}; use {allowed}.")
    if change.boxes and not item.content:
        raise InputError("boxes are drawn on pictures only.")
    return service.change(document, person, expected, change)


def all_parts(service: Service, project: int) -> list[DecidablePart]:
    """The parts of all documents of a project that can be written."""
    found: list[DecidablePart] = []
    for row in service.store.documents.of(project):
        if row.status is Status.READY and row.format in FORMATS:
            try:
                found += parts(service, service.open(row.id))
            except LeakError:
                continue  # the checklist names it
    return found


def checklist(service: Service, project: int, *, anew: bool = False) -> list[Check]:
    """What has to be settled before a project is released, in order.

    Args:
        service: the service of the documents.
        project: its number.
        anew: decide on every document again, rather than to read what was kept of its last change.
    """
    four_eyes = service.project(project).four_eyes
    faults: dict[str, list[tuple[StoredDocument, str]]] = {
        "Every document is analysed": [],
        "Nothing that was masked can still be read": [],
        "Nothing is undecided that may have to be masked": [],
        "Every picture, comment and hidden part is decided": [],
        "Every document is reviewed as it stands": [],
    }
    if four_eyes:
        faults["A second person has approved every document"] = []
    names = list(faults)
    for row in service.store.documents.of(project):
        if row.status is not Status.READY:
            faults[names[0]].append((row, row.error or "waiting"))
            continue
        figures = row.summary
        if anew or not row.is_weighed:
            view = service.open(row.id)
            figures = summary(view.reviewed, view.sign_offs)
        if figures.leaks:
            faults[names[1]].append((row, f"{figures.leaks} still shown"))
        if figures.doubtful:
            faults[names[2]].append(
                (
                    row,
                    f"{figures.doubtful} undecided that stay{'s' if figures.doubtful == 1 else ''} readable",
                )
            )
        try:
            open_parts = _open_parts(service, row)
        except LeakError:
            faults[names[3]].append((row, "can't be looked at while masked strings are left"))
        else:
            if open_parts:
                faults[names[3]].append((row, f"{open_parts} to decide"))
        if figures.stage == Stage.OPEN:
            faults[names[4]].append((row, "not reviewed"))
        if four_eyes and not figures.approved_by:
            faults[names[5]].append((row, "not approved"))
    return [Check(name, tuple(items)) for name, items in faults.items()]


def _open_parts(service: Service, row: StoredDocument) -> int:
    """Number of parts on which nobody has decided."""
    if row.file is None or row.format not in FORMATS:
        return 0
    return sum(item.decided is None for item in parts(service, service.open(row.id)))


def release(service: Service, project: int, person: str) -> Release:
    """Give out a project: all its files as they came, the record, and the digests of all.

    Whether the person may is for the caller to know.

    Raises:
        InputError: if something of the checklist is open.
        LeakError: if masked strings are left in a file.
        RevisionConflict: if somebody changes a document meanwhile; nothing is released then.
    """
    rows = service.store.documents.of(project)
    open_checks = [
        check.name for check in checklist(service, project, anew=True) if not check.is_settled
    ]
    if open_checks or not rows:
        items = "; ".join(open_checks) or "there is no document"
        raise InputError(f"the project can't be released yet. Still open: {items}.")
    archive = of_files(files_of(service, rows), parts=decided_parts(service, rows))
    change = ReviewEvent(ReviewKind.RELEASE)
    # All or nothing: a document that changed since the check is not of its revision any more.
    with service.store.database.transaction():
        for row in rows:
            service.sign(row.id, person, row.revision, change)
        for format in ("json", "html"):
            record = project_audit(service, project, format)
            archive.add("record", f".{format}", record.content)
        archive.add("SHA256SUMS", ".txt", archive.digests())
        content = archive.result().content
        service.store.deliveries.announce(project, "released")
        return service.store.releases.add(project, person, len(rows), content)


def released_file(service: Service, project: int, digest: str) -> Download:
    """The archive of a release, as long as nobody changed one of its documents since.

    Raises:
        NotFound: if there is none of that digest.
        InputError: if it is not the latest, or something has changed since.
    """
    content = service.store.releases.content(project, digest)
    if digest != service.store.releases.of(project)[0].digest or not is_released(
        service.store.documents.of(project)
    ):
        raise InputError("the project has changed since this release; release it anew.")
    return Download(f"released-{digest[:12]}.zip", "application/zip", content)


def is_released(rows: Sequence[StoredDocument]) -> bool:
    """Whether all documents are released as they stand."""
    return bool(rows) and all(row.summary.stage == Stage.RELEASED for row in rows)
