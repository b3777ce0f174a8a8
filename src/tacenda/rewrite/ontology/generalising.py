"""From the classes of a thing to what may be written: everything above, nothing that names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..generalize.finishing import contains, words
from ..generalize.ontology import Generalisation
from .store import Store

_CAPITALISED = re.compile(r"[^\W\d_]\w{2,}")
_BY_HAND = "tacenda"
_NEVER = frozenset(("single", "human", "organism"))


def ancestors(store: Store, classes: Iterable[int]) -> set[int]:
    """Return the classes and all that are more general."""
    found: set[int] = set()
    waiting = list(classes)
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            waiting += store.classes[id].parents
    return found


def entailed(store: Store, classes: Iterable[int]) -> set[int]:
    """Return the classes and all that are more general whatever their words mean.

    What people are is linked to the classes written by hand by its words alone: a head teacher is a
    director, but no director of films. So above a class written by hand that has a namesake, there
    is only what is above both, unless one of them says less.
    """
    found: set[int] = set()
    waiting = list(classes)
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            above = _above_all_readings(store, id)
            if above is None:
                waiting += store.classes[id].parents
            else:
                found |= above
    return found


@lru_cache(maxsize=4096)
def _above_all_readings(store: Store, id: int) -> frozenset[int] | None:
    """Return what is above a class and all its namesakes; None if it has none that contradicts."""
    each = store.classes[id]
    if each.source != _BY_HAND or id not in store.people:
        return None
    above = frozenset(ancestors(store, each.parents))
    texts = _texts(store, above)
    others = [
        _texts(store, ancestors(store, store.classes[other].parents))
        for other in store.of_text[each.text]
        if other != id and other in store.people
    ]
    contrary = [other for other in others if not (other <= texts or texts <= other)]
    if not contrary:
        return None
    return frozenset(
        id for id in above if all(store.classes[id].text in other for other in contrary)
    )


def _texts(store: Store, ids: Iterable[int]) -> set[str]:
    return {store.classes[id].text for id in ids}


def generalisations(
    store: Store, names: Sequence[str], classes: Iterable[int], types: int
) -> tuple[Generalisation, ...]:
    """Return what may be written of a thing, the narrowest class first.

    Args:
        store: the ontology.
        names: what the thing is called, here and in the ontology.
        classes: ids of classes, those above included.
        types: mask of the mention's type; other classes are left out where some are of it.
    """
    # Of two classes that the same things are of, the one below comes first.
    ids = sorted(
        classes,
        key=lambda id: (store.classes[id].population, -store.depth(id), id),
    )
    of_type = [id for id in ids if store.classes[id].types & types] or ids
    found: dict[str, Generalisation] = {}
    for id in of_type:
        each = store.classes[id]
        if each.text in _NEVER or names_it(each.text, names):
            continue
        source = each.source if ":" in each.source else f"ontology:{each.source}"
        found[each.text] = Generalisation(each.text, source, float(each.population))
    return tuple(sorted(found.values(), key=lambda each: each.population))


def names_it(text: str, names: Sequence[str]) -> bool:
    """Tell whether a class is what it would stand for, contains it, or has one of its names."""
    own = words(text)
    capitals = {word.casefold() for word in _CAPITALISED.findall(text) if word[0].isupper()}
    for name in names:
        form = words(name)
        if contains(own, form) or capitals.intersection(form):
            return True
    return False
