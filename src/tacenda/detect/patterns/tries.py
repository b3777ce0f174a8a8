"""Write many words as one pattern that reads each character of the text once.

The engine tries the branches of an alternation one after the other; a trie has a branch for each
first letter instead of each word, and the engine skips to places with one of those letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def alternation(words: Iterable[str]) -> str:
    """Return a pattern, as one group, for any of ``words``; the longest that fits wins.

    Args:
        words: literal strings, none empty.
    """
    return "(?:" + "|".join(_branches(sorted(set(words)))) + ")"


def _branches(words: list[str]) -> list[str]:
    branches = []
    for first in dict.fromkeys(word[0] for word in words):
        rests = [word[1:] for word in words if word[0] == first]
        branches.append(re.escape(first) + _rest(rests))
    return branches


def _rest(rests: list[str]) -> str:
    longer = [rest for rest in rests if rest]
    if not longer:
        return ""
    if len(longer) == 1:
        tail = re.escape(longer[0])
        return f"(?:{tail})?" if len(rests) > 1 else tail
    group = "(?:" + "|".join(_branches(longer)) + ")"
    return group + "?" if len(rests) > len(longer) else group
