"""Dates, numbers and capitalised words by regular expression, without a model.

A capital at the beginning of a sentence counts like any other, except of a function word: recall
is high, and much of what is masked tells nothing.
"""

from __future__ import annotations

import re
from typing import Final

from ..document import Document, Span
from .letters import CAPITAL

_MONTH: Final = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_FUNCTION_WORD: Final = (
    "(?i:a|according|after|all|also|although|an|and|any|as|at|because|before|both|but|by|during|"
    "each|following|for|from|further|furthermore|he|her|his|however|i|if|in|is|it|its|moreover|no|"
    "not|of|on|or|she|since|some|such|that|the|their|then|there|therefore|these|they|this|those|"
    "thus|to|under|until|was|we|were|when|where|which|while|who|with|within|without)"
)
_NAME: Final = rf"(?!{_FUNCTION_WORD}\b) {CAPITAL} \w* (?: ['’-] \w+ )*"
_PATTERN: Final = re.compile(
    rf"""
      \b \d{{1,2}} \s+ {_MONTH} (?: ,? \s+ \d{{4}} )? \b           # 4 May 1999
    | \b {_MONTH} \s+ \d{{1,2}} (?: ,? \s+ \d{{4}} )? \b           # May 4, 1999
    | \b \w*\d\w* (?: [./,:–-] \w*\d\w* )*                         # 12345/67, 10.30, 4.5.1999, A4
    | \b {_NAME} (?: [ ] {_NAME} )*
    """,
    re.VERBOSE,
)


class Capitals:
    """Masks what looks like a name, a date or a number by its spelling alone."""

    def mask(self, document: Document) -> tuple[Span, ...]:
        """Return the spans found, in order."""
        return tuple(Span(*match.span()) for match in _PATTERN.finditer(document.text))
