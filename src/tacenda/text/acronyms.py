"""Acronyms and the names they are defined with.

European Court of Human Rights (“the ECHR”)     after the mention Erich-Weinert-Ensemble (EWE)
inside the mention, either way round Supreme Court (Oberster Gerichtshof)            a translation:
the same thing
"""

from __future__ import annotations

import re

_QUOTE = "[\"'“”‘’«»„]?"
_AFTER = re.compile(
    rf"\s?\(\s?(?:hereinafter|hereafter|abbreviated|referred to as|or|now)?:?,?\s?{_QUOTE}"
    rf"(?:[Tt]he\s)?(?P<short>[^\W_][\w&./‑-]{{0,14}}){_QUOTE}\s?[);,]"
)
_QUOTES = "\"'“”‘’«»„ "
_MANY_LETTERS = 12


def is_acronym(text: str) -> bool:
    """Return whether ``text`` looks like an acronym: one word, mostly capitals, at least two."""
    capitals = sum(map(str.isupper, text))
    letters = sum(map(str.isalpha, text))
    return capitals >= 2 and letters <= _MANY_LETTERS and 2 * capitals > letters and " " not in text


def defined_after(text: str, end: int) -> tuple[int, int] | None:
    """Return the position of the acronym defined in parentheses directly after position ``end``."""
    if text.find("(", end, end + 2) < 0:
        return None
    match = _AFTER.match(text, end)
    if match is None or not is_acronym(match["short"]):
        return None
    return match.span("short")


def spells(acronym: str, long: str) -> bool:
    """Return whether ``long`` starts with the first letter of ``acronym`` and has all its letters in order."""
    letters = [letter for letter in acronym if letter.isalpha()]
    rest = iter(long)
    return long[:1] == letters[0] and all(letter in rest for letter in letters)


def parenthesised(surface: str) -> tuple[str, ...]:
    """Return both names in a mention of the form ``name (name)``, as written; empty otherwise."""
    outer, opening, rest = surface.partition("(")
    inner, closing, tail = rest.partition(")")
    if not opening or not closing or tail.strip() or "(" in inner:
        return ()
    names = (outer.strip(), inner.strip(_QUOTES).removeprefix("the "))
    return names if all(names) else ()
