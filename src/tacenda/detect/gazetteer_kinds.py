"""Decide from its context whether a gazetteer match is about a person, and how.

| a match | is |
|---|---|
| an abbreviation that isn't in capitals in the text; part of a capitalized name; a capitalized word for people (the President); a title without capitals | nothing |
| a word for people, used about a person: as a nurse, is an engineer, was a judge | ``person_said`` |
| any other common word for people (`COMMON`) | nothing |
| a nationality before "national" or "citizen", the phrase that every judgment uses for its applicant | ``nationality_of_person`` |
| a nationality before "court", "law", "Government" and the like | ``nationality_of_state`` |
| anything else | its group |
"""

from __future__ import annotations

import re

from ..document import Span
from ..text.word_lists import word_list_of
from .gazetteer_terms import Match, Words, singular

COMMON = word_list_of("gazetteer_common")
"""Terms of a judgment or an article about anyone: they count only where one person is said to be it."""

_PEOPLE = frozenset(
    {"occupation", "position", "military_rank", "sport_position", "social_status", "title"}
)
_NATIONS = frozenset({"nationality", "ethnic_group"})
_PROPER = word_list_of("gazetteer_kinds_proper")
_WIDELY_HELD = frozenset({"national", "nationals", "citizen", "citizens", "nationality"})
_STATE = word_list_of("gazetteer_kinds_state")
_BEFORE_ARTICLE = frozenset("as is was were be been being became become".split())
_SENTENCE_START = re.compile(r"(?:^|[.:;!?\n\"“”(])\s*$")
_WORD_BEFORE = re.compile(r"([^\W_]+)[ \-]$")
_WORD_AFTER = re.compile(r"[ \-]([^\W_]+)")
_REACH = 40  # number of characters to look at on either side


def kind_of(text: str, span: Span, words: Words, match: Match) -> str | None:
    """Return what kind of mention a match is, or None if it isn't one.

    Args:
        text: the original text.
        span: the match's position.
        words: the text's words.
        match: the match, as words.
    """
    string = span.of(text)
    if match.abbreviation:
        return match.group if string.isupper() else None
    if match.group == "work":
        return match.group if sum(map(str.isupper, string)) >= 2 else None
    before = text[max(0, span.start - _REACH) : span.start]
    capitalised = _capital(string) and not _SENTENCE_START.search(before)
    if _in_name(string, capitalised, before, text[span.end : span.end + _REACH]):
        return None
    single = match.first == match.last
    if capitalised and single and match.group not in _PROPER:
        return None
    word = words.words[match.first]
    common = single and (word in COMMON or singular(word) in COMMON)
    if match.group in _PEOPLE and _said(words, match.first):
        return "person_said"
    if common:
        return None
    return _nation(words, match) if match.group in _NATIONS else match.group


def _in_name(string: str, capitalised: bool, before: str, after: str) -> bool:
    """Return whether a capitalized word next to the match belongs to the same name."""
    following = _WORD_AFTER.match(after)
    if following and _capital(following[1]) and _capital(string):
        return True
    preceding = _WORD_BEFORE.search(before)
    return bool(
        capitalised
        and preceding
        and _capital(preceding[1])
        and not _SENTENCE_START.search(before[: preceding.start()])
    )


def _capital(word: str) -> bool:
    """Return whether a word is capitalized as in a name; one all in capitals may be a heading."""
    return word[0].isupper() and not word.isupper()


def _said(words: Words, first: int) -> bool:
    """Return whether word ``first`` follows "as a" or "was a"."""
    return (
        first >= 2
        and words.words[first - 1] in ("a", "an")
        and words.words[first - 2] in _BEFORE_ARTICLE
        and words.joined(first)
        and words.joined(first - 1)
    )


def _nation(words: Words, match: Match) -> str:
    following = match.last + 1
    if following < len(words.words) and words.joined(following):
        if words.words[following] in _WIDELY_HELD:
            return "nationality_of_person"
        if words.words[following] in _STATE:
            return "nationality_of_state"
    return match.group
