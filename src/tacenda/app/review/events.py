"""Events of a review, as values and as JSON, and the state after them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from ...document import IdentifierType, SemanticType, Span
from ...documents.parts import PartDecision, PartTreatment, PictureBox
from ...errors import InputError

_LONGEST_NOTE = 10_000
_MOST_SPANS = 100_000
_DIGEST = re.compile("[0-9a-f]{64}")
_PART = re.compile("[0-9a-f]{32}")
_MOST_BOXES = 1000
_OWN_WORDS = re.compile(r"(?!\s)[^\[\]\x00-\x1f\x7f\u2028\u2029]{1,200}(?<!\s)")


class ReviewEventError(InputError):
    """Invalid data of an event: its kind, its value or its spans are wrong."""


class ReviewKind(StrEnum):
    """Kinds of events; in brackets the meaning of ``value``."""

    DECIDE = "decide"  # the entities at the spans (an action: keep, mask, generalise, write, auto)
    DECIDE_MENTION = "decide_mention"  # the mentions at the spans, apart from their entity
    TYPE = "type"  # the mentions at the spans have this semantic type
    IDENTIFIER = "identifier"  # the entities at the spans are of this identifier type
    SPLIT = "split"  # the mentions at the spans become an entity of their own
    MERGE = "merge"  # the entities at the spans become one
    ADD = "add"  # the spans are mentions (of this semantic type)
    REMOVE = "remove"  # the spans are not mentions
    BOUND = "bound"  # mask at or above this risk (a probability)
    NOTE = "note"  # a remark for those who come after
    DONE = "done"  # the document is reviewed (yes), or is not (no)
    APPROVE = "approve"  # the reviewed document may be released (yes), or may not (no)
    RELEASE = "release"  # the document was given out
    ACCEPT = "accept"  # what is still shown at the spans is not a leak (the reason)
    PART = "part"  # treatment of a part beside the text (keep, blank, remove)


class ReviewAction(StrEnum):
    """The decision of a person about entities or mentions; AUTO takes an earlier one back."""

    KEEP = "keep"
    MASK = "mask"
    GENERALISE = "generalise"
    WRITE = "write"  # masked, with words of the person's own in its place
    AUTO = "auto"


_VALUES: Mapping[ReviewKind, tuple[str, ...]] = {
    ReviewKind.DECIDE: tuple(ReviewAction),
    ReviewKind.DECIDE_MENTION: tuple(ReviewAction),
    ReviewKind.TYPE: tuple(SemanticType),
    ReviewKind.IDENTIFIER: (*IdentifierType, ReviewAction.AUTO),
    ReviewKind.SPLIT: ("",),
    ReviewKind.MERGE: ("",),
    ReviewKind.ADD: tuple(SemanticType),
    ReviewKind.REMOVE: ("",),
    ReviewKind.DONE: ("yes", "no"),
    ReviewKind.APPROVE: ("yes", "no"),
    ReviewKind.RELEASE: ("",),
    ReviewKind.PART: tuple(PartTreatment),
}
SIGN_OFFS = (ReviewKind.DONE, ReviewKind.APPROVE, ReviewKind.RELEASE)
"""Kinds that change nothing in the output; see ``sign_off``."""
LEAVE_THE_TEXT = (ReviewKind.NOTE, ReviewKind.PART, *SIGN_OFFS)
"""Kinds after which the same text leaves."""
BY_APPROVERS = (ReviewKind.APPROVE, ReviewKind.RELEASE)
"""Kinds for approvers and owners; undo and redo leave them alone."""
_WITHOUT_SPANS = (ReviewKind.BOUND, ReviewKind.PART, *SIGN_OFFS)


@dataclass(frozen=True, slots=True)
class ReviewEvent:
    """An event of a review.

    Attributes:
        kind: see there.
        spans: the mentions concerned, in order; none for *bound* and for sign-offs.
        value: see ``ReviewKind``.
        option: for *generalise*, the replacement; empty for the most specific acceptable one. For
            *write*, the person's own words.
        digest: of a sign-off, SHA-256 of the sanitized text; the service writes it.
        part: of *part*, the key of the part; see ``documents.parts``.
        boxes: of *part*, what is painted black in a picture that is kept.

    Raises:
        ReviewEventError: if kind, value and spans don't go together.
    """

    kind: ReviewKind
    spans: tuple[Span, ...] = ()
    value: str = field(default="", repr=False)
    option: str = ""
    digest: str = ""
    part: str = ""
    boxes: tuple[PictureBox, ...] = ()

    def __post_init__(self) -> None:
        allowed = _VALUES.get(self.kind)
        if allowed is not None and self.value not in allowed:
            raise ReviewEventError(
                f"a change of kind {str(self.kind)!r} has the value {self.value[:40]!r}; "
                f"use one of {', '.join(map(repr, map(str, allowed)))}."
            )
        if self.kind is ReviewKind.BOUND:
            _check_bound(self.value)
        if self.kind is ReviewKind.ACCEPT and not self.value.strip():
            raise ReviewEventError("say why it is not a leak.")
        if len(self.value) > _LONGEST_NOTE:
            raise ReviewEventError(
                f"a note has {len(self.value)} characters; {_LONGEST_NOTE} at most are kept."
            )
        if (self.kind in _WITHOUT_SPANS) != (not self.spans) or len(self.spans) > _MOST_SPANS:
            raise ReviewEventError(
                f"a change of kind {str(self.kind)!r} has {len(self.spans)} spans; bound, done, "
                "approve and release have none, all others at least one."
            )
        if self.value == ReviewAction.WRITE and not _OWN_WORDS.fullmatch(self.option):
            raise ReviewEventError("own words are a line of 1 to 200 characters without brackets.")
        if self.option and self.value not in (ReviewAction.GENERALISE, ReviewAction.WRITE):
            raise ReviewEventError("an option goes with the values 'generalise' and 'write' only.")
        if self.digest and (self.kind not in SIGN_OFFS or not _DIGEST.fullmatch(self.digest)):
            raise ReviewEventError("a digest is 64 hexadecimal digits, of a sign-off only.")
        if (self.kind is ReviewKind.PART) != bool(_PART.fullmatch(self.part)):
            raise ReviewEventError("the key of a part goes with changes of kind 'part' only.")
        if self.boxes and (self.value != PartTreatment.KEEP or len(self.boxes) > _MOST_BOXES):
            raise ReviewEventError(f"up to {_MOST_BOXES} boxes go with a picture that is kept.")

    def check(self, length: int) -> ReviewEvent:
        """The change itself if its spans are in a text of ``length`` code points.

        Raises:
            ReviewEventError: if one is not.
        """
        for span in self.spans:
            if span.end > length:
                raise ReviewEventError(
                    f"span [{span.start}, {span.end}) ends outside the document, which has "
                    f"{length} characters."
                )
        return self

    def as_object(self) -> dict[str, Any]:
        """The change as JSON."""
        item: dict[str, Any] = {"kind": str(self.kind)}
        if self.spans:
            item["spans"] = [[span.start, span.end] for span in self.spans]
        if self.boxes:
            item["boxes"] = [list(box) for box in self.boxes]
        return item | {
            key: value
            for key in ("value", "option", "digest", "part")
            if (value := str(getattr(self, key)))
        }

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> ReviewEvent:
        """The event in the JSON of ``as_object``.

        Raises:
            ReviewEventError: if the JSON is not an event.
        """
        try:
            kind = ReviewKind(item["kind"])
            spans = tuple(
                sorted(Span(int(start), int(end)) for start, end in item.get("spans", ()))
            )
        except (KeyError, TypeError, ValueError):
            kinds = ", ".join(ReviewKind)
            raise ReviewEventError(
                f"a change needs a kind ({kinds}) and spans [[start, end], ...] with "
                "0 <= start < end."
            ) from None
        value, option, digest, part = (
            str(item.get(key, "")) for key in ("value", "option", "digest", "part")
        )
        boxes = item.get("boxes", ())
        if not isinstance(boxes, (list, tuple)) or not all(isinstance(box, list) for box in boxes):
            raise ReviewEventError("boxes are [[left, top, right, bottom], ...].")
        return cls(kind, spans, value, option, digest, part, tuple(map(PictureBox.of, boxes)))


def _check_bound(value: str) -> None:
    try:
        bound = float(value)
    except ValueError:
        bound = -1.0
    if not 0.0 <= bound <= 1.0:
        raise ReviewEventError(
            f"bound {value[:40]!r} is not a probability; give a number from 0 to 1."
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision by hand.

    Attributes:
        action: KEEP, MASK, GENERALISE or WRITE.
        option: the words to write instead; for *generalise* empty for the program's choice.
        alone: whether it is about the mention only, apart from others of the same string.
    """

    action: ReviewAction
    option: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """``spans`` become one entity: their own (``apart``), or all entities at them together."""

    spans: tuple[Span, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class ReviewState:
    """All changes by a person; later decisions come later in the mappings.

    Attributes:
        bound: entities at or above this risk are masked; None for the policy's thresholds.
        added: mentions added by hand, with their types.
        removed: mentions removed by hand.
        types: semantic types set by hand.
        identifiers: identifier types set by hand, for the entities at these spans.
        verdicts: decisions by hand, for the entities at these spans.
        joins: entities split and merged, in order.
        parts: treatments of the parts beside the text, by their keys.
        accepted: spans whose text is not a leak, with the reasons.
    """

    bound: float | None = None
    added: Mapping[Span, SemanticType] = field(default_factory=dict)
    removed: frozenset[Span] = frozenset()
    types: Mapping[Span, SemanticType] = field(default_factory=dict)
    identifiers: Mapping[Span, IdentifierType] = field(default_factory=dict)
    verdicts: Mapping[Span, Verdict] = field(default_factory=dict)
    joins: tuple[Join, ...] = ()
    parts: Mapping[str, PartDecision] = field(default_factory=dict)
    accepted: Mapping[Span, str] = field(default_factory=dict, repr=False)


_Value = TypeVar("_Value")


def replay(changes: Iterable[ReviewEvent]) -> ReviewState:
    """The state after ``changes``, in order; undone ones are left out beforehand.

    Linear in the number of spans of all changes.
    """
    folding = _Replay()
    for change in changes:
        folding.add(change)
    return folding.state()


class _Replay:
    """A state while changes are still added to it."""

    def __init__(self) -> None:
        self._bound: float | None = None
        self._added: dict[Span, SemanticType] = {}
        self._removed: set[Span] = set()
        self._types: dict[Span, SemanticType] = {}
        self._identifiers: dict[Span, IdentifierType] = {}
        self._verdicts: dict[Span, Verdict] = {}
        self._joins: list[Join] = []
        self._parts: dict[str, PartDecision] = {}
        self._accepted: dict[Span, str] = {}

    def state(self) -> ReviewState:
        return ReviewState(
            self._bound,
            self._added,
            frozenset(self._removed),
            self._types,
            self._identifiers,
            self._verdicts,
            tuple(self._joins),
            self._parts,
            self._accepted,
        )

    def add(self, change: ReviewEvent) -> None:
        spans, value = change.spans, change.value
        match change.kind:
            case ReviewKind.DECIDE:
                self._decide(change, is_alone=False)
            case ReviewKind.DECIDE_MENTION:
                self._decide(change, is_alone=True)
                self._joins += [Join((span,), apart=True) for span in spans]
            case ReviewKind.TYPE:
                _put(self._types, spans, SemanticType(value))
            case ReviewKind.IDENTIFIER:
                identifier = None if value == ReviewAction.AUTO else IdentifierType(value)
                _put(self._identifiers, spans, identifier)
            case ReviewKind.SPLIT:
                self._joins.append(Join(spans, apart=True))
            case ReviewKind.MERGE:
                self._joins.append(Join(spans, apart=False))
            case ReviewKind.ADD:
                # A mention by hand is masked by default: why else point at it?
                _put(self._added, spans, SemanticType(value))
                _put(self._verdicts, spans, Verdict(ReviewAction.MASK))
                self._removed -= set(spans)
            case ReviewKind.REMOVE:
                self._removed |= set(spans)
                _put(self._added, spans, None)
                _put(self._verdicts, spans, None)
            case ReviewKind.BOUND:
                self._bound = float(value)
            case ReviewKind.PART:
                self._parts[change.part] = PartDecision(PartTreatment(value), change.boxes)
            case ReviewKind.ACCEPT:
                _put(self._accepted, spans, value)
            case ReviewKind.NOTE | ReviewKind.DONE | ReviewKind.APPROVE | ReviewKind.RELEASE:
                pass  # they change nothing in the output: ``comments``, ``sign_off``

    def _decide(self, change: ReviewEvent, is_alone: bool) -> None:
        action = ReviewAction(change.value)
        verdict = Verdict(action, change.option, is_alone)
        _put(self._verdicts, change.spans, None if action is ReviewAction.AUTO else verdict)


def _put(mapping: dict[Span, _Value], spans: Iterable[Span], value: _Value | None) -> None:
    """Put ``value`` at the spans as the latest of the mapping; None deletes their entries."""
    for span in spans:
        mapping.pop(span, None)
        if value is not None:
            mapping[span] = value
