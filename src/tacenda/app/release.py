"""The release of a project: what has to be settled before, and the archives that are made.

documents + their parts ─ checklist ─▶ what is open ─ release ─▶ files to publish │ private record
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from ..errors import InputError
from ..wording import counted
from .audit import project_audit
from .events import Event, EventKind
from .export import Archive, Download, decided_parts, files_of, of_files
from .parts import look, look_at
from .review.sign_off import Stage
from .review.summary import summary
from .service import Service
from .store.documents import Status, StoredDocument
from .store.releases import StoredRelease


@dataclass(frozen=True, slots=True)
class ReleaseCheck:
    """An item of the checklist.

    Attributes:
        name: in plain words.
        open: the documents where it isn't settled; with the reason.
    """

    name: str
    open: tuple[tuple[StoredDocument, str], ...]

    @property
    def is_settled(self) -> bool:
        """Whether the check has no open items."""
        return not self.open


def checklist(service: Service, project: int, *, recheck: bool = False) -> list[ReleaseCheck]:
    """Checks that a project must pass before its release, in order.

    Args:
        service: the service of the documents.
        project: its number.
        recheck: decide on every document again instead of reading the stored result of its last change.
    """
    four_eyes = service.project(project).four_eyes
    faults: dict[str, list[tuple[StoredDocument, str]]] = {
        "Every document is analyzed": [],
        "Nothing masked can still be read": [],
        "Everything that may need masking is decided": [],
        "Every picture, comment and hidden part is decided": [],
        "Every document is reviewed in its current state": [],
    }
    if four_eyes:
        faults["A second person has approved every document"] = []
    names = list(faults)
    rows = service.store.documents.of(project)
    summaries = {row.id: row.summary for row in rows}
    for row in rows:
        if recheck and row.status is Status.READY:
            view = service.open(row.id)
            summaries[row.id] = summary(view.reviewed, view.sign_offs)
            look_at(service, view)
    look(service, project)
    open_parts = service.store.parts.open_counts(project)
    unread = service.store.parts.faults(project)
    for row in rows:
        if row.status is not Status.READY:
            faults[names[0]].append((row, row.error or "waiting"))
            continue
        figures = summaries[row.id]
        if figures.leaks:
            faults[names[1]].append((row, f"{figures.leaks} still shown"))
        if figures.doubtful:
            faults[names[2]].append(
                (
                    row,
                    counted(figures.doubtful, "undecided name stays", "undecided names stay")
                    + " readable",
                )
            )
        if row.id in unread:
            faults[names[3]].append((row, unread[row.id]))
        elif row.id in open_parts:
            faults[names[3]].append((row, f"{open_parts[row.id]} to decide"))
        if figures.stage == Stage.OPEN:
            faults[names[4]].append((row, "not reviewed"))
        if four_eyes and not figures.approved_by:
            faults[names[5]].append((row, "not approved"))
    if not (faults[names[3]] or service.store.parts.page(project, 1).total):
        del faults[names[3]]
    accepted = sum(summaries[row.id].accepted for row in rows)
    checks = [ReleaseCheck(name, tuple(items)) for name, items in faults.items()]
    if accepted:
        checks[1] = replace(
            checks[1], name=f"{names[1]}, besides {accepted} accepted with a reason"
        )
    return checks


class ProjectStage(StrEnum):
    """Next stage of a project."""

    ANALYSIS = "analysis"
    REVIEW = "review"
    CHECK = "check"
    RELEASE = "release"
    RELEASED = "released"


def stage_of(service: Service, project: int) -> ProjectStage:
    """Next stage of a project, by the sums that lists show; ``checklist`` has the last word."""
    lists, parts = service.store.lists, service.store.parts
    counts, figures = lists.counts(project), lists.figures(project)
    if counts.to_review:
        return ProjectStage.REVIEW
    if counts.waiting or not counts.ready:
        return ProjectStage.ANALYSIS
    if counts.failed:
        return ProjectStage.CHECK
    if not figures.unreleased:
        return ProjectStage.RELEASED
    is_unapproved = service.project(project).four_eyes and figures.unapproved
    has_open_parts = parts.stale(project) or parts.open_counts(project) or parts.faults(project)
    if figures.leaks or figures.waiting or is_unapproved or has_open_parts:
        return ProjectStage.CHECK
    return ProjectStage.RELEASE


def release(service: Service, project: int, person: str) -> StoredRelease:
    """Give out a project: an archive of all its files as they came with their digests, and one of the record.

    The record says which mentions are the protected person's and who reviewed: it is never among the files.
    Whether the person may is for the caller to know.

    Raises:
        InputError: if something of the checklist is open.
        LeakError: if masked strings are left in a file.
        RevisionConflict: if a document changes meanwhile; nothing is released then.
    """
    rows = service.store.documents.of(project)
    open_checks = [
        check.name for check in checklist(service, project, recheck=True) if not check.is_settled
    ]
    if open_checks or not rows:
        items = "; ".join(open_checks) or "there are no documents"
        raise InputError(f"the project can't be released yet. Still open: {items}.")
    archive = of_files(files_of(service, rows), parts=decided_parts(service, rows))
    change = Event(EventKind.RELEASE)
    # All or nothing: a document that changed since the check is not of its revision any more.
    with service.store.database.transaction():
        for row in rows:
            service.sign(row.id, person, row.revision, change)
        private = Archive()
        for format in ("json", "html"):
            private.add("record", f".{format}", project_audit(service, project, format).content)
        contents = []
        for each in (archive, private):
            each.add("SHA256SUMS", ".txt", each.digests())
            contents.append(each.result().content)
        service.store.deliveries.announce(project, "released")
        return service.store.releases.add(project, person, len(rows), *contents)


def released_file(
    service: Service, project: int, digest: str, *, private: bool = False
) -> Download:
    """The files of a release, or its private record, as long as none of its documents has changed since.

    Raises:
        NotFound: if there is none of that digest.
        InputError: if it is not the latest, its record is among its files, or something has changed since.
    """
    content, record = service.store.releases.contents(project, digest)
    current = release_to_publish(service, project)
    if current is None or current.digest != digest:
        raise InputError("the project has changed since this release; release the project again.")
    name = f"{'private-record-of' if private else 'released'}-{digest[:12]}.zip"
    return Download(name, "application/zip", record if private else content)


def release_to_publish(service: Service, project: int) -> StoredRelease | None:
    """The latest release, if nothing has changed since."""
    latest = next(iter(service.store.releases.of(project)), None)
    return latest if stage_of(service, project) is ProjectStage.RELEASED else None
