r"""Recognizes, by their structure, regular expressions that could run forever on a hostile text.

Python's ``re`` backtracks and has no time limit. Exponential time needs a repetition whose body
can match the same text in more than one way. This is undecidable in general; the check errs on the
side of refusing:

| within a repetition of | refused | write instead |
|---|---|---|
| more than 10 or any number | a repetition, an option ``?``, alternatives | ``(?:[\w ])+`` for ``(?:\w+ ?)+`` |
| up to 10 | a repetition of any number | ``(?:\w{1,20} ){2}`` for ``(?:\w+ ){2}`` |

The rest is polynomial at worst (``.*x.*y``), or exponential in its own length (``a?a?a?aaa``). The
number of ``ways`` it can match a window has an upper bound that is easily counted; if that is high,
matching has a time limit (``regex_search.py``).
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

_BOUNDED_TIMES = 10
_MOST_WAYS = 1_000_000_000


def has_nested_quantifier(pattern: str) -> bool:
    """Return whether ``pattern``, which compiles, repeats a body of varying length."""
    # The parser is the standard library's own, under this name since Python 3.11.
    parser = import_module("re._parser")
    return _varies(parser.parse(pattern), 1)


def _varies(items: Iterable[tuple[Any, Any]], count: int) -> bool:
    """Return whether ``items``, repeated up to that many times, contain a refused repetition."""
    for name, argument in items:
        kind = str(name)
        if kind == "BRANCH" and count > _BOUNDED_TIMES:
            return True
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = argument
            times = int(high)
            if low != high and (count > _BOUNDED_TIMES or (count > 1 and times > _BOUNDED_TIMES)):
                return True
            if _varies(body, max(count, 1) * max(times, 1)):
                return True
        elif any(_varies(body, count) for body in _bodies(argument)):
            return True
    return False


def ways(pattern: str, longest: int) -> int:
    """Return an upper bound on the number of ways ``pattern`` can match from one position.

    It counts backtracking paths whatever the text is, and is exact up to a billion.

    Args:
        pattern: a valid regular expression.
        longest: length of the longest match, in code points.
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
            product *= lengths * min(inner ** min(limit, 64), _MOST_WAYS)
        elif kind == "BRANCH":
            product *= sum(_ways(body, longest) for body in argument[1])
        else:
            for body in _bodies(argument):
                product *= _ways(body, longest)
        product = min(product, _MOST_WAYS)
    return product


def _bodies(argument: Any) -> list[Any]:
    """Return the patterns nested in an argument: those of groups, assertions and alternatives."""
    if hasattr(argument, "pattern") or hasattr(argument, "getwidth"):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [body for part in argument for body in _bodies(part)]
    return []
