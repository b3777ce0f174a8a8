"""A person as an adversary knows them: an id, a name, and what else is written about them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """One candidate.

    Attributes:
        id: unique in a store.
        name: need not be unique; may be empty.
        profile: fields and their values, as text, in the order of the file; a field may repeat.
    """

    id: str
    name: str
    profile: tuple[tuple[str, str], ...]
