"""The parts of a person's name as written: titles, given names or initials, surname.

Mr Galip Yalman    given galip    surname yalman    masculine
G. Yalman          given g        surname yalman
Yalman, Galip      given galip    surname yalman
Mrs van der Berg                  surname berg      feminine
G.Y.               initials g y   no surname
Mr and Mrs Smith                  surname smith     a couple
Jan Berg the Elder, Jan Berg Jr.  given jan         surname berg
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..document import Span
from ..shipped import shipped_table
from .word_lists import FEMININE, FORMS_OF_ADDRESS, MASCULINE, PARTICLES, SUFFIXES, TITLES

_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]\.?")
_POSSESSIVE = re.compile(r"'s?$")
OF_SAINT = re.compile(r"(?:St|Saint)\b\.?\s[^\W\d_a-z][^\W\d_]{1,24}['’]s")
"""What is called after a saint; its *'s* is part of the name."""
_AND = ("and", "&")
_BEFORE = re.compile(r"(?<!\w)([^\W\d_]+)\.?[ \u00a0]\Z")
_WORDS_TOO = frozenset("brother sister father aunt uncle med di de me sen pa".split())
"""As titles they have a capital; in small letters they are words of some language: *with*, *of*."""
_TITLE_LENGTH = 14
_MAX_WORDS = 8
_FEWEST_LETTERS = 2
"""Letters of a name with a number behind it."""


@dataclass(frozen=True, slots=True, repr=False)
class PersonName:
    """A folded name split into parts.

    Attributes:
        tokens: its words without titles and suffixes, the surname last.
        given: given names and initials before the surname, without particles.
        surname: empty if the name consists of initials.
        gender: ``m``, ``f`` or empty, depending on the title.
        couple: whether it names two people at once.
    """

    tokens: tuple[str, ...]
    given: tuple[str, ...]
    surname: str
    gender: str
    couple: bool

    @property
    def initials(self) -> str:
        """Its initials, one letter per name."""
        return "".join(map(letters_of, self.tokens))


def is_initial(token: str) -> bool:
    """Return whether a folded word in a name is initials: ``g.``, ``l.-e.``, ``a.f.``, ``x``."""
    return _INITIALS.fullmatch(token) is not None


def letters_of(token: str) -> str:
    """Return the letters of initials, or the first letter of any other word."""
    return "".join(filter(str.isalpha, token)) if is_initial(token) else token[:1]


def without_possessive(folded: str) -> str:
    """Return a folded string without a final ``'s`` or ``'``."""
    return _POSSESSIVE.sub("", folded)


def titled(text: str, span: Span) -> Span:
    """Return the span of a name including a preceding title that the mention leaves out."""
    title = _BEFORE.search(text, max(0, span.start - _TITLE_LENGTH), span.start)
    is_title = title and title[1] not in _WORDS_TOO and title[1].casefold() in FORMS_OF_ADDRESS
    return Span(title.start(), span.end) if title and is_title else span


GIVEN_WHEN_FIRST = frozenset(("ben",))
"""Particles inside a name that are given names before one: Ben Cole, Yusuf ben Ibrahim."""


def parse_name(folded: str) -> PersonName | None:
    """Return the parts of a folded name, or None if it can't be split."""
    tokens = without_possessive(folded).split()
    if len(tokens) > 2 * _MAX_WORDS:
        return None
    if tokens and tokens[-1].startswith("(") and tokens[-1].strip("().") in TITLES:
        tokens = [tokens[-1].strip("()"), *tokens[:-1]]  # Gwen Hale (Mrs)
    gender, couple, tokens = _without_titles(tokens)
    if len(tokens) > 1 and tokens[0].endswith(","):
        tokens = [*tokens[1:], tokens[0]]
    tokens = [token.strip(",;()\"'") for token in tokens]
    while len(tokens) > 1 and tokens[-1].rstrip(".") in SUFFIXES:
        tokens.pop()
    if len(tokens) > 2 and tokens[-2] == "the":
        del tokens[-2:]
    couple = couple or any(token in _AND for token in tokens)
    if not tokens or len(tokens) > _MAX_WORDS or not all(map(_is_namelike, tokens)):
        return None
    if all(map(is_initial, tokens)):
        return PersonName(tuple(tokens), (), "", gender, couple)
    given_names = tuple(
        token
        for place, token in enumerate(tokens[:-1])
        if token not in PARTICLES or (not place and token in GIVEN_WHEN_FIRST)
    )
    return PersonName(tuple(tokens), given_names, tokens[-1], gender, couple)


def _without_titles(tokens: list[str]) -> tuple[str, bool, list[str]]:
    gender = ""
    couple = False
    first = 0
    while first < len(tokens) - 1:
        title = tokens[first].rstrip(".,")
        if title in TITLES:
            gender = gender or ("m" if title in MASCULINE else "f" if title in FEMININE else "")
        elif first and title in _AND:
            couple = True
        else:
            break
        first += 1
    return "" if couple else gender, couple, tokens[first:]


def _is_namelike(token: str) -> bool:
    # Synthetic records number names: *Abbott774*.
    letters = token.rstrip("0123456789")
    if letters != token and sum(map(str.isalpha, letters)) < _FEWEST_LETTERS:
        return False
    return token == "&" or (letters[:1].isalpha() and not any(map(str.isdigit, letters)))


# Comparing names across spellings with the same sound: *Шевченко*, *Shevchenko*, *Chevtchenko*,
# *Schewtschenko*.
#
# Courts, registers and newspapers in 47 countries write one name in as many ways. The key below
# keeps what these have in common: it maps Cyrillic and Greek letters to Latin ones, and all
# spellings of a sibilant to one letter, and drops doubling and length. It distinguishes more names
# than Soundex, and is meant for one known name in one document, not for searching millions of
# names.


_TABLE = shipped_table("name_spellings")
TWO_LETTERS = str.maketrans(_TABLE["two_letters"])
"""Spellings of letters that a keyboard lacks: *Mueller*, *Kjaer*, *Djordje*."""
_LETTERS = str.maketrans(_TABLE["letters"])
_SPELLINGS = [(re.compile(spelling), letter) for spelling, letter in _TABLE["spellings"].items()]


def sound(folded: str) -> str:
    """Return the key of a folded word; words with equal keys may be spellings of the same name."""
    key = folded.replace("ου", "u").translate(_LETTERS)
    for spelling, letter in _SPELLINGS:
        key = spelling.sub(letter, key)
    return key
