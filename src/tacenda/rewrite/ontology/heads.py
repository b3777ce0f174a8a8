"""The nouns in a longer name that name its class: the last noun of the first noun phrase, or the first word.

``Speaker of the Parliament`` is a speaker, ``head basketball coach`` a basketball coach,
``Nordlys Bakery`` a bakery, ``Universidad de Chile`` a university.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...document import SemanticType
from ...shipped import by_word, shipped_patterns, shipped_table
from ...text.normal_form import name_key

_PATTERNS = shipped_patterns("english_contexts", "ends_of_names")
PARENTHESES = re.compile(r"(.+?)\s\(([^()]+)\)")
_PHRASES = 2
"""Maximum number of prepositions after an end: "secretary of state for"."""
_IRREGULAR = {"men": "man", "women": "woman", "people": "person", "children": "child"}


def heads(text: str) -> Iterator[str]:
    """Yield the ends of the first noun phrase, case-folded, the longest first, and their singulars.

    An end before a preposition comes with it first: ``minister of``.
    """
    text = _PATTERNS["inside"].sub(" ", text.strip())
    splits = [*_PATTERNS["post"].finditer(text)][:_PHRASES]
    first = text[: splits[0].start()] if splits else text
    ends = [(text[: split.start()], name_key(split[0])) for split in reversed(splits)] or [
        (text, "")
    ]
    # Parts joined by a hyphen are one word: a left-back isn't a back.
    count = len(_words(first))
    for start in range(count):
        for phrase, preposition in ends:
            end = name_key(" ".join(_words(phrase)[start:]))
            if preposition:
                yield f"{end} {preposition}"
            yield end
            if (single := singular(end)) != end:
                yield single


def _words(phrase: str) -> list[str]:
    return [word for token in without_numbers(phrase).split() if (word := name_key(token))]


def singular(phrase: str) -> str:
    """Return a phrase with its last word in the singular, judged by its ending."""
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
    """Return a name without a year, ordinal or Roman numeral at its start or end: ``Super Bowl``."""
    return _PATTERNS["numbers"].sub("", text).strip()


def parts(text: str, type: SemanticType) -> Iterator[str]:
    """Yield a name without its year, legal form, region or parentheses, the longest first."""
    if type is SemanticType.LOC:
        for sign in (",", "(", " in "):
            start, separator, _ = text.partition(sign)
            if separator and start.strip():
                yield start.strip()
        return
    if (shorter := without_numbers(text)) not in ("", text):
        yield shorter
    if type is SemanticType.ORG and (stripped := _PATTERNS["legal"].sub("", text)) != text:
        yield stripped
    if match := PARENTHESES.fullmatch(text):
        yield from (match[1], match[2])
    if type is SemanticType.DEM:
        yield from (part.strip() for part in re.split(r"/|,| and ", text)[:-1] if part.strip())


_TABLE = shipped_table("name_classes")
FIRST = by_word(_TABLE["first"])
"""Words at the beginning of names, in several languages, that say the class as a last noun does."""


EXCLUDED = {class_: frozenset(words.split("|")) for class_, words in _TABLE["excluded"].items()}
"""Classes to the nouns that are none of them, whatever their sources say."""
MODIFIER = re.compile(
    rf"(?P<word>{_TABLE['modifiers']['kept']})[\s-]+(?P<noun>\w.*)", re.IGNORECASE
)
"""A small word that goes with the class of its noun."""
TEAMS = shipped_patterns("name_classes", "teams")
"""Classes of teams to the words of texts about their sports."""
CITIES = {land: frozenset(names.split("|")) for land, names in _TABLE["cities"].items()}
"""Countries to the places in them that are cities by charter, folded."""
DIRECTIONS = frozenset(_TABLE["places"]["directions"].split("|"))
TOWNS_END_SO = frozenset(_TABLE["places"]["towns"].split("|"))
NAMES_END_SO = frozenset(_TABLE["last"]["of_misc"])
"""Classes that the last noun of a capitalised MISC of several words may name."""
NAMED_IN_ORG = frozenset(_TABLE["last"]["of_org"])
"""Classes that an ORG may have by its last noun though they are not organisations."""
