"""A profile as words: its values folded, and dates as a text would write them.

The paper linearises a profile as text (Morris et al., 2022, section 6, RoBERTa profile encoder).
Names of fields are left out: every profile has the same, so they tell nobody apart.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from ...text.folding import fold_text
from ...text.tokens import words
from .person import Person

ISO_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
MONTHS: Final = (
    "january february march april may june july august september october november december"
).split()


def terms(person: Person) -> Counter[str]:
    """Return how often each word stands in the name and the values of a profile."""
    text = "\n".join((person.name, *(value for _, value in person.profile)))
    folded = fold_text(ISO_DATE.sub(_written_out, text))
    return Counter(folded[start:end] for start, end in zip(*words(folded), strict=True))


def _written_out(match: re.Match[str]) -> str:
    """Return ``1897-04-09`` as ``9 april 1897``; what is no date stays."""
    year, month, day = match.groups()
    if not 1 <= int(month) <= len(MONTHS):
        return match.group()
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"
