"""E-mail addresses in any script with an alphabetic top-level domain, plain or spelled out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.word_lists import word_list_of
from .base import Hit

_DOMAIN = re.compile(r"(?:[^\W_][\w-]{0,62}\.){1,8}(?:xn--[\w-]{2,40}|[^\W\d_]{2,24})(?![\w@])")
_LOCAL_MARKS = frozenset(".!#$%&'*+/=?^_`{|}~-")
_LONGEST_LOCAL = 64  # octets, according to RFC 5321
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


# Addresses disguised from robots: ondine.k(at)post(dot)example, ondine dot k at post dot com.


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
_NOBODY = word_list_of("emails_nobody")


def _spelt_emails(text: str) -> Iterator[Hit]:
    for at in _SPELT_AT.finditer(text):
        domain = _SPELT_DOMAIN.match(text, at.end())
        local = domain and _SPELT_LOCAL.search(text, max(0, at.start() - 90), at.start())
        if domain is None or local is None or local[0].lower() in _NOBODY:
            continue
        # "at example.com" refers to places, "AT post.example" and "at post dot example" to mail.
        is_said = at["bare"] in ("at", "@") or at[0] == "@" or (at["bare"] and local[0].isupper())
        if domain["dot"] or domain["last"] or not is_said:
            yield Hit(local.start(), domain.end(), "email")


def _is_local(character: str) -> bool:
    return character.isalnum() or character in _LOCAL_MARKS
