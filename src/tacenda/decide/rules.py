"""Whether a string matches a rule of an allow or deny list, and where in a text one does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from ..document import SemanticType, Span
from ..policy import Rule

_WORD = re.compile(r"\w+", re.UNICODE)


def matches(rule: Rule, string: str, type: SemanticType) -> bool:
    """Tell whether the whole of ``string``, a mention of ``type``, matches ``rule``."""
    if rule.type is not None and rule.type is not type:
        return False
    if rule.pattern is not None:
        return rule.pattern.fullmatch(string) is not None
    if rule.exact is not None:
        return _case(rule, string) == _case(rule, rule.exact)
    return _similar(rule, string)


def find(rule: Rule, text: str) -> Iterator[Span]:
    """Yield where ``rule`` matches in ``text``, whole words only for exact and fuzzy rules."""
    if rule.pattern is not None:
        for match in rule.pattern.finditer(text):
            if match.end() > match.start():
                yield Span(*match.span())
    elif rule.exact is not None:
        # Bounded by what is no word character, whatever the string itself begins and ends with.
        flags = re.IGNORECASE if rule.ignore_case else 0
        for match in re.finditer(rf"(?<!\w){re.escape(rule.exact)}(?!\w)", text, flags):
            yield Span(*match.span())
    else:
        yield from _find_fuzzy(rule, text)


def _case(rule: Rule, string: str) -> str:
    return string.casefold() if rule.ignore_case else string


def _similar(rule: Rule, string: str) -> bool:
    wanted = _case(rule, rule.fuzzy or "")
    return fuzz.ratio(_case(rule, string), wanted, score_cutoff=rule.similarity) > 0


def _find_fuzzy(rule: Rule, text: str) -> Iterator[Span]:
    """Yield runs of as many words as the rule has that are similar enough, without overlaps."""
    size = max(1, len(_WORD.findall(rule.fuzzy or "")))
    words = [match.span() for match in _WORD.finditer(text)]
    end = -1
    # Words much longer than the rule can't be similar to it; comparing them would cost their length.
    longest = 3 * len(rule.fuzzy or "") + 8
    for first in range(len(words) - size + 1):
        start, stop = words[first][0], words[first + size - 1][1]
        if start < end or stop - start > longest:
            continue
        if _similar(rule, text[start:stop]):
            end = stop
            yield Span(start, stop)
