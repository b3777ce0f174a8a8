"""Fold all ways to write a digit, a space or a hyphen into one, keeping every offset.

Each code point becomes exactly one code point, so offsets in the folded text are offsets in the
original. Patterns only need to handle ASCII digits, spaces and hyphens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

_COMMON = (
    ("\u00a0", " "),  # no-break space
    ("\u202f", " "),  # narrow no-break space, the thousands separator of many locales
    ("\u2009", " "),  # thin space
    ("\u2007", " "),  # figure space
    ("\u2011", "-"),  # non-breaking hyphen
    ("\u2010", "-"),  # hyphen
)
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_DIGITS = {
    code: str(unicodedata.decimal(chr(code)))
    for code in range(0x80, 0x1FBFA)
    if unicodedata.decimal(chr(code), None) is not None
}
_TABLE = str.maketrans(_DIGITS | _FULL_WIDTH)
# A few wide ranges are searched faster than the table's many narrow ones. They leave out
# punctuation, symbols, ideographs, and everything before the Arabic digits.
_SUSPECT = re.compile("[\u0660-\u1fff\u3000\ua620-\uabff\uff01-\uff5e\U00010000-\U0001fbfa]")


def normalize_width(text: str) -> str:
    """Return ``text`` with digits, spaces and hyphens in ASCII, with the same length.

    Decimal digits of every script and the full-width forms of ASCII are folded.
    """
    if text.isascii():
        return text
    for variant, plain in _COMMON:
        text = text.replace(variant, plain)
    return text.translate(_TABLE) if _SUSPECT.search(text) else text


# Look back from a candidate at the words before it, over a bounded distance.


_DISTANCE = 48
_LONGEST_ENDING = 16


@dataclass(frozen=True, slots=True)
class Before:
    """A pattern that must end where a candidate starts.

    Attributes:
        pattern: matches up to the end of the searched part of the text.
        endings: how the text before the candidate's last separator may end if the pattern matches,
            to reject most positions without running the pattern; empty for anything.
    """

    pattern: re.Pattern[str]
    endings: tuple[str, ...] = ()

    def match(self, text: str, start: int) -> re.Match[str] | None:
        """Return the leftmost match that ends at ``start`` and starts at most 48 code points before it."""
        if self.endings and not text.endswith(
            self.endings, max(0, start - 1 - _LONGEST_ENDING), max(0, start - 1)
        ):
            return None
        return self.pattern.search(text, max(0, start - _DISTANCE), start)


def before(pattern: str, endings: tuple[str, ...] = ()) -> Before:
    """Compile a pattern that must end where the candidate starts."""
    return Before(re.compile(rf"(?:{pattern})\Z"), endings)


# A hit is what one pattern family found, before overlaps are resolved and types assigned.


@dataclass(frozen=True, slots=True)
class Hit:
    """Code points ``[start, end)`` of the text, and their kind.

    Attributes:
        start: first code point.
        end: one past the last code point.
        kind: a key in the detector's priors.
    """

    start: int
    end: int
    kind: str


Finder: TypeAlias = Callable[[str], Iterable[Hit]]
"""A family: folded text to hits, in any order, in time linear in the length of the text."""


# Write many words as one pattern that reads each character of the text only once.
#
# The engine tries the branches of an alternation one after another. A trie has one branch per first
# letter instead of per word, and the engine skips to positions with one of those letters.


def alternation(words: Iterable[str]) -> str:
    """Return a pattern for any of ``words``, as one group; the longest match wins.

    Args:
        words: literal strings, none empty.
    """
    return "(?:" + "|".join(_branches(sorted(set(words)))) + ")"


def _branches(words: list[str]) -> list[str]:
    branches = []
    for first in dict.fromkeys(word[0] for word in words):
        rests = [word[1:] for word in words if word[0] == first]
        branches.append(re.escape(first) + _rest(rests))
    return branches


def _rest(rests: list[str]) -> str:
    tails = [rest for rest in rests if rest]
    if not tails:
        return ""
    if len(tails) == 1:
        tail = re.escape(tails[0])
        return f"(?:{tail})?" if len(rests) > 1 else tail
    group = "(?:" + "|".join(_branches(tails)) + ")"
    return group + "?" if len(rests) > len(tails) else group
