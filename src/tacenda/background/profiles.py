"""A person as an adversary knows them: an id, a name, and further text about them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..text.tokens import word_list
from .normalization import OTHER_WORDING


@dataclass(frozen=True, slots=True)
class Person:
    """Person in a store, a candidate for an adversary.

    Attributes:
        id: unique in a store.
        name: need not be unique; may be empty.
        profile: fields and their values, as text, in the order of the file; a field may repeat.
    """

    id: str
    name: str = field(repr=False)
    profile: tuple[tuple[str, str], ...] = field(repr=False)


# A profile as words, and as one text for encoders; both of what texts would say of it (``normalization.py``).
#
#     name: Anna Berg; birth date: March 4, 1966; states: Virginia, Va., VA
#
# The paper linearises a profile as text (Morris et al., 2022, section 6). As a bag of words it goes without the
# names of fields: every profile has the same, so they tell no one apart. To an encoder a date means
# one thing after *birth* and another after *death*.


def terms(person: Person) -> Counter[str]:
    """Return how often each word stands in the name and the values of a profile."""
    text = "\n".join((person.name, *(value for _, value in person.profile)))
    return Counter(word_list(text))


def table_of(person: Person) -> dict[str, str]:
    """Return a profile as a table of one row, a field's values together, in the order of the fields."""
    fields: dict[str, list[str]] = {"name": [person.name]}
    for key, value in person.profile:
        if key != OTHER_WORDING:
            fields.setdefault(key.replace("_", " "), []).append(value)
    return {key: ", ".join(values) for key, values in fields.items()}


def linearize(person: Person) -> str:
    """Return a profile as text; see ``table_of``."""
    return "; ".join(f"{key}: {value}" for key, value in table_of(person).items())
