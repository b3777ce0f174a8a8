"""People recognized by context: the sender in a chat record, a nickname, initials as a signature, relatives with a telephone number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ...text.word_lists import (
    DAYS,
    FUNCTION,
    GENERIC,
    NAMES_THAT_ARE_WORDS,
    TITLES,
    is_ordinary,
    ordered_words,
    word_list_of,
)
from .base import Hit, alternation

_SENDER = re.compile(
    r"([\"'])(?:from|to|sender|recipient|author|user|username|nick|speaker)\1 ?: ?"
    r"([\"'])(?P<name>[^\W\d_](?:(?!\2)[^\\\n{}<>:/@]){0,40})\2"
)
_MESSAGE = re.compile(r"[\"'](?:text|message|msg|body|content|caption|comment)[\"'] ?:")
_REACH = 600
_NOBODY = word_list_of("named_nobody")
_CAPITALIZED = r"[^\W\d_a-z][^\W\d_]{1,24}"
_NICKNAME = re.compile(
    r"\b(?:to be (?:called|known as|addressed as)|(?:go|goes|went|going) by|answers? to|nicknamed|nickname(?: is|:)?|a\.?k\.?a\.?|"
    rf"calls? (?:him|her|them|me))\s(?:the name )?[\"'‘“](?P<name>{_CAPITALIZED}(?: {_CAPITALIZED})?)[\"'’”]"
)
_KIN = alternation(word_list_of("named_kin"))
_KIN_WITH_NUMBER = re.compile(
    rf"\b(?i:{_KIN})(?:-in-law)?[,:]? (?P<name>{_CAPITALIZED}(?: {_CAPITALIZED})?)[,:]? {{1,3}}(?=\(?\+?\d[\d ()-]{{8}})"
)
# Abbreviated ranks and posts, which look like the first word of an organization.
_POSTS = alternation(word_list_of("named_posts"))
_IN_OFFICE = re.compile(
    rf"(?<![\w.&/-])(?:{_POSTS})\.? (?P<name>[^\W\d_a-z](?:['’][^\W\d_a-z])?[^\W\d_A-Z]{{1,24}}(?:-{_CAPITALIZED})?)(?![\w&])"
)
_CALLING = re.compile(
    r"(?<![\w'’])(?i:hey|hi|hello|hiya|hullo|yo|oi|morning|afternoon|evening),? (?i:it['’]?s|this is|i['’]?m)(?: only| just)? "
    r"(?P<name>[^\W\d_]{3,16}) from\b"
)
_DEEDS = alternation(word_list_of("named_deeds"))
_INITIALS = r"(?=[A-Za-z]{0,8}[a-z])[A-Z](?:[a-z]{0,3}[A-Z]){1,3}[a-z]?\b"
_SIGNED = re.compile(
    rf"\b(?i:{_DEEDS})(?: off)? by (?P<name>{_INITIALS})(?:(?:,| and|/) ?(?P<second>{_INITIALS}))?"
)

_NAME = re.compile(rf"{_CAPITALIZED}(?:-{_CAPITALIZED})?(?: {_CAPITALIZED}){{0,2}}")
_ACTS, _OF_CALLERS = ("|".join(ordered_words(f"acts_of_{who}")) for who in ("people", "callers"))
_ACTING = re.compile(
    rf"(?<![\w.@/-])(?<![Tt]he )(?P<names>{_NAME.pattern}(?:(?:,|,? (?:and|or|&)) {_NAME.pattern}){{0,5}}) "
    rf"(?:(?:{_ACTS})(?!\w)|from (?:the )?[A-Z][\w'’&.-]{{1,24}}(?: [A-Z][\w'’&.-]{{1,24}}){{0,2}} (?:{_OF_CALLERS})(?!\w))"
)
_INSIDE = re.compile(r"[a-z\d,;)] \b")
_OF_NOBODY = (
    "named_kin",
    "called_by_given_name",
    "kin_of_women",
    "kin_of_men",
    "english_kin_of_both",
    "named_nobody",
)
_NO_NAMES = FUNCTION.union(TITLES, DAYS, GENERIC, *map(word_list_of, _OF_NOBODY))


def find_named(text: str) -> Iterator[Hit]:
    """Yield names that the context shows to be people (kind ``person``)."""
    for match in _SENDER.finditer(text) if '"' in text or "'" in text else ():
        begin = text.rfind("{", max(0, match.start() - _REACH), match.start()) + 1
        end = text.find("}", match.end(), match.end() + _REACH)
        is_message = begin and _MESSAGE.search(
            text, begin, end if end >= 0 else match.end() + _REACH
        )
        if is_message and match["name"].lower() not in _NOBODY:
            yield Hit(*match.span("name"), "person")
    for match in chain(_IN_OFFICE.finditer(text), _CALLING.finditer(text)):
        if _may_be_name(match["name"].lower()):
            yield Hit(*match.span("name"), "person")
    for match in _ACTING.finditer(text):
        yield from _subjects(text, match)
    for pattern in (_NICKNAME, _KIN_WITH_NUMBER, _SIGNED):
        for match in pattern.finditer(text):
            for group in match.groupdict():
                if match[group]:
                    yield Hit(*match.span(group), "person")


def _may_be_name(word: str) -> bool:
    return word in NAMES_THAT_ARE_WORDS or not is_ordinary(word)


def _subjects(text: str, match: re.Match[str]) -> Iterator[Hit]:
    """Yield the names of one word before what people do: they may be names of places, or words within a sentence."""
    for name in _NAME.finditer(text, *match.span("names")):
        *before, word = name[0].lower().split(" ")
        is_one_of_several = name[0] != match["names"] and word[-1] != "s"
        is_inside = is_one_of_several or before or _INSIDE.match(text[max(0, name.start() - 2) :])
        is_name = _may_be_name(word) or (is_inside and FUNCTION.issuperset(before))
        if is_name and word not in _NO_NAMES and all(map(is_ordinary, before)):
            yield Hit(name.end() - len(word), name.end(), "person")
