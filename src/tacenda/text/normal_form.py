"""The three forms in which strings are compared.

| string | ``fold_text`` | ``mention_key`` | ``name_key`` |
|---|---|---|---|
| ``Łódź`` | ``lodz`` | ``lodz`` | ``lodz`` |
| ``“The  Court’s”`` | ``"the court's"`` | ``the court's`` | ``court`` |
| ``The Court's`` | ``the court's`` | ``court`` | ``court`` |
| ``U.S. Navy`` | ``u.s. navy`` | ``u.s. navy`` | ``us navy`` |
| ``S. C. Johnson & Son`` | ``s. c. johnson & son`` | ``s. c. johnson & son`` | ``s c johnson son`` |
| ``Anna-Maria`` | ``anna-maria`` | ``anna-maria`` | ``anna maria`` |

``fold_text`` unifies characters but keeps all words, for searching in a text;
``folding.fold_aligned`` gives positions in the original. ``mention_key`` is equal for mentions with
equal strings in a document, ``name_key`` for names of the same thing in the ontology.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .folding import fold_aligned
from .names import without_possessive
from .tokens import trim

_WORD = re.compile(r"\w+(?:'\w+)?")
_ARTICLE = re.compile(r"\A(?:the|a|an) (?=.)")
_DOT_OF_ABBREVIATION = re.compile(r"(?<=\b\w)\.(?=\w\b)")


def fold_text(text: str) -> str:
    """Return a text folded for comparison: case, diacritics, digits, quotes, dashes, white space."""
    return fold_aligned(text).text


@lru_cache(maxsize=4096)
def mention_key(surface: str) -> str:
    """Return the folded key of a mention: without a possessive, a leading ``the`` and surrounding punctuation."""
    folded = without_possessive(fold_text(surface).strip())
    return trim(folded.removeprefix("the "))


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """Return the folded words of a name, separated by single spaces.

    Dots in abbreviations are dropped: ``U.S.`` equals ``US``.
    """
    folded = _DOT_OF_ABBREVIATION.sub("", fold_text(name))
    words = " ".join(match.removesuffix("'s") for match in _WORD.findall(folded))
    return _ARTICLE.sub("", words, count=1)
