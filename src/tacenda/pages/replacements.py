"""Replacements before and after, to be read pair by pair.

The page contains the original strings, so protect it as you protect the originals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..document import Span
from . import page as whole_page

_CONTEXT = 70


class Place(NamedTuple):
    """A piece of text with its context."""

    before: str
    string: str
    after: str

    @classmethod
    def of(cls, text: str, span: Span) -> Place:
        """Return the piece with as much of its line as a reader needs."""
        before = text[: span.start].rpartition("\n")[2]
        after = text[span.end :].partition("\n")[0]
        if len(before) > _CONTEXT:
            before = "… " + before[-_CONTEXT:].partition(" ")[2]
        if len(after) > _CONTEXT:
            after = after[:_CONTEXT].rpartition(" ")[0] + " …"
        return cls(before, span.of(text), after)


class Pair(NamedTuple):
    """A piece of text before and after.

    Attributes:
        kind: the semantic type.
        original: the piece in the original.
        written: the piece in the sanitized text.
        notes: notes about it.
    """

    kind: str
    original: Place
    written: Place
    notes: Sequence[str]


def page(documents: Iterable[tuple[str, Sequence[Pair]]]) -> str:
    """Return the page of documents, each with its name and its pairs."""
    return whole_page("replacements.html", documents=list(documents))
