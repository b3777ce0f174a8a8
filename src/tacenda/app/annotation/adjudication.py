"""Adjudication: one annotation made from several, place by place; and how pre-annotations were used.

Where the annotators agree, their marks are taken. Where they differ, the adjudicator takes one
annotator's marks (perhaps none) or makes their own. A ruling holds as long as the marks it decides
between are unchanged. Mentions are grouped into entities the way the annotators who marked them
did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import mean, pstdev

from ...document import ConfidentialStatus, IdentifierType, SemanticType
from ..events import RULINGS, Event, EventError, EventKind
from ..store.log import LogEntry, NewEntry, events_in_force, step_entry
from .annotation import DocumentAnnotation, MarkedMention, in_order
from .comparison import ComparedPlace, places
from .export import submitted
from .service import ADJUDICATOR, AnnotationProject, AnnotationView


@dataclass(frozen=True, slots=True)
class Ruling:
    """The adjudicator's ruling at a place.

    Attributes:
        by: the annotator whose marks are taken, or the adjudicator for a mark of their own.
        mentions: mentions in the adjudicated annotation.
    """

    by: str
    mentions: tuple[MarkedMention, ...]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The state of the adjudication of a document.

    Attributes:
        views: the submitted annotations.
        places: where a person marked something, in order.
        rulings: one per place, or None where the annotators differ and nothing is decided yet.
        revision: number of the adjudicator's events so far.
        undo, redo: whether the adjudicator can undo or redo something.
    """

    views: tuple[AnnotationView, ...]
    places: tuple[ComparedPlace, ...]
    rulings: tuple[Ruling | None, ...]
    revision: int
    undo: bool
    redo: bool

    @property
    def open(self) -> int:
        """Number of places not yet decided."""
        return sum(ruling is None for ruling in self.rulings)

    @property
    def annotation(self) -> DocumentAnnotation | None:
        """The adjudicated annotation, or None while something is undecided."""
        if self.open or len(self.views) < 2:
            return None
        rulings = [ruling for ruling in self.rulings if ruling is not None]
        return DocumentAnnotation(_joined(self.views, rulings), submitted=True)


def adjudication(project: AnnotationProject, document: int) -> Adjudication:
    """Return the state of a document.

    Raises:
        NotFound: if there is no such document.
    """
    views = tuple(submitted(project, document, ADJUDICATOR))
    entries = project.log.entries(project.source(document).id, ADJUDICATOR)
    compared = tuple(places(views)) if len(views) > 1 else ()
    return Adjudication(
        views,
        compared,
        _rulings(views, compared, entries),
        len(entries),
        *(step_entry(entries, ADJUDICATOR, redo=redo) is not None for redo in (False, True)),
    )


def rule(project: AnnotationProject, document: int, expected: int, event: Event) -> Adjudication:
    """Decide a place.

    Args:
        project: the project.
        document: its number.
        expected: the revision the adjudicator saw.
        event: *take* or *own*, with the place as its first span.

    Raises:
        EventError: if there is no such place, annotator or mark.
        RevisionConflict: if someone else made a decision in the meantime.
    """
    state = adjudication(project, document)
    place = next((item for item in state.places if event.spans[:1] == (item.span,)), None)
    if event.kind not in RULINGS or place is None:
        raise EventError("the place no longer exists; reload the page.")
    event = replace(event, seen=place.fingerprint)
    if _ruling(state.views, place, event) is None:
        raise EventError(
            f"{event.value[:40]!r} is neither an annotator of this document nor a type, an identifier "
            "and a status of words within the place."
        )
    entry = NewEntry(ADJUDICATOR, event)
    project.log.append(project.source(document).id, expected, entry, ADJUDICATOR)
    return adjudication(project, document)


def take_back(project: AnnotationProject, document: int, expected: int, redo: bool) -> Adjudication:
    """Undo the latest ruling in force, or redo the last one undone; do nothing if there is none.

    Raises:
        RevisionConflict: if someone else made a decision in the meantime.
    """
    source = project.source(document).id
    entry = step_entry(project.log.entries(source, ADJUDICATOR), ADJUDICATOR, redo=redo)
    if entry is not None:
        project.log.append(source, expected, entry, ADJUDICATOR)
    return adjudication(project, document)


def adjudicated(project: AnnotationProject) -> list[AnnotationView]:
    """Return the adjudicated annotations of the documents in which everything is decided."""
    views = []
    for document in project.documents():
        state = adjudication(project, document)
        annotation = state.annotation
        if annotation is not None:
            source = project.source(document)
            views.append(
                AnnotationView(source, ADJUDICATOR, state.revision, annotation, False, False)
            )
    return views


def _rulings(
    views: Sequence[AnnotationView],
    compared: Sequence[ComparedPlace],
    entries: Sequence[LogEntry],
) -> tuple[Ruling | None, ...]:
    latest = {
        (event.spans[0], event.seen): event
        for _, event in events_in_force(entries)
        if event.kind in RULINGS
    }
    rulings: list[Ruling | None] = []
    for place in compared:
        event = latest.get((place.span, place.fingerprint))
        if event is not None:
            rulings.append(_ruling(views, place, event))
        elif place.differ:
            rulings.append(None)
        else:
            rulings.append(Ruling(views[0].annotator, place.marked[0]))
    return tuple(rulings)


def _ruling(views: Sequence[AnnotationView], place: ComparedPlace, event: Event) -> Ruling | None:
    """Return the ruling of an event, or None if it names none."""
    if event.kind is EventKind.TAKE:
        for view, mentions in zip(views, place.marked, strict=True):
            if view.annotator == event.value:
                return Ruling(view.annotator, mentions)
        return None
    mention = own_mark(event)
    if mention is None or not place.span.contains(mention.span):
        return None
    return Ruling(ADJUDICATOR, (mention,))


def own_mark(event: Event) -> MarkedMention | None:
    """Return the mark of an *own* event as an entity of its own, or None if its value is invalid."""
    words = event.value.split()
    try:
        type, identifier, status = words
        return MarkedMention(
            event.spans[1],
            SemanticType(type),
            0,
            IdentifierType(identifier),
            ConfidentialStatus(status),
        )
    except ValueError:
        return None


def _joined(
    views: Sequence[AnnotationView], rulings: Sequence[Ruling]
) -> tuple[MarkedMention, ...]:
    """Return the mentions of all rulings, with entities renumbered in order."""
    text = views[0].source.text
    entities = {
        view.annotator: {mention.span: mention.entity for mention in view.annotation.mentions}
        for view in views
    }
    candidates = [(ruling.by, mention) for ruling in rulings for mention in ruling.mentions]
    number = list(range(len(candidates)))
    for (left, (one, first)), (right, (other, second)) in combinations(enumerate(candidates), 2):
        votes = [
            table[first.span] == table[second.span]
            for by in dict.fromkeys((one, other))
            if (table := entities.get(by)) and first.span in table and second.span in table
        ]
        same_words = first.span.of(text) == second.span.of(text)
        if all(votes) if votes else same_words:
            old, new = max(number[left], number[right]), min(number[left], number[right])
            number = [new if value == old else value for value in number]
    order = {value: place for place, value in enumerate(dict.fromkeys(number), start=1)}
    mentions = [
        replace(mention, entity=order[value])
        for (_, mention), value in zip(candidates, number, strict=True)
    ]
    return tuple(sorted(mentions, key=in_order))


@dataclass(frozen=True, slots=True)
class EditShares:
    """How an annotator used the pre-annotation (TAB, section 5.3), in submitted documents.

    Attributes:
        annotator: their name; empty for the mean of all.
        mentions: number of mentions.
        inserted: share of mentions that were not marked before, in [0, 1].
        edited: share of mentions inserted or changed in type or position.
        removed: share of the initial marks that were removed.
        spread: standard deviation of ``inserted`` and ``edited`` over the annotators, for the mean.
    """

    annotator: str
    mentions: int
    inserted: float
    edited: float
    removed: float
    spread: tuple[float, float] = (0.0, 0.0)


def edit_shares(views: Iterable[AnnotationView]) -> list[EditShares]:
    """Return a row for each annotator of pre-annotated documents and, if there are several, one for their mean."""
    by_name: dict[str, list[AnnotationView]] = {}
    for view in views:
        if view.annotation.submitted and view.source.marks.items:
            by_name.setdefault(view.annotator, []).append(view)
    rows = [_shares(name, items) for name, items in by_name.items()]
    if len(rows) < 2:
        return rows
    inserted, edited = [row.inserted for row in rows], [row.edited for row in rows]
    total = EditShares(
        "",
        sum(row.mentions for row in rows),
        mean(inserted),
        mean(edited),
        mean(row.removed for row in rows),
        (pstdev(inserted), pstdev(edited)),
    )
    return [*rows, total]


def _shares(name: str, views: Sequence[AnnotationView]) -> EditShares:
    edits = [mention.edit for view in views for mention in view.annotation.mentions]
    marks = sum(len(view.source.marks.items) for view in views)
    n_inserted, n_corrected = edits.count("insert"), edits.count("correct")
    n_kept = len(edits) - n_inserted
    return EditShares(
        name,
        len(edits),
        n_inserted / max(1, len(edits)),
        (n_inserted + n_corrected) / max(1, len(edits)),
        (marks - n_kept) / max(1, marks),
    )
