r"""Regular expressions that can take for ever on a hostile text, told by their structure.

Python's ``re`` backtracks and has no time limit. Exponential time needs a repetition whose body
can match the same text in more than one way. That can't be decided in general; this errs on the
side of refusing:

| within a repetition of | refused | write instead |
|---|---|---|
| more than 10 or any number | a repetition, an option ``?``, alternatives | ``(?:[\w ])+`` for ``(?:\w+ ?)+`` |
| up to 10 | a repetition of any number | ``(?:\w{1,20} ){2}`` for ``(?:\w+ ){2}`` |

What remains is polynomial at worst (``.*x.*y``), and a search looks at a bounded window at a time
(``decide/search.py``), so that the time stays linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

_FEW = 10


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


def _bodies(argument: Any) -> list[Any]:
    """Return the parts of a pattern inside an argument: of groups, assertions and alternatives."""
    if hasattr(argument, "pattern") or hasattr(argument, "getwidth"):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [body for part in argument for body in _bodies(part)]
    return []
