"""Comments on places of a document: one of each person at a place, which they can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...document import Span
from ..events import EventKind
from ..store.log import LogEntry, in_force


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment.

    Attributes:
        span: the mention that it is about.
        person, at: its author, and the time of its latest version, ISO 8601 in UTC.
        text: the words.
    """

    span: Span
    person: str
    at: str
    text: str = field(repr=False)


def comments(entries: Sequence[LogEntry]) -> tuple[Comment, ...]:
    """The comments that stand after a log, the earliest first; an empty one deletes the one before."""
    standing: dict[tuple[Span, str], Comment] = {}
    for entry in in_force(entries):
        event = entry.event
        if event is None or event.kind is not EventKind.NOTE:
            continue
        for span in event.spans:
            standing.pop((span, entry.person), None)
            if event.value.strip():
                comment = Comment(span, entry.person, entry.at, event.value)
                standing[span, entry.person] = comment
    return tuple(standing.values())
