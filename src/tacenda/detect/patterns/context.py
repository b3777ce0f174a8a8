"""Look back from a candidate at the words before it, over a bounded distance."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DISTANCE = 48
_LONGEST_ENDING = 16


@dataclass(frozen=True, slots=True)
class Before:
    """A pattern that must end where a candidate starts.

    Attributes:
        pattern: matches up to the end of the searched part of the text.
        endings: what the text before the candidate's last separator ends with wherever the
            pattern matches, so that most places are refused without the pattern; empty for
            anything.
    """

    pattern: re.Pattern[str]
    endings: tuple[str, ...] = ()

    def match(self, text: str, start: int) -> re.Match[str] | None:
        """Return the leftmost match that ends at ``start``, if one begins 48 or fewer before."""
        if self.endings and not text.endswith(
            self.endings, max(0, start - 1 - _LONGEST_ENDING), max(0, start - 1)
        ):
            return None
        return self.pattern.search(text, max(0, start - _DISTANCE), start)


def before(pattern: str, endings: tuple[str, ...] = ()) -> Before:
    """Compile a pattern that must end where the candidate starts."""
    return Before(re.compile(rf"(?:{pattern})\Z"), endings)
