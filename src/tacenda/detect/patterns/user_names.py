"""User names: behind an ``@`` or ``u/``, after a word that announces one, before what a user did.

| in the text | found |
|---|---|
| ``ask @marta_k91``, ``u/sleepy-fox22`` | ``@marta_k91``, ``sleepy-fox22`` |
| ``Username: halina``, ``IGN: the_real_ibrahim`` | any one word after a colon |
| ``find me on discord - b.daconceicao`` | what no other word looks like: ``_``, a digit, a dot or a capital inside |
| ``not_a_lazy asked 3 days ago`` | the same, before what a user did |
| ``Thanks! - tin_mine_tess`` | the same, at the end of a line |
| ``@Override``, ``r/AskReddit``, ``user_id: 7``, ``12@3`` | nothing |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_NAME = r"[^\W_](?:[\w.-]{0,38}\w)?"
# What tells a user name from a word: joined by _ or ., with digits, or with a capital inside.
_ODD = re.compile(r".*(?:\w[_.]\w|-\d|[^\W\d_]\d|\d[^\W\d_]|[a-zß-ÿ][A-Z])")
_AT = re.compile(rf"(?<![\w@./%+=-])(?P<name>@_*{_NAME})(?![\w@(/]|\.\w|://)")
_REDDIT = re.compile(r"(?<![\w/])/?u/(?P<name>[\w-]{3,30})(?!\w)")
_PLACE = (
    r"(?i:user ?names?|users?|nick(?:names?)?|handles?|screen ?names?|IGN|gamertags?|insta(?:gram)?|"
    r"snap(?:chat)?|discord|skype|telegram|twitter|tiktok|mastodon|steam|psn|twitch|"
    r"posted by|author|account name|login)"
)
_NAMED = re.compile(
    rf"(?<![\w.-]){_PLACE}(?:(?P<sure> ?[:=] ?)|(?: id| name| handle)?(?: is)? ?[-–—(]? ?)"
    rf"[\"'“‘]?(?P<name>@?{_NAME})(?![\w@(=/]|\.\w)"
)
_DID = re.compile(
    rf"(?<![\w@./:-])(?P<name>{_NAME})\s{{1,3}}"
    r"(?:asked|posted|commented|replied|answered|joined|wrote|(?:\d{1,3}|an?) (?:min\w*|hours?|days?|"
    r"weeks?|months?|years?|[hdwmy]) ago)(?!\w)"
)
_SIGNED = re.compile(rf"(?:^|\s)[-–—~] ?(?P<name>{_NAME})[ \t]*$", re.MULTILINE)
# Annotations of programming languages and stylesheets stand behind an @, too.
_PROGRAMMING = frozenset(
    "override deprecated param return returns throws see since author version media import charset "
    "font-face keyframes property staticmethod classmethod dataclass test before after autowired "
    "inject nullable nonnull suppresswarnings functionalinterface safevarargs everyone here "
    "channel".split()
)
# What follows "user:" or "login is" without being a name.
_NO_NAME = frozenset(
    "the a an not no yes none unknown is was i my your his her their and or in on at to of for "
    "required optional name id guide error interface admin root".split()
)
_SHORTEST = 3


def find_user_names(text: str) -> Iterator[Hit]:
    """Yield user names (kind ``user_name``), with the ``@`` that belongs to them."""
    for match in _AT.finditer(text):
        name = match["name"]
        if (
            any(map(str.isalpha, name))
            and len(name) > _SHORTEST
            and name[1:].lower() not in _PROGRAMMING
        ):
            yield _hit(match)
    for match in _REDDIT.finditer(text):
        yield _hit(match)
    for match in _NAMED.finditer(text):
        name = match["name"]
        sure = match["sure"] and name.lower() not in _NO_NAME and any(map(str.isalpha, name))
        if len(name) >= _SHORTEST and (sure or _is_odd(name)):
            yield _hit(match)
    for pattern in (_DID, _SIGNED):
        yield from (_hit(match) for match in pattern.finditer(text) if _is_odd(match["name"]))


def _is_odd(name: str) -> bool:
    # A number with a point or a hyphen is odd, too, but names nobody.
    return _ODD.match(name) is not None and sum(map(str.isalpha, name)) >= _SHORTEST


def _hit(match: re.Match[str]) -> Hit:
    return Hit(match.start("name"), match.end("name"), "user_name")
