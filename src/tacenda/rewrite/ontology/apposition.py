"""What the sentence itself says that a name is of: "the novel Ubik", "Ubik (1969 novel)"."""

from __future__ import annotations

import re

_NOUNS = (
    "film|movie|novel|book|short story|story|play|poem|song|album|single|musical|opera|ballet"
    "|television series|TV series|television show|TV show|television program|sitcom|miniseries"
    "|video game|magazine|newspaper|journal|website|company|band|orchestra|record label|bank"
    "|football club|hockey team|baseball team|basketball team|political party|charity|airline"
    "|university|college|school|hospital|village|town|city|suburb|district|province|county|island"
    "|river|lake|mountain|church|museum|restaurant|hotel|award|prize|festival|tournament"
)
_SAID = {
    "movie": "film",
    "tv series": "television series",
    "tv show": "television series",
    "television show": "television series",
    "television program": "television series",
    "story": "short story",
}
_BEFORE = re.compile(
    rf"\b({_NOUNS})s?,?(?: (?:called|named|titled|entitled|of))?,?\s*[\"“'‘(]?\s*\Z", re.IGNORECASE
)
_AFTER = re.compile(
    rf"\A[\"”'’)]?,?\s*(?:\((?:\d{{4}} )?|(?:is|was|,) an? (?:\w+ )?)({_NOUNS})\b", re.IGNORECASE
)


def apposition(text: str, context: str) -> str:
    """Return the noun that stands in apposition to ``text`` in its context; empty if none does."""
    start = context.find(text)
    while start >= 0:
        match = _BEFORE.search(context[:start]) or _AFTER.match(context[start + len(text) :])
        if match:
            noun = match[1].lower()
            return _SAID.get(noun, noun)
        start = context.find(text, start + 1)
    return ""
