"""Replacements, before and after, to be read pair by pair.

The page holds the original strings: keep it with the originals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..document import Span
from . import page as whole_page

_CONTEXT = 70


class Place(NamedTuple):
    """A stretch of a text with what stands around it."""

    before: str
    string: str
    after: str

    @classmethod
    def of(cls, text: str, span: Span) -> Place:
        """The stretch with the rest of its line, as far as a reader needs it."""
        before = text[: span.start].rpartition("\n")[2]
        after = text[span.end :].partition("\n")[0]
        if len(before) > _CONTEXT:
            before = "… " + before[-_CONTEXT:].partition(" ")[2]
        if len(after) > _CONTEXT:
            after = after[:_CONTEXT].rpartition(" ")[0] + " …"
        return cls(before, span.of(text), after)


class Pair(NamedTuple):
    """A place before and after.

    Attributes:
        kind: semantic type.
        original: the place in the original.
        written: the place in the sanitized text.
        notes: what is to be said of it.
    """

    kind: str
    original: Place
    written: Place
    notes: Sequence[str]


def page(documents: Iterable[tuple[str, Sequence[Pair]]]) -> str:
    """The page of documents, each with its name and its pairs."""
    return whole_page("replacements.html", documents=list(documents))
