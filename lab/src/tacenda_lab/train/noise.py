"""Label-preserving noise, as by scanners, keyboards and hurry.

Each function takes an annotated text and returns another with the same mentions, moved along.
Random ones take a ``Random`` and a rate in [0, 1], the share of places to change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from random import Random

from .examples import AnnotatedText, Edit, Mention, apply_edits

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS_WITHOUT_PARTS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "æ": "ae",
     "Æ": "AE", "œ": "oe", "þ": "th", "ð": "d"}
)  # fmt: skip
_NEIGHBOURS = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj",
    "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "r": "et",
    "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip


def lower_case(text: str, mentions: Sequence[Mention]) -> AnnotatedText:
    """Return the text in small letters."""
    return _by_character(text, mentions, str.lower)


def upper_case(text: str, mentions: Sequence[Mention]) -> AnnotatedText:
    """Return the text in capitals."""
    return _by_character(text, mentions, str.upper)


def strip_diacritics(text: str, mentions: Sequence[Mention]) -> AnnotatedText:
    """Return the text as it looks where no letter has a mark."""

    def bare(char: str) -> str:
        decomposed = unicodedata.normalize("NFD", char.translate(_LETTERS_WITHOUT_PARTS))
        return "".join(part for part in decomposed if not unicodedata.combining(part))

    return _by_character(text, mentions, bare)


def misspell(
    text: str, mentions: Sequence[Mention], random: Random, rate: float = 0.05
) -> AnnotatedText:
    """Return the text as typed in haste: letters swapped, dropped, doubled or beside the key.

    Only words of four letters or more outside of mentions: a misspelt name is someone else's.
    """
    inside = _covered(len(text), mentions)
    edits = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if end - start < 4 or any(inside[start:end]) or random.random() >= rate:
            continue
        at = random.randrange(start + 1, end - 1)
        two = text[at : at + 2]
        near = _NEIGHBOURS.get(text[at].lower(), text[at])
        new = random.choice((two[::-1], two[1], two[0] * 2 + two[1], random.choice(near) + two[1]))
        edits.append((at, at + 2, new))
    return apply_edits(text, mentions, edits)


def disturb_spaces(
    text: str, mentions: Sequence[Mention], random: Random, rate: float = 0.03
) -> AnnotatedText:
    """Return the text with some spaces doubled, or lost beside punctuation and digits."""
    edits: list[Edit] = []
    for match in re.finditer(" ", text):
        at = match.start()
        if random.random() >= rate:
            continue
        around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
        edits.append((at, at + 1, "  " if around.isalpha() or random.random() < 0.6 else ""))
    return apply_edits(text, mentions, edits)


def break_lines(
    text: str, mentions: Sequence[Mention], random: Random, width: int | None = None
) -> AnnotatedText:
    """Return the text with hard line breaks, as in forwarded mail and extracted PDFs.

    Args:
        text: the document.
        mentions: its annotation.
        random: source of the width unless given.
        width: length of a line before its break at the next space.
    """
    width = width or random.randint(30, 90)
    edits: list[Edit] = []
    begin = 0
    for match in re.finditer(r"[ \n]", text):
        if match[0] == "\n":
            begin = match.end()
        elif match.start() - begin >= width:
            edits.append((match.start(), match.end(), "\n"))
            begin = match.end()
    return apply_edits(text, mentions, edits)


def drop_punctuation(
    text: str, mentions: Sequence[Mention], random: Random, rate: float = 1.0
) -> AnnotatedText:
    """Return the text without full stops, commas and apostrophes of the running text.

    What stands inside of a mention or between digits stays: it is part of a name or number.
    """
    inside = _covered(len(text), mentions)
    edits: list[Edit] = []
    for match in re.finditer(r"[.,;:!?'’\"]", text):
        at = match.start()
        digits = text[max(at - 1, 0) : at].isdigit() and text[at + 1 : at + 2].isdigit()
        if not inside[at] and not digits and random.random() < rate:
            edits.append((at, at + 1, ""))
    return apply_edits(text, mentions, edits)


def _by_character(
    text: str, mentions: Sequence[Mention], change: Callable[[str], str]
) -> AnnotatedText:
    edits = [
        (at, at + 1, replacement)
        for at, char in enumerate(text)
        if (replacement := change(char)) != char
    ]
    return apply_edits(text, mentions, edits)


def _covered(length: int, mentions: Sequence[Mention]) -> bytearray:
    inside = bytearray(length)
    for start, end, _, _ in mentions:
        inside[start:end] = b"\1" * (end - start)
    return inside
