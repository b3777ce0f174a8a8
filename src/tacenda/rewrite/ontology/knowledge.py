"""The ontology as the rules of *generalize* use it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...document import SemanticType
from ...text.given_names import is_common_given_name
from ...text.normal_form import name_key
from ..generalize.candidates import Generalisation, Noun
from ..generalize.nouns import OF_ROLES
from .heads import CITIES, MODIFIER, singular
from .linking import Link, Linker
from .senses import BY_HAND, KNOWN_PLACE, by_hand, is_adjective
from .store import NEVER, TYPES, OntologyStore, ancestors, generalisations

_HEAD_SHARE = 0.1
"""How much of what is of a class a noun of that class is taken to fit, where no one counted."""
_SMALL_WORD = re.compile(r"(?<![\w'’-])[a-z]+(?:[-'’][a-z]+)*(?![\w-])")
_SIGN = re.compile(r"[^\w\s'’-]")
_LONGEST_NOUN = 4
"""Words of a noun, at most: head of state security."""


class KnowledgeBase:
    """An ontology with a linker for names.

    Args:
        store: the ontology in memory.
    """

    def __init__(self, store: OntologyStore) -> None:
        self.store = store
        self._linker = Linker(store)

    def link(self, text: str, type: SemanticType, context: str = "") -> Link | None:
        """Return the link of a string, or None if nothing is known."""
        return self._linker.link(text, type, context)

    def lookup(
        self, text: str, type: SemanticType, context: str = ""
    ) -> tuple[Generalisation, ...]:
        """Return the classes of the thing named ``text``, the narrowest first, or nothing if it is unknown."""
        of_people = type in (SemanticType.DEM, SemanticType.MISC)
        modified = MODIFIER.fullmatch(text) if of_people else None
        if modified is not None:
            nouns = self.lookup(modified["noun"], type, context)
            return tuple(_modified(modified["word"], noun) for noun in nouns)
        link = self.link(text, type, context)
        if link is None:
            return ()
        names = (text, *link.names)
        above = generalisations(self.store, names, link.classes, link.mask)
        if type is SemanticType.LOC and not link.head:
            above = tuple(_towns(name_key(text), above))
        if not link.head or link.head in NEVER:
            return above
        rest = tuple(item for item in above if item.text != link.head)
        of = link.head.partition(" of ")[0]
        bare = () if of == link.head else (self._head(replace(link, head=of), rest),)
        return (self._head(link, rest), *bare, *rest)

    def describes(self, text: str) -> bool:
        """Return whether ``text`` is a noun or adjective that describes a person, and not a name.

        Given names that are also nouns ("Grace") count as names, and so do places.
        """
        key = name_key(text)
        senses = self.store.find(key) or self.store.find(singular(key))
        if is_common_given_name(key) or any(
            self.store.located.intersection(sense.classes) and sense.weight >= KNOWN_PLACE
            for sense in senses
        ):
            return False
        return any(
            self.store.classes[id].types & TYPES["DEM"]
            for sense in senses
            if (sense.common and sense.source == BY_HAND) or is_adjective(sense)
            for id in sense.classes
        )

    def above(self, name: str) -> frozenset[str]:
        """Return the names of a class and of all classes above it, or nothing if it isn't a class."""
        return self._texts(ancestors(self.store, self.store.of_text.get(name, ())))

    def nouns(self, text: str) -> tuple[Noun, ...]:
        """Return the longest lowercase common nouns in a phrase, in order.

        Only nouns with handwritten classes: others may be rare or named after a person.
        """
        words = [*_SMALL_WORD.finditer(text)]
        nouns: list[Noun] = []
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + _LONGEST_NOUN), start, -1):
                phrase = text[words[start].start() : words[end - 1].end()]
                noun = None if _SIGN.search(phrase) else self._noun(phrase)
                if noun is not None:
                    nouns.append(noun)
                    start = end
                    break
            else:
                start += 1
        return tuple(nouns)

    def _noun(self, phrase: str) -> Noun | None:
        """Return a phrase as a noun, or None if it has no handwritten class."""
        key = name_key(phrase)
        senses = by_hand(self.store.find(key)) or by_hand(self.store.find(singular(key)))
        if not senses:
            return None
        kinds = frozenset(id for sense in senses for id in ancestors(self.store, sense.classes))
        id = self._linker.class_named(singular(key))
        of_classes = [self.store.classes[c].population for s in senses for c in s.classes]
        population = (
            float(self.store.classes[id].population)
            if id in kinds
            else min(of_classes) * _HEAD_SHARE
        )
        return Noun(phrase, self._texts(kinds), population)

    def _texts(self, ids: Iterable[int]) -> frozenset[str]:
        return frozenset(self.store.classes[id].text for id in ids)

    def _head(self, link: Link, above: tuple[Generalisation, ...]) -> Generalisation:
        """Return the head noun of a name as an option of its own."""
        head = link.head
        id = self._linker.class_named(head)
        if id in link.classes:
            concept = self.store.classes[id]
            return Generalisation(head, f"ontology:{concept.source}", float(concept.population))
        of_parent = above[0].population * _HEAD_SHARE if above else 1.0
        return Generalisation(head, "ontology:head", max(of_parent, 1.0))


def _towns(key: str, above: tuple[Generalisation, ...]) -> Iterator[Generalisation]:
    """Yield the classes of a place; one that is a city only by its size is called a town."""
    texts = {item.text for item in above}
    chartered = [names for land, names in CITIES.items() if f"city in the {land}" in texts]
    is_town = any(key not in names for names in chartered)
    is_small = "big city" not in texts and not any(" in " in text for text in texts)
    for item in above:
        noun, *rest = item.text.split(" in ", 1)
        if noun in ("city", "big city") and (is_town or is_small):
            noun = "town or city" if is_small else "large town" if noun == "big city" else "town"
            item = replace(item, text=" in ".join([noun, *rest]))
        yield item


def _modified(word: str, noun: Generalisation) -> Generalisation:
    """Return the class of, for example, a former banker from that of a banker; a person never becomes a former person."""
    if noun.text == "person":
        return noun
    rest = OF_ROLES.get(noun.text, noun.text)
    return replace(
        noun,
        text=f"{word.lower()}{'-' if word.lower() == 'ex' else ' '}{rest}",
        population=max(noun.population * _HEAD_SHARE, 1.0),
    )
