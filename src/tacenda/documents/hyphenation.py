"""Join words divided at line ends, so that divided names are found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.word_parts import is_word

Origins = tuple[tuple[int, ...], ...]
"""Numbers of the glyphs that draw each character."""

HYPHENS = "-\u00ad\u2010"
_NO_LETTER = re.compile(r"[\W\d_]")
_SHORTEST_FIRST = 4
"""Letters of a word that may begin a compound with an unknown one; shorter ones are mostly syllables (``re-gression``)."""
_DIVIDED = re.compile(rf"(?<=[^\W\d_])[{HYPHENS}]\n(?=[^\W\d_])(\S+)[ ]?")


def joined_words(text: str, origins: Sequence[tuple[int, ...]]) -> tuple[str, Origins]:
    r"""Return a text without divided words: ``Yal-\nman went`` becomes ``Yalman\nwent``, and compounds keep their hyphen.

    Args:
        text: the lines of a page.
        origins: the origins of its characters.
    """
    known = frozenset(_NO_LETTER.split(text))
    parts: list[str] = []
    joined: list[tuple[int, ...]] = []
    position = 0
    for match in _DIVIDED.finditer(text):
        start, end = match.span(1)
        first = match.start()
        parts.append(text[position:first])
        joined += origins[position:first]
        if text[start].isupper() or _may_be_compound(
            text[max(0, first - 40) : first], match[1], known
        ):
            # A capital after the hyphen means a double name, which keeps it.
            parts.append("-")
            joined.append(origins[first])
        else:
            joined[-1] += origins[first]
        parts += (text[start:end], "\n")
        joined += (*origins[start:end], ())
        position = match.end()
    parts.append(text[position:])
    joined += origins[position:]
    return "".join(parts), tuple(joined)


def _may_be_compound(before: str, after: str, known: frozenset[str]) -> bool:
    """Return whether a word in small letters ends at a hyphen that may be its own (``within-school``, ``within-berg``).

    Args:
        before: what is before the hyphen.
        after: what is behind it.
        known: words of the page; one of them was divided here, too.
    """
    head, tail = _NO_LETTER.split(before)[-1], _NO_LETTER.split(after)[0]
    is_sure = is_word(head + tail) or head + tail in known
    is_first = is_word(head) and (len(head) >= _SHORTEST_FIRST or is_word(tail))
    return head.islower() and is_first and not is_sure
