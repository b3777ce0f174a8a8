"""People recognized by context: the sender in a chat record, a nickname, initials as a signature, relatives with a telephone number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.word_lists import NAMES_THAT_ARE_WORDS, is_ordinary, word_list_of
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
_DEEDS = alternation(word_list_of("named_deeds"))
_INITIALS = r"(?=[A-Za-z]{0,8}[a-z])[A-Z](?:[a-z]{0,3}[A-Z]){1,3}[a-z]?\b"
_SIGNED = re.compile(
    rf"\b(?i:{_DEEDS})(?: off)? by (?P<name>{_INITIALS})(?:(?:,| and|/) ?(?P<second>{_INITIALS}))?"
)


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
    for match in _IN_OFFICE.finditer(text):
        word = match["name"].lower()
        if word in NAMES_THAT_ARE_WORDS or not is_ordinary(word):
            yield Hit(*match.span("name"), "person")
    for pattern in (_NICKNAME, _KIN_WITH_NUMBER, _SIGNED):
        for match in pattern.finditer(text):
            for group in match.groupdict():
                if match[group]:
                    yield Hit(*match.span(group), "person")
