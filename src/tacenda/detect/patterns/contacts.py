"""E-mail addresses, in any script, with a top-level domain of letters."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence

from .base import Hit, before

_DOMAIN = re.compile(r"(?:[^\W_][\w-]{0,62}\.){1,8}(?:xn--[\w-]{2,40}|[^\W\d_]{2,24})(?![\w@])")
_LOCAL_MARKS = frozenset(".!#$%&'*+/=?^_`{|}~-")
_LONGEST_LOCAL = 64  # octets, by RFC 5321


def find_emails(text: str) -> Iterator[Hit]:
    """Yield e-mail addresses (kind ``email``)."""
    at = text.find("@")
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1)
        if domain is not None:
            start = at
            earliest = max(0, at - _LONGEST_LOCAL)
            while start > earliest and _is_local(text[start - 1]):
                start -= 1
            while start < at and not text[start].isalnum() and text[start] not in "_+":
                start += 1
            if start < at and text[at - 1] != ".":
                yield Hit(start, domain.end(), "email")
        at = text.find("@", at + 1)


def _is_local(character: str) -> bool:
    return character.isalnum() or character in _LOCAL_MARKS


# Addresses of the web; a person's own page or profile is a kind of its own.


_URL = re.compile(r"(?:https?://|HTTPS?://|ftps?://|www\.)[^\s<>\"“”«»{}|\\^`]{3,2000}")
# The name of a user in the address, and the sites whose pages are people.
_PERSONAL = re.compile(
    r"://[^/@\s]{1,100}@|/[~@][\w.-]|[?&](?:user|u|id|uid|email|name|token)=|/(?:users?|people|profiles?|members?|u|in)/[\w%.-]"
    r"|\b(?:facebook|instagram|twitter|x|tiktok|github|gitlab|t|vk|ok|threads|pinterest|medium"
    r"|orcid|researchgate|flickr|soundcloud|myspace|strava|twitch|reddit)\.(?:com|org|me|ru|net|tv)/[\w.@%-]"
)
_TRAILING = ".,;:!?'’\"…*_"


def find_urls(text: str) -> Iterator[Hit]:
    """Yield addresses (kind ``url``, or ``personal_url`` where they name somebody's account)."""
    if "://" not in text and "www." not in text:
        return
    for match in _URL.finditer(text):
        start = match.start()
        if start and (text[start - 1].isalnum() or text[start - 1] == "@"):
            continue
        address = match[0].rstrip(_TRAILING)
        # A bracket that closes nothing in the address belongs to the sentence.
        for opening, closing in ("()", "[]"):
            if address.endswith(closing) and address.count(opening) < address.count(closing):
                address = address[:-1].rstrip(_TRAILING)
        if "." in address or "localhost" in address:
            kind = "personal_url" if _PERSONAL.search(address) else "url"
            yield Hit(start, start + len(address), kind)


# User names: behind an ``@`` or ``u/``, after a word that announces one, before what a user did.
#
# | in the text | found |
# |---|---|
# | ``ask @marta_k91``, ``u/sleepy-fox22`` | ``@marta_k91``, ``sleepy-fox22`` |
# | ``Username: halina``, ``IGN: the_real_ibrahim`` | any one word after a colon |
# | ``find me on discord - b.daconceicao`` | strings unlike any word: ``_``, a digit, a dot or a capital inside |
# | ``not_a_lazy asked 3 days ago`` | the same, before what a user did |
# | ``Thanks! - tin_mine_tess`` | the same, at the end of a line |
# | ``@Override``, ``r/AskReddit``, ``user_id: 7``, ``12@3`` | nothing |


_NAME = r"[^\W_](?:[\w.-]{0,38}\w)?"
# Marks of a user name unlike a word: joined by _ or ., with digits, or with a capital inside.
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
# Words after "user:" or "login is" that are no names.
_NO_NAME = frozenset(
    "the a an not no yes none unknown is was i my your his her their and or in on at to of for "
    "required optional name id guide error interface admin root".split()
)
_SHORTEST = 3


def find_user_names(text: str) -> Iterator[Hit]:
    """Yield user names (kind ``user_name``), with their ``@``."""
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
        is_sure = match["sure"] and name.lower() not in _NO_NAME and any(map(str.isalpha, name))
        if len(name) >= _SHORTEST and (is_sure or _is_odd(name)):
            yield _hit(match)
    for pattern in (_DID, _SIGNED):
        yield from (_hit(match) for match in pattern.finditer(text) if _is_odd(match["name"]))


def _is_odd(name: str) -> bool:
    # A number with a point or a hyphen is odd, too, but names nobody.
    return _ODD.match(name) is not None and sum(map(str.isalpha, name)) >= _SHORTEST


def _hit(match: re.Match[str]) -> Hit:
    return Hit(match.start("name"), match.end("name"), "user_name")


# Telephone numbers: candidates of bounded length by form, judged by phonenumbers' tables.


DEFAULT_REGIONS = (
    "GB", "US", "DE", "FR", "IT", "ES", "NL", "BE", "AT", "CH", "IE", "PL", "SE", "NO", "DK",
    "FI", "PT", "GR", "CZ", "TR",
)  # fmt: skip
"""Regions whose national numbers are recognised; international ones always are."""

_MARKS = r"[ ./()-]"
_CANDIDATE = re.compile(
    r"[+(0-9](?<![\w+./,#§-].)(?:(?<=\()\+?[0-9]|(?<=\+)[0-9]|(?<=[0-9]))"
    rf"(?:{_MARKS}{{0,3}}[0-9]){{5,14}}(?![0-9]|[/.,:-][0-9])(?:\s?(?:x|ext\.?)\s?[0-9]{{1,5}})?(?!\w)"
)
_ANNOUNCED = before(
    r"\b(?:[Tt]el(?:ephone|efon)?|TEL|[Pp]hone|PHONE|[Mm]obile|[Mm]ob|[Cc]ell(?:phone)?|[Ff]ax|FAX"
    r"|[Cc]all|[Dd]ial|[Tt]ext|[Ww]hats[Aa]pp|[Ss]MS|[Hh]otline|[Ee]xt(?:ension)?|[Rr]ing)\b"
    r"(?:\s(?:me|us|him|her))?(?:\s(?:on|at))?\.?(?:\s?\(?(?:home|work|mobile|office|direct|[Nn]o|[Nn]umber|[Nn]r|[MmHhWwOo])\b\.?\)?)?"
    r"(?:\s(?:is|was|number))?\s?[:=]?\s?"
)
# Groups as people write them: no lone digits but a leading 0 or 1, and no more than six groups.
_GROUPS = re.compile(r"[0-9]+")
_NORTH_AMERICAN = re.compile(
    r"(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"
)


class PhoneFinder:
    """Finder of telephone numbers (kind ``phone``).

    A number follows a word such as ``tel.``; or it is international (``+`` or ``00``) and of a
    length of its country; or it is written in North American groups or begins with 0, and is valid
    in one of the regions.

    Args:
        regions: ISO 3166 codes, in upper case, of the regions whose national numbers count.
    """

    def __init__(self, regions: Sequence[str] = DEFAULT_REGIONS) -> None:
        self.regions = tuple(regions)

    def __call__(self, text: str) -> Iterator[Hit]:
        """Yield the numbers in ``text``."""
        for match in _CANDIDATE.finditer(text):
            number = match[0]
            groups = _GROUPS.findall(number)
            if len(groups) > 6 or sum(map(len, groups)) < 6:
                continue
            if self._is_phone(text, match.start(), number, groups):
                yield Hit(match.start(), match.end(), "phone")

    def _is_phone(self, text: str, start: int, number: str, groups: list[str]) -> bool:
        digits = "".join(groups)
        if _ANNOUNCED.match(text, start) is not None:
            return True
        if "+" in number:
            return _is_possible(number)
        if digits.startswith("00"):
            return _is_possible("+" + digits[2:])
        if _NORTH_AMERICAN.fullmatch(number):
            return any(_is_valid(digits, region) for region in self.regions if region in _NANP)
        if digits[0] != "0" or len(digits) < 9 or "/" in number or min(map(len, groups)) < 2:
            return False
        return any(_is_valid(digits, region) for region in self.regions if region not in _NO_TRUNK)


_NANP = frozenset({"US", "CA", "PR", "JM", "TT", "BS", "BB", "DO"})
_NO_TRUNK = _NANP | {"ES", "PT", "PL", "NO", "DK", "CZ", "GR", "EE", "LV", "LU", "MT", "CY", "IS"}


# The tables are loaded with the first candidate: most texts have none, and they take a while.


def _is_valid(number: str, region: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False


def _is_possible(number: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, None))
    except phonenumbers.NumberParseException:
        return False


# Addresses of machines on the Internet: IPv4 and IPv6, with a prefix length or not.


_V4 = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.,-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?"
    r"(?![\w-]|\.[0-9])"
)
_NOT_ADDRESS = before(
    r"(?:\b(?:[Ss]ections?|[Pp]aragraphs?|[Cc]lauses?|[Aa]rticles?|[Vv]ersions?|[Rr]ules?|[Vv]|[Pp]aras?\.?"
    r"|[Cc]hapters?|[Rr]elease|[Pp]oints?)|§)\s?"
)
# Two colons with at most four hexadecimal digits between them are in every IPv6 address.
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_V6 = re.compile(
    r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?:(?::[0-9A-Fa-f]{0,4}){1,6}:[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
    r"|(?::[0-9A-Fa-f]{0,4}){2,7})"
    r"(?:%\w{1,15})?(?:/[0-9]{1,3})?(?![\w:])"
)


def find_ip_addresses(text: str) -> Iterator[Hit]:
    """Yield IPv4 and IPv6 addresses (kind ``ip``)."""
    for match in _V4.finditer(text):
        if _is_address(match[0]) and not _NOT_ADDRESS.match(text, match.start()):
            yield Hit(match.start(), match.end(), "ip")
    last = 0
    for colons in _COLONS.finditer(text):
        start = colons.start()
        if start < last:
            continue
        while start > max(last, colons.start() - 4) and text[start - 1] in "0123456789abcdefABCDEF":
            start -= 1
        address = _V6.match(text, start)
        # `::` and `a::b` are punctuation and code more often than addresses.
        if address is not None and _is_address(address[0]) and any(map(str.isdigit, address[0])):
            yield Hit(start, address.end(), "ip")
            last = address.end()
        else:
            last = colons.end() - 1


def _is_address(string: str) -> bool:
    try:
        ipaddress.ip_interface(string)
    except ValueError:
        return False
    return True


# Hardware addresses of network cards: ``00:1A:2b:3c:4d:5e``, with hyphens, ``001a.2b3c.4d5e``.


_X = "[0-9A-Fa-f]"
# From the first separator on, a character that is rarer than a hexadecimal digit.
_PAIRS = re.compile(rf"[:-](?<=(?<!\w){_X}{_X}[:-])(?<![:-]{_X}{_X}[:-])")
_QUADS = re.compile(rf"\.(?<=(?<!\w){_X}{_X}{_X}{_X}\.)(?={_X}{{4}}\.{_X}{{4}}(?!\w))")
_REST = {
    ":": re.compile(rf"(?:{_X}{_X}:){{4}}{_X}{_X}(?![\w:])"),
    "-": re.compile(rf"(?:{_X}{_X}-){{4}}{_X}{_X}(?![\w-])"),
}


def find_mac_addresses(text: str) -> Iterator[Hit]:
    """Yield hardware addresses of 48 bits (kind ``mac``)."""
    for match in _PAIRS.finditer(text):
        rest = _REST[match[0]].match(text, match.end())
        if rest is not None:
            yield Hit(match.start() - 2, rest.end(), "mac")
    for match in _QUADS.finditer(text):
        yield Hit(match.start() - 4, match.start() + 10, "mac")
