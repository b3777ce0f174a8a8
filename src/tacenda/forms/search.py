"""All forms in one pass over a folded text, at word boundaries of every script.

A boundary lies between two characters unless both belong to words. In scripts written without
spaces (Han, kana, Thai, Lao, Khmer, Burmese) and in Hangul, which attaches particles, any place
is one. A form that begins or ends in a digit may not go on after ``.``, ``,``, ``/``, ``:`` or
``-`` and a digit, so that ``12/05`` is not found in ``12/05/2003``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

import ahocorasick

from ..document import Span
from ..folding import Folded
from .acronyms import is_acronym
from .surface import Case

_NUMBER_JOINTS = frozenset(".,/:-")
_SPACELESS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),  # Han
    (0x20000, 0x3FFFF),  # Han
)


def occurrences(text: str, folded: Folded, forms: Mapping[str, Case]) -> Iterator[tuple[Span, str]]:
    """Yield where forms stand in ``text``, by their end, with the folded form.

    Args:
        text: the text itself.
        folded: the same text, folded.
        forms: for each folded form how the case of an occurrence must agree.
    """
    if not forms:
        return
    automaton = ahocorasick.Automaton()
    for form in forms:
        automaton.add_word(form, form)
    automaton.make_automaton()
    for last, form in automaton.iter(folded.text):
        start, end = last + 1 - len(form), last + 1
        if _bounded(folded.text, start, end):
            span = folded.original(start, end)
            if _agrees(forms[form], span.of(text)):
                yield span, form


def _bounded(text: str, start: int, end: int) -> bool:
    if start and not _is_boundary(text, start):
        return False
    if end < len(text) and not _is_boundary(text, end):
        return False
    if (
        start > 1
        and text[start - 1] in _NUMBER_JOINTS
        and text[start].isdigit()
        and text[start - 2].isdigit()
    ):
        return False
    return not (
        end + 1 < len(text)
        and text[end] in _NUMBER_JOINTS
        and text[end - 1].isdigit()
        and text[end + 1].isdigit()
    )


def _is_boundary(text: str, position: int) -> bool:
    before, after = text[position - 1], text[position]
    if not (_is_word(before) and _is_word(after)):
        return True
    return _is_spaceless(before) or _is_spaceless(after)


def _is_word(character: str) -> bool:
    if character.isalnum() or character == "_":
        return True
    return character > "\x7f" and unicodedata.category(character)[0] == "M"


def _is_spaceless(character: str) -> bool:
    code = ord(character)
    return code >= _SPACELESS[0][0] and any(low <= code <= high for low, high in _SPACELESS)


def _agrees(case: Case, occurrence: str) -> bool:
    if case is Case.ANY:
        return True
    return is_acronym(occurrence) if case is Case.SAME else not occurrence[:1].islower()
