"""A text as normalised words: how terms are written in the gazetteer, and how texts are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...text.folding import Folded, fold

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
    """The words of a text, folded (see `folding.fold`), and where they are.

    Attributes:
        words: runs of letters and digits.
        starts: first code point of each in the folded text.
        folded: the folded text, with its alignment to the original.
    """

    words: list[str]
    starts: list[int]
    folded: Folded

    def joined(self, index: int) -> bool:
        """Tell whether word ``index`` and the one before it can be of one term."""
        end = self.starts[index - 1] + len(self.words[index - 1])
        return self.folded.text[end : self.starts[index]] in _JOINTS


def split(text: str) -> Words:
    """Return the words of ``text``; linear in its length."""
    folded = fold(text)
    return Words(
        _WORD.findall(folded.text),
        [found.start() for found in _WORD.finditer(folded.text)],
        folded,
    )


def normalise(term: str) -> str:
    """Return the words of a term with one space between them; empty if it has none."""
    return " ".join(_WORD.findall(fold(term).text))


def singular(word: str) -> str:
    """Return what a plural noun is a plural of; the word itself if it does not look like one."""
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
