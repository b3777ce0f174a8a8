r"""Words written in parts, and the joints between the parts.

| written | joined |
|---|---|
| ``Yal-man``, ``Yal-\n> man``, ``Yal*man*``, ``Yal<b>man</b>``, with a control character inside | for forms to search for (``joints``) |
| the same, but only hyphens at a line end and only tags that style letters | also for detectors (``detector_joints``) |
| ``Y A L M A N``, ``Y.a.l.m.a.n``, one letter per line or cell | for both; for detectors only four or more letters |
| ``Yal\nman`` | for forms of five or more letters (``divided_words``); for detectors if neither part is a word |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TypeAlias

from ..document import Span
from .information import UnigramSurprisal
from .normal_form import fold_text
from .surface_forms import SHORTEST_INSIDE

Joint: TypeAlias = tuple[int, int, str]
"""Code points ``[start, end)`` between the parts of a word or name, and what is read there."""

_LETTER = r"[^\W\d_]"
_TAG = r"<[/!]?[A-Za-z-][^<>\n]{0,120}>"
_TAG_OF_LETTERS = r"</?(?:b|i|u|s|em|strong|span|font|mark|small)(?: [^<>\n]{0,120})?>"
# Quotation markers of mails and comments before the rest of a word.
_QUOTING = r"(?:[ \t]{0,40}(?:>|\||//|#|\*)){0,8}[ \t]{0,40}"
_HYPHENS = "-\u2010\u2011\u2012\u2013\u00ac\u00ad"
# A page number, and empty lines.
_FOOT = r"(?:[\W\d_]{0,60}[\n\f][^\S\n]{0,40})"
_LINE_ENDS = "\n\r\f\v\x85\u2028\u2029"
_LINE_END = rf"(?:\r\n?|[{_LINE_ENDS}])"
_AT_LINE_END = rf"[ \t]{{0,8}}{_LINE_END}(?:{_QUOTING}|{_FOOT})"
_CONTROL = r"[\x0b\x0c\x1c-\x1f\x85]"
_JOINT = re.compile(
    rf"(?<={_LETTER})(?:"
    rf"[{_HYPHENS}](?:{_AT_LINE_END}|[ \t]{{0,8}}(?:>[ \t]{{0,8}}){{0,8}})"
    rf"|(?:[*~`]{{1,3}}|_{{1,2}}|{_CONTROL}|{_TAG}){{1,4}}"
    rf")(?={_LETTER})"
)
_DETECTOR_JOINT = re.compile(
    rf"(?<={_LETTER})(?:(?P<hyphen>[{_HYPHENS}]){_AT_LINE_END}"
    rf"|(?:[*~`]{{1,3}}|[\x1c-\x1f]|{_TAG_OF_LETTERS}){{1,4}}|(?P<blank>\+))(?={_LETTER})"
    rf"|(?<![\w*~])[*~]{{1,3}}(?=\w)|(?<=\w)[*~]{{1,3}}(?![\w*~])"
)
_JOINT_BEGIN = re.compile(rf"[{_HYPHENS}+*~`_\x0b\x0c\x1c-\x1f\x85<]")
_SEPARATOR = rf"[ \t{_LINE_ENDS}\u00a0\u2000-\u200a\u3000._*|/,·\-]"
# Vowels, nuktas and viramas in Indic and other scripts; a program that spaces out letters separates
# them too.
_SIGNS = "".join(
    sign for sign in map(chr, range(0x900, 0x10A0)) if unicodedata.category(sign)[0] == "M"
)
_SPACED_LETTER = rf"(?:{_LETTER}|[{_SIGNS}])[\u0300-\u036f{_SIGNS}]*"
_SPACED = re.compile(
    rf"(?<![^\W_])(?:{_SPACED_LETTER}{_SEPARATOR}{{1,6}}){{2,}}{_SPACED_LETTER}(?![^\W_])"
)
_SEPARATORS = re.compile(rf"{_SEPARATOR}+")
_FEWEST_SPACED = 4
# Directly after a letter, and never starting within white space, so that a page of line ends takes
# linear time.
_BREAK = re.compile(rf"(?<=[^\W\d_])[ \t]*+[{_LINE_ENDS}]\s*+(?=([^\W\d_]{{2,40}})(?![^\W\d_]))")
_BREAK_BEGIN = re.compile(f"[{_LINE_ENDS}]")
_HEAD = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,40}\Z")
_SPACED_HEAD = re.compile(r"(?<![^\W\d_])[^\W\d_](?: [^\W\d_]){1,20}\Z")
_LONGEST_HEAD = 48


def joints(text: str) -> Iterator[Joint]:
    """Yield the joints in words for forms to search for; not in order."""
    for joint in _matches(_JOINT, text):
        yield *joint.span(), ""
    for spaced in _SPACED.finditer(text):
        yield from _spaced_joints(text, Span(*spaced.span()))


def detector_joints(text: str) -> Iterator[Joint]:
    """Yield the joints in words that detectors couldn't read in parts; not in order."""
    for joint in _matches(_DETECTOR_JOINT, text):
        is_compound = (
            joint["hyphen"] and text[joint.start() - 1].islower() and text[joint.end()].isupper()
        )
        yield *joint.span(), "-" if is_compound else " " if joint["blank"] else ""
    for spaced in spaced_words(text):
        yield from _spaced_joints(text, spaced)
        yield from _small_letters(text, spaced)
    for head, tail, _ in _divisions(text):
        parts = head.of(text), tail.of(text)
        if len(head) > 1 and parts[0][0].isupper() and not any(map(is_word, parts)):
            yield head.end, tail.start, ""


def spaced_words(text: str) -> Iterator[Span]:
    """Yield the positions of words in spaced or stacked letters, along with adjacent words written the same way."""
    for spaced in _SPACED.finditer(text):
        marks = {frozenset(gap) - frozenset(" -\u2009") for gap in _SEPARATORS.findall(spaced[0])}
        if len(marks) == 1 and sum(map(str.isalpha, spaced[0])) >= _FEWEST_SPACED:
            yield Span(*spaced.span())


def divided_words(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span of each word that a line end may divide, as scanning software writes it, and the word."""
    return ((Span(head.start, tail.end), word) for head, tail, word in _divisions(text))


def _divisions(text: str) -> Iterator[tuple[Span, Span, str]]:
    """Yield both parts of each word that a line end without a hyphen may divide, and the word."""
    for line_end in _breaks(text):
        start, end, tail = line_end.start(), line_end.end(), line_end[1]
        head = _head(text[max(0, start - _LONGEST_HEAD) : start])
        if not head or not (tail[0].islower() or (head.isupper() and tail.isupper())):
            continue
        word = fold_text(head.replace(" ", "") + tail)
        if len(word) >= SHORTEST_INSIDE:
            yield Span(start - len(head), start), Span(end, end + len(tail)), word


def _head(line: str) -> str:
    """Return the word at the end of a line; with spaced letters, those from the last capital on."""
    if spaced := _SPACED_HEAD.search(line):
        capitals = [place for place, each in enumerate(spaced[0]) if each.isupper()]
        return spaced[0][capitals[-1] if capitals else 0 :]
    head = _HEAD.search(line)
    return head[0] if head else ""


def _breaks(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of ``_BREAK``, searching only at line ends, since most characters aren't at one."""
    for line_end in _BREAK_BEGIN.finditer(text):
        start = line_end.start()
        while start and text[start - 1] in " \t":
            start -= 1
        match = _BREAK.match(text, start)
        if match is not None:
            yield match


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    end = 0
    for begin in _JOINT_BEGIN.finditer(text):
        joint = pattern.match(text, begin.start()) if begin.start() >= end else None
        if joint is not None:
            end = joint.end()
            yield joint


def _spaced_joints(text: str, spaced: Span) -> list[Joint]:
    separators = [match.span() for match in _SEPARATORS.finditer(text, spaced.start, spaced.end)]
    minimum = min(end - start for start, end in separators)
    # In "G a l i p  Y a l m a n" the wider gaps separate words, except after a capital before a
    # lowercase letter.
    return [
        (start, end, " " if end - start > minimum and not _is_capital(text, start, end) else "")
        for start, end in separators
    ]


def _is_capital(text: str, start: int, end: int) -> bool:
    return text[start - 1].isupper() and text[end].islower()


def _small_letters(text: str, spaced: Span) -> Iterator[Joint]:
    """Yield lowercase letters for all capitals of words except the first, since names in capitals are harder to find."""
    if not spaced.of(text).isupper():
        return
    for _, end, blank in _spaced_joints(text, spaced):
        if not blank:
            yield end, end + 1, text[end].lower()


def is_word(string: str) -> bool:
    """Return whether a string is a word of the shipped table, in any case."""
    return string.lower() in UnigramSurprisal.shipped().counts
