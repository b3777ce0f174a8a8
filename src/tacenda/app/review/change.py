"""One change that a person makes to a document, as a value and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ...document import IdentifierType, SemanticType, Span
from ...errors import InputError

_LONGEST_NOTE = 10_000
_MOST_SPANS = 100_000


class ChangeError(InputError):
    """A change is none: its kind, its value or its spans are wrong."""


class Kind(StrEnum):
    """What a change does; in brackets what its ``value`` is."""

    DECIDE = "decide"  # the entities at the spans (an action: keep, mask, generalise, auto)
    DECIDE_MENTION = "decide_mention"  # the mentions at the spans, apart from their entity
    TYPE = "type"  # the mentions at the spans have this semantic type
    IDENTIFIER = "identifier"  # the entities at the spans are of this identifier type
    SPLIT = "split"  # the mentions at the spans become an entity of their own
    MERGE = "merge"  # the entities at the spans become one
    ADD = "add"  # the spans are mentions (of this semantic type)
    REMOVE = "remove"  # the mentions at the spans are none
    BOUND = "bound"  # masked from this risk on (a probability)
    NOTE = "note"  # a remark for those who come after
    DONE = "done"  # the document is reviewed (yes), or is not (no)


ACTIONS = ("keep", "mask", "generalise", "auto")
_VALUES: Mapping[Kind, tuple[str, ...]] = {
    Kind.DECIDE: ACTIONS,
    Kind.DECIDE_MENTION: ACTIONS,
    Kind.TYPE: tuple(SemanticType),
    Kind.IDENTIFIER: (*IdentifierType, "auto"),
    Kind.SPLIT: ("",),
    Kind.MERGE: ("",),
    Kind.ADD: tuple(SemanticType),
    Kind.REMOVE: ("",),
    Kind.DONE: ("yes", "no"),
}
_WITHOUT_SPANS = (Kind.BOUND, Kind.DONE)


@dataclass(frozen=True, slots=True)
class Change:
    """What a person did.

    Attributes:
        kind: see there.
        spans: the mentions that it is about, in order; none for *bound* and *done*.
        value: see ``Kind``.
        option: for *generalise*, the words to write; empty for the most specific that may be.

    Raises:
        ChangeError: if kind, value and spans don't go together.
    """

    kind: Kind
    spans: tuple[Span, ...] = ()
    value: str = field(default="", repr=False)
    option: str = ""

    def __post_init__(self) -> None:
        allowed = _VALUES.get(self.kind)
        if allowed is not None and self.value not in allowed:
            raise ChangeError(
                f"a change of kind {str(self.kind)!r} has the value {self.value[:40]!r}; "
                f"use one of {', '.join(map(repr, map(str, allowed)))}."
            )
        if self.kind is Kind.BOUND:
            _check_bound(self.value)
        if len(self.value) > _LONGEST_NOTE:
            raise ChangeError(
                f"a note has {len(self.value)} characters; {_LONGEST_NOTE} at most are kept."
            )
        if (self.kind in _WITHOUT_SPANS) != (not self.spans) or len(self.spans) > _MOST_SPANS:
            raise ChangeError(
                f"a change of kind {str(self.kind)!r} has {len(self.spans)} spans; bound and done "
                "have none, all others at least one."
            )
        if self.option and self.value != "generalise":
            raise ChangeError("an option goes with the value 'generalise' only.")

    def check(self, length: int) -> Change:
        """Return the change itself if its spans are in a text of ``length`` code points.

        Raises:
            ChangeError: if one is not.
        """
        for span in self.spans:
            if span.end > length:
                raise ChangeError(
                    f"span [{span.start}, {span.end}) ends outside the document, which has "
                    f"{length} characters."
                )
        return self

    def as_object(self) -> dict[str, Any]:
        """Return the change as JSON."""
        item: dict[str, Any] = {"kind": str(self.kind)}
        if self.spans:
            item["spans"] = [[span.start, span.end] for span in self.spans]
        return item | {
            key: value for key in ("value", "option") if (value := str(getattr(self, key)))
        }

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Change:
        """Return the change that ``as_object`` wrote.

        Raises:
            ChangeError: if it is none.
        """
        try:
            kind = Kind(item["kind"])
            spans = tuple(
                sorted(Span(int(start), int(end)) for start, end in item.get("spans", ()))
            )
        except (KeyError, TypeError, ValueError):
            known = ", ".join(Kind)
            raise ChangeError(
                f"a change needs a kind ({known}) and spans [[start, end], ...] with "
                "0 <= start < end."
            ) from None
        return cls(kind, spans, str(item.get("value", "")), str(item.get("option", "")))


def _check_bound(value: str) -> None:
    try:
        bound = float(value)
    except ValueError:
        bound = -1.0
    if not 0.0 <= bound <= 1.0:
        raise ChangeError(f"bound {value[:40]!r} is no probability; give a number from 0 to 1.")
