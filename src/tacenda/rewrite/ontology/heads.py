"""What a longer name says it is: the noun that it is built around.

``Speaker of the Parliament`` is a speaker, ``head basketball coach`` a basketball coach,
``Nordlys Bakery`` a bakery.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .keys import key_of

_POST = re.compile(r"\s+(?:of|for|in|at|to|from|on|with|by|under)\s+|\s*[,(:]\s*|\s+[-–]\s+")
_NUMBERS = re.compile(
    r"\A(?:(?:\d{1,4}(?:st|nd|rd|th)?|[ivxlc]+)\s+)+|(?:\s+(?:\d{1,4}|[IVXLC]+))+\Z", re.IGNORECASE
)
_IRREGULAR = {"men": "man", "women": "woman", "people": "person", "children": "child"}


def heads(text: str) -> Iterator[str]:
    """Yield the ends of the first noun phrase, folded, the longest first, and their singulars."""
    phrase = _POST.split(text.strip(), maxsplit=1)[0]
    # What a hyphen joins is one word: a left-back is no back.
    words = [word for each in phrase.split() if (word := key_of(each))]
    for start in range(len(words)):
        end = key_of(" ".join(words[start:]))
        yield end
        if (single := singular(end)) != end:
            yield single


def singular(phrase: str) -> str:
    """Return a phrase with its last word in the singular, as far as the ending tells."""
    start, _, word = phrase.rpartition(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("ches", "shes", "sses", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    return f"{start} {word}".strip()


def without_numbers(text: str) -> str:
    """Return a name without the year, ordinal or Roman numeral at its ends: ``Super Bowl``."""
    return _NUMBERS.sub("", text).strip()
