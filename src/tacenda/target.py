"""The names of the person to protect, and whether another name can be theirs.

Names are folded (case, diacritics) and taken apart by ``forms.names``; titles and suffixes are
left out. For the target "Mr Galip Yalman":

| name | |
|---|---|
| ``Galip Yalman``, ``G. Yalman``, ``Yalman``, ``Galip``, ``G.Y.``, ``YALMAN Galip`` | can be theirs |
| ``Mr and Mrs Yalman``, ``Galip and Ayşe Yalman`` | can be theirs: it names them too |
| ``Ghalip Jalman`` | can be theirs: another spelling of the sound |
| ``Mrs Yalman``, ``Ayşe Yalman``, ``A. Yalman`` | a namesake: a title or given name contradicts |
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .folding import fold_text
from .forms.names import PersonName, is_initial, letters_of, parse_name
from .forms.transliteration import sound
from .forms.words import PARTICLES

# Shorter keys are shared by names that have nothing to do with each other (Lee, Li, Ly).
_SHORTEST_KEY = 5


@dataclass(frozen=True, slots=True)
class TargetName:
    """A name of the person to protect.

    Attributes:
        folded: the whole of it, folded.
        name: its parts; None where it is none that can be taken apart, such as a company's.
    """

    folded: str = field(repr=False)
    name: PersonName | None = field(repr=False)

    @classmethod
    def parse(cls, name: str) -> TargetName:
        """Return the name with its parts."""
        folded = fold_text(name).strip()
        return cls(folded, parse_name(folded))

    @property
    def words(self) -> frozenset[str]:
        """The names that are written out: no initials, no particles."""
        if self.name is None:
            return frozenset()
        return frozenset(
            word for word in self.name.tokens if not is_initial(word) and word not in PARTICLES
        )

    def respelt(self, word: str) -> str:
        """Return the word of this name that ``word`` (folded) is or sounds like, or "" for none."""
        if word in self.words:
            return word
        key = sound(word)
        if len(key) < _SHORTEST_KEY:
            return ""
        return next((own for own in sorted(self.words) if sound(own) == key), "")

    def spelt_as_here(self, name: PersonName) -> PersonName:
        """Return ``name`` with each word that sounds like one of this name written as here."""

        def here(word: str) -> str:
            return self.respelt(word) or word

        return replace(
            name,
            tokens=tuple(map(here, name.tokens)),
            given=tuple(map(here, name.given)),
            surname=here(name.surname) if name.surname else "",
        )

    def is_whole_in(self, folded: str) -> bool:
        """Tell whether the given name and the surname, or all of the name, are in a string."""
        if self.name is None or not self.name.given:
            return folded == self.folded or (self.name is None and self.folded in folded)
        words = {word.strip(",;()\"'.") for word in folded.split()}
        return {self.name.given[0], self.name.surname} <= words

    def can_be(self, name: PersonName) -> bool:
        """Tell whether ``name`` can be another way to write this one."""
        own = self.name
        if own is None:
            return False
        name = self.spelt_as_here(name)
        if {name.gender, own.gender} == {"m", "f"} and not name.couple:
            return False
        if not name.surname:
            return len(name.initials) > 1 and name.initials == own.initials
        if name.surname == own.surname:
            return name.couple or all(_agrees(given, own.given) for given in name.given)
        # A given name alone, or the names in another order.
        return self.words >= set(name.tokens)

    def is_namesake(self, name: PersonName) -> bool:
        """Tell whether ``name`` has the surname although it can't be this one."""
        return (
            self.name is not None
            and self.name.surname in self.spelt_as_here(name).tokens
            and bool(self.name.surname)
            and not self.can_be(name)
        )


def _agrees(given: str, targets: tuple[str, ...]) -> bool:
    return not targets or any(
        given == target
        or (
            (is_initial(given) or is_initial(target))
            and letters_of(given)[:1] == letters_of(target)[:1]
        )
        for target in targets
    )
