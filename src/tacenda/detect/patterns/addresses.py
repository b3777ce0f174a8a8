"""Web addresses and their contents, which are read as if they were words of a sentence.

| in the address | read as |
|---|---|
| ``/patients/88120`` | ``patients= 88120`` |
| ``?customerId=88120&phone=%2B44…`` | ``customer Id= 88120``, ``phone= +44…`` |
| ``?iban=DE89+3704``, ``#ssn=219-09-9999`` | ``iban= DE89 3704``, ``ssn= 219-09-9999`` |

So the pattern families find the same things in an address as in a text; what they are sure of is
masked, and the rest of the address stays. Segments and values that give access to something, such
as ``/s/Xk29fLq8Tz``, are secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...shipped import shipped_patterns
from ...text.word_lists import word_list_of
from .base import Finder, Hit
from .secrets import FILE, PLACEHOLDER, names_somebody
from .user_names import is_odd

_PATTERNS = shipped_patterns("pattern_forms", "addresses")

_URL = re.compile(r"(?:https?://|HTTPS?://|ftps?://|www\.)[^\s<>\"“”«»{}|\\^`]{3,2000}")
# A user name in the address, and the sites whose pages are about people; what a code host stores
# isn't.
_PERSONAL = _PATTERNS["personal"]
_TRAILING = ".,;:!?'’\"…*_"


def find_urls(text: str) -> Iterator[Hit]:
    """Yield addresses (kind ``url``, or ``personal_url`` if they name a person's account)."""
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


# The contents of an address, or of anything that looks like one: paths and queries without a
# scheme, encoded values.


_MARK = _PATTERNS["mark"]
_OUTSIDE = frozenset(' \t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029<>"“”«»{}|\\^`')
_REACH = 300
"""Code points of a path before its first mark."""
_RUN = re.compile(r"[^\s<>\"“”«»{}|\\^`]{1,2000}")
_ESCAPE = re.compile(r"%(?:25){0,3}([2-7][0-9A-Fa-f])")
_PART = _PATTERNS["part"]
_KINDS = word_list_of("addresses_kinds")
_PLAIN = re.compile(r"v?[0-9]+(?:\.[0-9]+)+.*|(?:19|20)[0-9]{2}(?:[-/][0-9]{2,4})*")
"""Versions, years and dates."""
_HUMP = re.compile(r"[_.-]+|(?<=[a-z])(?=[A-Z])")


def hits_inside(text: str, families: Iterable[Finder]) -> Iterator[Hit]:
    """Yield what the families and `find_openings` find in the addresses of a folded text, in linear time."""
    pieces: list[tuple[str, int, int]] = []
    cursor = 0
    for mark in _MARK.finditer(text):
        start = mark.start()
        if start < cursor:
            continue
        while start > max(cursor, mark.start() - _REACH) and text[start - 1] not in _OUTSIDE:
            start -= 1
        run = _RUN.match(text, start)
        cursor = mark.end() if run is None else max(run.end(), mark.end())
        pieces += (*_pieces(text, start, cursor), ("\n", cursor, cursor))
    if not pieces:
        return
    reading = "".join(string for string, _, _ in pieces)
    bounds = [(start, end) for string, start, end in pieces for _ in string]
    for find in (*families, find_openings):
        for hit in find(reading):
            is_plain = hit.kind == "identity_number" and _PLAIN.fullmatch(
                reading, hit.start, hit.end
            )
            if find is find_openings or (hit.kind in _KINDS and not is_plain):
                yield Hit(bounds[hit.start][0], bounds[hit.end - 1][1], hit.kind)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the strings of a reading with their bounds in the text."""
    plain: list[tuple[str, int, int]] = []
    position = start
    for escape in _ESCAPE.finditer(text, start, end):
        plain += ((text[i], i, i + 1) for i in range(position, escape.start()))
        plain.append((chr(int(escape[1], 16)), *escape.span()))
        position = escape.end()
    plain += ((text[i], i, i + 1) for i in range(position, end))
    position = 0
    address = "".join(character for character, _, _ in plain)
    for part in _PART.finditer(address):
        yield from plain[position : part.start()]
        (_, first, end), (_, _, last) = plain[part.start()], plain[part.end() - 1]
        word = part["key"] or part["of"]
        mark = part[0] if part[0] == "+" and end - first > 1 else "/ " if part[0] == "/" else " "
        yield f"{_HUMP.sub(' ', word)}= " if word else mark, first, last
        position = part.end()
    yield from plain[position:]


# Segments and values that give access to anyone who has them, and users in paths.


_OPENING = _PATTERNS["opening"]
_MEETING = re.compile(r"[a-z]{3}-[a-z]{4}-[a-z]{3}")
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[A-Z]).*[0-9]")
_HEXADECIMAL = re.compile(r"(?=.{0,40}[a-f])(?=.{0,40}[0-9])[0-9a-f]{16,128}")
_SYLLABLE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def find_openings(inside: str) -> Iterator[Hit]:
    """Yield ``secret`` and ``user_name`` hits in the readings of addresses."""
    for match in _OPENING.finditer(inside):
        group = match.lastgroup or ""
        value = match[group]
        if group == "user":
            is_one = names_somebody(match["name"]) and not FILE.fullmatch(match["name"])
        elif group == "any":
            is_one = PLACEHOLDER.fullmatch(value) is None or _is_token(value, 1 / 3)
        elif group == "random":
            is_one = _is_token(value, 0.2 if _MIXED.match(value) else 1 / 3)
        else:
            is_mixed = _MIXED.match(value) is not None and _is_token(value, 0.42)
            is_one = is_mixed or _MEETING.fullmatch(value) is not None
        if is_one:
            # A name that may be a word is masked elsewhere in the text only with its segment.
            group = "name" if group == "user" and is_odd(match["name"]) else group
            yield Hit(*match.span(group), "user_name" if match["name"] else "secret")


def _is_token(value: str, share: float) -> bool:
    """Return whether letters, capitals and digits alternate as they never do in words, or all are digits."""
    if FILE.fullmatch(value) or _PLAIN.fullmatch(value):
        return False
    if _HEXADECIMAL.fullmatch(value):
        return True
    syllables = _SYLLABLE.findall(re.sub(r"[\W_]", "", value))
    length = sum(map(len, syllables))
    return len(syllables) >= max(3, share * length) or (length > 5 and value.isdecimal())
