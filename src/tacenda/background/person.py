"""A person as an adversary knows them: an id, a name, and what else is written about them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from ..text.folding import normalize_text
from ..text.tokens import words


@dataclass(frozen=True, slots=True)
class Person:
    """One candidate.

    Attributes:
        id: unique in a store.
        name: need not be unique; may be empty.
        profile: fields and their values, as text, in the order of the file; a field may repeat.
    """

    id: str
    name: str = field(repr=False)
    profile: tuple[tuple[str, str], ...] = field(repr=False)


# A profile as words: its values folded, and dates as a text would write them.
#
# The paper linearises a profile as text (Morris et al., 2022, section 6, RoBERTa profile encoder).
# Names of fields are left out: every profile has the same, so they tell nobody apart.


ISO_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
MONTHS: Final = (
    "january february march april may june july august september october november december"
).split()


def terms(person: Person) -> Counter[str]:
    """Return how often each word stands in the name and the values of a profile."""
    text = "\n".join((person.name, *(value for _, value in person.profile)))
    folded = normalize_text(ISO_DATE.sub(_spelled_date, text))
    return Counter(folded[start:end] for start, end in zip(*words(folded), strict=True))


def _spelled_date(match: re.Match[str]) -> str:
    """Return ``1897-04-09`` as ``9 april 1897``; what is no date stays."""
    year, month, day = match.groups()
    if not 1 <= int(month) <= len(MONTHS):
        return match.group()
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


# A profile written out as one text, for encoders: what each field is called, then its values.
#
#     name: Anna Berg; birth date: March 4, 1966; states: Virginia, Maryland
#
# Morris et al. (2022), section 6: the simple linearised version of the profile. Unlike ``terms`` it keeps
# the names of fields: a date means one thing after *birth* and another after *death*.


def linearize(person: Person) -> str:
    """Return a profile as text, a field's values together, in the order of the fields."""
    fields: dict[str, list[str]] = {"name": [person.name]}
    for key, value in person.profile:
        fields.setdefault(key.replace("_", " "), []).append(ISO_DATE.sub(_long_date, value))
    return "; ".join(f"{key}: {', '.join(values)}" for key, values in fields.items())


def _long_date(match: re.Match[str]) -> str:
    """Return ``1897-04-09`` as ``April 9, 1897``; what is no date stays."""
    year, month, day = match.groups()
    if not 1 <= int(month) <= len(MONTHS):
        return match.group()
    return f"{MONTHS[int(month) - 1].title()} {int(day)}, {year}"
