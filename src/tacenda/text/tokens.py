"""The words of a folded text, in every script, and the strings between them.

A word is a run of letters, digits and marks; in scripts written without spaces (Han, kana, Thai,
Lao, Khmer, Burmese) and in Hangul, which attaches particles, each character is a word. The
underscore isn't part of a word: ``yalman_report`` has two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from .folding import fold_aligned

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
_RANGES = "".join(f"{chr(low)}-{chr(high)}" for low, high in _SPACELESS)
_WORD = re.compile(rf"[^\W_{_RANGES}]+|[{_RANGES}]")
_ASCII_WORD = re.compile("[0-9A-Za-z]+")
_SAME_GAPS = frozenset(
    (" ", "_", ".", "+", *(f"{a}{mark}{b}" for mark in "-/" for a in ("", " ") for b in ("", " ")))
)


def words(text: str) -> tuple[list[int], list[int]]:
    """Return where the words of a folded text start and end, in linear time."""
    spans = list(map(re.Match[str].span, _pattern(text).finditer(_without_marks(text))))
    return [start for start, _ in spans], [end for _, end in spans]


def word_strings(text: str) -> list[str]:
    """Return the words of a folded text, as found by ``words``."""
    if _without_marks(text) is text:
        return _pattern(text).findall(text)
    return [text[start:end] for start, end in zip(*words(text), strict=True)]


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _WORD


def _without_marks(text: str) -> str:
    """Return a text of the same length with each mark replaced by a letter; the text itself if it has no marks."""
    if text.isascii():
        return text
    # The pattern doesn't consider marks letters; only marks that folding keeps are left here.
    marks = {
        ord(c): "x"
        for c in set(text)
        if c > "\u02ff" and unicodedata.category(c)[0] == "M" and not is_spaceless(ord(c))
    }
    return text.translate(marks) if marks else text


def word_list(string: str) -> list[str]:
    """Return the folded words of a string in any script, to compare phrases."""
    return word_strings(fold_aligned(string).text)


def gap(between: str) -> str:
    """Return the gap between two words; all equivalent separators become a space.

    Equivalent are a space, a hyphen or slash with or without spaces, a lone period, an underscore
    and a plus sign: ``16444/07``, ``16444 / 07`` and ``16444-07`` are one string, and
    ``galip.yalman`` is the name.
    """
    return " " if between in _SAME_GAPS else between


def trim(text: str) -> str:
    """Return a folded text from its first word to its last; the text itself if it has no words."""
    if text.isascii() and text[:1].isalnum() and text[-1:].isalnum():
        return text
    starts, ends = words(text)
    return text[starts[0] : ends[-1]] if starts else text


def unify_gaps(text: str) -> str:
    """Return a folded text with unified gaps between words and trimmed ends."""
    if text.isascii() and all(map(str.isalnum, text.split(" "))):
        return text
    return "".join(pieces(text, *words(text)))


def pieces(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    """Return the words of a text; all but the first with the ``gap`` before it."""
    return [
        (gap(text[before:start]) if before else "") + text[start:end]
        for before, start, end in zip((0, *ends), starts, ends, strict=False)
    ]


def is_spaceless(code: int) -> bool:
    """Return whether a character belongs to a script in which each character is a word."""
    return code >= _SPACELESS[0][0] and any(low <= code <= high for low, high in _SPACELESS)


# Whether part of a text consists of whole words, in any script.
#
# Words consist of letters, digits, underscores and combining marks. Scripts written without spaces
# have no word boundaries: any character may start or end a word.


# Thai, Lao, Myanmar, Khmer; kana, bopomofo; Han with its extensions.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def whole_words(text: str, start: int, end: int) -> bool:
    """Return whether a nonempty ``text[start:end]`` neither starts nor ends inside a word."""
    return not _inside(text, start) and not _inside(text, end)


def _inside(text: str, position: int) -> bool:
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if _is_mark(after):
        return before.isalnum() or _is_mark(before)
    return (
        (before.isalnum() or before == "_" or _is_mark(before))
        and (after.isalnum() or after == "_")
        and not _UNSPACED.match(before)
        and not _UNSPACED.match(after)
    )


def _is_mark(character: str) -> bool:
    return character > "\u02ff" and unicodedata.category(character).startswith("M")
