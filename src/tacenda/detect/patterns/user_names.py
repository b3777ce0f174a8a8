"""User names: after an ``@`` or ``u/``, after a word that announces one, or before what a user did.

| in the text | found |
|---|---|
| ``ask @marta_k91``, ``u/sleepy-fox22`` | ``@marta_k91``, ``sleepy-fox22`` |
| ``Username: halina``, ``IGN: the_real_ibrahim`` | any one word after a colon |
| ``log in as tester_marge``, ``find me on discord - b.daconceicao`` | strings that don't look like words: with ``_``, a digit, a dot or a capital inside |
| ``not_a_lazy asked 3 days ago`` | the same, before what a user did |
| ``Thanks! - tin_mine_tess`` | the same, at the end of a line |
| ``# TODO(kimani): round``, ``@author Kimani Ode`` | the person who wrote code, or has to fix it |
| ``@Override``, ``r/AskReddit``, ``user_id: 7``, ``12@3`` | nothing |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.word_lists import ordered_words, word_list_of
from .base import Hit

_NAME = r"[^\W_](?:[\w.-]{0,38}\w)?"
# Signs that a user name isn't a word: joined by _ or ., with digits, or with a capital inside.
_ODD = re.compile(r".*(?:\w[_.]\w|-\d|[^\W\d_]\d|\d[^\W\d_]|[a-zß-ÿ][A-Z])")
_AT = re.compile(rf"(?<![\w@./%+=-])(?P<name>@_*{_NAME})(?![\w@(/]|\.\w|://)")
_REDDIT = re.compile(r"(?<![\w/])/?u/(?P<name>[\w-]{3,30})(?!\w)")
_PLACE = (
    r"(?i:user ?names?|users?|nick(?:names?)?|handles?|screen ?names?|IGN|gamertags?|insta(?:gram)?|"
    r"snap(?:chat)?|discord|skype|telegram|twitter|tiktok|mastodon|steam|psn|twitch|"
    r"posted by|author|account name|login|(?:log(?:ged|s|ging)?|sign(?:ed|s|ing)?)[- ]?(?:in|on) as)"
)
# Each position has one of these; those in the words of most long texts come first.
_IN_PLACES = ordered_words("user_names_in_places")
_NAMED = re.compile(
    rf"(?<![\w.-]){_PLACE}(?:(?P<sure> ?[:=] ?)|(?: id| name| handle)?(?: is)? ?[-–—(]? ?)"
    rf"[\"'“‘]?(?P<name>@?{_NAME})(?![\w@(=/]|\.\w)"
)
_DEEDS = ("asked", "posted", "commented", "replied", "answered", "joined", "wrote")
# A name is a complete run of its characters, so that none is matched again in a shorter form.
_DID = re.compile(
    r"(?<![\w@./:-])(?P<name>[^\W_][\w.-]{0,39}+(?<=\w))\s{1,3}"
    rf"(?:{'|'.join(_DEEDS)}|(?:\d{{1,3}}|an?) (?:min\w*|hours?|days?|"
    r"weeks?|months?|years?|[hdwmy]) ago)(?!\w)"
)
_SIGNED = re.compile(rf"[-–—~](?<!\S.) ?(?P<name>{_NAME})[ \t]*$", re.MULTILINE)
_REMARKS = ("TODO", "FIXME", "XXX", "HACK")
_AUTHOR = re.compile(
    rf"(?<!\w)(?:{'|'.join(_REMARKS)})\(@?(?![A-Z]{{2,10}}-[0-9])(?P<name>{_NAME})\)"
    rf"|(?<!\w)@author[ \t]{{1,4}}(?P<author>{_NAME}(?: {_NAME}){{0,3}})"
)
# Annotations in programming languages and style sheets also follow an @.
_PROGRAMMING = word_list_of("user_names_programming")
# Words after "user:" or "login is" that aren't names.
_NO_NAME = word_list_of("user_names_no_name")
_SHORTEST = 3


def find_user_names(text: str) -> Iterator[Hit]:
    """Yield user names (kind ``user_name``), with their ``@``."""
    # Most texts have none of the words and signs that accompany user names, which can be found much
    # faster.
    for match in _AT.finditer(text) if "@" in text else ():
        name = match["name"]
        if (
            any(map(str.isalpha, name))
            and len(name) > _SHORTEST
            and name[1:].lower() not in _PROGRAMMING
        ):
            yield _hit(match)
    for match in _REDDIT.finditer(text) if "u/" in text else ():
        yield _hit(match)
    for match in _NAMED.finditer(text) if _has_place(text) else ():
        name = match["name"]
        is_sure = match["sure"] and name.lower() not in _NO_NAME and any(map(str.isalpha, name))
        if len(name) >= _SHORTEST and (is_sure or is_odd(name)):
            yield _hit(match)
    has_author = "@author" in text or any(f"{remark}(" in text for remark in _REMARKS)
    for match in _AUTHOR.finditer(text) if has_author else ():
        group = match.lastgroup or "name"
        if any(map(str.isalpha, match[group])) and match[group].lower() not in _NO_NAME:
            yield Hit(*match.span(group), "user_name")
    if " ago" in text or any(deed in text for deed in _DEEDS):
        yield from (_hit(match) for match in _DID.finditer(text) if is_odd(match["name"]))
    yield from (_hit(match) for match in _SIGNED.finditer(text) if is_odd(match["name"]))


def _has_place(text: str) -> bool:
    # Letters that the pattern confuses with others when it ignores case.
    small = text.replace("ſ", "s").replace("ı", "i").replace("İ", "i").lower()
    return any(word in small for word in _IN_PLACES)


def is_odd(name: str) -> bool:
    """Return whether a user name doesn't look like a word."""
    # A number with a dot or a hyphen is also odd, but names nobody.
    return _ODD.match(name) is not None and sum(map(str.isalpha, name)) >= _SHORTEST


def _hit(match: re.Match[str]) -> Hit:
    return Hit(match.start("name"), match.end("name"), "user_name")
