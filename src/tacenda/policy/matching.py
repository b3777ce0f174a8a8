"""Whether a string matches a rule of an allow or deny list as a whole."""

from __future__ import annotations

from rapidfuzz import fuzz

from ..document import SemanticType
from .regexes import matches_whole
from .rules import Rule


def matches(
    rule: Rule, string: str, type: SemanticType, name: str = "", place: str = "a rule"
) -> bool:
    """Tell whether the whole of ``string``, a mention of ``type``, matches ``rule``.

    White space of any kind and length is one space.

    Raises:
        InputError: if a regular expression takes too long; it has the ``name`` of the document
            and the ``place`` of the rule.
    """
    if rule.type is not None and rule.type is not type:
        return False
    if rule.pattern is not None:
        return matches_whole(rule.pattern, string, name, place)
    if rule.exact is not None:
        return comparable(rule, string) == comparable(rule, rule.exact)
    return similarity(rule, string) > 0


def comparable(rule: Rule, string: str) -> str:
    """Return ``string`` as an exact or fuzzy rule compares it."""
    plain = " ".join(string.split())
    return plain.casefold() if rule.ignore_case else plain


def similarity(rule: Rule, string: str) -> float:
    """Return how similar ``string`` is to the rule's term, in percent; 0 where that is too little."""
    term = comparable(rule, rule.fuzzy or "")
    return fuzz.ratio(comparable(rule, string), term, score_cutoff=rule.similarity)
