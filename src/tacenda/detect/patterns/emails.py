"""E-mail addresses, in any script, with a top-level domain of letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

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
