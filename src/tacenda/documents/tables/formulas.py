"""Formulas in workbooks: words that belong to the program, and words that may be a person's name."""

from __future__ import annotations

import re

from openpyxl.utils import FORMULAE

from ...shipped import shipped_table

_NEWER = frozenset(shipped_table("workbooks")["newer_functions"].split())
"""Functions added to Excel since 2010, which have a prefix in files."""
_FUNCTIONS = frozenset(FORMULAE) | _NEWER
_TOKEN = re.compile(
    r'"(?P<literal>(?:[^"]|"")*)"'
    r"|(?P<quoted>'(?:[^']|'')+'|\[[^\[\]]*\])"
    r"|(?<![\w.])(?P<function>(?:_xlfn\.)?(?:_xlws\.)?(?P<name>[A-Z][A-Z0-9.]*))(?=\()"
    r"|(?<![\w.])(?P<address>\$?[A-Z]{1,3}\$?[0-9]{1,7}|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}|TRUE|FALSE)(?![\w.(!])"
)


def formula_parts(formula: str) -> tuple[str, list[str]]:
    """Return a formula without function names, addresses and literals, and its literals.

    What is left are numbers, and names that people gave to sheets, tables and ranges. A function
    stays even if a masked column has its name, such as ``sum``.
    """
    literals: list[str] = []

    def taken(match: re.Match[str]) -> str:
        if match["literal"] is not None:
            literals.append(match["literal"].replace('""', '"'))
            return '""'
        if match["quoted"] or (match["function"] and match["name"] not in _FUNCTIONS):
            return match[0]
        return " "

    return _TOKEN.sub(taken, formula), literals
