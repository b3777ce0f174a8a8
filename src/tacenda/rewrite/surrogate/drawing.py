"""Keyed choices, and the words that surrogates must not contain."""

from __future__ import annotations

import hmac
import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import TypeVar

import numpy as np

from ...background.people import People as Background
from ...document import Decision, Document, SemanticType
from ...shipped import shipped_table
from ...text.normal_form import fold_text
from ...text.tokens import word_list
from ...text.word_lists import NEVER, PARTICLES, word_list_of

# Words in names that don't identify anyone: they stay in a surrogate, and may be in any other.


_FORMS = word_list_of("common_in_names")
COMMON = NEVER | PARTICLES | _FORMS
"""Folded words: legal forms, kinds of bodies and places, function words, titles, months, numbers."""


# Keyed choices: the same for the same question under one key, and unpredictable without it.


_Item = TypeVar("_Item")


class Draw:
    """Keyed choices by HMAC-SHA256 of a question.

    Args:
        key: the secret, at least 16 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def source(self, *question: str) -> random.Random:
        """Return a random number generator seeded only by the key and the question."""
        message = "\0".join(("surrogate", *question)).encode("utf-8", "surrogatepass")
        return random.Random(hmac.digest(self._key, message, "sha256"))

    def choices(self, options: Sequence[_Item], n: int, *question: str) -> Iterator[_Item]:
        """Yield ``n`` of ``options``, perhaps some twice, or none if there are no options."""
        source = self.source(*question)
        for _ in range(n if options else 0):
            yield options[source.randrange(len(options))]

    def names(
        self, fitting: Sequence[str], pool: Sequence[str], n: int, *question: str
    ) -> Iterator[str]:
        """Yield ``n`` of the ``fitting`` names, then double names made from the ``pool``."""
        yield from self.choices(fitting, n, *question)
        halves = (self.choices(pool, n, *question, half) for half in ("first", "second"))
        yield from ("-".join(pair) for pair in zip(*halves, strict=True) if pair[0] != pair[1])


def cased(fake: str, original: str) -> str:
    """Return a surrogate in upper or lower case if the original is."""
    letters = "".join(filter(str.isalpha, original))
    if len(letters) > 1 and letters.isupper():
        return fake.upper()
    return fake.lower() if letters.islower() else fake


# Forbidden surrogates: any string of the document, and other entities' surrogates.


_WORD = re.compile(r"[^\W_]+")
_SHORTEST_INSIDE = 3
_NAMED = frozenset((SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC, SemanticType.MISC))


class Taken:
    """The words of a document, the names masked in it, and the surrogates used so far.

    Args:
        document: the document the surrogates are for.
        decisions: the document's decisions.
        background: people whose names and values can't be surrogates, or None.
        words: case-folded words that no surrogate may contain; the document's words if None.
    """

    def __init__(
        self,
        document: Document,
        decisions: Sequence[Decision],
        background: Background | None = None,
        words: Collection[str] | None = None,
    ) -> None:
        self._background = background
        self._words = frozenset(words_of(document.text) if words is None else words)
        self._names = {
            word
            for decision in decisions
            if decision.masked and decision.entity.type in _NAMED
            for mention in decision.entity.mentions
            for word in words_of(mention.span.of(document.text))
            if len(word) >= _SHORTEST_INSIDE and word not in COMMON
        }
        self._owners: dict[str, str] = {}

    def is_free(self, candidate: str) -> bool:
        """Return whether no word of ``candidate`` is in the document or contains a masked name.

        Words that don't identify anyone count only if the name has no others.
        """
        words = words_of(candidate)
        words = [word for word in words if word not in COMMON] or words
        return self._words.isdisjoint(words) and not any(map(self._holds_name, words))

    def first_free(self, candidates: Iterable[str], owner: str) -> str | None:
        """Return the first candidate that is free for ``owner``, or None."""
        for candidate in candidates:
            key = fold_text(candidate)
            if self._owners.get(key, owner) != owner or self.is_somebodys(candidate):
                continue
            if self.is_free(candidate):
                self._owners[key] = owner
                return candidate
        return None

    def drawn(self, draw: Draw, pool: Sequence[str], n: int, *question: str) -> str | None:
        """Return the first of ``n`` keyed choices that is free for the question, or None."""
        return self.first_free(draw.choices(pool, n, *question), " ".join(question))

    def names_somebody(self, output: str, kept: Collection[str] = ()) -> bool:
        """Return whether a word of ``output`` is part of a name masked in the document.

        Args:
            output: the surrogate.
            kept: case-folded words that may stay, which say what kind of thing the original is.
        """
        return any(word in self._names and word not in kept for word in words_of(output))

    def is_somebodys(self, output: str) -> bool:
        """Return whether all words of ``output`` belong to one person in the background, as a name or an address.

        One word without a digit doesn't identify anyone.
        """
        words = [word for word in word_list(output) if word not in COMMON]
        if self._background is None or not words:
            return False
        if len(words) == 1 and not any(map(str.isdigit, words[0])):
            return False
        people = [self._background.posting(word).people for word in words]
        return bool(len(reduce(np.intersect1d, people)))

    def _holds_name(self, word: str) -> bool:
        # Check piece by piece, so that the time doesn't grow with the number of names.
        return any(
            word[start:end] in self._names
            for start in range(len(word))
            for end in range(start + _SHORTEST_INSIDE, len(word) + 1)
        )


@lru_cache(maxsize=2)
def people_of(path: Path) -> Background:
    """Return the people in a store, which is opened once.

    Raises:
        InputError: if there is no store at ``path``.
    """
    return Background(path)


def words_of(text: str) -> list[str]:
    """Return the case-folded words of a text."""
    return _WORD.findall(fold_text(text))


def gives_away(output: str, original: str) -> bool:
    """Return whether ``output`` equals or contains the original, ignoring case."""
    inner, outer = words_of(original), words_of(output)
    if not inner:
        return output.strip() == original.strip()
    if sum(map(len, inner)) >= _SHORTEST_INSIDE:
        return "".join(inner) in "".join(outer)
    return set(inner) <= set(outer)


# Names of months and weekdays in the languages of common European documents, in full and
# abbreviated.


_CALENDARS = shipped_table("calendars")


@dataclass(frozen=True, slots=True)
class _Calendar:
    """The names in one language, and the position of each in the year or the week."""

    language: str
    names: tuple[str, ...]
    places: dict[str, int]


def same_letters(word: str) -> str:
    """Return a word as a case-insensitive expression compares it, with dotted and dotless i alike."""
    return word.replace("İ", "i").casefold().replace("ı", "i")


def _calendar(language: str, names: str) -> _Calendar:
    months = tuple(names.split())
    return _Calendar(
        language, months, {same_letters(name): place for place, name in enumerate(months)}
    )


_MONTH_CALENDARS, _DAY_CALENDARS = (
    tuple(
        _calendar(language, names) for language, rows in _CALENDARS[kind].items() for names in rows
    )
    for kind in ("months", "weekdays")
)


def _pattern(calendars: tuple[_Calendar, ...]) -> str:
    names = {name for calendar in calendars for name in calendar.names}
    return "|".join(sorted(map(re.escape, names), key=lambda name: (-len(name), name)))


MONTH = _pattern(_MONTH_CALENDARS)
WEEKDAY = _pattern(_DAY_CALENDARS)


def month_number(name: str) -> int:
    """Return the number, 1 to 12, of a month by name."""
    folded = same_letters(name)
    return next(c.places[folded] for c in _MONTH_CALENDARS if folded in c.places) + 1


def month_like(number: int, name: str, language: str) -> str:
    """Return the name of month ``number`` in the length and case of ``name``, in ``language`` if possible."""
    return _like(_MONTH_CALENDARS, name, number - 1, language)


def weekday_number(name: str) -> int:
    """Return the number of a weekday by name: 0 for Monday, 6 for Sunday."""
    folded = same_letters(name)
    return next(c.places[folded] for c in _DAY_CALENDARS if folded in c.places)


def weekday_like(number: int, name: str, language: str) -> str:
    """Return the name of weekday ``number`` in the length and case of ``name``, in ``language`` if possible."""
    return _like(_DAY_CALENDARS, name, number, language)


def _like(calendars: tuple[_Calendar, ...], name: str, place: int, language: str) -> str:
    folded = same_letters(name)
    of_name = [calendar for calendar in calendars if folded in calendar.places]
    month = max(
        of_name,
        key=lambda one: (one.language == language, one.names[0].islower() == name.islower()),
    ).names[place]
    if len(name) > 1 and name.isupper():
        return month.upper()
    return month.lower() if name.islower() else month[0].upper() + month[1:]
