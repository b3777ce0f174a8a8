"""Comments on places in a document: one per person and place, which that person can change."""

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
        span: the mention it is about.
        person, at: its author, and the time of its latest version (ISO 8601, UTC).
        text: the comment's text.
    """

    span: Span
    person: str
    at: str
    text: str = field(repr=False)


def comments(entries: Sequence[LogEntry]) -> tuple[Comment, ...]:
    """Return the comments that remain after a log, the earliest first; an empty comment deletes the previous one."""
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
