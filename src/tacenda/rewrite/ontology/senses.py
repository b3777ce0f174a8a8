"""Which sense of a name is meant: of the mention's type, well known, near the places around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...document import SemanticType
from .format import Sense
from .generalising import entailed
from .keys import key_of
from .store import Store
from .types import TYPES

ACCEPTED = {
    SemanticType.LOC: (TYPES["LOC"],),
    SemanticType.ORG: (TYPES["ORG"], TYPES["MISC"]),
    SemanticType.DEM: (TYPES["DEM"], TYPES["MISC"]),
    SemanticType.MISC: (TYPES["MISC"] | TYPES["DEM"], TYPES["ORG"]),
}
"""Types of classes that a mention of a type may be linked to, the first that has senses."""
_REGION, _COUNTRY = 3.0, 1.0
"""How much better known a place is to a text that names its region, its country."""
_CLOSE = 1.0
_CLOSE_NOUNS = 1.6
"""Senses that differ by less than this can't be told apart."""


def of_type(
    store: Store, senses: Sequence[Sense], type: SemanticType, text: str
) -> tuple[list[Sense], int]:
    """Return the senses that a mention of a type may have, and the mask of the type they are of.

    A common noun with a capital is a name, unless it says what a person is ("President").
    """
    named = text[:1].isupper()
    small = text.islower()
    for mask in ACCEPTED.get(type, ()):
        found = [
            sense
            for sense in senses
            if any(store.classes[id].types & mask for id in sense.classes)
            and not (type is SemanticType.LOC and store.located.isdisjoint(sense.classes))
            and not (named and sense.common and not _may_be_common(text, type))
            and not (small and not sense.common and not _is_adjective(sense))
        ]
        if found:
            # "Founder" is a disease of horses too.
            people = [sense for sense in found if store.people.intersection(sense.classes)]
            return (people if type is SemanticType.DEM and people else found), mask
    return [], 0


def _is_adjective(sense: Sense) -> bool:
    """Tell whether a name may be written small: a nationality in careless writing."""
    return sense.source.startswith("demonym:")


def _may_be_common(text: str, type: SemanticType) -> bool:
    return type is SemanticType.DEM or (" " in key_of(text) and type is not SemanticType.LOC)


def classes_meant(
    store: Store, senses: Sequence[Sense], mask: int, context: str, *, every: bool = False
) -> tuple[set[int], list[Sense]]:
    """Return the classes that every reading of a name has, with all above, and these readings.

    A reading that says less than another of the same thing contradicts nothing, nor does a row
    that says "organization"; of others that are about equally likely, what they have in common is
    entailed, and nothing else is. Sources cut one occupation differently: of a common noun that is
    itself in the text, what most of them say counts as said by all.

    Args:
        store: the ontology.
        senses: of one name, of type ``mask``.
        mask: the type.
        context: the text around.
        every: all senses are readings, the rare ones and those that say less too; else those that
            are about as likely as the likeliest.
    """
    around = _folded(context) if len(senses) > 1 else ""
    scored = sorted(
        ((sense.weight + _nearness(store, sense, around), sense) for sense in senses),
        key=lambda pair: -pair[0],
    )
    best, first = scored[0]
    margin = _CLOSE_NOUNS if first.common else _CLOSE
    close = [sense for score, sense in scored if every or score > best - margin]
    sets = [_above(store, sense, mask) for sense in close]
    readings = [
        above
        for sense, above in zip(close, sets, strict=True)
        if every or not _says_less(store, sense, above, close, sets)
    ]
    readings = readings or sets[:1]
    meant = set.intersection(*readings)
    if first.common and not every:
        counts = Counter(id for above in readings for id in above)
        meant = {id for id in counts if 2 * counts[id] > len(readings)}
    if first.common:
        # A senator is a French citizen in one row only.
        meant = {id for id in meant if store.classes[id].text.islower()}
    return meant, close


@lru_cache(maxsize=16)
def _folded(context: str) -> str:
    return f" {key_of(context)} "


def _says_less(
    store: Store, sense: Sense, above: set[int], others: Sequence[Sense], sets: Sequence[set[int]]
) -> bool:
    """Tell whether a row says only what a kind of thing is, or less than another of the thing."""
    if not any(store.classes[id].parents for id in above):
        return True
    return any(
        above < other and _in_one_country(sense, each)
        for each, other in zip(others, sets, strict=True)
    )


def _in_one_country(first: Sense, second: Sense) -> bool:
    """Tell whether two senses of a name may be rows about one thing: not in two countries."""
    return not (first.places and second.places and first.places[-1] != second.places[-1])


def _above(store: Store, sense: Sense, mask: int) -> set[int]:
    of_mask = [id for id in sense.classes if store.classes[id].types & mask]
    if mask == TYPES["DEM"]:
        # A lawyer is somebody rather than an academic degree.
        of_mask = [id for id in of_mask if id in store.people] or of_mask
    return entailed(store, of_mask)


def _nearness(store: Store, sense: Sense, around: str) -> float:
    score = 0.0
    for number, id in enumerate(sense.places):
        if f" {store.places[id]} " in around:
            last = number == len(sense.places) - 1
            score += _COUNTRY if last else _REGION
    return score


def shared_classes(
    store: Store, found: Iterable[Sequence[Sense]], mask: int, context: str
) -> set[int]:
    """Return the classes that all of several names have, whichever of them is meant."""
    sets = [classes_meant(store, senses, mask, context)[0] for senses in found]
    return set.intersection(*sets) if sets else set()
