"""Find codes in other groups of letters and digits: ``943 476 5919``, ``9434765919``, ``943:476:5919``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import ahocorasick
import numpy as np

_NUMBER_JOINTS = frozenset(".,/:-")


def is_inside_number(text: str, start: int, end: int) -> bool:
    """Return whether a number continues at either end, like ``12/05`` in ``12/05/2003``."""
    return (
        start > 1
        and text[start - 1] in _NUMBER_JOINTS
        and text[start].isdigit()
        and text[start - 2].isdigit()
    ) or (
        end + 1 < len(text)
        and text[end] in _NUMBER_JOINTS
        and text[end - 1].isdigit()
        and text[end + 1].isdigit()
    )


LONGEST_FORM = 64

_SHORTEST_CODE = 7
_NO_MARKS = dict.fromkeys(map(ord, " \u00a0\u2009\u202f\t\n\r.-/()_"))
"""Marks between the groups of a code."""
_IN_TEXT = [*_NO_MARKS, *map(ord, ":·•|*'")]
"""Marks between its groups elsewhere in a text; a comma is that of a decimal."""
_IS_LETTER = np.ones(max(_IN_TEXT) + 2, bool)
"""Whether a code point is none of these marks; the last item covers all higher ones."""
_IS_LETTER[_IN_TEXT] = False
_FEW_DIFFERENT = 4
"""Different letters and digits of a code, from which on no row of single ones is the code by chance."""
_GROUP = re.compile("[0-9a-z]+")
_WIDEST_GAP = 3


def code_automaton(forms: Iterable[str]) -> Any:
    """Return the automaton for codes without separators between groups; None if there are no codes."""
    return automaton_of((code, (len(code), form)) for form in forms if (code := _code(form)))


@lru_cache(maxsize=4096)
def _code(form: str) -> str:
    """Return a form without separators between groups if it is a code: long enough, and mostly digits."""
    code = form.translate(_NO_MARKS)
    is_code = code.isascii() and code.isalnum() and 2 * sum(map(str.isdigit, code)) > len(code)
    return code if is_code and _SHORTEST_CODE <= len(code) <= LONGEST_FORM else ""


def automaton_of(words: Iterable[tuple[str, object]]) -> Any:
    """Return the automaton for words, each with a value; None if there are no words."""
    automaton = ahocorasick.Automaton()
    for word, value in words:
        automaton.add_word(word, value)
    if len(automaton) == 0:
        return None
    automaton.make_automaton()
    return automaton


def find_regrouped(searched: str, codes: Any) -> Iterator[tuple[int, int, str]]:
    """Yield the positions of codes in any grouping, with the form."""
    if codes is None:
        return
    points = np.frombuffer(searched.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.flatnonzero(_IS_LETTER[np.minimum(points, len(_IS_LETTER) - 1)])
    glued = points[places].tobytes().decode("utf-32-le", "surrogatepass")
    for last, (length, form) in codes.iter(glued):
        start, end = int(places[last + 1 - length]), int(places[last]) + 1
        around = searched[start - 1 : start] + searched[end : end + 1]
        if any(map(str.isalnum, around)) or is_inside_number(searched, start, end):
            continue
        gaps = _GROUP.split(searched[start:end])
        is_row = (
            len(gaps) > length and len(set(glued[last + 1 - length : last + 1])) < _FEW_DIFFERENT
        )
        if max(map(len, gaps)) <= _WIDEST_GAP and not is_row:
            yield start, end, form
