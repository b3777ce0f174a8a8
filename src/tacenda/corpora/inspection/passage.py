"""A string of an output, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """How a string is searched."""

    TEXT = "text"
    """What people read: by whole words, as verification does."""
    VALUE = "value"
    """Names, addresses, ids, cells: inside words, and decoded."""
    CODE = "code"
    """Scripts, styles, closed lists: as values, but not by words that mean something there."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A string that an independent reader finds in an output.

    Attributes:
        text: the string.
        place: where, by kind and number, such as ``attribute 'href' of element 41``; never text.
        kind: how it is searched.
    """

    text: str
    place: str
    kind: Kind = Kind.VALUE
