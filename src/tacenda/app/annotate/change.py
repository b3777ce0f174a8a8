"""One act of an annotator, as a value and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span
from ...errors import InputError

_LONGEST_VALUE = 2_000
_MOST_SPANS = 100_000


class ActError(InputError):
    """An act is none, or does not fit what is there."""


class Kind(StrEnum):
    """What an act does; in brackets what its ``value`` is."""

    ADD = "add"  # the spans are mentions (of this semantic type)
    REMOVE = "remove"  # the mentions are none
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


STEPS = 5
CHECKS = ("protected", "exposed")
_VALUES: Mapping[Kind, tuple[str, ...]] = {
    Kind.ADD: tuple(SemanticType),
    Kind.TYPE: tuple(SemanticType),
    Kind.IDENTIFIER: tuple(IdentifierType),
    Kind.STATUS: tuple(ConfidentialStatus),
    Kind.STEP: tuple(str(step) for step in range(1, STEPS + 1)),
    Kind.CHECK: CHECKS,
}
_WITHOUT_VALUE = (Kind.REMOVE, Kind.BOUNDS, Kind.LINK, Kind.SPLIT, Kind.SUBMIT, Kind.REOPEN)
_WITHOUT_SPANS = (Kind.STEP, Kind.SUBMIT, Kind.REOPEN, Kind.CHECK)


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did.

    Attributes:
        kind: see there.
        spans: the mentions that it is about, each once.
        value: see ``Kind``.
        note: for *check*, what the reviewer has to say.
        seen: for *check*, the fingerprint of the annotation that was reviewed.

    Raises:
        ActError: if kind, spans and value don't go together.
    """

    kind: Kind
    spans: tuple[Span, ...] = ()
    value: str = field(default="", repr=False)
    note: str = ""
    seen: str = ""

    def __post_init__(self) -> None:
        allowed = ("",) if self.kind in _WITHOUT_VALUE else _VALUES.get(self.kind)
        if allowed is not None and self.value not in allowed:
            raise ActError(
                f"an act of kind {str(self.kind)!r} has the value {self.value[:40]!r}; use one of "
                f"{', '.join(map(repr, map(str, allowed)))}."
            )
        if len(self.value) > _LONGEST_VALUE or len(self.note) > _LONGEST_VALUE:
            raise ActError(f"a value or note is longer than {_LONGEST_VALUE} characters; cut it.")
        if self.kind is not Kind.CHECK and (self.note or self.seen):
            raise ActError("a note goes with an act of kind 'check' only.")
        least, most = _number_of_spans(self.kind)
        if not least <= len(self.spans) <= most:
            raise ActError(
                f"an act of kind {str(self.kind)!r} has {len(self.spans)} spans; it takes "
                f"{least if least == most else f'{least} or more'}."
            )
        if len(set(self.spans)) < len(self.spans):
            raise ActError(f"an act of kind {str(self.kind)!r} names a span twice.")

    def as_object(self) -> dict[str, Any]:
        """Return the act as JSON."""
        item: dict[str, Any] = {"kind": str(self.kind)}
        if self.spans:
            item["spans"] = [[span.start, span.end] for span in self.spans]
        return item | {
            key: str(text) for key in ("value", "note", "seen") if (text := getattr(self, key))
        }

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Act:
        """Return the act that ``as_object`` wrote.

        Raises:
            ActError: if it is none.
        """
        try:
            kind = Kind(item["kind"])
            spans = tuple(
                Span(_offset(start), _offset(end)) for start, end in item.get("spans", ())
            )
        except (KeyError, TypeError, ValueError):
            raise ActError(
                f"an act needs a kind ({', '.join(Kind)}) and spans [[start, end], ...] with "
                "0 <= start < end."
            ) from None
        value, note, seen = (str(item.get(key, "")) for key in ("value", "note", "seen"))
        return cls(kind, spans, value, note, seen)


def _number_of_spans(kind: Kind) -> tuple[int, int]:
    if kind in _WITHOUT_SPANS:
        return 0, 0
    if kind is Kind.BOUNDS:
        return 2, 2
    return (2 if kind is Kind.LINK else 1), _MOST_SPANS


def _offset(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value
