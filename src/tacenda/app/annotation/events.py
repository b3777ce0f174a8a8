"""Replays annotators' events to get an annotation.

Entities (TAB, section 4.2, step 4): by default, equal strings are one entity; annotators join
entities and split off mentions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span
from ..events import OF_ANNOTATION, RULINGS, Event, EventError, EventKind, ReviewAction
from .annotation import DocumentAnnotation, MarkedMention, PeerReview, SpanMarks, in_order

Mentions = Mapping[Span, MarkedMention]


def entity_of(text: str, mentions: Mentions, span: Span) -> int:
    """Return the entity number of a new mention: that of the first mention with the same string, or a new one."""
    string = span.of(text)
    same = [mention for mention in mentions.values() if mention.span.of(text) == string]
    return min(same, key=in_order).entity if same else new_entity(mentions)


def new_entity(mentions: Mentions) -> int:
    """Return an unused entity number."""
    return max((mention.entity for mention in mentions.values()), default=0) + 1


def linked(mentions: Mentions, spans: Collection[Span]) -> dict[Span, MarkedMention]:
    """Return the mentions, with the entities at ``spans`` joined into one."""
    entities = {mentions[span].entity for span in spans}
    first = min(entities)
    return {
        span: replace(mention, entity=first) if mention.entity in entities else mention
        for span, mention in mentions.items()
    }


def split(mentions: Mentions, spans: Collection[Span]) -> dict[Span, MarkedMention]:
    """Return the mentions, with those at ``spans`` split off as an entity of their own."""
    entity = new_entity(mentions)
    return {
        span: replace(mention, entity=entity) if span in spans else mention
        for span, mention in mentions.items()
    }


_STATE_OF_WORK = (
    EventKind.STEP,
    EventKind.SUBMIT,
    EventKind.REOPEN,
    EventKind.CHECK,
)


@dataclass(frozen=True, slots=True)
class _AnnotationState:
    """The state between two events; reviews with the fingerprint of the reviewed annotation."""

    mentions: dict[Span, MarkedMention]
    step: int = 1
    submitted: bool = False
    reviews: tuple[tuple[str, Event], ...] = ()


def replay(text: str, marks: SpanMarks, events: Iterable[tuple[str, Event]]) -> DocumentAnnotation:
    """Return the annotation after ``events``, which are in order and without undone ones.

    Args:
        text: the document.
        marks: the initial marks.
        events: pairs of person and event.

    Raises:
        EventError: if an event conflicts with the state before it.
    """
    state = reduce(lambda state, event: _after(text, state, *event), events, _begun(text, marks))
    mentions = tuple(sorted(state.mentions.values(), key=in_order))
    annotation = DocumentAnnotation(mentions, state.step, state.submitted)
    fingerprint = annotation.fingerprint
    checks = {
        person: PeerReview(event.value, event.note, event.seen == fingerprint)
        for person, event in state.reviews
    }
    return replace(annotation, checks=checks)


def _begun(text: str, marks: SpanMarks) -> _AnnotationState:
    mentions: dict[Span, MarkedMention] = {}
    by_name: dict[str, int] = {}
    by_string: dict[str, int] = {}  # as ``entity_of``, in linear time
    numbers = count(1)
    for mark in marks.items:
        table, key = (by_name, mark.entity) if mark.entity else (by_string, mark.span.of(text))
        entity = table[key] if key in table else table.setdefault(key, next(numbers))
        by_string.setdefault(mark.span.of(text), entity)
        mentions[mark.span] = MarkedMention(
            mark.span,
            mark.type,
            entity,
            mark.identifier,
            mark.status,
            mark.edit,
            mark.choices,
        )
    return _AnnotationState(mentions)


def _after(text: str, state: _AnnotationState, person: str, event: Event) -> _AnnotationState:
    if event.kind not in OF_ANNOTATION:
        raise EventError(f"an annotation has no change of kind {str(event.kind)!r}.")
    if len(set(event.spans)) < len(event.spans):
        raise EventError(f"a change of kind {str(event.kind)!r} names a span twice.")
    if event.kind not in (*_STATE_OF_WORK, *RULINGS) and state.submitted:
        raise EventError("the annotation is already submitted; reopen it to continue.")
    match event.kind:
        case EventKind.TAKE | EventKind.OWN:
            raise EventError("only an adjudicator decides between annotations.")
        case EventKind.STEP:
            return replace(state, step=int(event.value))
        case EventKind.SUBMIT:
            return replace(state, submitted=True)
        case EventKind.REOPEN:
            return replace(state, submitted=False)
        case EventKind.CHECK:
            return replace(state, reviews=(*state.reviews, (person, event)))
        case EventKind.ADD:
            return replace(state, mentions=_added(text, state.mentions, event))
        case EventKind.BOUNDS:
            return replace(state, mentions=_moved(text, state.mentions, *event.spans))
    for span in event.spans:
        _known(state.mentions, span)
    return replace(state, mentions=_changed(state.mentions, event))


def _changed(mentions: dict[Span, MarkedMention], event: Event) -> dict[Span, MarkedMention]:
    match event.kind:
        case EventKind.REMOVE:
            spans = set(event.spans)
            return {span: mention for span, mention in mentions.items() if span not in spans}
        case EventKind.MERGE:
            return linked(mentions, event.spans)
        case EventKind.SPLIT:
            return split(mentions, event.spans)
    return mentions | {span: _with(mentions[span], event) for span in event.spans}


def _with(mention: MarkedMention, event: Event) -> MarkedMention:
    match event.kind:
        case EventKind.TYPE:
            type = SemanticType(event.value)
            edit = mention.edit if type is mention.type else _corrected(mention)
            return replace(mention, type=type, edit=edit)
        case EventKind.IDENTIFIER if event.value != ReviewAction.AUTO:
            return replace(mention, identifier=IdentifierType(event.value))
        case EventKind.STATUS:
            return replace(mention, status=ConfidentialStatus(event.value))
        case EventKind.CHOOSE if event.value in mention.choices:
            return replace(mention, choice=event.value)
    raise EventError(
        f"not an option of the span at {mention.span.start}; choose one from its list."
    )


def _corrected(mention: MarkedMention) -> str:
    return "insert" if mention.edit == "insert" else "correct"


def _added(
    text: str, mentions: dict[Span, MarkedMention], event: Event
) -> dict[Span, MarkedMention]:
    result = dict(mentions)
    for span in event.spans:
        _free(text, result, span)
        type = SemanticType(event.value)
        result[span] = MarkedMention(span, type, entity_of(text, result, span))
    return result


def _moved(
    text: str, mentions: dict[Span, MarkedMention], old: Span, new: Span
) -> dict[Span, MarkedMention]:
    _known(mentions, old)
    _free(text, mentions, new)
    result = dict(mentions)
    mention = result.pop(old)
    is_single = all(member.entity != mention.entity for member in result.values())
    entity = entity_of(text, result, new) if is_single else mention.entity
    result[new] = replace(mention, span=new, entity=entity, edit=_corrected(mention))
    return result


def _known(mentions: dict[Span, MarkedMention], span: Span) -> None:
    if span not in mentions:
        raise EventError(f"no mention at [{span.start}, {span.end}); reload the page.")


def _free(text: str, mentions: dict[Span, MarkedMention], span: Span) -> None:
    if span.end > len(text):
        raise EventError(
            f"span [{span.start}, {span.end}) ends outside the text of {len(text)} characters."
        )
    if span in mentions:
        raise EventError(f"[{span.start}, {span.end}) is marked already; change its type instead.")
    if not span.of(text).strip():
        raise EventError(f"[{span.start}, {span.end}) contains only white space; select words.")
