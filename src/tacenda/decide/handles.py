"""User names made of the target's name: ``@gyalman``, ``galip.yalman_87``, ``YalmanGalip``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..document import Span
from ..text.folding import Folded
from ..text.target import TargetName

_SHORTEST = 5
# Words, dots, hyphens and underscores between white space, after an @ or not.
_HANDLE = re.compile(r"(?<![\w.-])@?[\w](?:[\w.-]*[\w])?")


def handles(folded: Folded, target: TargetName) -> Iterator[Span]:
    """Yield the places of user names that are made of given name or initial, and surname.

    The surname alone is one if something a name does not have, a digit, an underscore or an @,
    goes with it. Linear in the length of the text.
    """
    if target.name is None or not target.name.surname:
        return
    surname = _letters(target.name.surname)
    given = [_letters(name) for name in target.name.given]
    made = {
        whole
        for name in given
        for part in (name, name[:1])
        for whole in (part + surname, surname + part)
    } | {name + surname[:1] for name in given if len(name) >= _SHORTEST}
    for found in _HANDLE.finditer(folded.text):
        word = found.group()
        letters = _letters(word)
        if len(letters) < _SHORTEST or not (letters in made or letters == surname):
            continue
        if letters == surname and len(letters) == len(word):
            continue  # The surname itself: a name, not a handle.
        yield folded.original(*found.span())


def _letters(word: str) -> str:
    return "".join(filter(str.isalpha, word))
