r"""Matches users' regular expressions within a time limit.

Python's ``re`` backtracks, can't be interrupted, and holds the interpreter lock meanwhile. An
expression with few ways to match (``Case \d+``, or a text of two words) is matched here; any other
is matched in a worker process, which is killed when its time is up. Then the document fails: an
unfinished match must not pass as no match. Both use the same engine and so find the same matches.

"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from ..errors import InputError
from ..isolation.limits import REGEX_SECONDS, limits
from ..isolation.workers import TimeLimitError, isolated
from .forms import FORMS
from .regex_cost import ways

LONGEST_MATCH = 512
"""Code points of the longest match: what keeps a search linear."""

_Value = TypeVar("_Value")
_FEW_WAYS = 4_000
_OWN = frozenset(pattern.pattern for pattern in FORMS.values())
"""Expressions that are known to end."""
_CALLS = 100_000


def find_all(pattern: re.Pattern[str], text: str, name: str, place: str) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of each match of an expression in a text.

    Args:
        pattern: the regular expression.
        text: the text of the document ``name``.
        name: the document's name, for errors.
        place: the rule's place in the policy, for errors.

    Raises:
        InputError: if it takes too long.
    """
    if _is_quick(pattern.pattern, _size(text)):
        return _find_all(pattern, text)
    return _timed(_find_all, pattern, text, name, place)


def matches_whole(pattern: re.Pattern[str], string: str, name: str, place: str) -> bool:
    """Return whether an expression matches a whole string; see ``find_all``."""
    if len(string) > LONGEST_MATCH:
        return False
    if _is_quick(pattern.pattern, _size(string)):
        return _matches_whole(pattern, string)
    return _slowly_matches_whole(pattern, string, name, place)


def _size(text: str) -> int:
    """Return the length of a text, rounded up so that the cache has few distinct values."""
    return min(1 << len(text).bit_length(), LONGEST_MATCH)


@lru_cache(maxsize=1_024)
def _is_quick(expression: str, longest: int) -> bool:
    return expression in _OWN or ways(expression, longest) <= _FEW_WAYS


# Each round of deciding matches the same strings as the round before.
@lru_cache(maxsize=65_536)
def _slowly_matches_whole(pattern: re.Pattern[str], string: str, name: str, place: str) -> bool:
    return _timed(_matches_whole, pattern, string, name, place)


def _timed(
    function: Callable[[re.Pattern[str], str], _Value],
    pattern: re.Pattern[str],
    text: str,
    name: str,
    place: str,
) -> _Value:
    bounds = limits()
    bounds = replace(bounds, seconds=bounds.regex_seconds, calls=_CALLS)
    try:
        return isolated(function, (pattern, text), subject=name, size=len(text), granted=bounds)
    except TimeLimitError:
        raise InputError(
            f"{place}: its regular expression took too long on this text and was stopped; bound "
            f"its repetitions (\\w{{1,20}} for \\w+), or raise {REGEX_SECONDS} from "
            f"{bounds.regex_seconds:g}.",
            name,
        ) from None


def _find_all(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    while position < len(text):
        # Matches must start in the first half of the window, so that each has room to end.
        middle = position + LONGEST_MATCH
        following = middle
        for match in pattern.finditer(text, position, min(len(text), middle + LONGEST_MATCH)):
            if match.start() >= middle:
                break
            if match.end() > match.start():
                spans.append(match.span())
                following = max(following, match.end())
        position = following
    return spans


def _matches_whole(pattern: re.Pattern[str], string: str) -> bool:
    return pattern.fullmatch(string) is not None
