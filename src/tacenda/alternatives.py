"""What else could be done about an entity, and what each would cost: for the person who reviews."""

from __future__ import annotations

from dataclasses import dataclass, field

from .document import Decision, Document, Option
from .text.information import information_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to write an entity.

    Attributes:
        text: what stands there then; empty for the original.
        lost: information lost by it over all mentions, in nats.
        risk: how far it still points to somebody, in [0, 1].
        made: whether this is what is done.
    """

    text: str = field(repr=False)
    lost: float
    risk: float
    made: bool


def alternatives(document: Document, decision: Decision) -> tuple[Choice, ...]:
    """Return what may be written, keeping it first, blacking it out last."""
    whole = information_of(document.text, decision.entity)
    keep = Choice("", 0.0, decision.risk, not decision.masked)
    if not decision.options:
        return (keep, Choice("***", whole, 0.0, decision.masked))
    options = (
        Choice(
            option.text,
            whole * (1 - option.kept),
            option.risk,
            decision.masked and option == decision.choice,
        )
        for option in decision.options
    )
    return (keep, *options)


def visible_options(decision: Decision, reveal: bool) -> tuple[Option, ...]:
    """Return the options that an output may show.

    More specific ones than what is written are for the reviewer alone: a decade on the page and
    the year beside it would tell the year.
    """
    if reveal or decision.choice is None:
        return decision.options
    return decision.options[decision.choice.level :]
