"""Which words of a mention need no mask: closed-class words and titles (TAB, section 6).

The benchmark's reference implementation asks a tagger for the tokens with part of speech ADP,
PART, CCONJ or DET. Tagging costs seconds and a model; a word list costs nothing, since these
classes are closed. The list holds the English words of those classes that are so tagged most of
the time in running text; words that mostly belong elsewhere (*that*, *which*, *such*) are left
out, so that a doubtful word counts as uncovered. ``evaluate --ignored-tokens FILE`` takes a
tagger's answer instead, for figures equal to the reference's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..text.information import WORD

_ADPOSITIONS = """about across after against along alongside amid amidst among amongst around as at
before behind beneath beside besides between beyond by concerning despite down during except for
from in inside into like near of off on onto opposite out outside over past per regarding since
than through throughout till to toward towards under underneath unlike until unto up upon versus
via with within without"""
_PARTICLES = "not"
_CONJUNCTIONS = "and but either neither nor or plus minus both"
_DETERMINERS = "a all an another any every no some the these this whatever whose"
_OTHERS = "nr"  # with "about" and "no" above, what the reference adds by name besides titles

CLOSED_CLASS: Final = frozenset(
    f"{_ADPOSITIONS} {_PARTICLES} {_CONJUNCTIONS} {_DETERMINERS} {_OTHERS}".split()
)
_TITLES: Final = frozenset({"mr", "mrs", "ms"})
_APOSTROPHES: Final = frozenset("'’")
_LONGEST: Final = max(map(len, CLOSED_CLASS | _TITLES))


def closed_class_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the closed-class words of ``text`` that overlap ``[start, end)``.

    The rules beyond the list mirror how taggers split and tag: an initial (``A.``) is a name,
    part of a compound (*Under-Secretary*) belongs to it, ``v.`` between parties is a
    preposition, ``'s`` is a particle, and a title written with its full stop (``Mr.``) is one
    token that the reference does not discard.

    Args:
        text: the whole document.
        start: first code point of interest.
        end: the one after the last.
    """
    # A word that reaches further than this out of the range can't be on the list.
    low = max(0, start - _LONGEST - 1)
    high = min(len(text), end + _LONGEST + 1)
    for match in WORD.finditer(text, low, high):
        if match.end() <= start or match.start() >= end:
            continue
        if _is_closed_class(match.group(), text, match.start(), match.end()):
            yield match.span()


def _is_closed_class(word: str, text: str, start: int, end: int) -> bool:
    lowered = word.lower()
    stop_follows = text[end : end + 1] == "."
    if lowered in _TITLES:
        return not stop_follows
    if len(word) == 1:
        if lowered == "a":
            return not stop_follows
        if word == "s":
            return text[start - 1 : start] in _APOSTROPHES if start else False
        return word == "v" and stop_follows
    in_compound = text[end : end + 1] == "-" or (start and text[start - 1] == "-")
    return lowered in CLOSED_CLASS and not in_compound
