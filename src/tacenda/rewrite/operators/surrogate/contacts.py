"""E-mail and web addresses in the domains that are reserved for examples (RFC 2606)."""

from __future__ import annotations

import random
import re

from .cultures import names
from .shapes import like

_DOMAINS = ("example.com", "example.net", "example.org")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_PATH = re.compile(r"[\w/.~-]*")
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)?(?P<www>www\.)?[^/?#\s]+(?P<rest>.*)", re.I | re.S
)


def email(string: str, source: random.Random) -> str:
    """Return an address with a local part made of as many names, initials and digits."""
    local = string.partition("@")[0]
    scheme = "mailto:" if local.lower().startswith("mailto:") else ""
    lists = names("en_GB", latin=True)
    people = [*map(str.lower, lists.given("")), *map(str.lower, lists.surnames(""))]

    def instead(match: re.Match[str]) -> str:
        if len(match[0]) == 1 or match[0].isdigit():
            return like(match[0], source)
        return source.choice(people)

    made = _PIECE.sub(instead, local[len(scheme) :])
    return f"{scheme}{made}@{source.choice(_DOMAINS)}"


def url(string: str, source: random.Random) -> str:
    """Return an address of the same scheme, with a path of the same shape and nothing after it."""
    match = _URL.fullmatch(string)
    if match is None:
        return f"https://{source.choice(_DOMAINS)}"
    # What comes after the path has a syntax of its own.
    rest = like(_PATH.match(match["rest"])[0], source)  # type: ignore[index]
    return f"{match['scheme'] or ''}{match['www'] or ''}{source.choice(_DOMAINS)}{rest}"
