"""Words that say what a name is of, with how many such things there are (orders of magnitude)."""

from __future__ import annotations

import re

from ...document import SemanticType
from ...text.folding import fold_text

_ORG = {
    "supreme court": 3e2,
    "constitutional court": 2e2,
    "administrative court": 2e3,
    "court of appeal": 1e3,
    "appeal court": 1e3,
    "high court": 1e3,
    "regional court": 2e3,
    "district court": 1e4,
    "magistrates' court": 2e3,
    "military court": 5e2,
    "assize court": 1e3,
    "court": 5e4,
    "university hospital": 2e3,
    "hospital": 2e5,
    "clinic": 1e6,
    "university": 3e4,
    "college": 5e4,
    "polytechnic": 5e3,
    "academy": 5e4,
    "institute": 1e5,
    "high school": 2e5,
    "primary school": 2e6,
    "grammar school": 1e4,
    "school": 5e6,
    "prison": 1e4,
    "police station": 1e5,
    "police": 2e4,
    "ministry": 5e3,
    "embassy": 1e4,
    "parliament": 2e2,
    "city council": 1e5,
    "council": 2e5,
    "bank": 3e4,
    "insurance company": 3e4,
    "museum": 1e5,
    "library": 4e5,
    "church": 2e6,
    "cathedral": 5e3,
    "monastery": 2e4,
    "party": 5e3,
    "trade union": 2e4,
    "newspaper": 3e4,
    "hotel": 2e5,
    "restaurant": 1e7,
    "airline": 5e3,
    "orchestra": 1e4,
    "football club": 3e5,
    "foundation": 2e5,
    "constituency": 3e4,
    "association": 1e6,
}
# No lake, park, river, island or village: Lake Placid and Highland Park are towns.
_LOC = {
    "street": 1e7,
    "road": 1e7,
    "avenue": 1e6,
    "lane": 1e6,
    "boulevard": 1e5,
    "airport": 4e4,
    "railway station": 1e5,
    "bus station": 1e5,
    "police station": 1e5,
    "province": 2e3,
    "district": 5e4,
    "county": 2e4,
    "region": 5e3,
    "municipality": 2e5,
    "prison": 1e4,
    "hospital": 2e5,
    "cemetery": 1e6,
}
_MISC = {
    "treaty": 5e4,
    "award": 5e4,
    "prize": 5e4,
    "medal": 2e4,
    "festival": 2e4,
    "championships": 1e4,
    "championship": 1e4,
    "hall of fame": 2e3,
    "tournament": 2e4,
    "olympics": 1e2,
    "amendment": 1e4,
}
_FOR_WORKS = re.compile(
    r"\b(?:award|prize|medal)s? for .*\b(?:(?P<literary>novel|novella|fiction|poetry|literature|book"
    r"|short story|nonfiction)|(?P<film>film|picture|actor|actress|director|screenplay)"
    r"|(?P<music>song|album|record|artist))\Z"
)
_FOR_WORKS_POPULATION = 3e3
_TABLES = {
    SemanticType.ORG: _ORG,
    SemanticType.LOC: _LOC,
    SemanticType.MISC: _MISC,
}
# Words whose class has another name, or that the word alone would say less well.
_NAMES = {
    "party": "political party",
    "championships": "championship",
    "olympics": "sports competition",
    "amendment": "law",
}

_EXCEPTIONS = ("electoral college", "west bank")
"""Names that are of no such thing as their last word."""

KINDS = {
    "street_address": ("street address", 1e9),
    "postcode": ("postcode", 1e6),
    "coordinates": ("position", 1e9),
}
"""Kinds of patterns to a class and how many there are."""

_LONGEST = 200
"""Code points; what is longer is no name."""

_TAIL = re.compile(r"(?:\s+(?:no\.?\s*)?\d+|\s*\([^)]*\)|,.*)\Z", re.DOTALL)


def match_class(string: str, type: SemanticType) -> tuple[str, float] | None:
    """Return the class that a name says it is of, and how many there are; None if it says none."""
    if len(string) > _LONGEST:
        return None
    name = " ".join(fold_text(_TAIL.sub("", string.replace("’", "'"))).split())
    if name.endswith(_EXCEPTIONS):
        return None
    works = _FOR_WORKS.search(name) if type is SemanticType.MISC else None
    if works is not None:
        return f"{works.lastgroup} award", _FOR_WORKS_POPULATION
    # "The Library of America series" is a series.
    ends_small = _TAIL.sub("", string).split()[-1:] == name.split()[-1:]
    for word, population in _TABLES.get(type, {}).items():
        if word not in name:
            continue
        # A film may be called The Award of …; organisations and places are called by what they are.
        of = type is not SemanticType.MISC and re.match(
            rf"(?:\S+ ){{0,2}}?{word} (?:of|for) ", name
        )
        if (of and not ends_small) or name.endswith(f" {word}"):
            return _NAMES.get(word, word), population
    return None
