"""Addresses of the web; those of a person's own page or profile are told from the others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

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
