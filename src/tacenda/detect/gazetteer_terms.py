"""Search for the longest terms among the words of a text in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..text.folding import FoldedText, fold_aligned

_WORD = re.compile(r"[^\W_]+")
_JOINTS = frozenset({" ", "-", "'"})
_IRREGULAR = {
    "children": "child",
    "wives": "wife",
    "women": "woman",
    "men": "man",
    "people": "person",
    "thieves": "thief",
    "gypsies": "gypsy",
}


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A text's folded words (see `folding.fold_aligned`), and where they are.

    Attributes:
        words: runs of letters and digits.
        starts: first code point of each word in the folded text.
        folded: the folded text, with its alignment to the original.
    """

    words: list[str]
    starts: list[int]
    folded: FoldedText

    def joined(self, index: int) -> bool:
        """Return whether word ``index`` and the previous one may belong to one term."""
        end = self.starts[index - 1] + len(self.words[index - 1])
        return self.folded.text[end : self.starts[index]] in _JOINTS


def split(text: str) -> Words:
    """Return the words of ``text``; linear in its length."""
    folded = fold_aligned(text)
    return Words(
        _WORD.findall(folded.text),
        [match.start() for match in _WORD.finditer(folded.text)],
        folded,
    )


def term_key(term: str) -> str:
    """Return the words of a term separated by single spaces; empty if it has none."""
    return " ".join(_WORD.findall(fold_aligned(term).text))


def singular(word: str) -> str:
    """Return the singular of a plural noun; the word itself if it doesn't look like one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith(("s", "men")):
        return word
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


@dataclass(frozen=True, slots=True)
class Match:
    """Words ``[first, last]`` of a text that are a term.

    Attributes:
        first: index of the first word.
        last: index of the last word.
        group: the term's group.
        abbreviation: whether the term counts only if the text has it in capitals.
    """

    first: int
    last: int
    group: str
    abbreviation: bool = False


class Matcher:
    """Matches terms; it also knows all prefixes of terms, to continue matching.

    Args:
        terms: normalised terms of each group; an abbreviation in capitals.
    """

    def __init__(self, terms: Mapping[str, Iterable[str]]) -> None:
        self._groups: dict[str, str] = {}
        self._abbreviations: dict[str, str] = {}
        self._beginnings: set[str] = set()
        self._seconds: dict[str, set[str]] = {}  # second words of longer terms, by first word
        for group, members in terms.items():
            for term in members:
                if term.isupper():
                    self._abbreviations[term_key(term)] = group
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
        """Yield the terms in order, without overlaps, preferring the longest from the left.

        The last word of a term may be in the plural. Takes time linear in the number of words.
        """
        # Properties of a word are computed once, not at every occurrence.
        singulars = {word: singular(word) for word in set(text.words)}
        terms = {word for word, stem in singulars.items() if self._is_term(word, stem)}
        seconds = {word: self._seconds[word] for word in singulars if word in self._seconds}
        free = 0
        following = iter(text.words)
        next(following, "")
        for index, word in enumerate(text.words):
            after = next(following, "")
            if word not in terms and (
                (successors := seconds.get(word)) is None
                or (after not in successors and singulars.get(after) not in successors)
            ):
                continue
            if index >= free and (match := self._longest_at(text, index, singulars)) is not None:
                yield match
                free = match.last + 1

    def _is_term(self, word: str, stem: str) -> bool:
        return word in self._groups or stem in self._groups or word in self._abbreviations

    def _longest_at(self, text: Words, first: int, singulars: Mapping[str, str]) -> Match | None:
        words = text.words
        match = None
        beginning = words[first]
        last = first
        while True:
            group = self._groups.get(beginning)
            if group is None and (stem := singulars[words[last]]) != words[last]:
                group = self._groups.get(beginning[: len(beginning) - len(words[last])] + stem)
            if group is not None:
                match = Match(first, last, group)
            last += 1
            if beginning not in self._beginnings or last == len(words) or not text.joined(last):
                break
            beginning = f"{beginning} {words[last]}"
        if match is None and (group := self._abbreviations.get(words[first])) is not None:
            match = Match(first, first, group, abbreviation=True)
        return match
