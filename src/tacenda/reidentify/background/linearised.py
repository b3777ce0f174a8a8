"""A profile written out as one text, for encoders: what each field is called, then its values.

    name: Anna Berg; birth date: March 4, 1966; states: Virginia, Maryland

Morris et al. (2022), section 6: the simple linearised version of the profile. Unlike ``terms`` it keeps
the names of fields: a date means one thing after *birth* and another after *death*.
"""

from __future__ import annotations

import re

from .person import Person
from .terms import ISO_DATE, MONTHS


def linearised(person: Person) -> str:
    """Return a profile as text, a field's values together, in the order of the fields."""
    fields: dict[str, list[str]] = {"name": [person.name]}
    for key, value in person.profile:
        fields.setdefault(key.replace("_", " "), []).append(ISO_DATE.sub(_as_written, value))
    return "; ".join(f"{key}: {', '.join(values)}" for key, values in fields.items())


def _as_written(match: re.Match[str]) -> str:
    """Return ``1897-04-09`` as ``April 9, 1897``; what is no date stays."""
    year, month, day = match.groups()
    if not 1 <= int(month) <= len(MONTHS):
        return match.group()
    return f"{MONTHS[int(month) - 1].title()} {int(day)}, {year}"
