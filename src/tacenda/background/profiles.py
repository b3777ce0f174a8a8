"""A person as an adversary knows them: an id, a name, and further text about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..text.tokens import word_list
from .normalization import OTHER_WORDING


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a store, one of an adversary's candidates.

    Attributes:
        id: unique within a store.
        name: needn't be unique; may be empty.
        profile: fields and their values as text, in file order; a field may occur several times.
    """

    id: str
    name: str = field(repr=False)
    profile: tuple[tuple[str, str], ...] = field(repr=False)


# A profile as words, and as one text for encoders; both in the normalized form
# (``normalization.py``).
#
#     name: Anna Berg; birth date: March 4, 1966; states: Virginia, Va., VA
#
# The paper linearizes a profile as text (Morris et al., 2022, section 6). The bag of words leaves
# out field names: all profiles have the same ones, so they don't distinguish anybody. The text for
# an encoder has them, since a date after *birth* means something else than one after *death*.


def terms(person: Person) -> Counter[str]:
    """Return how often each word occurs in the name and the values of a profile."""
    text = "\n".join((person.name, *(value for _, value in person.profile)))
    return Counter(word_list(text))


def table_of(person: Person) -> dict[str, str]:
    """Return a profile as a table of one row, in field order; a field's values share one cell."""
    fields: dict[str, list[str]] = {"name": [person.name]}
    for key, value in person.profile:
        if key != OTHER_WORDING:
            fields.setdefault(key.replace("_", " "), []).append(value)
    return {key: ", ".join(values) for key, values in fields.items()}


def linearize(person: Person) -> str:
    """Return a profile as text; see ``table_of``."""
    return "; ".join(f"{key}: {value}" for key, value in table_of(person).items())
