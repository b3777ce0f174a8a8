"""Tables of cases that one test goes through, and how many examples a property tries."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from hypothesis import settings

MANY = settings(max_examples=4 * settings().max_examples)
"""Of properties that hold a promise of the program, and take little time. By default a property tries as many as
the profile says (``conftest.py``)."""


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each case of a table, as one test; an error says which case it is.

    For cases that share nothing and take little time: ``pytest.mark.parametrize`` makes a test of each, which costs
    more than most of them.

    Args:
        names: arguments of the test, as for ``parametrize``.
        cases: their values; not a tuple each if there is one name.
    """
    table = list(cases)
    assert table
    columns = re.findall(r"\w+", names) if isinstance(names, str) else list(names)
    is_bare = isinstance(names, str) and len(columns) == 1

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**others: Any) -> None:
            for case in table:
                values = (case,) if is_bare else case
                try:
                    test(**dict(zip(columns, values, strict=True)), **others)
                except BaseException as error:
                    error.add_note(f"{', '.join(columns)}: {case!r}")
                    raise

        parameters = inspect.signature(test).parameters.values()
        rest = [parameter for parameter in parameters if parameter.name not in columns]
        run.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]
        return run

    return decorate
