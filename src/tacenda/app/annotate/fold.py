"""Acts folded to an annotation, one after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span
from .annotation import Annotated, Annotation, Check, in_order
from .change import Act, ActError, Kind
from .grouping import entity_of, linked, split
from .marks import Marks

_STATE_OF_WORK = (Kind.STEP, Kind.SUBMIT, Kind.REOPEN, Kind.CHECK)


@dataclass(frozen=True, slots=True)
class _Folded:
    """The state between two acts; reviews with the fingerprint of what they were of."""

    mentions: dict[Span, Annotated]
    step: int = 1
    submitted: bool = False
    reviews: tuple[tuple[str, Act], ...] = ()


def fold(text: str, marks: Marks, acts: Iterable[tuple[str, Act]]) -> Annotation:
    """Return the annotation after ``acts``, in order; undone ones are left out beforehand.

    Args:
        text: the document.
        marks: what was marked before anybody began.
        acts: who did what.

    Raises:
        ActError: if an act does not fit what is there.
    """
    folded = reduce(lambda state, act: _after(text, state, *act), acts, _begun(text, marks))
    mentions = tuple(sorted(folded.mentions.values(), key=in_order))
    annotation = Annotation(mentions, folded.step, folded.submitted)
    seen = annotation.fingerprint
    checks = {
        person: Check(act.value, act.note, act.seen == seen) for person, act in folded.reviews
    }
    return replace(annotation, checks=checks)


def _begun(text: str, marks: Marks) -> _Folded:
    mentions: dict[Span, Annotated] = {}
    named: dict[str, int] = {}
    spelled: dict[str, int] = {}  # as ``entity_of``, in linear time
    numbers = count(1)
    for mark in marks.items:
        known, key = (named, mark.entity) if mark.entity else (spelled, mark.span.of(text))
        entity = known[key] if key in known else known.setdefault(key, next(numbers))
        spelled.setdefault(mark.span.of(text), entity)
        mentions[mark.span] = Annotated(
            mark.span,
            mark.type,
            entity,
            mark.identifier,
            mark.status,
            mark.edit,
            mark.choices,
        )
    return _Folded(mentions)


def _after(text: str, state: _Folded, person: str, act: Act) -> _Folded:
    if act.kind not in _STATE_OF_WORK and state.submitted:
        raise ActError("the annotation is submitted; reopen it to go on.")
    match act.kind:
        case Kind.STEP:
            return replace(state, step=int(act.value))
        case Kind.SUBMIT:
            return replace(state, submitted=True)
        case Kind.REOPEN:
            return replace(state, submitted=False)
        case Kind.CHECK:
            return replace(state, reviews=(*state.reviews, (person, act)))
        case Kind.ADD:
            return replace(state, mentions=_added(text, state.mentions, act))
        case Kind.BOUNDS:
            return replace(state, mentions=_moved(text, state.mentions, *act.spans))
    for span in act.spans:
        _known(state.mentions, span)
    return replace(state, mentions=_changed(state.mentions, act))


def _changed(mentions: dict[Span, Annotated], act: Act) -> dict[Span, Annotated]:
    match act.kind:
        case Kind.REMOVE:
            gone = set(act.spans)
            return {span: mention for span, mention in mentions.items() if span not in gone}
        case Kind.LINK:
            return linked(mentions, act.spans)
        case Kind.SPLIT:
            return split(mentions, act.spans)
    return mentions | {span: _with(mentions[span], act) for span in act.spans}


def _with(mention: Annotated, act: Act) -> Annotated:
    match act.kind:
        case Kind.TYPE:
            type = SemanticType(act.value)
            edit = mention.edit if type is mention.type else _corrected(mention)
            return replace(mention, type=type, edit=edit)
        case Kind.IDENTIFIER:
            return replace(mention, identifier=IdentifierType(act.value))
        case Kind.STATUS:
            return replace(mention, status=ConfidentialStatus(act.value))
        case Kind.CHOOSE if act.value in mention.choices:
            return replace(mention, choice=act.value)
    raise ActError(
        f"that is no option of the span at {mention.span.start}; choose one of its list."
    )


def _corrected(mention: Annotated) -> str:
    return "insert" if mention.edit == "insert" else "correct"


def _added(text: str, mentions: dict[Span, Annotated], act: Act) -> dict[Span, Annotated]:
    added = dict(mentions)
    for span in act.spans:
        _free(text, added, span)
        type = SemanticType(act.value)
        added[span] = Annotated(span, type, entity_of(text, added, span))
    return added


def _moved(
    text: str, mentions: dict[Span, Annotated], old: Span, new: Span
) -> dict[Span, Annotated]:
    _known(mentions, old)
    _free(text, mentions, new)
    moved = dict(mentions)
    mention = moved.pop(old)
    alone = all(other.entity != mention.entity for other in moved.values())
    entity = entity_of(text, moved, new) if alone else mention.entity
    moved[new] = replace(mention, span=new, entity=entity, edit=_corrected(mention))
    return moved


def _known(mentions: dict[Span, Annotated], span: Span) -> None:
    if span not in mentions:
        raise ActError(f"there is no mention at [{span.start}, {span.end}); load the page again.")


def _free(text: str, mentions: dict[Span, Annotated], span: Span) -> None:
    if span.end > len(text):
        raise ActError(
            f"span [{span.start}, {span.end}) ends outside the text of {len(text)} characters."
        )
    if span in mentions:
        raise ActError(f"[{span.start}, {span.end}) is marked already; change its type instead.")
    if not span.of(text).strip():
        raise ActError(f"[{span.start}, {span.end}) is white space; select words.")
