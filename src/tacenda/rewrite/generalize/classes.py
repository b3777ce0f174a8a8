"""Classes of LOC, ORG, DEM and MISC, from an ontology and from the words of the string itself.

``University of X`` is a university whatever X is. A word counts where names have their class: at
the end ("Elm Street"), or before "of" ("University of Oslo").
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...document import Document, Entity, Mention, Option, SemanticType
from ...shipped import shipped_patterns, shipped_table
from ...text.normal_form import fold_text
from .candidates import Candidate, Ontology, build_options, strings
from .quantities import age_candidates

# Words of a name for its class, with the number of such things (orders of magnitude).


_PATTERNS = shipped_patterns("english_contexts", "awards")
_FOR_WORKS_POPULATION = 3e3
_TABLES: dict[SemanticType, dict[str, float]] = {
    type: shipped_table("name_classes")[type]
    for type in (SemanticType.ORG, SemanticType.LOC, SemanticType.MISC)
}
NOUNS_OF_NAMES = frozenset(name.split()[-1] for table in _TABLES.values() for name in table)
"""Nouns that say the class of a name at its end."""
MODIFIERS = frozenset(shipped_table("name_classes")["modifiers"]["kept"].split("|"))
"""Words before a noun that make it another: former, trainee."""
_NAMES: dict[str, str] = shipped_table("name_classes")["names"]
"""Words with another, or a better, name for their class."""

_EXCEPTIONS = ("electoral college", "west bank")
"""Names that are of no such thing as their last word."""

KINDS = {
    "street_address": ("street address", 1e9),
    "postcode": ("postcode", 1e6),
    "coordinates": ("position", 1e9),
}
"""Kinds of patterns to a class and how many there are."""

_ZIP = re.compile(r"(?:[A-Z]{2},?\s)?(\d{3})\d{2}(?:-\d{4})?")
_FEW_PEOPLE_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()
"""By the census of 2000: HHS, Guidance Regarding Methods for De-identification, 2012."""
_FEW_PEOPLE_2020 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893".split()
"""By the census of 2020: HRSA, frequently asked questions on UDS+, 2024
(https://github.com/drajer-health/uds-plus/issues/35)."""
_FEW_PEOPLE = frozenset(_FEW_PEOPLE_2000 + _FEW_PEOPLE_2020)
"""First digits of ZIP codes of areas with 20,000 people or fewer (45 CFR 164.514(b)(2)(i)(B)).

An area that has grown since the first list stays in: a text may be as old as that list.
"""
_PEOPLE_OF_AREA = 2e4
"""How many people at least live in the area of three digits."""

_LONGEST = 200
"""Code points; what is longer is not a name."""

_TAIL = re.compile(r"(?:\s+(?:no\.?\s*)?\d+|\s*\([^)]*\)|,.*)\Z", re.DOTALL)


@lru_cache(maxsize=1024)
def match_class(string: str, type: SemanticType) -> tuple[str, float] | None:
    """Return the class that the words of a name give, and its population, or None."""
    if len(string) > _LONGEST:
        return None
    name = " ".join(fold_text(_TAIL.sub("", string.replace("’", "'"))).split())
    if name.endswith(_EXCEPTIONS):
        return None
    works = _PATTERNS["for_works"].search(name) if type is SemanticType.MISC else None
    if works is not None:
        return f"{works.lastgroup} award", _FOR_WORKS_POPULATION
    # "The Library of America series" is a series.
    ends_small = _TAIL.sub("", string).split()[-1:] == name.split()[-1:]
    for word, population in _TABLES.get(type, {}).items():
        if word not in name:
            continue
        # A film may be called The Award of …; organizations and places are called by their class.
        of = type is not SemanticType.MISC and re.match(
            rf"(?:\S+ ){{0,2}}?{word} (?:of|for) ", name
        )
        if (of and not ends_small) or name.endswith(f" {word}"):
            return _NAMES.get(word, word), population
    return None


THINGS = 1e9
"""Scope of things that have names."""
_ADDRESS = Candidate(KINDS["street_address"][0], "rule:class", KINDS["street_address"][1], THINGS)
_CONTEXT = 400
_NAME = re.compile(r"[^\W_]{2}")


class Classes:
    """The rule for classes.

    Args:
        ontology: ontology of names; None to use only the words of the strings.
    """

    def __init__(self, ontology: Ontology | None = None) -> None:
        self._ontology = ontology

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the classes of the entity, the narrowest first, then ``***``."""
        originals = strings(document, entity)
        if (area := _area(originals)) is not None:
            return build_options(document, entity, [area])
        if entity.type is SemanticType.LOC and all(map(_PATTERNS["house"].match, originals)):
            # The street may have a class of its own, and the house has none.
            return build_options(document, entity, [_ADDRESS])
        is_described = entity.type in (SemanticType.DEM, SemanticType.MISC)
        candidates = age_candidates(document, entity) if is_described else []
        candidates = candidates or self._known(document, entity)
        candidates += _said(document, entity)
        return build_options(document, entity, candidates)

    def _known(self, document: Document, entity: Entity) -> list[Candidate]:
        string, type, around = class_query(document, entity)
        # A stray "'s" or initial names nothing.
        if self._ontology is None or not _NAME.search(string):
            return []
        items = self._ontology.lookup(string, type, around)
        return [Candidate(item.text, item.source, item.population, THINGS) for item in items]


def class_query(document: Document, entity: Entity) -> tuple[str, SemanticType, str]:
    """Return the ontology query for an entity: a string, its type and the text around it."""
    # The longest form is the most specific one.
    span = max(entity.mentions, key=lambda mention: len(mention.span)).span
    around = document.text[max(0, span.start - _CONTEXT) : span.end + _CONTEXT]
    return span.of(document.text), entity.type, around


def _said(document: Document, entity: Entity) -> list[Candidate]:
    kinds = {mention.kind for mention in entity.mentions} & KINDS.keys()
    candidates = [KINDS[kind] for kind in sorted(kinds)]
    candidates += [
        match for string in strings(document, entity) if (match := match_class(string, entity.type))
    ]
    # Two classes: one of the mentions is linked wrongly, or its words are misleading.
    if len(set(candidates)) != 1:
        return []
    name, population = candidates[0]
    return [Candidate(name, "rule:class", population, THINGS)]


def _area(originals: tuple[str, ...]) -> Candidate | None:
    """Return the first three digits of a ZIP code, or 000 if few people share them."""
    codes = {match[1] if (match := _ZIP.fullmatch(string)) else "" for string in originals}
    if len(codes) > 1 or "" in codes:
        return None
    digits = codes.pop()
    area = "000" if digits in _FEW_PEOPLE else digits
    return Candidate(f"postal area {area}", "rule:area", _PEOPLE_OF_AREA, THINGS)


# CODE: the kind of number or address, by its pattern and by the words before it.
#
# ``passport no. X1234567`` → passport number · number · ***. The paper has only ``***`` for codes;
# the kind of a number keeps a sentence readable and fits everyone who has such a number.


CODES = 1e10
_OF_A_KIND = 1e7
"""How many numbers of a kind there are, at the least: a guess that is the same for all kinds."""

_KINDS: dict[str, str] = shipped_table("code_names")["kinds"]
"""Kind of the pattern to words."""

_ANNOUNCED = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), name)
    for name, words in shipped_table("code_names")["announced"].items()
)
"""Kinds of numbers by the word right before them."""
_UNSURE_KINDS = ("identity_number", "register_number")
"""Kinds by form alone: the words before a number know better."""
_WORDS_BEFORE = 40
_CLAUSE = re.compile(r".*[.;!?](?=\s[A-Z])|.*\n", re.DOTALL)
_FORMS = (
    (re.compile(r"[^\s@]+@[^\s@]+\.\w+"), "e-mail address"),
    (re.compile(r"(?:https?://|www\.)\S+"), "web address"),
)
_DIGIT = re.compile(r"\d")


class Code:
    """The rule for the kind of a number or address."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the kind of code, ``number`` if it is one, and ``***``."""
        names = {_name(document.text, mention) for mention in entity.mentions} - {""}
        candidates = []
        if len(names) == 1:
            candidates.append(Candidate(names.pop(), "rule:code-kind", _OF_A_KIND, CODES))
        if all(_DIGIT.search(mention.span.of(document.text)) for mention in entity.mentions):
            candidates.append(Candidate("number", "rule:code", CODES, CODES))
        return build_options(document, entity, candidates)


def _name(text: str, mention: Mention) -> str:
    """Return the words for a mention's kind, or an empty string if it is unknown."""
    label = _KINDS.get(mention.kind, "")
    string = mention.span.of(text)
    if mention.kind == "user_name" and string.isalpha() and string.islower():
        return ""  # any word could be mistaken for one
    if label and mention.kind not in _UNSURE_KINDS:
        return label
    for pattern, name in _FORMS:
        if pattern.fullmatch(string):
            return name
    start = mention.span.start
    before = _CLAUSE.sub("", text[max(0, start - _WORDS_BEFORE) : start])
    # The nearest word counts: "in case no. 1 and application no. 2".
    hits = [
        (match.end(), name)
        for pattern, name in _ANNOUNCED
        for match in pattern.finditer(before.replace("’", "'"))
    ]
    return max(hits)[1] if hits else label
