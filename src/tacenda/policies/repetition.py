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

from collections.abc import Iterable
from importlib import import_module
from typing import Any

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
            most = min(int(high), longest)
            inner = _ways(body, longest)
            lengths = max(1, most - int(low) + 1)
            product *= lengths * min(inner ** min(most, 64), _MANY)
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
