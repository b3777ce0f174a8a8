"""Events of an annotation, as values and as JSON, and their replay to an annotation.

Entities (TAB, section 4.2, step 4): equal strings by default; annotators join entities, and take
mentions out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from itertools import count
from typing import Any

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span
from ...errors import InputError
from .annotation import DocumentAnnotation, MarkedMention, PeerReview, SpanMarks, in_order

_LONGEST_VALUE = 2_000
_MOST_SPANS = 100_000


class AnnotationEventError(InputError):
    """Invalid data of an event, or an event in conflict with the annotation."""


class AnnotationKind(StrEnum):
    """Kinds of events; in brackets the meaning of ``value``."""

    ADD = "add"  # the spans are mentions (of this semantic type)
    REMOVE = "remove"  # these are not mentions
    BOUNDS = "bounds"  # the mention at the first span is at the second
    TYPE = "type"  # the mentions are of this semantic type
    IDENTIFIER = "identifier"  # the mentions are of this identifier type
    STATUS = "status"  # the mentions have this confidential status
    LINK = "link"  # the entities of the mentions are one
    SPLIT = "split"  # the mentions are an entity of their own
    CHOOSE = "choose"  # this is written instead of the mentions (an option)
    STEP = "step"  # the annotator goes to this step of the guidelines
    SUBMIT = "submit"  # the annotation is complete
    REOPEN = "reopen"  # it is not after all
    CHECK = "check"  # another annotator has reviewed it (whether the person is protected)
    TAKE = "take"  # the adjudicator takes what is marked at this place (by this annotator)
    OWN = "own"  # the adjudicator marks the second span at this place (type, identifier, status)


STEPS = 5
CHECKS = ("protected", "exposed")
_VALUES: Mapping[AnnotationKind, tuple[str, ...]] = {
    AnnotationKind.ADD: tuple(SemanticType),
    AnnotationKind.TYPE: tuple(SemanticType),
    AnnotationKind.IDENTIFIER: tuple(IdentifierType),
    AnnotationKind.STATUS: tuple(ConfidentialStatus),
    AnnotationKind.STEP: tuple(str(step) for step in range(1, STEPS + 1)),
    AnnotationKind.CHECK: CHECKS,
}
_WITHOUT_VALUE = (
    AnnotationKind.REMOVE,
    AnnotationKind.BOUNDS,
    AnnotationKind.LINK,
    AnnotationKind.SPLIT,
    AnnotationKind.SUBMIT,
    AnnotationKind.REOPEN,
)
_WITHOUT_SPANS = (
    AnnotationKind.STEP,
    AnnotationKind.SUBMIT,
    AnnotationKind.REOPEN,
    AnnotationKind.CHECK,
)
_OF_OTHERS = (AnnotationKind.CHECK, AnnotationKind.TAKE, AnnotationKind.OWN)
RULINGS = (AnnotationKind.TAKE, AnnotationKind.OWN)
"""Events of an adjudicator, about what annotators marked; not part of an annotation."""


@dataclass(frozen=True, slots=True)
class AnnotationEvent:
    """An event of an annotation.

    Attributes:
        kind: see there.
        spans: the mentions concerned, each once.
        value: see ``AnnotationKind``.
        note: for *check*, the reviewer's remark.
        seen: for *check*, the fingerprint of the reviewed annotation; for *take* and *own*, of what
            all had marked at the place.

    Raises:
        AnnotationEventError: if kind, spans and value don't go together.
    """

    kind: AnnotationKind
    spans: tuple[Span, ...] = ()
    value: str = field(default="", repr=False)
    note: str = ""
    seen: str = ""

    def __post_init__(self) -> None:
        allowed = ("",) if self.kind in _WITHOUT_VALUE else _VALUES.get(self.kind)
        if allowed is not None and self.value not in allowed:
            raise AnnotationEventError(
                f"an act of kind {str(self.kind)!r} has the value {self.value[:40]!r}; use one of "
                f"{', '.join(map(repr, map(str, allowed)))}."
            )
        if len(self.value) > _LONGEST_VALUE or len(self.note) > _LONGEST_VALUE:
            raise AnnotationEventError(
                f"a value or note is longer than {_LONGEST_VALUE} characters; cut it."
            )
        if self.kind is not AnnotationKind.CHECK and self.note:
            raise AnnotationEventError("a note goes with an act of kind 'check' only.")
        if self.kind not in _OF_OTHERS and self.seen:
            raise AnnotationEventError("only an act on others' annotations can name what was seen.")
        minimum, maximum = _number_of_spans(self.kind)
        if not minimum <= len(self.spans) <= maximum:
            raise AnnotationEventError(
                f"an act of kind {str(self.kind)!r} has {len(self.spans)} spans; it takes "
                f"{minimum if minimum == maximum else f'{minimum} or more'}."
            )
        # The place of an own mark may be its span.
        if self.kind is not AnnotationKind.OWN and len(set(self.spans)) < len(self.spans):
            raise AnnotationEventError(f"an act of kind {str(self.kind)!r} names a span twice.")

    def as_object(self) -> dict[str, Any]:
        """The event as JSON."""
        item: dict[str, Any] = {"kind": str(self.kind)}
        if self.spans:
            item["spans"] = [[span.start, span.end] for span in self.spans]
        return item | {
            key: str(text) for key in ("value", "note", "seen") if (text := getattr(self, key))
        }

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> AnnotationEvent:
        """The event in the JSON of ``as_object``.

        Raises:
            AnnotationEventError: if the JSON is not an event.
        """
        try:
            kind = AnnotationKind(item["kind"])
            spans = tuple(
                Span(_offset(start), _offset(end)) for start, end in item.get("spans", ())
            )
        except (KeyError, TypeError, ValueError):
            raise AnnotationEventError(
                f"an act needs a kind ({', '.join(AnnotationKind)}) and spans [[start, end], ...] with "
                "0 <= start < end."
            ) from None
        value, note, fingerprint = (str(item.get(key, "")) for key in ("value", "note", "seen"))
        return cls(kind, spans, value, note, fingerprint)


def _number_of_spans(kind: AnnotationKind) -> tuple[int, int]:
    if kind in _WITHOUT_SPANS:
        return 0, 0
    if kind in (AnnotationKind.BOUNDS, AnnotationKind.OWN):
        return 2, 2
    if kind is AnnotationKind.TAKE:
        return 1, 1
    return (2 if kind is AnnotationKind.LINK else 1), _MOST_SPANS


def _offset(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


Mentions = Mapping[Span, MarkedMention]


def entity_of(text: str, mentions: Mentions, span: Span) -> int:
    """Number of the entity of a new mention: the first mention's with its string, or a new one."""
    string = span.of(text)
    same = [mention for mention in mentions.values() if mention.span.of(text) == string]
    return min(same, key=in_order).entity if same else new_entity(mentions)


def new_entity(mentions: Mentions) -> int:
    """An unused entity number."""
    return max((mention.entity for mention in mentions.values()), default=0) + 1


def linked(mentions: Mentions, spans: Collection[Span]) -> dict[Span, MarkedMention]:
    """The mentions with the entities of those at ``spans`` made one."""
    entities = {mentions[span].entity for span in spans}
    first = min(entities)
    return {
        span: replace(mention, entity=first) if mention.entity in entities else mention
        for span, mention in mentions.items()
    }


def split(mentions: Mentions, spans: Collection[Span]) -> dict[Span, MarkedMention]:
    """The mentions with those at ``spans`` as an entity of their own."""
    entity = new_entity(mentions)
    return {
        span: replace(mention, entity=entity) if span in spans else mention
        for span, mention in mentions.items()
    }


_STATE_OF_WORK = (
    AnnotationKind.STEP,
    AnnotationKind.SUBMIT,
    AnnotationKind.REOPEN,
    AnnotationKind.CHECK,
)


@dataclass(frozen=True, slots=True)
class _AnnotationState:
    """The state between two events; reviews with the fingerprint of the reviewed annotation."""

    mentions: dict[Span, MarkedMention]
    step: int = 1
    submitted: bool = False
    reviews: tuple[tuple[str, AnnotationEvent], ...] = ()


def replay(
    text: str, marks: SpanMarks, events: Iterable[tuple[str, AnnotationEvent]]
) -> DocumentAnnotation:
    """The annotation after ``events``, in order; undone ones are left out beforehand.

    Args:
        text: the document.
        marks: the initial marks.
        events: person and event.

    Raises:
        AnnotationEventError: if an event is in conflict with the state before it.
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


def _after(
    text: str, state: _AnnotationState, person: str, event: AnnotationEvent
) -> _AnnotationState:
    if event.kind not in (*_STATE_OF_WORK, *RULINGS) and state.submitted:
        raise AnnotationEventError("the annotation is already submitted; reopen it to continue.")
    match event.kind:
        case AnnotationKind.TAKE | AnnotationKind.OWN:
            raise AnnotationEventError("only an adjudicator decides between annotations.")
        case AnnotationKind.STEP:
            return replace(state, step=int(event.value))
        case AnnotationKind.SUBMIT:
            return replace(state, submitted=True)
        case AnnotationKind.REOPEN:
            return replace(state, submitted=False)
        case AnnotationKind.CHECK:
            return replace(state, reviews=(*state.reviews, (person, event)))
        case AnnotationKind.ADD:
            return replace(state, mentions=_added(text, state.mentions, event))
        case AnnotationKind.BOUNDS:
            return replace(state, mentions=_moved(text, state.mentions, *event.spans))
    for span in event.spans:
        _known(state.mentions, span)
    return replace(state, mentions=_changed(state.mentions, event))


def _changed(
    mentions: dict[Span, MarkedMention], event: AnnotationEvent
) -> dict[Span, MarkedMention]:
    match event.kind:
        case AnnotationKind.REMOVE:
            spans = set(event.spans)
            return {span: mention for span, mention in mentions.items() if span not in spans}
        case AnnotationKind.LINK:
            return linked(mentions, event.spans)
        case AnnotationKind.SPLIT:
            return split(mentions, event.spans)
    return mentions | {span: _with(mentions[span], event) for span in event.spans}


def _with(mention: MarkedMention, event: AnnotationEvent) -> MarkedMention:
    match event.kind:
        case AnnotationKind.TYPE:
            type = SemanticType(event.value)
            edit = mention.edit if type is mention.type else _corrected(mention)
            return replace(mention, type=type, edit=edit)
        case AnnotationKind.IDENTIFIER:
            return replace(mention, identifier=IdentifierType(event.value))
        case AnnotationKind.STATUS:
            return replace(mention, status=ConfidentialStatus(event.value))
        case AnnotationKind.CHOOSE if event.value in mention.choices:
            return replace(mention, choice=event.value)
    raise AnnotationEventError(
        f"not an option of the span at {mention.span.start}; choose one from its list."
    )


def _corrected(mention: MarkedMention) -> str:
    return "insert" if mention.edit == "insert" else "correct"


def _added(
    text: str, mentions: dict[Span, MarkedMention], event: AnnotationEvent
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
        raise AnnotationEventError(f"no mention at [{span.start}, {span.end}); reload the page.")


def _free(text: str, mentions: dict[Span, MarkedMention], span: Span) -> None:
    if span.end > len(text):
        raise AnnotationEventError(
            f"span [{span.start}, {span.end}) ends outside the text of {len(text)} characters."
        )
    if span in mentions:
        raise AnnotationEventError(
            f"[{span.start}, {span.end}) is marked already; change its type instead."
        )
    if not span.of(text).strip():
        raise AnnotationEventError(
            f"[{span.start}, {span.end}) contains only white space; select words."
        )
