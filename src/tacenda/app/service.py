"""Combines store, review and sanitizer: the operations of pages and programs.

Every change is on disk when its method returns, and applies to the revision the person saw; see
``store``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..audit.decisions import model_of
from ..deciding import Analysis
from ..errors import InputError
from ..memory import LruCache
from ..models.store import DEFAULT
from ..pipeline import Sanitizer
from ..policy import Policy
from ..risk.registry import CachedIndicator
from ..text.target_names import check_target
from .events import BY_APPROVERS, LEAVE_THE_TEXT, OF_REVIEW, SIGN_OFFS, Event, EventError
from .numbering import ProjectNames, ProjectNumbering
from .readings import FileReadings
from .review.doubts import doubts_and_decisions
from .review.events import ReviewState, replay
from .review.indicators import DOCUMENTS_KEPT, Background
from .review.redecide import (
    LinkedEntities,
    Reviewed,
    check_own_words,
    linked_entities,
    redecide,
)
from .review.sign_off import SignOffs, check_sign_off, kind_of, sign_offs, undoable
from .review.summary import output_digest, summary
from .store import Store
from .store.deliveries import Webhook
from .store.documents import NewDocument, Status, StoredDocument
from .store.log import (
    LogEntry,
    NewEntry,
    RevisionConflict,
    events_in_force,
    redo_entry,
    undo_entry,
)
from .store.projects import Project, ProjectRole, digest
from .webhooks import WebhookReach

_KEPT = 64
_PREVIEWS = 16
_NAME = re.compile(r"\S{1,100}")


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The current state of a document.

    Attributes:
        row: its row, with its place in the project, status and revision.
        project: the project it is in.
        reviewed: its text and decisions.
        entries: its event log.
    """

    row: StoredDocument
    project: Project
    reviewed: Reviewed
    entries: tuple[LogEntry, ...]

    @property
    def sign_offs(self) -> SignOffs:
        """The sign-offs that hold for it."""
        return sign_offs(self.entries)


@dataclass(frozen=True, slots=True)
class _Appended:
    """A document with new entries before they are written: its log with them, and the result."""

    row: StoredDocument
    new: tuple[NewEntry, ...]
    entries: tuple[LogEntry, ...]
    reviewed: Reviewed


@dataclass(slots=True)
class DecisionProgress:
    """Progress of a decision in all documents of a project."""

    documents: int
    done: int = 0


class Service:
    """Operations on projects under review, independent of their web interfaces.

    Args:
        store: the store of projects.
        sanitizer: its recognizer, default threshold and indicators are used for all projects; its
            policy is the default for new ones.
        model: name or folder of the recognizer, for the audit record; None for the policy's.
        policy_name: the user's name for the policy.
        background: background knowledge for new projects.
        keep_jobs: seconds to keep finished jobs, with their originals; forever if None.
        reach: addresses webhooks may go to; by default, public ones.
    """

    def __init__(
        self,
        store: Store,
        sanitizer: Sanitizer,
        *,
        model: str | Path | None = None,
        policy_name: str = "",
        background: Background | None = None,
        keep_jobs: float | None = None,
        reach: WebhookReach = WebhookReach(),  # noqa: B008
    ) -> None:
        self.store = store
        self.reach = reach
        self._keep_jobs = keep_jobs
        self.sanitizer = sanitizer
        self.background = background
        # The loaded one: a project's policy may have asked for another one in another run.
        self._model = model or sanitizer.policy.model or DEFAULT
        self._policy_name = policy_name
        self._indicators = tuple(
            CachedIndicator(indicator, size=DOCUMENTS_KEPT)
            for indicator in sanitizer.parts.indicators
        )
        self._backgrounds: LruCache[tuple[str, tuple[str, ...]], Background] = LruCache(_KEPT)
        if background is not None:
            self._backgrounds.put((background.path, sanitizer.policy.target), background)
        # By handle: a number is reused after a deletion, maybe by another server on this store.
        self._analyses: LruCache[str, Analysis] = LruCache(_KEPT)
        self._reviewed: LruCache[tuple[str, int], Reviewed] = LruCache(_KEPT)
        self._previews: LruCache[tuple[str, int, float], Reviewed] = LruCache(_PREVIEWS)
        self.acts: LruCache[tuple[int, str], DecisionProgress] = LruCache(_KEPT)
        """The decisions that are being carried out now, by project and person; see ``terms``."""
        self.readings = FileReadings()
        self._names: LruCache[str, ProjectNames] = LruCache(_PREVIEWS)
        self._logs: LruCache[tuple[str, int], tuple[LogEntry, ...]] = LruCache(_KEPT)

    def add_project(
        self,
        name: str,
        documents: Sequence[NewDocument],
        policy: Policy | None = None,
        purpose: str = "review",
        owner: str = "local",
        *,
        linked: bool = True,
    ) -> Project:
        """Create a project; its documents wait for their analysis.

        In a ``linked`` review, a person has the same tag in all documents.

        Raises:
            OverQuota: if its owner would exceed their quota.
            InputError: if a name to protect has no letter.
        """
        for new in documents:
            check_target(new.document.target, new.document.id)
        own = self.sanitizer.policy
        actual = own if policy is None else policy
        is_own = actual.model_copy(update={"tag_language": own.tag_language}) == own
        threshold = self.sanitizer.with_policy(actual).threshold
        with self.store.within(owner):
            project = self.store.projects.add(
                name,
                actual,
                threshold,
                digest(documents),
                purpose,
                policy_name=self._policy_name if is_own else "",
                background="" if self.background is None else self.background.path,
                owner=owner,
                linked=linked and purpose == "review",
            )
            self.store.documents.add(project.id, documents)
        return project

    def project(self, id: int) -> Project:
        """Return a project, which never changes.

        Raises:
            InputError: if the number is unknown.
        """
        return self.store.projects.get(id)

    def share(self, project: int, members: Mapping[str, ProjectRole], four_eyes: bool) -> None:
        """Set the members of a project in addition to its first owner, and whether a second person must approve.

        Args:
            project: its number.
            members: names of their keys, with their roles.
            four_eyes: whether a second person must approve what is released.

        Raises:
            InputError: if a name can't be a key's, or there is nobody to approve.
        """
        for name in members:
            if not _NAME.fullmatch(name):
                raise InputError(
                    "a member must be the name of a key: one word of up to 100 characters."
                )
        others = [name for name in members if name != self.project(project).owner]
        if four_eyes and not others:
            raise InputError("approval by a second person needs a second person; name one.")
        self.store.projects.set_members(project, members)
        self.store.projects.set_four_eyes(project, four_eyes)

    def set_webhook(self, project: int, url: str) -> Webhook:
        """Set the address to notify when something in a project is done, or none; see ``webhooks``.

        Raises:
            InputError: if the address is not allowed.
        """
        return self.store.deliveries.set_webhook(project, self.reach.check(url) if url else "")

    def assign(self, project: int, handles: Sequence[str], assignee: str) -> None:
        """Assign documents to a person in the project, or to nobody.

        Raises:
            InputError: if they aren't in the project.
        """
        if assignee and self.store.projects.part_of(project, assignee) is None:
            raise InputError(
                "documents can only be assigned to people of the project; share it first."
            )
        self.store.documents.assign(project, handles, assignee)

    def forget_expired(self) -> None:
        """Delete expired jobs, with their originals."""
        if self._keep_jobs is None:
            return
        for id in self.store.projects.expired(time.time() - self._keep_jobs):
            self.delete_project(id)

    def bring_files(self, project: int, documents: Sequence[NewDocument]) -> None:
        """Update the files of the same documents; see ``store.Files.bring``."""
        self.store.files.bring(project, [new.file for new in documents])

    def background_of(self, project: Project) -> dict[str, Any] | None:
        """Return the name and digest of a project's background knowledge, or None.

        Raises:
            InputError: if its file is gone.
        """
        background = self._background(project)
        return None if background is None else background.identity

    def delete_project(self, id: int) -> None:
        """Delete a project with its texts, in memory and on disk."""
        documents = self.store.documents.of(id)
        handle = self.project(id).handle
        self.store.projects.delete(id)
        handles = {row.handle for row in documents}
        self._analyses.forget(lambda key: key in handles)
        self._reviewed.forget(lambda key: key[0] in handles)
        self._previews.forget(lambda key: key[0] in handles)
        self._logs.forget(lambda key: key[0] in handles)
        self._names.forget(lambda key: key == handle)
        self.readings.forget(handle, handles)

    def open(self, document: int) -> DocumentView:
        """Return the current state of a document.

        Raises:
            InputError: if the number is unknown, or the document isn't analyzed.
        """
        row = self.store.documents.get(document)
        entries = self._entries(row)
        reviewed = self._reviewed.get_or_compute(
            (row.handle, row.revision), lambda: self._decided(row, _state(entries))
        )
        return DocumentView(row, self.project(row.project), reviewed, entries)

    def linked(self, document: int, *events: Event) -> LinkedEntities:
        """Return the entities of a document with people's decisions about them; this is faster than opening it.

        Args:
            document: its number.
            events: further events, as if they were in its log.

        Raises:
            InputError: if the number is unknown, or the document isn't analyzed.
        """
        row = self.store.documents.get(document)
        policy = self.project(row.project).policy
        state = _state(self._entries(row), *events)
        return linked_entities(self._analysis(row), policy, state)

    def by_policy(self, document: int) -> Reviewed:
        """Return a document as the policy alone decides it, without people's changes.

        Raises:
            InputError: if the number is unknown, or the document isn't analyzed.
        """
        return self._decided(self.store.documents.get(document), ReviewState())

    def at(self, document: int, revision: int, bound: float | None = None) -> Reviewed | None:
        """Return a document as it was at a revision, or in a preview of another bound there, if it is cached."""
        handle = self.store.documents.get(document).handle
        if bound is None:
            return self._reviewed.get((handle, revision))
        return self._previews.get((handle, revision, bound))

    def preview(self, document: int, bound: float) -> DocumentView:
        """Return a document as it would be at another bound, without writing anything."""
        view = self.open(document)
        change = Event.of({"kind": "bound", "value": repr(bound)})
        state = _state(view.entries, change)
        reviewed = self._previews.get_or_compute(
            (view.row.handle, view.row.revision, bound), lambda: self._decided(view.row, state)
        )
        return DocumentView(view.row, view.project, reviewed, view.entries)

    def change(self, document: int, person: str, expected: int, change: Event) -> DocumentView:
        """Make a change, or mark a document as reviewed.

        Raises:
            EventError: if the change doesn't fit the document, or is one for ``sign``.
            RevisionConflict: if the document is no longer at revision ``expected``.
        """
        if change.kind not in OF_REVIEW:
            raise EventError(f"a review has no change of kind {str(change.kind)!r}.")
        if change.kind in BY_APPROVERS:
            raise EventError(
                "approve and release have endpoints of their own; don't send them as changes."
            )
        if change.kind in SIGN_OFFS:
            return self.sign(document, person, expected, change)
        row = self.store.documents.get(document)
        change.check(len(self._analysis(row).document.text))
        change = replace(change, spans=tuple(sorted(change.spans)))
        return self._write(document, expected, NewEntry(person, change))

    def sign(self, document: int, person: str, expected: int, change: Event) -> DocumentView:
        """Sign off the current output; the caller checks whether the person may approve.

        Raises:
            EventError: if the stage doesn't allow it.
            PermissionDenied: if another person must sign off.
            RevisionConflict: if the document is no longer at revision ``expected``.
        """
        view = self.open(document)
        self.store.log.check(document, expected)
        check_sign_off(change, view.sign_offs, person, view.project.four_eyes)
        is_signed = change.value != "no"
        change = replace(change, digest=output_digest(view.reviewed) if is_signed else "")
        return self._write(document, expected, NewEntry(person, change))

    def undo(self, document: int, person: str, expected: int) -> DocumentView:
        """Undo the person's latest change in force; do nothing if there is none."""
        entry = undo_entry(undoable(self._entries(self.store.documents.get(document))), person)
        return self.open(document) if entry is None else self._write(document, expected, entry)

    def redo(self, document: int, person: str, expected: int) -> DocumentView:
        """Redo the last change the person undid; do nothing if there is none.

        Raises:
            EventError: if it is a sign-off of a different output than the current one.
            PermissionDenied: if another person must sign off.
        """
        view = self.open(document)
        entry = redo_entry(undoable(view.entries), person)
        if entry is None:
            return view
        change = next(item.event for item in view.entries if item.id == entry.redoes)
        if change is not None and change.kind in SIGN_OFFS:
            check_sign_off(change, view.sign_offs, person, view.project.four_eyes)
            if change.digest not in ("", output_digest(view.reviewed)):
                raise EventError("the text has changed since; review it and sign again.")
        return self._write(document, expected, entry)

    def analysed(self, document: int, analysis: Analysis, claimant: str | None = None) -> None:
        """Store the analysis of a document, which is then ready for review.

        Args:
            document: its number.
            analysis: its mentions.
            claimant: the worker that analyzed it; see ``Documents.analysed``.
        """
        row = self.store.documents.get(document)
        project = self.project(row.project)
        reviewed = self._redecided(row, analysis, ReviewState())
        model = model_of(project.policy, self._model)
        with self.store.database.transaction():
            figures = summary(reviewed)
            self.store.documents.analysed(document, analysis, figures, model, claimant)
            row = self.store.documents.get(document)
            if row.status is Status.READY and not row.revision:
                self.store.doubts.write(project.id, document, doubts_and_decisions(reviewed))
        if row.status is Status.READY and not row.revision:
            # Someone waiting for it will open it next.
            self._reviewed.put((row.handle, 0), reviewed)

    def append(self, document: int, entry: NewEntry) -> None:
        """Append an entry to the current state of a document, even under concurrent changes."""
        with self.store.database.transaction():
            self._write(document, self.store.documents.get(document).revision, entry)

    def append_all(self, changes: Sequence[tuple[int, Sequence[NewEntry]]]) -> None:
        """Append entries to several documents in one write; each document is decided once."""
        appended = [self._appended(document, entries) for document, entries in changes]
        try:
            with self.store.database.transaction():
                revisions = [self._record(item, item.row.revision) for item in appended]
        except RevisionConflict:  # someone is changing one of them at the same time
            for document, entries in changes:
                for entry in entries:
                    self.append(document, entry)
        else:
            for item, revision in zip(appended, revisions, strict=True):
                self._reviewed.put((item.row.handle, revision), item.reviewed)

    def _write(self, document: int, expected: int, entry: NewEntry) -> DocumentView:
        self.store.log.check(document, expected)
        appended = self._appended(document, (entry,))
        with self.store.database.transaction():
            revision = self._record(appended, expected)
        self._reviewed.put((appended.row.handle, revision), appended.reviewed)
        return self.open(document)

    def _appended(self, document: int, new: Sequence[NewEntry]) -> _Appended:
        """Return what a document would be with further entries, so that a change that can't be carried out doesn't get into the log."""
        row = self.store.documents.get(document)
        entries = self._entries(row)
        for entry in new:
            entries = entry.after(entries)
        reviewed = self._decided(row, _state(entries))
        for entry in new:
            if entry.event is not None:
                check_own_words(reviewed, entry.event)
        return _Appended(row, tuple(new), entries, reviewed)

    def _record(self, appended: _Appended, revision: int) -> int:
        """Write the entries for a revision, and return the new revision."""
        id, reviewed = appended.row.id, appended.reviewed
        figures = summary(reviewed, sign_offs(appended.entries))
        for entry in appended.new:
            before = revision
            revision = self.store.record(id, before, entry, figures, doubts_and_decisions(reviewed))
            if kind_of(entry, appended.entries) in LEAVE_THE_TEXT:
                self.store.parts.carry(id, before, revision, reviewed.state.parts)
        return revision

    def _entries(self, row: StoredDocument) -> tuple[LogEntry, ...]:
        """Return the log up to the row's revision; others may have written more since."""
        return self._logs.get_or_compute(
            (row.handle, row.revision), lambda: self.store.log.entries(row.id)[: row.revision]
        )

    def _decided(self, row: StoredDocument, state: ReviewState) -> Reviewed:
        from .leaving import as_it_leaves  # which needs the service

        reviewed = self._redecided(row, self._analysis(row), state)
        return as_it_leaves(self, row, reviewed)

    def _redecided(self, row: StoredDocument, analysis: Analysis, state: ReviewState) -> Reviewed:
        project = self.project(row.project)
        background = self._background(project)
        parts = replace(
            self.sanitizer.parts,
            indicators=self._indicators,
            combination_indicators=() if background is None else (background,),
        )
        numbering = self._numbering(project, row.handle)
        while True:
            reviewed = redecide(
                analysis, project.policy, project.threshold, state, parts, numbering
            )
            # Another server may have made up the same person at the same time.
            if numbering is None or numbering.keep():
                return reviewed

    def _numbering(self, project: Project, document: str) -> ProjectNumbering | None:
        if not project.linked:
            return None
        names = self._names.get_or_compute(
            project.handle, lambda: ProjectNames(self.store, project.id)
        )
        return ProjectNumbering(self.store, project.id, names, document)

    def _background(self, project: Project) -> Background | None:
        if not project.background:
            return None
        names = project.policy.target
        return self._backgrounds.get_or_compute(
            (project.background, names), lambda: Background(project.background, names)
        )

    def _analysis(self, row: StoredDocument) -> Analysis:
        return self._analyses.get_or_compute(
            row.handle, lambda: self.store.documents.analysis(row.id, self.sanitizer.languages)
        )


def _state(entries: Sequence[LogEntry], *events: Event) -> ReviewState:
    """Return the state after a log and further events."""
    return replay([*(event for _, event in events_in_force(entries)), *events])
