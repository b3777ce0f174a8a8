"""Contacts and whereabouts: e-mail and IP addresses, user names, telephone numbers, street addresses, postcodes, coordinates."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence

from .base import Hit, alternation, before
from .dates import MONTH_NAMES

# E-mail addresses, in any script, with a top-level domain of letters.


_DOMAIN = re.compile(r"(?:[^\W_][\w-]{0,62}\.){1,8}(?:xn--[\w-]{2,40}|[^\W\d_]{2,24})(?![\w@])")
_LOCAL_MARKS = frozenset(".!#$%&'*+/=?^_`{|}~-")
_LONGEST_LOCAL = 64  # octets, by RFC 5321
_QUERY_KEY = re.compile(r".*[?&][\w.-]{1,40}=")


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
            key = _QUERY_KEY.match(text, start, at)
            start = start if key is None else key.end()
            while start < at and not text[start].isalnum() and text[start] not in "_+":
                start += 1
            if start < at and text[at - 1] != ".":
                yield Hit(start, domain.end(), "email")
        at = text.find("@", at + 1)
    yield from _spelt_emails(text)


# Addresses written so that robots miss them: ondine.k(at)post(dot)example, ondine dot k at post dot com.


_AT_SIGN = r"(?:@|(?i:at|ät|arroba|chiocciola))"
_DOT_SIGN = r"(?:\.|(?i:dot|punkt|punto|ponto))"
_SPELT_AT = re.compile(
    rf"\s?[(\[{{<]\s?{_AT_SIGN}\s?[)\]}}>]\s?|\s(?P<bare>{_AT_SIGN})\s|[_-](?:at|AT)[_-]|&(?:\#64|\#x40|commat);|@"
)
_SPELT_DOT = rf"(?:\s?[(\[{{<]\s?{_DOT_SIGN}\s?[)\]}}>]\s?|\s{_DOT_SIGN}\s|[_-](?:dot|DOT)[_-]|&(?:\#46|period);)"
_SPELT_DOMAIN = re.compile(
    rf"[^\W_](?:[^\W_]|-(?!dot)){{0,62}}?(?:(?:(?:(?P<dot>{_SPELT_DOT})|\.)[^\W_](?:[^\W_]|-(?!dot)){{0,62}}?){{0,4}}?"
    rf"(?:(?P<last>{_SPELT_DOT})|\.)[^\W\d_]{{2,24}})(?![\w@]|(?:{_SPELT_DOT}|\.)[^\W_])"
)
_SPELT_LOCAL = re.compile(
    rf"(?<![\w.])[\w+-]{{1,40}}?(?:(?:{_SPELT_DOT}|\.)[\w+-]{{1,40}}){{0,4}}\Z"
)
_NOBODY = frozenset(
    "me us him her them you it is are was look site website page online found available visit works work"
    " working live here there meet contact based arrive".split()
)


def _spelt_emails(text: str) -> Iterator[Hit]:
    for at in _SPELT_AT.finditer(text):
        domain = _SPELT_DOMAIN.match(text, at.end())
        local = domain and _SPELT_LOCAL.search(text, max(0, at.start() - 90), at.start())
        if domain is None or local is None or local[0].lower() in _NOBODY:
            continue
        # "at example.com" is said of places, "AT post.example" and "at post dot example" of mail.
        is_said = at["bare"] in ("at", "@") or at[0] == "@" or (at["bare"] and local[0].isupper())
        if domain["dot"] or domain["last"] or not is_said:
            yield Hit(local.start(), domain.end(), "email")


def _is_local(character: str) -> bool:
    return character.isalnum() or character in _LOCAL_MARKS


# User names: behind an ``@`` or ``u/``, after a word that announces one, before what a user did.
#
# | in the text | found |
# |---|---|
# | ``ask @marta_k91``, ``u/sleepy-fox22`` | ``@marta_k91``, ``sleepy-fox22`` |
# | ``Username: halina``, ``IGN: the_real_ibrahim`` | any one word after a colon |
# | ``find me on discord - b.daconceicao`` | strings unlike any word: ``_``, a digit, a dot or a capital inside |
# | ``not_a_lazy asked 3 days ago`` | the same, before what a user did |
# | ``Thanks! - tin_mine_tess`` | the same, at the end of a line |
# | ``# TODO(kimani): round``, ``@author Kimani Ode`` | who wrote code, or has to mend it |
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
# Each place has one of these; first those that are in the words of most long texts.
_IN_PLACES = (
    "author ign user nick handle screen gamertag insta snap discord skype telegram twitter tiktok "
    "mastodon steam psn twitch posted account login"
).split()
_NAMED = re.compile(
    rf"(?<![\w.-]){_PLACE}(?:(?P<sure> ?[:=] ?)|(?: id| name| handle)?(?: is)? ?[-–—(]? ?)"
    rf"[\"'“‘]?(?P<name>@?{_NAME})(?![\w@(=/]|\.\w)"
)
_DEEDS = ("asked", "posted", "commented", "replied", "answered", "joined", "wrote")
# A name is a whole run of its characters here, so that none is read a second time in a shorter way.
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
    # Most texts have none of the words and signs beside a user name, which are found much faster.
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
    # Letters that the pattern takes for others when it ignores case.
    small = text.replace("ſ", "s").replace("ı", "i").replace("İ", "i").lower()
    return any(word in small for word in _IN_PLACES)


def is_odd(name: str) -> bool:
    """Return whether a user name is unlike any word."""
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
# Numbers within a house: the pager's without its word, the extension's with it unless a colon parts them.
_SHORT_NUMBER = re.compile(
    r"\b(?:(?i:bleep(?:ed)?|pager|paged|pgr|dect)(?:\s(?i:no\.?|number|on|is|nr\.?))?\s?[:#]?\s?(?P<pager>#?[0-9]{2,6})"
    r"|(?P<extension>(?i:ext(?:ension|n)?\b\.?|x)\s?#?[0-9]{3,6})|(?i:ext(?:ension|n)?)\s?:\s?(?P<number>[0-9]{2,6}))(?![\w]|[.,/-][0-9])"
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
        for match in _SHORT_NUMBER.finditer(text):
            yield Hit(*match.span(match.lastgroup or 0), "phone")

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
    r"[0-9](?<![\w][0-9])(?<![0-9][.-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?"
    r"(?![\w-]|\.[0-9])"
)
_NOT_ADDRESS = before(
    r"(?:\b(?:[Ss]ections?|[Pp]aragraphs?|[Cc]lauses?|[Aa]rticles?|[Vv]ersions?|[Rr]ules?|[Vv]|[Pp]aras?\.?"
    r"|[Cc]hapters?|[Rr]eleases?|[Pp]oints?)|§)[\s=:/_-]{0,3}"
)
# In the path of an address four small numbers are a version.
_IN_PATH = before(r"[\w.-]/ ?")
_SMALL = re.compile(r"[1-9]?[0-9](?:\.[0-2]?[0-9]){3}")
# Two colons with at most four hexadecimal digits between them are in every IPv6 address.
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_V6 = re.compile(
    r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?:(?::[0-9A-Fa-f]{0,4}){1,6}:[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
    r"|(?::[0-9A-Fa-f]{0,4}){2,7})"
    r"(?:%\w{1,15})?(?:/[0-9]{1,3})?(?![\w:])"
)


def find_ip_addresses(text: str) -> Iterator[Hit]:
    """Yield IPv4 and IPv6 addresses (kind ``ip``), but for those that every machine has."""
    for match in _V4.finditer(text):
        is_version = _NOT_ADDRESS.match(text, match.start()) or (
            _SMALL.fullmatch(match[0]) and _IN_PATH.match(text, match.start())
        )
        if _is_address(match[0]) and not is_version:
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
        address = ipaddress.ip_interface(string).ip
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


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


# Street addresses: English forms, those of other European languages, and PO boxes.
#
# An address goes on over the town where a postcode ends it or follows the house number.


# Postcodes with a form of their own: United Kingdom, Netherlands, Canada, Poland, US with state.


UNITED_KINGDOM = r"(?:GIR 0AA|[A-PR-UWYZ][A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2})"
CANADA = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
STATES = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]"
    r"|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])"
)
UNITED_STATES = rf"{STATES},? [0-9]{{5}}(?:-[0-9]{{4}})?"

_CAPITAL = re.compile(
    r"[A-Z](?<!\w.)(?:(?<=[A-PR-UWYZ])[A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2}"
    r"|(?<=[ABCEGHJ-NPRSTVXY])[0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
    r"|(?P<zip>[A-Z],? [0-9]{5}(?:-[0-9]{4})?))(?!\w|[-/][0-9])"
)
_STATE = re.compile(STATES)
# A town follows: 1012 AB Amsterdam, 00-950 Warszawa. Laws have numbers such as 1995 EC as well.
_DIGIT = re.compile(
    r"[0-9](?<![\w-][0-9])(?<![./][0-9])(?:(?<=[1-9])[0-9]{3} ?(?!S[ADS]|UK|EU|US|EC|FA|AD|BC|UN|TV|AM|PM)[A-Z]{2}|[0-9]-[0-9]{3})"
    r"(?=,?\s[A-ZŁŚŻ][a-zł]{2})"
)


_ANNOUNCED_ADDRESS = re.compile(
    r"(?:ZIP|Zip|zip|[Pp]ost(?:al)?\s?code|Postleitzahl|PLZ|CAP)(?:\s[Cc]ode)?(?:\sis|\s?[:=])?\s"
    r"(?P<code>[0-9]{2,5}(?:[ -][0-9]{2,4})?)(?![\w]|[.,][0-9])"
)


def find_postcodes(text: str) -> Iterator[Hit]:
    """Yield postcodes (kind ``postcode``)."""
    for match in _CAPITAL.finditer(text):
        if match["zip"] is None or _STATE.match(text, match.start()):
            yield Hit(match.start(), match.end(), "postcode")
    for match in _ANNOUNCED_ADDRESS.finditer(text):
        yield Hit(match.start("code"), match.end("code"), "postcode")
    for match in _DIGIT.finditer(text):
        yield Hit(match.start(), match.end(), "postcode")


# Words for street in English and in other European languages.


ENGLISH = (
    "Street|Str|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Close|Court|Ct|Crescent|Cres|Gardens|Gdns"
    "|Grove|Hill|Mews|Parade|Park|Place|Pl|Row|Square|Sq|Terrace|Walk|Way|Boulevard|Blvd|Circle|Cir"
    "|Highway|Hwy|Parkway|Pkwy|Quay|Rise|View|Wharf|Green|Broadway|Embankment|Alley|Trail|Vale|Yard"
)
"""After the name, the house number before it: ``12 Baker Street``. For use inside a group."""

_OF_THEIR_OWN = (
    "rue avenue boulevard quai chemin via viale piazza corso calle avenida plaza rua praça strada "
    "ulica aleja"
).split()
BEFORE_NAME = (
    *("ul. ", "al. ", "pl. ", "os. ", "Ul. ", "Al. ", "Pl. ", "C/ ", "Avda. ", "str. ", "Str. "),
    *("Am ", "An der ", "Auf dem ", "Im ", "Unter den ", "Zum ", "Zur "),
    *(f"{word} " for word in _OF_THEIR_OWN),
    *(f"{word.capitalize()} " for word in _OF_THEIR_OWN),
)
"""Before the name, the house number after it: ``ul. Marszałkowska 12/4``, ``Via Roma 5``."""

END_OF_NAME = (
    *("straße", "strasse", "Straße", "Strasse", "str.", "Str.", "weg", "Weg", "platz", "Platz"),
    *("allee", "Allee", "gasse", "Gasse", " Ring", "dring", "tring", "damm", "ufer", "chaussee"),
    *("straat", "laan", "plein", "gracht", "skade", "nkade", "dijk", "singel"),
    *("gatan", "vägen", "gata", "sgate", " gate", "veien", "vej", "katu"),
    *("rgade", "egade", "sgade"),
    *("Caddesi", "Sokak", "Sokağı", "Bulvarı", "Cad.", "Sok.", "utca", "út", "körút"),
)
"""End of the name, the house number after it: ``Hauptstraße 5``, ``Keizersgracht 100``."""


_UPPER = "A-ZÀ-ÖØ-ÞĀČĆĎĐĘĚĞĪİŁŃŇŐŘŚŞŠŤŮŰŹŻŽ"
_STREET_NAME = rf"[{_UPPER}](?:\w{{0,1}}\.(?:-[{_UPPER}]\w{{0,20}})?|[\w'’-]{{0,24}})"
_LINK = r"(?:de|du|des|della|delle|dei|del|di|da|do|dos|la|las|los|le|les|gen|św|ks|dr|płk)"
_NAMES = rf"(?:(?:{_LINK}\.?\s|[dl]['’]){{0,3}}{_STREET_NAME}(?:\s(?:{_STREET_NAME}|{_LINK}|und|y|e)){{0,3}})"
_HOUSE = (
    r"[0-9]{1,5}(?:\s?[a-zA-Z](?!\w))?(?:\s?[-/]\s?[0-9]{1,4}[a-zA-Z]?)?(?!\w|[.,:][0-9])"
    r"(?:\sm\.\s?[0-9]{1,4})?"
)
_FLAT = r"(?:[Aa]pt|[Aa]partment|[Ff]lat|[Uu]nit|[Ss]uite|[Ss]te|[Rr]oom|#)\.?\s?#?[0-9A-Z][0-9A-Za-z-]{0,5}"

_ENGLISH = re.compile(
    r"[0-9](?<!\w[0-9])(?<![./,§-][0-9])[0-9]{0,4}[A-Za-z]?(?:\s?[-/–]\s?[0-9]{1,5}[A-Za-z]?)?,?\s"
    rf"(?:[NSEW]\.?\s)?(?:(?:{_STREET_NAME}|[0-9]{{1,3}}(?:st|nd|rd|th))\s){{1,4}}?"
    rf"(?:{ENGLISH})(?!\w)(?:\.(?=,|\s[A-Z0-9]))?(?:,?\s{_FLAT})?"
)
# Without a word for a street, or in small letters: only after a word that leads to an address.
_LED_TO = (
    r"(?:(?<=\b[Aa]t )|(?<=\bto )|(?<=\bof )|(?<=\bfrom )|(?<=ddress )|(?<=ddress: )|(?<=\bnear ))"
)
_PLAIN = re.compile(
    rf"{_LED_TO}[0-9]{{1,3}}[A-Za-z]?\s(?:The\s{_STREET_NAME}(?:\s{_STREET_NAME})?(?!\w)"
    r"|(?:[a-z]{2,15}\s){1,2}(?:street|st|road|rd|avenue|ave|lane|close|drive|crescent|terrace|gardens|grove|court)\b)"
)
_FLAT_FIRST = re.compile(
    r"(?:Flat|Apartment|Apt\.?|Unit|Suite|Room)\s[0-9]{1,4}[A-Za-z]?,\s(?=[0-9])"
)
_FRENCH = re.compile(
    r"[0-9](?<!\w[0-9])[0-9]{0,3}(?:\s?(?:bis|ter))?,?\s"
    rf"(?:rue|avenue|boulevard|place|quai|chemin|impasse|allée|cours|route)\s{_NAMES}"
)
_HOUSE_LAST = re.compile(rf"[0-9](?<=\s[0-9])(?<=(?=({_HOUSE})).)")
_NUMBER_WORD = re.compile(r"(?:,?\s(?:[Nn]o\s?[.:]?|[nN][.°º]?)|,)\Z")
_WORD_FIRST = re.compile(rf"(?<!\w){alternation(BEFORE_NAME)}\s?{_NAMES}\Z")
_NAME_FIRST = re.compile(rf"(?<!\w)(?:{_STREET_NAME}\s){{0,3}}[\w'’.-]{{1,30}}\Z")
_BOX = re.compile(
    r"(?:P\.\s?O\.\s?Box|PO\s?Box|P\.O\.B\.|Post(?:al)?\s(?:Office\s)?Box|Postfach|Postbus|BP|B\.P\."
    r"|Apartado|Casella\s[Pp]ostale)\s(?:[Nn]o\.?\s)?[0-9](?:[0-9]|\s(?=[0-9])){0,9}(?![\w/])"
)
_TOWN = rf"{_STREET_NAME}(?:[\s-](?:{_STREET_NAME}|upon|am|an|der|de|la|le|sur|in)){{0,3}}"
_REST_OF_ADDRESS = re.compile(
    rf"(?:,?\s(?:{_TOWN},\s?){{0,2}}(?:{_TOWN},?\s)?(?:{UNITED_KINGDOM}|{CANADA}|{UNITED_STATES})"
    r"|,?\s(?:[A-Z]{1,2}-)?(?:[0-9]{4}\s[A-Z]{2}|[0-9]{3}\s[0-9]{2}|[0-9]{2}-[0-9]{3}"
    rf"|[0-9]{{4}}-[0-9]{{3}}|[0-9]{{4,6}}),?\s{_TOWN})(?!\w)"
)
_LONGEST_STREET = 70
# Capitalised, and before a number more often than any street.
_NO_STREET = (*MONTH_NAMES, "Article", "Section", "Rule", "Law", "No.", "Protocol", "Act")


def find_addresses(text: str) -> Iterator[Hit]:
    """Yield street addresses and post-office boxes (kind ``street_address``)."""
    for start, end in _streets(text):
        rest = _REST_OF_ADDRESS.match(text, end)
        yield Hit(start, end if rest is None else rest.end(), "street_address")


def _streets(text: str) -> Iterator[tuple[int, int]]:
    flats = {match.end(): match.start() for match in _FLAT_FIRST.finditer(text)}
    for match in _ENGLISH.finditer(text):
        yield flats.get(match.start(), match.start()), match.end()
    for pattern in (_PLAIN, _FRENCH, _BOX):
        for match in pattern.finditer(text):
            if not (match.start() and text[match.start() - 1].isalnum()):
                yield match.span()
    yield from _houses_last(text)


def _houses_last(text: str) -> Iterator[tuple[int, int]]:
    """Yield ``ul. Marszałkowska 12/4`` and ``Hauptstraße 5``: street first, house number last."""
    for house in _HOUSE_LAST.finditer(text):
        end = house.start() - 1
        if text[max(0, end - 1)] in ".:,oOn°º":
            number = _NUMBER_WORD.search(text, max(0, end - 6), end)
            end = number.start() if number else end
        word = max(text.rfind(" ", max(0, end - 30), end), text.rfind("\n", max(0, end - 30), end))
        lowest = max(0, end - _LONGEST_STREET)
        if text.endswith(END_OF_NAME, lowest, end):
            street = _NAME_FIRST.search(text, lowest, end)
            if street is not None and street[0][0].isupper():
                yield street.start(), house.end(1)
        elif text[word + 1].isupper() and not text.endswith(_NO_STREET, lowest, end):
            street = _WORD_FIRST.search(text, lowest, end)
            if street is not None:
                yield street.start(), house.end(1)


# Geographic coordinates: ``52.5200° N, 13.4050° E``, ``52°31′12″N 13°24′18″E``, decimal pairs.


_PRIME = r"\s?['’′]"
_SECOND = r"\s?(?:\"|”|″|''|’’|′′)"
_ANGLE = (
    rf"[0-9]{{1,3}}(?:\.[0-9]{{1,10}})?\s?(?:°|º|deg\b)"
    rf"(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_PRIME}(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_SECOND})?)?"
)
_DEGREES = re.compile(r"[0-9](?<![\w.][0-9])(?=[0-9.]{0,13}\s?(?:°|º|deg\b))")
_ANGLES = re.compile(
    rf"(?:{_ANGLE}\s?(?:[NSns]\b|north|south)\s?[,;/]?\s?(?:and\s)?{_ANGLE}\s?(?:[EWewOo]\b|east|west)"
    rf"|(?:{_ANGLE}),?\s(?:[NSEW]\s)?{_ANGLE}"
    rf"|{_ANGLE}\s?(?:[NSEW]\b|north\b|south\b|east\b|west\b))"
)
_LETTERS_FIRST = re.compile(
    r"[NS](?<!\w.)\s?[0-9]{1,2}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)[,;/]?\s?"
    r"[EWO]\s?[0-9]{1,3}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)"
)
# 52.52 N, 13.405 E, or two numbers of four decimals and more that could be latitude and longitude.
_PAIR = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,][0-9])(?P<rest>[0-9]{0,2}\.[0-9]{2,10})(?:"
    r"\s?[NS]\b[,;/]?\s?[0-9]{1,3}\.[0-9]{2,10}\s?[EWO]\b"
    r"|(?<=\.[0-9]{4})[0-9]{0,6}\s?[,;]\s?(?P<second>[+-]?[0-9]{1,3}\.[0-9]{4,10})(?![\w%]|\.[0-9]))"
)


# Squares of national grids and of the world's, plus codes, three words of what3words.
_GRID = re.compile(
    r"(?<![\w-])(?:[HNSTO][A-HJ-Z]\s(?:[0-9]{3}\s[0-9]{3}|[0-9]{4}\s[0-9]{4}|[0-9]{5}\s[0-9]{5})"
    r"|[0-9]{1,2}[C-HJ-NP-X]\s?[A-HJ-NP-Z]{2}\s?(?:[0-9]{4}\s?[0-9]{4}|[0-9]{5}\s?[0-9]{5})"
    r"|(?:[2-9CFGHJMPQRVWX]{4}|[2-9CFGHJMPQRVWX]{8})\+[2-9CFGHJMPQRVWX]{2,3})(?![\w-])"
    r"|(?i:\bgrid(?:\sref(?:erence|\.)?)?|\bNGR|\bOSGR|\bOS\sref(?:erence|\.)?)(?:\sis|\s?:)?\s(?P<grid>[A-Z]{1,2}\s?(?:[0-9]{2,5}\s[0-9]{2,5}|[0-9]{4,10}))(?!\w)"
)
_WORD = r"[^\W\d_]{2,24}"
_THREE_WORDS = re.compile(
    rf"(?:(?<![\w:/])///|(?i:what3words(?:\.com/|\s?[:=]?\s?)(?:///)?|w3w(?:\.co/|\s?[:=]?\s?)(?:///)?))(?P<words>{_WORD}\.{_WORD}\.{_WORD})(?![\w.]\w)"
)


def find_coordinates(text: str) -> Iterator[Hit]:
    """Yield positions on the earth (kind ``coordinates``)."""
    for pattern in (_GRID, _THREE_WORDS):
        for place in pattern.finditer(text):
            yield Hit(*place.span(place.lastgroup or 0), "coordinates")
    if "°" in text or "º" in text or " deg" in text:
        for degrees in _DEGREES.finditer(text):
            match = _ANGLES.match(text, degrees.start())
            if match is not None:
                yield Hit(match.start(), match.end(), "coordinates")
    for match in _LETTERS_FIRST.finditer(text):
        yield Hit(match.start(), match.end(), "coordinates")
    for match in _PAIR.finditer(text):
        start, second = match.start(), match["second"]
        if second is not None:
            if float(text[start] + match["rest"]) > 90 or abs(float(second)) > 180:
                continue
            start -= bool(start and text[start - 1] in "+-")
        yield Hit(start, match.end(), "coordinates")
