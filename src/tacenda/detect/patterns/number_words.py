"""English number words, as one alternation for the patterns that count something."""

from __future__ import annotations

_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()

NUMBER_WORDS = "|".join(
    sorted([*_WORDS, *(word.capitalize() for word in _WORDS)], key=len, reverse=True)
)
"""``one`` to ``ninety``, small or capitalised; for use inside a group."""

SCALES = r"hundred|thousand|million|billion|trillion"
"""What multiplies a number; for use inside a group."""
