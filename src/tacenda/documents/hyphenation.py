"""Join words divided at line ends, so that divided names are found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.word_parts import is_word

Origins = tuple[tuple[int, ...], ...]
"""Numbers of the glyphs that draw each character."""

HYPHENS = "-\u00ad\u2010"
_NO_LETTER = re.compile(r"[\W\d_]")
_DIVIDED = re.compile(rf"(?<=[^\W\d_])[{HYPHENS}]\n(?=[^\W\d_])(\S+)[ ]?")


def joined_words(text: str, origins: Sequence[tuple[int, ...]]) -> tuple[str, Origins]:
    r"""Return a text without divided words: ``Yal-\nman went`` becomes ``Yalman\nwent``, and compounds keep their hyphen.

    Args:
        text: the lines of a page.
        origins: the origins of its characters.
    """
    parts: list[str] = []
    joined: list[tuple[int, ...]] = []
    position = 0
    for match in _DIVIDED.finditer(text):
        start, end = match.span(1)
        first = match.start()
        parts.append(text[position:first])
        joined += origins[position:first]
        if text[start].isupper() or _is_compound(text[max(0, first - 40) : first], match[1]):
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


def _is_compound(before: str, after: str) -> bool:
    """Return whether two words in small letters meet at a hyphen, and are none together (``within-school``)."""
    head, tail = _NO_LETTER.split(before)[-1], _NO_LETTER.split(after)[0]
    return head.islower() and is_word(head) and is_word(tail) and not is_word(head + tail)
