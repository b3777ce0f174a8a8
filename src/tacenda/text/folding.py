"""Fold text for comparison, with an alignment to the original code points.

| written | compared as |
|---|---|
| any case | case-folded (``ß`` as ``ss``) |
| a letter with any number of diacritics, precomposed or not; ``ł ø đ ð ħ ı`` | the plain letter |
| ``þ æ œ`` | ``th ae oe`` |
| compatibility forms: ligatures, full-width, circled, squared and small capital letters, superscripts | the plain characters |
| decimal digits of any script | ``0``-``9`` |
| typographic quotes, dashes | ``'`` ``"`` ``-`` |
| a run of white space | one space; two newlines if it contains a blank line |
| a hyphen at the end of a line, between letters | nothing before a lowercase letter, even after a blank line or on the next page; otherwise ``-`` |
| invisible characters (soft hyphen, zero-width space, marks of direction, variation selectors, tags, fillers), control characters | nothing |

Marks that are letters in their script (Thai and Indic vowels, kana voicing) are kept; optional
vowel points (Hebrew, Arabic), nuktas and viramas count as diacritics.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..document import Span

_UNIFIED = dict.fromkeys("‘’‚‛ʹʻʼʽ`´′＇", "'") | dict.fromkeys("“”„‟«»″‹›", '"')
_UNIFIED |= dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-")
_LETTERS = dict(zip("łøđħıŧðŋɓɗƙƴɨɔɛǝə", "lodhitdnbdkyioeaa", strict=True))
_LETTERS |= {"æ": "ae", "œ": "oe", "þ": "th"}
# Squared and circled capitals without a compatibility form, and the letters of flags.
_LETTERS |= {
    chr(first + place): letter
    for first in (0x1F150, 0x1F170, 0x1F1E6)
    for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
_LETTERS |= dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True))
_PARENTHESIZED = {
    chr(first + place): letter
    for first in (0x1F110, 0x249C)
    for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
_OPTIONAL_MARKS = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05C7),
    (0x0610, 0x061A),
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
_OFTEN_LEFT_OUT = (7, 9)
"""Combining classes of the nukta and the virama."""
# Invisible characters that aren't format characters (DerivedCoreProperties, Default_Ignorable).
_INVISIBLE = (
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)
_CONTROL = re.compile("[\0-\x08\x0e-\x1b\x7f]")
# Searched for in text whose white space is all spaces: a literal prefix makes them fast.
_RUN = re.compile("  +")
_LINE_END = re.compile("- +")
_SOFT_LINE_END = re.compile("\0 +")
_MAX_REPLACED_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Folded text with its alignment to the original.

    The attributes after ``text`` list, in order, the blocks whose length folding changed: folded
    ``[starts[k], ends[k])`` came from original ``[origin_starts[k], origin_ends[k])``. Between
    blocks, code points correspond one to one.
    """

    text: str = field(repr=False)
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    origin_starts: tuple[int, ...] = ()
    origin_ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> Span:
        """Return the original code points behind folded ``[start, end)``, ``start < end``.

        A partly included block is included whole; dropped characters belong to the one before them.
        """
        if not self.starts:
            return Span(start, end)
        k = bisect_right(self.starts, start) - 1
        if k < 0:
            first = start
        elif start < self.ends[k]:
            first = self.origin_starts[k]
        else:
            first = self.origin_ends[k] + start - self.ends[k]
        k = bisect_right(self.starts, end) - 1
        if k >= 0 and self.starts[k] == end and self.ends[k] > end:
            k -= 1
        # Inside a block the difference is negative, so the whole block is included.
        last = end if k < 0 else self.origin_ends[k] + max(0, end - self.ends[k])
        return Span(first, last)


class _FoldedCharacters(dict[int, str]):
    """The folded form of a character by code point, computed on first use."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


class _Placed(dict[int, str]):
    """Like ``_FoldedCharacters``, but with one code point each: a placeholder if the length changes."""

    def __missing__(self, code: int) -> str:
        folded = _CHARACTERS[code]
        character = self[code] = folded if len(folded) == 1 else "\0"
        return character


def _fold_character(character: str) -> str:
    if character.isspace():
        return " "
    if character in _UNIFIED:
        return _UNIFIED[character]
    if character in _PARENTHESIZED:
        return _PARENTHESIZED[character]
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    if unicodedata.category(character) in ("Cf", "Cc") or _is_in(_INVISIBLE, character):
        return ""
    expanded = unicodedata.normalize("NFKD", character).casefold()
    plain = "".join(
        _UNIFIED.get(part, _LETTERS.get(part, part))
        for part in unicodedata.normalize("NFKD", expanded)
        if not _is_diacritic(part)
    )
    return unicodedata.normalize("NFC", plain).lower()


def _is_diacritic(character: str) -> bool:
    return character >= "\u0300" and (
        unicodedata.combining(character) in _OFTEN_LEFT_OUT or _is_in(_OPTIONAL_MARKS, character)
    )


def _is_in(ranges: Sequence[tuple[int, int]], character: str) -> bool:
    return any(low <= ord(character) <= high for low, high in ranges)


_CHARACTERS = _FoldedCharacters()
_PLACED = _Placed()
_ASCII_SPACES = "\n\t\r\v\f\x1c\x1d\x1e\x1f"
_ASCII = {code: _fold_character(chr(code)) or "\0" for code in range(128)}


def fold_aligned(text: str) -> FoldedText:
    """Return ``text`` folded for comparison, in linear time."""
    blocks: list[tuple[int, int, str]] = []
    if text.isascii() and not _CONTROL.search(text):
        base = text.translate(_ASCII)
    else:
        characters = [
            character
            for character in set(text)
            if not character.isascii() or _CONTROL.match(character)
        ]
        base = _place(text, characters)
        blocks = _changed(text, characters)
    if "  " in base:
        blocks += [(*run.span(), _join_run(text, *run.span())) for run in _RUN.finditer(base)]
    blocks += _line_ends(text, base, _LINE_END)
    if "\u00ad" in text:
        blocks += _line_ends(text, base, _SOFT_LINE_END)
    return substitute(base, blocks) if blocks else FoldedText(base)


def is_telling(character: str) -> bool:
    """Return whether a character carries meaning: letters, circled letters, invisible tags."""
    return (
        character.isalnum()
        or "\U000e0020" <= character <= "\U000e007e"
        or unicodedata.category(character) == "So"
    )


def substitute(text: str, blocks: Iterable[tuple[int, int, str]]) -> FoldedText:
    """Return ``text`` with some ranges replaced, and its alignment.

    Args:
        text: any text.
        blocks: start, end and replacement; among overlapping blocks the first counts, then the
            longest.
    """
    return _assemble(text, sorted(blocks, key=lambda block: (block[0], -block[1])))


def _place(text: str, characters: list[str]) -> str:
    # As long as there are few, replacing one character at a time is many times faster than
    # translating.
    if len(characters) > _MAX_REPLACED_CHARACTERS:
        return text.translate(_PLACED)
    for character in characters:
        replacement = _PLACED[ord(character)]
        if replacement != character:
            text = text.replace(character, replacement)
    if text.isascii():
        return text.translate(_ASCII)
    # Everything outside ASCII is already folded, so lower() only changes ASCII letters.
    text = text.lower()
    for character in _ASCII_SPACES:
        text = text.replace(character, " ")
    return text.replace("`", "'")


def _changed(text: str, characters: list[str]) -> list[tuple[int, int, str]]:
    changing = [character for character in characters if len(_CHARACTERS[ord(character)]) != 1]
    if not changing:
        return []
    places = re.finditer(f"[{re.escape(''.join(changing))}]", text)
    return [(*place.span(), _CHARACTERS[ord(place.group())]) for place in places]


def _join_run(text: str, start: int, end: int) -> str:
    return "\n\n" if text.count("\n", start, end) > 1 else " "


def _line_ends(text: str, base: str, pattern: re.Pattern[str]) -> list[tuple[int, int, str]]:
    blocks = []
    for match in pattern.finditer(base):
        start, end = match.span()
        hyphen = text[start]
        if (
            hyphen in "-\u2010\u00ad"
            and start > 0
            and end < len(text)
            and text[start - 1].isalpha()
            and text[end].isalpha()
            and _is_line_end(text, start, end)
        ):
            keep = hyphen != "\u00ad" and not text[end].islower()
            blocks.append((start, end, "-" if keep else ""))
    return blocks


def _is_line_end(text: str, start: int, end: int) -> bool:
    number = text.count("\n", start, end) + text.count("\f", start, end)
    return number == 1 or (number > 1 and text[end].islower())


def _assemble(base: str, blocks: list[tuple[int, int, str]]) -> FoldedText:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    origin_starts: list[int] = []
    origin_ends: list[int] = []
    cursor = length = 0
    for start, end, folded in blocks:
        if start < cursor:  # the white space or soft hyphen at a line end is listed twice
            continue
        pieces.append(base[cursor:start])
        pieces.append(folded)
        length += start - cursor
        starts.append(length)
        length += len(folded)
        ends.append(length)
        origin_starts.append(start)
        origin_ends.append(end)
        cursor = end
    pieces.append(base[cursor:])
    return FoldedText(
        "".join(pieces), tuple(starts), tuple(ends), tuple(origin_starts), tuple(origin_ends)
    )
