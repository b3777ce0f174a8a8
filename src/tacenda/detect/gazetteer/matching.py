"""Find the longest terms among the words of a text, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .words import Words, normalise, singular


@dataclass(frozen=True, slots=True)
class Match:
    """Words ``[first, last]`` of a text are a term.

    Attributes:
        first: index of the first word.
        last: index of the last word.
        group: the group of the term.
        abbreviation: the term counts only where the text has it in capitals.
    """

    first: int
    last: int
    group: str
    abbreviation: bool = False


class Matcher:
    """Terms, and all beginnings of terms that are to be read on.

    Args:
        terms: normalised terms of each group; an abbreviation in capitals.
    """

    def __init__(self, terms: Mapping[str, Iterable[str]]) -> None:
        self._groups: dict[str, str] = {}
        self._abbreviations: dict[str, str] = {}
        self._beginnings: set[str] = set()
        self._seconds: dict[str, set[str]] = {}  # second words of longer terms, by the first
        for group, members in terms.items():
            for term in members:
                if term.isupper():
                    self._abbreviations[normalise(term)] = group
                else:
                    self._add(term, group)

    def _add(self, term: str, group: str) -> None:
        self._groups[term] = group
        end = term.rfind(" ")
        if end < 0:
            return
        first, second, *_ = term.split(" ", 2)
        self._seconds.setdefault(first, set()).add(second)
        while end > 0 and (beginning := term[:end]) not in self._beginnings:
            self._beginnings.add(beginning)
            end = beginning.rfind(" ")

    def matches(self, text: Words) -> Iterator[Match]:
        """Yield the terms in order, none overlapping another; the longest from the left.

        The last word of a term may be a plural. Takes time linear in the number of words.
        """
        # What can be asked of a word is asked once, not at each of its places.
        singulars = {word: singular(word) for word in set(text.words)}
        alone = {word for word, one in singulars.items() if self._is_term(word, one)}
        seconds = {word: self._seconds[word] for word in singulars if word in self._seconds}
        free = 0
        following = iter(text.words)
        next(following, "")
        for index, word in enumerate(text.words):
            after = next(following, "")
            if word not in alone and (
                (possible := seconds.get(word)) is None
                or (after not in possible and singulars.get(after) not in possible)
            ):
                continue
            if index >= free and (match := self._longest_at(text, index, singulars)) is not None:
                yield match
                free = match.last + 1

    def _is_term(self, word: str, one: str) -> bool:
        return word in self._groups or one in self._groups or word in self._abbreviations

    def _longest_at(self, text: Words, first: int, singulars: Mapping[str, str]) -> Match | None:
        words = text.words
        found = None
        beginning = words[first]
        last = first
        while True:
            group = self._groups.get(beginning)
            if group is None and (one := singulars[words[last]]) != words[last]:
                group = self._groups.get(beginning[: len(beginning) - len(words[last])] + one)
            if group is not None:
                found = Match(first, last, group)
            last += 1
            if beginning not in self._beginnings or last == len(words) or not text.joined(last):
                break
            beginning = f"{beginning} {words[last]}"
        if found is None and (group := self._abbreviations.get(words[first])) is not None:
            found = Match(first, first, group, abbreviation=True)
        return found
