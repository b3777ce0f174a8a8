r"""Regular expressions that can take for ever on a hostile text, told by their structure.

Python's ``re`` backtracks and has no time limit. Exponential time needs a repetition whose body
can match the same text in more than one way. That can't be decided in general; this errs on the
side of refusing:

| within a repetition of | refused | write instead |
|---|---|---|
| more than 10 or any number | a repetition, an option ``?``, alternatives | ``(?:[\w ])+`` for ``(?:\w+ ?)+`` |
| up to 10 | a repetition of any number | ``(?:\w{1,20} ){2}`` for ``(?:\w+ ){2}`` |

What remains is polynomial at worst (``.*x.*y``), or exponential in its own length (``a?a?a?aaa``). In
how many ``ways`` it can match a window at most is easily counted; where they are many, matching has
a limit of time (``matching.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeVar

from ..errors import InputError
from ..isolation.limits import REGEX_SECONDS, limits
from ..isolation.workers import TimeLimitError, isolated

_FEW = 10
_MANY = 1_000_000_000


def takes_for_ever(pattern: str) -> bool:
    """Tell whether ``pattern``, which compiles, repeats what itself can vary in length."""
    # The parser is the standard library's own, under this name since Python 3.11.
    parser = import_module("re._parser")
    return _varies(parser.parse(pattern), 1)


def _varies(items: Iterable[tuple[Any, Any]], repeated: int) -> bool:
    """Tell whether ``items``, repeated up to so many times, contain what is refused there."""
    for name, argument in items:
        kind = str(name)
        if kind == "BRANCH" and repeated > _FEW:
            return True
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = argument
            times = int(high)
            if low != high and (repeated > _FEW or (repeated > 1 and times > _FEW)):
                return True
            if _varies(body, max(repeated, 1) * max(times, 1)):
                return True
        elif any(_varies(body, repeated) for body in _bodies(argument)):
            return True
    return False


def ways(pattern: str, longest: int) -> int:
    """Return in how many ways ``pattern`` can match from one place on at most, if that is few.

    An upper bound of the paths that backtracking tries, without regard to the text; it stops to be
    exact beyond a billion.

    Args:
        pattern: an expression that compiles.
        longest: code points of the longest match.
    """
    parser = import_module("re._parser")
    return _ways(parser.parse(pattern), longest)


def _ways(items: Iterable[tuple[Any, Any]], longest: int) -> int:
    product = 1
    for name, argument in items:
        kind = str(name)
        if kind.endswith("_REPEAT"):
            low, high, body = argument
            limit = min(int(high), longest)
            inner = _ways(body, longest)
            lengths = max(1, limit - int(low) + 1)
            product *= lengths * min(inner ** min(limit, 64), _MANY)
        elif kind == "BRANCH":
            product *= sum(_ways(body, longest) for body in argument[1])
        else:
            for body in _bodies(argument):
                product *= _ways(body, longest)
        product = min(product, _MANY)
    return product


def _bodies(argument: Any) -> list[Any]:
    """Return the parts of a pattern inside an argument: of groups, assertions and alternatives."""
    if hasattr(argument, "pattern") or hasattr(argument, "getwidth"):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [body for part in argument for body in _bodies(part)]
    return []


# Regular expressions of the user's, matched within a limit of time.
#
# Python's ``re`` backtracks, can't be interrupted, and holds the interpreter's lock meanwhile. An
# expression that has few ways to match (``Case \d+``, or a text of two words) is matched here; any
# other in a worker, which is killed when its time is up. Then the document fails: what was not compared to the
# end must not pass as not matching. Both run the same engine, so that both find the same.


LONGEST_MATCH = 512
"""Code points of the longest match: what keeps a search linear."""

_Value = TypeVar("_Value")
_FEW_WAYS = 4_000
_CALLS = 100_000


def find_all(pattern: re.Pattern[str], text: str, name: str, place: str) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of what an expression matches in a text.

    Args:
        pattern: the expression.
        text: of the document ``name``.
        name: for errors.
        place: of the rule in the policy, for errors.

    Raises:
        InputError: if it takes too long.
    """
    if _is_quick(pattern.pattern, _size(text)):
        return _find_all(pattern, text)
    return _timed(_find_all, pattern, text, name, place)


def matches_whole(pattern: re.Pattern[str], string: str, name: str, place: str) -> bool:
    """Tell whether an expression matches all of a string; see ``find_all``."""
    if len(string) > LONGEST_MATCH:
        return False
    if _is_quick(pattern.pattern, _size(string)):
        return _matches_whole(pattern, string)
    return _slowly_matches_whole(pattern, string, name, place)


def _size(text: str) -> int:
    """Return the length of a text, rounded up so that few different ones are asked for."""
    return min(1 << len(text).bit_length(), LONGEST_MATCH)


@lru_cache(maxsize=1_024)
def _is_quick(expression: str, longest: int) -> bool:
    return ways(expression, longest) <= _FEW_WAYS


# A round of deciding asks the same of the same strings as the one before.
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
    granted = limits()
    granted = replace(granted, seconds=granted.regex_seconds, calls=_CALLS)
    try:
        return isolated(function, (pattern, text), subject=name, size=len(text), granted=granted)
    except TimeLimitError:
        raise InputError(
            f"{place}: its regular expression took too long on this text and was stopped; bound "
            f"its repetitions (\\w{{1,20}} for \\w+), or raise {REGEX_SECONDS} from "
            f"{granted.regex_seconds:g}.",
            name,
        ) from None


def _find_all(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    while position < len(text):
        # Matches begin in the first half of the window, so that each has room to its end.
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
