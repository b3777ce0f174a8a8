"""Surface forms of a mention: the strings to search for, and the case they must have.

| type | for propagation | for verification |
|---|---|---|
| PERSON | the name without titles; surname and given names of 3 letters or more other than English words | these, and names that are English words; the surname first; the names of a double name; all of them inside words too |
| CODE | the string | the string |
| ORG LOC MISC DEM | the string if it has several words or a capital; both names of ``name (name)`` | the string; both names of ``name (name)`` |
| DATETIME | a digit and a month's name, or 6 digits and separators or more | the same, and a year of four digits, alone or with words |
| QUANTITY | nothing | the string with digits and a word (``EUR 4,000``), or 5 digits or more |

Never searched for:

| form | why |
|---|---|
| fewer than two letters or digits (``X``, ``S.``, ``2``), punctuation only | would be found everywhere |
| function words, titles, months, week days, numbers, number words, units, alone or together | name nothing |
| one generic word, alone or with words of these lists (``the Court``, ``Section 2``) | names no one in particular |

Case (folding removes all other differences):

| form | found in |
|---|---|
| an acronym of five letters or fewer | capitals (``PS``, not ``ps``) |
| one word that is also an English word | with a capital if it was written with one (``Rose`` ``ROSE``, not ``rose``) |
| one word | verification: any case; propagation: with a capital if it was written with one |
| several words, codes | any case |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from unicodedata import normalize

from ..document import SemanticType
from .acronyms import is_acronym, parenthesised
from .names import (
    TWO_LETTERS,
    is_initial,
    parse_name,
)
from .normal_form import mention_key
from .tokens import trim, unify_gaps
from .word_lists import GENERIC, MONTHS, NAMES_THAT_ARE_WORDS, NEVER, PARTICLES

_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_COMPOUND = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)+")
_NUMERIC_DATE = re.compile(r"\d[\d./\- ]{4,}\d")
_NO_NAMES = NEVER | NAMES_THAT_ARE_WORDS | PARTICLES
_NOBODY = NEVER | PARTICLES
_EMPTY = NEVER - GENERIC
_SHORT_ACRONYM = 5
_LONG_PART = 3
SHORTEST_INSIDE = 5
"""Length in letters of the shortest form that can be told from a word containing it by chance."""
_LONG_NUMBER = 5


class LetterCase(IntEnum):
    """The case that an occurrence must have; smaller values are less strict."""

    ANY = 0
    CAPITAL = 1
    SAME = 2  # capitals, like an acronym


@dataclass(frozen=True, slots=True)
class Form:
    """A string to search for.

    Attributes:
        text: the folded text, as written by ``tokens.unify_gaps``.
        case: the case that an occurrence must have.
        inside: whether it is also searched for inside words; see ``matching``.
    """

    text: str = field(repr=False)
    case: LetterCase
    inside: bool = False


def propagation_forms(surface: str, type: SemanticType) -> Iterator[Form]:
    """Yield the forms for propagation, whose other occurrences become mentions too."""
    if type is SemanticType.QUANTITY or (
        type is SemanticType.DATETIME and not _is_full_date(mention_key(surface))
    ):
        return
    capitals = surface != surface.lower()
    for text, case in _forms(surface, type, _NO_NAMES):
        if " " in text or type is SemanticType.CODE or case is not LetterCase.ANY:
            yield Form(unify_gaps(text), case)
        elif capitals:
            yield Form(unify_gaps(text), LetterCase.CAPITAL)
        elif type in (SemanticType.PERSON, SemanticType.DATETIME):
            yield Form(unify_gaps(text), case)


@lru_cache(maxsize=4096)
def leak_forms(surface: str, type: SemanticType) -> tuple[Form, ...]:
    """Return the forms that are forbidden in the output once the mention is masked."""
    inside = type is SemanticType.PERSON
    forms = [Form(unify_gaps(text), case, inside) for text, case in _forms(surface, type, _NOBODY)]
    if inside:
        forms += _turned(mention_key(surface))
        composed = normalize("NFC", surface)
        respelt = composed.translate(TWO_LETTERS)
        if respelt != composed:
            forms += leak_forms(respelt, type)
    return tuple(dict.fromkeys(forms))


def _turned(folded: str) -> Iterator[Form]:
    """Yield a name with the surname first, and the parts of a double or prefixed name."""
    name = parse_name(folded)
    if name is None:
        return
    if len(name.tokens) > 1 and name.surname:
        yield Form(
            unify_gaps(" ".join((name.tokens[-1], *name.tokens[:-1]))), LetterCase.ANY, inside=True
        )
    for token in name.tokens:
        for piece in _WORD.findall(token) if _COMPOUND.fullmatch(token) else ():
            if len(piece) >= SHORTEST_INSIDE and piece not in _NO_NAMES:
                yield Form(piece, LetterCase.ANY, inside=True)


def _forms(
    surface: str, type: SemanticType, no_names: frozenset[str]
) -> Iterator[tuple[str, LetterCase]]:
    """Yield forms with all separators kept; ``no_names`` are words that name nobody on their own."""
    folded = mention_key(surface)
    if type is SemanticType.PERSON:
        yield from _person(surface, folded, no_names)
    elif type is SemanticType.CODE:
        if sum(map(str.isalnum, folded)) > 2:
            yield folded, LetterCase.ANY
    elif type is SemanticType.DATETIME:
        if _is_full_date(folded) or _YEAR.search(folded):
            yield folded, LetterCase.ANY
    elif type is SemanticType.QUANTITY:
        if _is_telling_quantity(folded):
            yield folded, LetterCase.ANY
    else:
        yield from _named(surface, folded)


def _person(
    surface: str, folded: str, no_names: frozenset[str]
) -> Iterator[tuple[str, LetterCase]]:
    name = parse_name(folded)
    if name is None:
        yield from _named(surface, folded)
        return
    bare = trim(" ".join(name.tokens))
    if bare in NEVER or (bare in no_names and bare != folded):
        # In "Mr May", the surname alone says too little, but title and surname together don't.
        if bare != folded and len(bare) > 1:
            yield folded, LetterCase.CAPITAL
        return
    if _names_something(bare):
        yield bare, _case(surface, bare)
    glued = "".join(map(trim, name.tokens))
    if (
        len(name.tokens) > 1
        and len(glued) == SHORTEST_INSIDE - 1
        and not is_initial(name.tokens[0])
    ):
        # Longer ones are found everywhere without the gaps between their words.
        yield glued, LetterCase.ANY
    for token in name.tokens if len(name.tokens) > 1 else ():
        part = trim(token)
        if len(part) < _LONG_PART or is_initial(token) or part in no_names:
            continue
        if part not in NAMES_THAT_ARE_WORDS:
            yield part, LetterCase.ANY
        elif surface != surface.lower():
            yield part, LetterCase.CAPITAL


def _named(surface: str, folded: str) -> Iterator[tuple[str, LetterCase]]:
    if _names_something(folded):
        yield folded, _case(surface, folded)
    for part in parenthesised(surface):
        text = mention_key(part)
        if _names_something(text):
            yield text, _case(part, text)


def _case(surface: str, folded: str) -> LetterCase:
    if " " in folded:
        return LetterCase.ANY
    if is_acronym(surface) and len(folded) <= _SHORT_ACRONYM:
        return LetterCase.SAME
    capital = folded in NAMES_THAT_ARE_WORDS and surface != surface.lower()
    return LetterCase.CAPITAL if capital else LetterCase.ANY


def _names_something(folded: str) -> bool:
    words = _WORD.findall(folded)
    if sum(map(len, words)) < 2:
        return False
    content_words = [word for word in words if word not in _EMPTY and not word.isdigit()]
    return len(content_words) > 1 or (len(content_words) == 1 and content_words[0] not in GENERIC)


def _is_full_date(folded: str) -> bool:
    if not any(map(str.isdigit, folded)):
        return False
    return _NUMERIC_DATE.fullmatch(folded) is not None or any(
        word in MONTHS for word in _WORD.findall(folded)
    )


def _is_telling_quantity(folded: str) -> bool:
    digits = sum(map(str.isdigit, folded))
    return digits >= _LONG_NUMBER or (digits > 2 and any(map(str.isalpha, folded)))
