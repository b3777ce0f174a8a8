"""From the classes of a thing to what may be written: everything above, nothing that names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..generalize.finishing import contains, words
from ..generalize.ontology import Generalisation
from .store import Store

_CAPITALISED = re.compile(r"[^\W\d_]\w{2,}")
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
