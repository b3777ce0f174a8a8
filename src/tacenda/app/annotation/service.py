"""Annotation projects: opens, changes and compares annotations, and checks permissions.

| annotation | visible to |
|---|---|
| one's own | its annotator, always |
| another annotator's | an annotator, once both have submitted theirs and review each other |
| any submitted one | the adjudicator |

The annotators of a project are its members. The adjudicator is its owner or an administrator, unless they
annotate themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import InputError
from ...memory import LruCache
from ..events import Event, EventError, EventKind
from ..store import Store
from ..store.database import PermissionDenied
from ..store.log import LogEntry, NewEntry, events_in_force, step_entry
from ..store.projects import Project
from .annotation import DocumentAnnotation
from .events import replay
from .sources import occurrences
from .store import AnnotationSource, AnnotationSources, Flow, begin

ADJUDICATOR = "adjudicator"
"""Name of the user who compares annotations and decides where they differ, but doesn't annotate."""

_KEPT = 256
_NAME = re.compile(r"[\w.-]{1,40}")


@dataclass(frozen=True, slots=True)
class AnnotationView:
    """The current annotation of a document.

    Attributes:
        source: the document.
        annotator: the author.
        revision: the annotation's revision.
        annotation: its content.
        undo, redo: whether the annotator can undo or redo something.
    """

    source: AnnotationSource
    annotator: str
    revision: int
    annotation: DocumentAnnotation
    undo: bool
    redo: bool


class AnnotationService:
    """The annotation projects of a store.

    Args:
        store: the store they are in.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projects: LruCache[str, AnnotationProject] = LruCache(_KEPT)

    def project(self, id: int) -> AnnotationProject:
        """A project.

        Raises:
            NotFound: if the number is unknown.
        """
        project = self._store.projects.get(id)
        return self._projects.get_or_compute(
            project.handle, lambda: AnnotationProject(self._store, project)
        )

    def begin(
        self,
        name: str,
        flow: Flow | None,
        annotators: Sequence[str],
        sources: Sequence[AnnotationSource] = (),
        *,
        owner: str = ADJUDICATOR,
        review: int | None = None,
    ) -> AnnotationProject:
        """Return a new or continued project, with new documents and annotators added to it.

        Args:
            name: the name of a new project.
            flow: None to keep the project's flow, or for *tab* in a new one.
            annotators: their names.
            sources: the documents.
            owner: name of the key that owns a new project.
            review: number of the review project to annotate; None for a project of its own.

        Raises:
            InputError: if a name is invalid, the project has another flow, or a name belongs to
                another text.
            OverQuota: if the owner would exceed their quota.
        """
        names = checked_names(annotators)
        with self._store.within(owner):
            project = begin(self._store, name, flow, names, owner, review)
            AnnotationSources(self._store, project.id).add(sources)
        return self.project(project.id)


class AnnotationProject:
    """An annotation project.

    Args:
        store: the project's store.
        project: the project's row.
    """

    def __init__(self, store: Store, project: Project) -> None:
        self.store = store
        self.project = project
        self.flow = Flow(project.flow)
        self.sources = AnnotationSources(store, project.id)
        self.log = store.log
        self._documents: LruCache[int, AnnotationSource] = LruCache(_KEPT)
        self._views: LruCache[tuple[int, str, int], AnnotationView] = LruCache(_KEPT)

    @property
    def annotators(self) -> tuple[str, ...]:
        """The names of all annotators, in the order they joined."""
        return self.store.projects.members(self.project.id)

    def viewer(self, person: str) -> str:
        """Return a person's role: the annotator with the same name, or the adjudicator."""
        return person if person in self.annotators else ADJUDICATOR

    def documents(self) -> range:
        """The numbers of all documents, in order."""
        return range(1, len(self.sources) + 1)

    def source(self, document: int) -> AnnotationSource:
        """A document.

        Raises:
            NotFound: if the number is unknown.
        """
        return self._documents.get_or_compute(document, lambda: self.sources.get(document))

    def revision(self, document: int, annotator: str) -> int:
        """Return the revision of an annotation."""
        return self.log.revision(self.source(document).id, annotator)

    def open(self, document: int, annotator: str) -> AnnotationView:
        """Return the current state of an annotation.

        Raises:
            NotFound: if there is no such document.
            PermissionDenied: if there is no such annotator.
        """
        if annotator not in self.annotators:
            raise PermissionDenied(f"{annotator[:40]!r} is not an annotator of this project.")
        source = self.source(document)
        key = (document, annotator, self.log.revision(source.id, annotator))
        return self._views.get_or_compute(key, lambda: self._view(source, annotator))

    def shown(self, document: int, viewer: str) -> list[AnnotationView]:
        """Return the annotations of a document visible to ``viewer``, with their own first."""
        views = [self.open(document, name) for name in self.annotators]
        own_views = [view for view in views if view.annotator == viewer]
        if viewer != ADJUDICATOR and not any(view.annotation.submitted for view in own_views):
            return own_views
        peers = [view for view in views if view.annotator != viewer and view.annotation.submitted]
        return [*own_views, *peers]

    def see(self, document: int, viewer: str, annotator: str) -> AnnotationView:
        """Return an annotator's annotation, if ``viewer`` may see it.

        Raises:
            PermissionDenied: if they may not.
        """
        for view in self.shown(document, viewer):
            if view.annotator == annotator:
                return view
        raise PermissionDenied(
            "you can see this annotation once both of you have submitted yours of the document."
        )

    def do(
        self,
        document: int,
        person: str,
        expected: int,
        event: Event,
        everywhere: bool = False,
    ) -> AnnotationView:
        """Apply an event to one's own annotation.

        Args:
            document: its number.
            person: the annotator.
            expected: the revision it was made for.
            event: the event; not *check*.
            everywhere: for *add*, whether to mark all places with the same words.

        Raises:
            EventError: if it doesn't fit the state.
            RevisionConflict: if the annotation is no longer at revision ``expected``.
        """
        if event.kind is EventKind.CHECK:
            raise EventError("you can't review your own annotation.")
        view = self.open(document, person)
        if everywhere and event.kind is EventKind.ADD:
            event = _everywhere(view, event)
        if event.kind is EventKind.SUBMIT:
            self._check_complete(view.annotation)
        return self._write(view, expected, NewEntry(person, event))

    def step(self, document: int, person: str, expected: int, *, redo: bool) -> AnnotationView:
        """Undo one's latest event in force, or redo the last one undone; do nothing if there is none."""
        view = self.open(document, person)
        entry = step_entry(self.log.entries(view.source.id, person), person, redo=redo)
        return view if entry is None else self._write(view, expected, entry)

    def check(
        self, document: int, person: str, annotator: str, value: str, note: str
    ) -> AnnotationView:
        """Store a peer's review of an annotation (TAB, section 4.2, step 5).

        Raises:
            PermissionDenied: if they may not see the annotation, or it is their own.
        """
        view = self.see(document, person, annotator)
        if annotator == person:
            raise PermissionDenied("you can't review your own annotation.")
        fingerprint = view.annotation.fingerprint
        event = Event(EventKind.CHECK, value=value, note=note, seen=fingerprint)
        return self._write(view, view.revision, NewEntry(person, event))

    def following(self, document: int, person: str) -> int | None:
        """Return the next document that ``person`` hasn't submitted yet, or None after the last one."""
        documents = self.documents()
        numbers: list[int] = [*documents[document:], *documents[: document - 1]]
        for number in numbers:
            if not self.open(number, person).annotation.submitted:
                return number
        return None

    def _check_complete(self, annotation: DocumentAnnotation) -> None:
        missing = annotation.undecided if self.flow is Flow.TAB else annotation.unchosen
        if missing:
            raise EventError(f"{missing} spans are undecided; decide them before you submit.")

    def _write(self, view: AnnotationView, expected: int, entry: NewEntry) -> AnnotationView:
        source, annotator = view.source, view.annotator
        entries = self.log.entries(source.id, annotator)
        # Replayed before it is written: an event that does not fit is not in the log. Where another
        # one came first, ``append`` says so.
        if len(entries) == expected:
            _annotation(source, entry.after(entries))
        self.log.append(source.id, expected, entry, annotator)
        return self.open(source.number, annotator)

    def _view(self, source: AnnotationSource, annotator: str) -> AnnotationView:
        entries = self.log.entries(source.id, annotator)
        return AnnotationView(
            source,
            annotator,
            len(entries),
            _annotation(source, entries),
            *(step_entry(entries, annotator, redo=redo) is not None for redo in (False, True)),
        )


def _annotation(source: AnnotationSource, entries: Sequence[LogEntry]) -> DocumentAnnotation:
    return replay(source.text, source.marks, events_in_force(entries))


def _everywhere(view: AnnotationView, event: Event) -> Event:
    """Return the event, extended to all unmarked places with the same words."""
    spans = {mention.span for mention in view.annotation.mentions}
    places = dict.fromkeys(event.spans)
    for span in event.spans:
        same = occurrences(view.source.text, span)
        places |= dict.fromkeys(place for place in same if place not in spans)
    return Event(event.kind, tuple(sorted(places)), event.value)


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of annotators, checked.

    Raises:
        InputError: if there are none, or one is invalid, a duplicate or the adjudicator's name.
    """
    if not names:
        raise InputError("no annotators given; name them with --annotators ann,ben.")
    for name in names:
        if not _NAME.fullmatch(name) or name == ADJUDICATOR or names.count(name) > 1:
            raise InputError(
                f"annotator {name[:60]!r} can't be: up to 40 letters, digits, '.', '_' and '-', "
                f"each name once, and not {ADJUDICATOR!r}."
            )
    return tuple(names)
