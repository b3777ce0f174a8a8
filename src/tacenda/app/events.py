"""Events: what a person did to a document under review or to an annotation of it.

Both use the same values in one log (``store.log``). A state is a fold over the events in force:
``review.events.replay``, ``review.sign_off.sign_offs``, ``review.comments.comments`` and
``annotation.events.replay``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..document import ConfidentialStatus, IdentifierType, SemanticType, Span
from ..documents.parts import PartTreatment, PictureBox
from ..errors import InputError

_LONGEST = 10_000
_LONGEST_IN_ANNOTATION = 2_000
_MOST_SPANS = 100_000
_MOST_BOXES = 1000
_DIGEST = re.compile("[0-9a-f]{64}")
_PART = re.compile("[0-9a-f]{32}")
_OWN_WORDS = re.compile(r"(?!\s)[^\[\]\x00-\x1f\x7f\u2028\u2029]{1,200}(?<!\s)")
STEPS = 5
"""Number of steps of the guidelines of annotation."""


class EventError(InputError):
    """An event has invalid data or conflicts with the state before it."""


class EventKind(StrEnum):
    """Kinds of events; in brackets the meaning of ``value``."""

    # of reviews and annotations
    ADD = "add"  # the spans are mentions (of this semantic type)
    REMOVE = "remove"  # the spans are not mentions
    TYPE = "type"  # the mentions at the spans have this semantic type
    IDENTIFIER = "identifier"  # the entities, or annotated mentions, are of this identifier type
    SPLIT = "split"  # the mentions at the spans become an entity of their own
    MERGE = "merge"  # the entities at the spans become one
    # of reviews
    DECIDE = "decide"  # the entities at the spans (an action: keep, mask, generalise, write, auto)
    DECIDE_MENTION = "decide_mention"  # the mentions at the spans, apart from their entity
    BOUND = "bound"  # mask at or above this risk (a probability)
    NOTE = "note"  # a remark for those who come after
    DONE = "done"  # the document is reviewed (yes), or is not (no)
    APPROVE = "approve"  # the reviewed document may be released (yes), or may not (no)
    RELEASE = "release"  # the document was given out
    ACCEPT = "accept"  # what is still shown at the spans is not a leak (the reason)
    PART = "part"  # treatment of a part beside the text (keep, blank, remove)
    # of annotations
    BOUNDS = "bounds"  # the mention at the first span is at the second
    STATUS = "status"  # the mentions have this confidential status
    CHOOSE = "choose"  # this is written instead of the mentions (an option)
    STEP = "step"  # the annotator goes to this step of the guidelines
    SUBMIT = "submit"  # the annotation is complete
    REOPEN = "reopen"  # it is not after all
    CHECK = "check"  # another annotator has reviewed it (whether the person is protected)
    TAKE = "take"  # the adjudicator takes what is marked at this place (by this annotator)
    OWN = "own"  # the adjudicator marks the second span at this place (type, identifier, status)


class ReviewAction(StrEnum):
    """A person's decision about entities or mentions; AUTO takes back an earlier one."""

    KEEP = "keep"
    MASK = "mask"
    GENERALISE = "generalise"
    WRITE = "write"  # masked, with words of the person's own in its place
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class _Form:
    """The values and numbers of spans that an event kind allows; any value if ``values`` is None."""

    values: tuple[str, ...] | None = ("",)
    minimum: int = 0
    maximum: int = 0


_FORMS: Mapping[EventKind, _Form] = {
    EventKind.ADD: _Form(tuple(SemanticType), 1, _MOST_SPANS),
    EventKind.REMOVE: _Form(minimum=1, maximum=_MOST_SPANS),
    EventKind.TYPE: _Form(tuple(SemanticType), 1, _MOST_SPANS),
    EventKind.IDENTIFIER: _Form((*IdentifierType, ReviewAction.AUTO), 1, _MOST_SPANS),
    EventKind.SPLIT: _Form(minimum=1, maximum=_MOST_SPANS),
    EventKind.MERGE: _Form(minimum=1, maximum=_MOST_SPANS),
    EventKind.DECIDE: _Form(tuple(ReviewAction), 1, _MOST_SPANS),
    EventKind.DECIDE_MENTION: _Form(tuple(ReviewAction), 1, _MOST_SPANS),
    EventKind.BOUND: _Form(None),
    EventKind.NOTE: _Form(None, 1, _MOST_SPANS),
    EventKind.DONE: _Form(("yes", "no")),
    EventKind.APPROVE: _Form(("yes", "no")),
    EventKind.RELEASE: _Form(),
    EventKind.ACCEPT: _Form(None, 1, _MOST_SPANS),
    EventKind.PART: _Form(tuple(PartTreatment)),
    EventKind.BOUNDS: _Form(minimum=2, maximum=2),
    EventKind.STATUS: _Form(tuple(ConfidentialStatus), 1, _MOST_SPANS),
    EventKind.CHOOSE: _Form(None, 1, _MOST_SPANS),
    EventKind.STEP: _Form(tuple(str(step) for step in range(1, STEPS + 1))),
    EventKind.SUBMIT: _Form(),
    EventKind.REOPEN: _Form(),
    EventKind.CHECK: _Form(("protected", "exposed")),
    EventKind.TAKE: _Form(None, 1, 1),
    EventKind.OWN: _Form(None, 2, 2),
}
_SHARED = (
    EventKind.ADD,
    EventKind.REMOVE,
    EventKind.TYPE,
    EventKind.IDENTIFIER,
    EventKind.SPLIT,
    EventKind.MERGE,
)
SIGN_OFFS = (EventKind.DONE, EventKind.APPROVE, EventKind.RELEASE)
"""Kinds that change nothing in the output; see ``review.sign_off``."""
LEAVE_THE_TEXT = (EventKind.NOTE, EventKind.PART, *SIGN_OFFS)
"""Kinds after which the same text leaves."""
BY_APPROVERS = (EventKind.APPROVE, EventKind.RELEASE)
"""Kinds for approvers and owners; undo and redo leave them alone."""
DECISIONS = (EventKind.DECIDE, EventKind.DECIDE_MENTION)
"""Kinds whose value is a ``ReviewAction``."""
OF_REVIEW = (
    *_SHARED,
    *DECISIONS,
    EventKind.BOUND,
    EventKind.ACCEPT,
    *LEAVE_THE_TEXT,
)
"""Kinds of the log of a document under review."""
RULINGS = (EventKind.TAKE, EventKind.OWN)
"""Kinds of an adjudicator, about what annotators marked; not part of an annotation."""
OF_ANNOTATION = tuple(kind for kind in EventKind if kind in _SHARED or kind not in OF_REVIEW)
"""Kinds of the log of an annotation."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person did.

    Attributes:
        kind: the kind of event.
        spans: the spans of the mentions concerned.
        value: see ``EventKind``.
        option: for *generalise*, the replacement; empty for the most specific acceptable one. For
            *write*, the person's own words.
        digest: of a sign-off, SHA-256 of the sanitized text; the service writes it.
        part: of *part*, the key of the part; see ``documents.parts``.
        boxes: of *part*, what is painted black in a picture that is kept.
        note: for *check*, the reviewer's remark.
        seen: for *check*, the fingerprint of the reviewed annotation; for *take* and *own*, of what
            all had marked at the place.

    Raises:
        EventError: if the fields don't go together.
    """

    kind: EventKind
    spans: tuple[Span, ...] = ()
    value: str = field(default="", repr=False)
    option: str = field(default="", repr=False)
    digest: str = ""
    part: str = ""
    boxes: tuple[PictureBox, ...] = ()
    note: str = field(default="", repr=False)
    seen: str = ""

    def __post_init__(self) -> None:
        form, kind = _FORMS[self.kind], f"a change of kind {str(self.kind)!r}"
        if form.values is not None and self.value not in form.values:
            allowed = ", ".join(map(repr, map(str, form.values)))
            raise EventError(f"{kind} has the value {self.value[:40]!r}; use one of {allowed}.")
        if not form.minimum <= len(self.spans) <= form.maximum:
            is_open = form.minimum < form.maximum
            raise EventError(
                f"{kind} has {len(self.spans)} spans; it takes {form.minimum}"
                f"{' or more' * is_open}."
            )
        longest = _LONGEST if self.kind in OF_REVIEW else _LONGEST_IN_ANNOTATION
        for string in (self.value, self.note):
            if len(string) > longest:
                raise EventError(
                    f"a value or note has {len(string)} characters and can't be longer than {longest}."
                )
        if self.kind is EventKind.BOUND:
            _check_bound(self.value)
        if self.kind is EventKind.ACCEPT and not self.value.strip():
            raise EventError("say why it is not a leak.")
        self._check_details()

    def _check_details(self) -> None:
        action = self.value if self.kind in DECISIONS else ""
        if action == ReviewAction.WRITE and not _OWN_WORDS.fullmatch(self.option):
            raise EventError("own words are a line of 1 to 200 characters without brackets.")
        if self.option and action not in (ReviewAction.GENERALISE, ReviewAction.WRITE):
            raise EventError("an option goes with the values 'generalise' and 'write' only.")
        if self.digest and (self.kind not in SIGN_OFFS or not _DIGEST.fullmatch(self.digest)):
            raise EventError("a digest is 64 hexadecimal digits, of a sign-off only.")
        if (self.kind is EventKind.PART) != bool(_PART.fullmatch(self.part)):
            raise EventError("the key of a part goes with changes of kind 'part' only.")
        is_kept = self.kind is EventKind.PART and self.value == PartTreatment.KEEP
        if self.boxes and (not is_kept or len(self.boxes) > _MOST_BOXES):
            raise EventError(f"up to {_MOST_BOXES} boxes go with a picture that is kept.")
        if self.note and self.kind is not EventKind.CHECK:
            raise EventError("a note goes with a change of kind 'check' only.")
        if self.seen and self.kind not in (EventKind.CHECK, *RULINGS):
            raise EventError("only a change about others' annotations can name what was seen.")

    def check(self, length: int) -> Event:
        """Return the event itself if its spans are inside a text of ``length`` code points.

        Raises:
            EventError: if one isn't.
        """
        for span in self.spans:
            if span.end > length:
                raise EventError(
                    f"span [{span.start}, {span.end}) ends outside the document, which has "
                    f"{length} characters."
                )
        return self

    def as_object(self) -> dict[str, Any]:
        """Return the event as JSON."""
        item: dict[str, Any] = {"kind": str(self.kind)}
        if self.spans:
            item["spans"] = [[span.start, span.end] for span in self.spans]
        if self.boxes:
            item["boxes"] = [list(box) for box in self.boxes]
        return item | {key: text for key in _STRINGS if (text := str(getattr(self, key)))}

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Event:
        """Return the event in JSON made by ``as_object``.

        Raises:
            EventError: if the JSON isn't an event.
        """
        try:
            kind = EventKind(item["kind"])
            spans = tuple(
                Span(_offset(start), _offset(end)) for start, end in item.get("spans", ())
            )
        except (KeyError, TypeError, ValueError):
            raise EventError(
                f"a change needs a kind ({', '.join(EventKind)}) and spans [[start, end], ...] with "
                "0 <= start < end."
            ) from None
        boxes = item.get("boxes", ())
        if not isinstance(boxes, (list, tuple)) or not all(isinstance(box, list) for box in boxes):
            raise EventError("boxes are [[left, top, right, bottom], ...].")
        strings = {key: str(item.get(key, "")) for key in _STRINGS}
        return cls(kind, spans, boxes=tuple(map(PictureBox.of, boxes)), **strings)


_STRINGS = ("value", "option", "digest", "part", "note", "seen")


def _offset(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _check_bound(value: str) -> None:
    try:
        bound = float(value)
    except ValueError:
        bound = -1.0
    if not 0.0 <= bound <= 1.0:
        raise EventError(f"bound {value[:40]!r} is not a probability; give a number from 0 to 1.")
