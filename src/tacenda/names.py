"""A person's name taken apart, so that two ways to write it can be compared.

A name is folded (case, diacritics) and parsed into given names or initials and a surname; titles,
ranks, suffixes and the possessive are left out. "Yalman, Galip" is read surname first.

| written | given | surname |
|---|---|---|
| ``Mr Galip Yalman`` | galip | yalman |
| ``G. YALMAN's`` | g | yalman |
| ``Yalman, Galip, Jr`` | galip | yalman |
| ``Ludwig van Beethoven`` | ludwig, van | beethoven |
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .folding import fold_text

_GENDERS = {"mr": "m", "sir": "m", "lord": "m", "herr": "m", "monsieur": "m"} | dict.fromkeys(
    ("mrs", "ms", "miss", "madam", "lady", "dame", "frau", "madame", "mme", "mlle"), "f"
)
TITLES = frozenset(_GENDERS) | frozenset(
    "dr prof professor judge justice captain colonel general major sergeant rev reverend father "
    "sister brother the and".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv esq kc qc phd md".split())
PARTICLES = frozenset(
    "van von der den ter de da di do du del della dos das la le el al bin ibn ben abu".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"'s?\s*$")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name in parts, folded.

    Attributes:
        given: given names, initials and particles, in order; may be empty.
        surname: the last name.
        gender: ``m`` or ``f`` where a title tells, else empty.
    """

    given: tuple[str, ...]
    surname: str
    gender: str = ""

    @classmethod
    def parse(cls, name: str) -> PersonName | None:
        """Return the parts of ``name``; None if nothing but titles is in it."""
        words = [word for word in _words(name) if word not in TITLES]
        if len(words) > 1 and words[-1] in _SUFFIXES:
            words.pop()
        if not words:
            return None
        genders = {_GENDERS[word] for word in _words(name) if word in _GENDERS}
        # "Mr and Mrs Yalman" tells of both.
        return cls(tuple(words[:-1]), words[-1], genders.pop() if len(genders) == 1 else "")

    @property
    def words(self) -> tuple[str, ...]:
        """Given names and surname, in order."""
        return (*self.given, self.surname)

    def matches(self, target: PersonName) -> bool:
        """Tell whether this can be another way to write ``target``, or has all of it inside."""
        own = set(self.words)
        if target.given and {target.given[0], target.surname} <= own:
            return True  # "Galip and Ayşe Yalman", or the names in another order.
        if self.gender and target.gender and self.gender != target.gender:
            return False
        if self.surname == target.surname:
            return all(_agrees(given, target.given) for given in self.given)
        return own <= set(target.words) - PARTICLES and len(self.surname) > 1

    def is_namesake(self, target: PersonName) -> bool:
        """Tell whether the surname is in it although it can't be ``target``."""
        return target.surname in self.words and not self.matches(target)


def _words(name: str) -> list[str]:
    folded = _POSSESSIVE.sub("", fold_text(name))
    head, comma, tail = folded.partition(",")
    words = _WORD.findall(tail)
    if comma and words and not set(words) <= _SUFFIXES:
        # Surname first; what follows a second comma is a suffix and stays last.
        given, _, suffix = tail.partition(",")
        return [*_WORD.findall(given), *_WORD.findall(head), *_WORD.findall(suffix)]
    return [*_WORD.findall(head), *words]


def _agrees(given: str, targets: tuple[str, ...]) -> bool:
    return not targets or any(
        given == target or (min(len(given), len(target)) == 1 and given[0] == target[0])
        for target in targets
    )
