"""The intended sense of a name: one of the mention's type, well known, near the places around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...document import SemanticType
from ...text.normal_form import name_key
from .store import TYPES, OntologyStore, Sense, ancestors

ACCEPTED = {
    SemanticType.LOC: (TYPES["LOC"],),
    SemanticType.ORG: (TYPES["ORG"], TYPES["MISC"]),
    SemanticType.DEM: (TYPES["DEM"], TYPES["MISC"]),
    SemanticType.MISC: (TYPES["MISC"] | TYPES["DEM"], TYPES["ORG"], TYPES["LOC"]),
}
"""Types of classes that a mention of a type may be linked to, the first that has senses."""
_NOUNS = (SemanticType.DEM, SemanticType.MISC)
_REGION, _COUNTRY = 3.0, 1.0
"""How much better known a place is to a text that names its region, its country."""
_SHARE_OF_OTHERS = 0.5
_CLOSE = 1.0
_CLOSE_PLACES = 1.5
_LARGE_CITY = 6.0
_CLOSE_NOUNS = 1.6
"""Senses that differ by less than this can't be told apart."""
_EVERY = 3.0
"""Weight of a rare sense: "dog" hardly ever means an ugly person."""
KNOWN_PLACE = 4.5
"""Weight from which a place is known: about the logarithm to base 10 of the inhabitants."""
KNOWN_TOWN = 5.0
"""Weight from which a place is meant rather than a small one of its name: 100,000 inhabitants."""
_GEONAMES = "geonames:"


BY_HAND = "tacenda"
"""Source of what was written by hand."""


def by_hand(senses: Sequence[Sense]) -> list[Sense]:
    """Return the handwritten senses of a noun."""
    return [sense for sense in senses if sense.common and sense.source == BY_HAND]


def of_type(
    store: OntologyStore, senses: Sequence[Sense], type: SemanticType, text: str
) -> tuple[list[Sense], int]:
    """Return the possible senses of a mention with a type, and the mask of their type.

    A capitalized common noun is a name, unless it is a person's role ("President").
    """
    is_capitalised = text[:1].isupper()
    small = text.islower()
    accepted = ACCEPTED.get(type, ())
    written = [
        sense
        for sense in by_hand(senses)
        if any(store.classes[id].types & mask for id in sense.classes for mask in accepted)
    ]
    if small and written:
        senses = written
    for mask in accepted:
        matches = [
            sense
            for sense in senses
            if any(store.classes[id].types & mask for id in sense.classes)
            and not (type is SemanticType.LOC and store.located.isdisjoint(sense.classes))
            and not (
                is_capitalised and sense.common and not _may_be_common(store, text, type, sense)
            )
            and not (small and not sense.common and not is_adjective(sense))
        ]
        if matches:
            if small and type in _NOUNS and not written and _is_rare(matches, senses):
                return [], 0
            written = by_hand(matches)
            # "The Island" is an island rather than a town of that name.
            nouns = type in (SemanticType.DEM, SemanticType.LOC)
            if written and (nouns or all(item.common for item in matches)):
                matches = written
            # "Founder" is also a disease of horses.
            people = [sense for sense in matches if store.people.intersection(sense.classes)]
            return (people if type is SemanticType.DEM and people else matches), mask
    return [], 0


def _is_rare(matches: Sequence[Sense], senses: Sequence[Sense]) -> bool:
    """Return whether a noun usually has another type: a planet is rarely a person."""
    usual = max(sense.weight for sense in senses if sense.common or sense in matches)
    return max(sense.weight for sense in matches) <= usual - _CLOSE_NOUNS


def is_adjective(sense: Sense) -> bool:
    """Return whether a name may be in lower case, such as a nationality in careless writing."""
    return sense.source.startswith("demonym:")


def _may_be_common(store: OntologyStore, text: str, type: SemanticType, sense: Sense) -> bool:
    if type is SemanticType.ORG and sense.source == BY_HAND:
        return True  # "the Council"
    if type is SemanticType.MISC and sense.source == BY_HAND:
        # "A Republican", but The Craft isn't an activity.
        return " " in name_key(text) or any(
            store.classes[id].types == TYPES["DEM"] for id in sense.classes
        )
    if type is SemanticType.LOC:
        return sense.source == BY_HAND and " " not in name_key(text)
    return type is SemanticType.DEM or " " in name_key(text)


def classes_meant(
    store: OntologyStore, senses: Sequence[Sense], mask: int, context: str, *, every: bool = False
) -> tuple[set[int], list[Sense]]:
    """Return the classes in every reading of a name, with all ancestors, and those readings.

    A reading with fewer classes than another one of the same thing doesn't contradict it, and
    neither does a row for "organization". Otherwise, about equally likely readings entail only the
    classes they share. Sources divide one occupation differently: for a common noun in the text
    itself, the classes of most sources count.

    Args:
        store: the ontology.
        senses: senses of one name with type ``mask``.
        mask: the type.
        context: the surrounding text.
        every: whether all senses that texts use are readings, including unspecific ones; otherwise
            only those about as likely as the likeliest.
    """
    if len(by_hand(senses)) == len(senses):
        sets = [_above(store, sense, mask) for sense in senses]
        return set.intersection(*sets), list(senses)
    around = context_key(context) if len(senses) > 1 else ""
    # Something other than a place isn't elsewhere just because a namesake is here.
    share = 1.0 if mask == TYPES["LOC"] else _SHARE_OF_OTHERS
    near = {sense: share * nearness(store, sense, around) for sense in senses}
    scored = sorted(
        ((sense.weight + near[sense], sense) for sense in senses), key=lambda pair: -pair[0]
    )
    best, first = scored[0]
    margin = _CLOSE_NOUNS if first.common else _CLOSE
    if mask == TYPES["LOC"] and best < _LARGE_CITY:
        margin = _CLOSE_PLACES
    if first.source.startswith(_GEONAMES) and best < KNOWN_TOWN:
        # It is chance which small places are listed: take the one near the text's places, or any.
        margin = best
        scored = [(score, sense) for score, sense in scored if near[sense] > 0] or scored
    margin = max(margin, _EVERY) if every else margin
    close = [sense for score, sense in scored if score > best - margin]
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
        # A senator is a French citizen in only one row.
        meant = {id for id in meant if store.classes[id].text.islower()}
    return meant, close


@lru_cache(maxsize=16)
def context_key(context: str) -> str:
    """Return a text in the form that `nearness` compares."""
    return f" {name_key(context)} "


def _says_less(
    store: OntologyStore,
    sense: Sense,
    above: set[int],
    peers: Sequence[Sense],
    sets: Sequence[set[int]],
) -> bool:
    """Return whether a row has only a root class, or fewer classes than another row of the thing."""
    if not any(store.classes[id].parents for id in above):
        return True
    return any(
        above < classes and _in_one_country(sense, peer)
        for peer, classes in zip(peers, sets, strict=True)
    )


def _in_one_country(first: Sense, second: Sense) -> bool:
    """Return whether two senses may be rows about one thing, since they aren't in two countries."""
    return not (first.places and second.places and first.places[-1] != second.places[-1])


def _above(store: OntologyStore, sense: Sense, mask: int) -> set[int]:
    of_mask = [id for id in sense.classes if store.classes[id].types & mask]
    if mask == TYPES["DEM"]:
        # A lawyer is a person rather than an academic degree.
        of_mask = [id for id in of_mask if id in store.people] or of_mask
    return ancestors(store, of_mask)


def nearness(store: OntologyStore, sense: Sense, around: str) -> float:
    """Return how much likelier a sense is for the places named in the folded text ``around``."""
    score = 0.0
    for number, id in enumerate(sense.places):
        if f" {store.places[id]} " in around:
            last = number == len(sense.places) - 1
            score += _COUNTRY if last else _REGION
    return score


def shared_classes(
    store: OntologyStore, groups: Iterable[Sequence[Sense]], mask: int, context: str
) -> set[int]:
    """Return the classes shared by several names in every sense."""
    sets = [classes_meant(store, senses, mask, context)[0] for senses in groups]
    return set.intersection(*sets) if sets else set()
