"""Common nouns with their classes by WordNet: "bakery" is a shop, "drummer" a musician.

Hypernyms are climbed as Wikidata's classes are: to a class of ``classes.txt``, over those of
``cut.txt``. Instances (rivers, wars) are things as well; people are not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tacenda.rewrite.ontology.store import closure, mask_of

from ..lexicons import Synset, read_senses, read_synsets, read_usual
from ..tables import load_tables, split_sense
from .hierarchy import Hierarchy, Thing, Tree, UpperClass, read_cut
from .places import ADJECTIVES

_TABLES = load_tables("ontology")
_SENSES: dict[str, int] = _TABLES["senses"]
"""Sense of a class's word that is the class, where it is not the first; 0: none is."""

_ALSO = {split_sense(sense): name for sense, name in _TABLES["further_senses"].items()}
"""Lemma and number of further senses, and the class they are."""

_FIRST = 5.0
_LATER = 2.0
"""Weight that a later sense loses."""
_UNMET = 1.0
"""Weight of a later sense that tagged texts never have, where they have the first."""
_SENSES_READ = 2
_PLACE = mask_of(["LOC"])


def read_nouns(hierarchy: Hierarchy, tree: Tree, folder: Path) -> Iterator[Thing]:
    """Yield the nouns of WordNet below the classes written by hand.

    Args:
        hierarchy: gets the classes.
        tree: the classes written by hand.
        folder: WordNet's ``dict``: ``index.noun`` and ``data.noun``.

    Raises:
        InputError: if a file is missing.
    """
    synsets = read_synsets(folder / "data.noun", "n")
    senses = read_senses(folder / "index.noun")
    usual = read_usual(folder / "index.noun")
    anchors = _anchors(hierarchy, senses, synsets, tree.classes)
    climb = _ClassClimber(hierarchy, synsets, anchors, usual)
    names = {name.lower() for name in tree.names}
    for lemma, offsets in senses.items():
        for number, key in enumerate(offsets[:_SENSES_READ]):
            synset = synsets[key]
            spelling = next(
                (word for word in synset.lemmas if word.lower() == lemma.replace("_", " ")), ""
            )
            instance = any(symbol == "@i" for symbol, _ in synset.pointers)
            rare = (lemma, offsets[0]) in usual and (lemma, key) not in usual
            # A class is the thing itself; its parents are its classes.
            classes = tuple(
                dict.fromkeys(
                    parent
                    for symbol, target in synset.pointers
                    if symbol in ("@", "@i")
                    for parent in climb.above(target)
                )
            )
            anchor = climb.anchors.get(key)
            if anchor is not None:
                classes = hierarchy.classes[anchor].parents or classes
            classes = hierarchy.mainly(classes)
            person = "person" in hierarchy.ancestors(classes)
            place = instance and hierarchy.classes[classes[0]].types & _PLACE if classes else 0
            # Places are GeoNames' and Wikidata's, who know more than one of a name.
            if not classes or not spelling or (instance and person) or place:
                continue
            if person and spelling.lower() in names:
                continue  # its classes were written by hand
            if classes == ("person",) and spelling[0].isupper():
                continue  # an inhabitant of somewhere
            yield Thing(
                (spelling,),
                classes,
                _UNMET if rare else _FIRST - number * _LATER,
                f"wordnet:{key}",
                common=spelling[0].islower(),
                counts=number == 0,
            )


def _anchors(
    hierarchy: Hierarchy,
    senses: dict[str, list[str]],
    synsets: dict[str, Synset],
    upper: dict[str, UpperClass],
) -> dict[str, str]:
    """Return the classes written by hand, by their synsets."""
    people = _below(synsets, senses["person"][0])
    anchors: dict[str, str] = {}
    entries = [((text.replace(" ", "_"), _SENSES.get(text, 1)), text) for text in upper]
    for (lemma, number), text in [*_ALSO.items(), *entries]:
        offsets = senses.get(lemma.replace(" ", "_"), [])
        if "person" in hierarchy.ancestors([text] if text in upper else []):
            # A guard is a person rather than a precaution.
            offsets = [offset for offset in offsets if offset in people]
        if text in upper and 0 < number <= len(offsets):
            anchors[offsets[number - 1]] = text
    for region, adjective in ADJECTIVES.items():
        # "Frenchman" is below "European".
        for offset in senses.get(adjective.lower().replace(" ", "_"), [])[:1]:
            if (key := f"demonym:{region}") in hierarchy.classes:
                anchors[offset] = key
    return anchors


def _below(synsets: dict[str, Synset], root: str) -> set[str]:
    """Return a synset and all of which it is a hypernym."""
    below: dict[str, list[str]] = defaultdict(list)
    for key, synset in synsets.items():
        for symbol, target in synset.pointers:
            if symbol == "@":
                below[target].append(key)
    return closure([root], below.__getitem__)


class _ClassClimber:
    def __init__(
        self,
        hierarchy: Hierarchy,
        synsets: dict[str, Synset],
        anchors: dict[str, str],
        usual: set[tuple[str, str]],
    ) -> None:
        self._usual = usual
        self.anchors = anchors
        self._hierarchy = hierarchy
        self._synsets = synsets
        self._cut = read_cut()
        self._known: dict[str, tuple[str, ...]] = {}

    def above(self, key: str) -> tuple[str, ...]:
        """Return the class of a synset, or its nearest usable classes above."""
        if key in self.anchors:
            return (self.anchors[key],)
        if key in self._known:
            return self._known[key]
        self._known[key] = ()
        synset = self._synsets[key]
        higher = [
            parent
            for symbol, target in synset.pointers
            if symbol == "@"
            for parent in self.above(target)
        ]
        # Dancing is an activity rather than one of the humanities.
        classes = self._hierarchy.mainly(tuple(dict.fromkeys(higher)))
        text = synset.lemmas[0]
        # Words that no one uses ("white-collar worker") are stepped over.
        met = (text.lower().replace(" ", "_"), key) in self._usual
        # What people are is written by hand: WordNet's "traveler" of a jockey helps no one.
        met = met and "person" not in self._hierarchy.ancestors(classes)
        if classes and met and not self._cut.search(text):
            name = f"wordnet:{key}"
            classes = (self._hierarchy.add(name, text, classes, name),)
        self._known[key] = classes
        return classes
