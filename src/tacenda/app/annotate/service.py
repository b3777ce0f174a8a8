"""What the pages ask for: annotations opened, changed and compared, each by whom it may be.

| whose annotation | who sees it |
|---|---|
| one's own | always |
| another annotator's | an annotator, once both have submitted theirs: then they review |
| any that is submitted | the adjudicator |
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...document import Span
from ...errors import InputError
from ..recent import Recent
from ..review.history import in_force, redoable, undoable
from .annotation import Annotation
from .change import Act, ActError, Kind
from .fold import fold
from .occurrences import occurrences
from .store import AnnotationStore, Event, Flow, NewEvent, Source

ADJUDICATOR = "adjudicator"
"""Who compares annotations and makes none."""

_KEPT = 256


class Hidden(InputError):
    """An annotation is not for this person's eyes, or not yet."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An annotation of a document, as it stands.

    Attributes:
        source: the document.
        annotator: whose annotation.
        revision: of the annotation.
        annotation: what is in it.
        undo, redo: whether the annotator can take something back, or bring it back.
    """

    source: Source
    annotator: str
    revision: int
    annotation: Annotation
    undo: bool
    redo: bool


class Annotating:
    """What annotation mode does, apart from how it is asked.

    Args:
        store: where the project is.
        flow: its flow.
    """

    def __init__(self, store: AnnotationStore, flow: Flow) -> None:
        self.store = store
        self.flow = flow
        self.annotators = store.annotators()
        self._sources: Recent[int, Source] = Recent(_KEPT)
        self._opened: Recent[tuple[int, str, int], Opened] = Recent(_KEPT)

    def source(self, document: int) -> Source:
        """Return a document.

        Raises:
            Missing: if there is none of that number.
        """
        return self._sources.get(document, lambda: self.store.source(document))

    def open(self, document: int, annotator: str) -> Opened:
        """Return an annotation as it stands.

        Raises:
            Missing: if there is no such document.
            Hidden: if there is no such annotator.
        """
        if annotator not in self.annotators:
            raise Hidden(f"{annotator[:40]!r} is no annotator of this project.")
        source = self.source(document)
        key = (document, annotator, self.store.revision(document, annotator))
        return self._opened.get(key, lambda: self._folded(source, annotator))

    def shown(self, document: int, viewer: str) -> list[Opened]:
        """Return the annotations of a document that ``viewer`` may see, their own first."""
        opened = [self.open(document, name) for name in self.annotators]
        own = [item for item in opened if item.annotator == viewer]
        if viewer != ADJUDICATOR and not any(item.annotation.submitted for item in own):
            return own
        others = [item for item in opened if item.annotator != viewer and item.annotation.submitted]
        return [*own, *others]

    def see(self, document: int, viewer: str, annotator: str) -> Opened:
        """Return an annotation that ``viewer`` wants to see.

        Raises:
            Hidden: if they may not.
        """
        for item in self.shown(document, viewer):
            if item.annotator == annotator:
                return item
        raise Hidden(
            "this annotation can be seen once both of you have submitted yours of the document."
        )

    def do(
        self, document: int, person: str, seen: int, act: Act, everywhere: bool = False
    ) -> Opened:
        """Make an act in one's own annotation.

        Args:
            document: its number.
            person: the annotator.
            seen: the revision that they saw.
            act: what they do; no check.
            everywhere: for *add*, whether all places with the same words are meant.

        Raises:
            ActError: if it does not fit.
            Late: if the annotation is not at revision ``seen`` any more.
        """
        if act.kind is Kind.CHECK:
            raise ActError("one's own annotation is checked by others.")
        opened = self.open(document, person)
        if everywhere and act.kind is Kind.ADD:
            act = self._everywhere(opened, act)
        if act.kind is Kind.SUBMIT:
            self._complete(opened.annotation)
        return self._write(opened, seen, NewEvent(person, act))

    def undo(self, document: int, person: str, seen: int) -> Opened:
        """Take back one's latest act that holds; nothing happens if there is none."""
        opened = self.open(document, person)
        undoes = undoable(self.store.events(document, person), person)
        return (
            opened if undoes is None else self._write(opened, seen, NewEvent(person, undoes=undoes))
        )

    def redo(self, document: int, person: str, seen: int) -> Opened:
        """Bring back what one took back last; nothing happens if there is nothing."""
        opened = self.open(document, person)
        redoes = redoable(self.store.events(document, person), person)
        return (
            opened if redoes is None else self._write(opened, seen, NewEvent(person, redoes=redoes))
        )

    def check(self, document: int, person: str, annotator: str, value: str, note: str) -> Opened:
        """Keep what ``person`` has to say of another's annotation (TAB, section 4.2, step 5).

        Raises:
            Hidden: if they may not see it, or it is their own.
        """
        opened = self.see(document, person, annotator)
        if annotator == person:
            raise Hidden("one's own annotation is checked by others.")
        act = Act(Kind.CHECK, value=value, note=note, seen=opened.annotation.fingerprint)
        return self._write(opened, opened.revision, NewEvent(person, act))

    def following(self, document: int, person: str) -> int | None:
        """Return the next document that ``person`` has not submitted; None after the last one."""
        documents = self.store.documents()
        place = documents.index(document) + 1
        for id in (*documents[place:], *documents[: place - 1]):
            if not self.open(id, person).annotation.submitted:
                return id
        return None

    def _complete(self, annotation: Annotation) -> None:
        missing = annotation.undecided if self.flow is Flow.TAB else annotation.unchosen
        if missing:
            raise ActError(f"{missing} spans are still to be decided; then it can be submitted.")

    def _everywhere(self, opened: Opened, act: Act) -> Act:
        marked = {mention.span for mention in opened.annotation.mentions}
        found: dict[Span, None] = dict.fromkeys(act.spans)
        for span in act.spans:
            found |= dict.fromkeys(
                other for other in occurrences(opened.source.text, span) if other not in marked
            )
        return Act(act.kind, tuple(sorted(found)), act.value)

    def _write(self, opened: Opened, seen: int, event: NewEvent) -> Opened:
        document, annotator = opened.source.id, opened.annotator
        events = self.store.events(document, annotator)
        last = events[-1].id if events else 0
        pending = Event(last + 1, event.person, "", event.change, event.undoes, event.redoes)
        # Folded before it is written: an act that does not fit is not in the log. Where another
        # one came first, ``append`` says so.
        if len(events) == seen:
            fold(opened.source.text, opened.source.marks, _acts([*events, pending]))
        self.store.append(document, annotator, seen, event)
        return self.open(document, annotator)

    def _folded(self, source: Source, annotator: str) -> Opened:
        events = self.store.events(source.id, annotator)
        return Opened(
            source,
            annotator,
            len(events),
            fold(source.text, source.marks, _acts(events)),
            undoable(events, annotator) is not None,
            redoable(events, annotator) is not None,
        )


def _acts(events: Iterable[Event]) -> list[tuple[str, Act]]:
    return [(event.person, event.change) for event in in_force(events) if event.change is not None]
