"""Surface forms of a mention: the strings to search for, and their case.

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
| one generic word, alone or with words of these lists (``the Court``, ``Section 2``) | names nobody in particular |

Case (folding makes all else equal):

| form | found in |
|---|---|
| an acronym of five letters or fewer | capitals (``PS``, not ``ps``) |
| one word, an English one too | with a capital if it was written with one (``Rose`` ``ROSE``, not ``rose``) |
| one word | verification: any case; propagation: with a capital if it was written with one |
| several words, codes | any case |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import lru_cache
from unicodedata import normalize

from ..document import SemanticType
from ..errors import InputError
from .folding import normalize_text
from .names import (
    TWO_LETTERS,
    PersonName,
    is_initial,
    letters_of,
    parse_name,
    sound,
    without_possessive,
)
from .tokens import is_spaceless, trim, unify
from .word_lists import GENERIC, MONTHS, NAMES_THAT_ARE_WORDS, NEVER, PARTICLES

# Short forms and the long forms they are defined with.
#
# European Court of Human Rights (“the ECHR”)     after the mention
# Erich-Weinert-Ensemble (EWE)                    inside the mention, either way round
# Supreme Court (Oberster Gerichtshof)            a translation: the same referent


_QUOTE = "[\"'“”‘’«»„]?"
_AFTER = re.compile(
    rf"\s?\(\s?(?:hereinafter|hereafter|abbreviated|referred to as|or|now)?:?,?\s?{_QUOTE}"
    rf"(?:[Tt]he\s)?(?P<short>[^\W_][\w&./‑-]{{0,14}}){_QUOTE}\s?[);,]"
)
_QUOTES = "\"'“”‘’«»„ "
_MANY_LETTERS = 12


def is_acronym(text: str) -> bool:
    """Return whether ``text`` looks like an acronym: one word, mostly capitals, at least two."""
    capitals = sum(map(str.isupper, text))
    letters = sum(map(str.isalpha, text))
    return capitals >= 2 and letters <= _MANY_LETTERS and 2 * capitals > letters and " " not in text


def defined_after(text: str, end: int) -> tuple[int, int] | None:
    """Return the place of the acronym defined by parentheses right after position ``end``."""
    if text.find("(", end, end + 2) < 0:
        return None
    match = _AFTER.match(text, end)
    if match is None or not is_acronym(match["short"]):
        return None
    return match.span("short")


def spells(acronym: str, long: str) -> bool:
    """Return whether ``long`` begins with the first letter of ``acronym`` and has all in order."""
    letters = [letter for letter in acronym if letter.isalpha()]
    rest = iter(long)
    return long[:1] == letters[0] and all(letter in rest for letter in letters)


def parenthesised(surface: str) -> tuple[str, ...]:
    """Return both names in a mention of the form ``name (name)``, as written; else nothing."""
    outer, opening, rest = surface.partition("(")
    inner, closing, tail = rest.partition(")")
    if not opening or not closing or tail.strip() or "(" in inner:
        return ()
    names = (outer.strip(), inner.strip(_QUOTES).removeprefix("the "))
    return names if all(names) else ()


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
"""Letters of the shortest form that is told from a word that it lies in by chance."""
_LONG_NUMBER = 5


class Case(IntEnum):
    """Required case of an occurrence of a form; the laxer the smaller."""

    ANY = 0
    CAPITAL = 1
    SAME = 2  # capitals, as an acronym is written


@dataclass(frozen=True, slots=True)
class Form:
    """A string to search for.

    Attributes:
        text: folded, as ``tokens.unify`` writes it.
        case: how an occurrence must be written.
        inside: whether it is looked for inside words as well; see ``searcher``.
    """

    text: str = field(repr=False)
    case: Case
    inside: bool = False


@lru_cache(maxsize=4096)
def normalise(surface: str) -> str:
    """Return the folded key of equal strings: no possessive, ``the`` nor outer marks."""
    folded = without_possessive(normalize_text(surface).strip())
    return trim(folded.removeprefix("the "))


def propagation_forms(surface: str, type: SemanticType) -> Iterator[Form]:
    """Yield the forms for propagation: their other occurrences are mentions too."""
    if type is SemanticType.QUANTITY or (
        type is SemanticType.DATETIME and not _is_full_date(normalise(surface))
    ):
        return
    capitals = surface != surface.lower()
    for text, case in _forms(surface, type, _NO_NAMES):
        if " " in text or type is SemanticType.CODE or case is not Case.ANY:
            yield Form(unify(text), case)
        elif capitals:
            yield Form(unify(text), Case.CAPITAL)
        elif type in (SemanticType.PERSON, SemanticType.DATETIME):
            yield Form(unify(text), case)


@lru_cache(maxsize=4096)
def leak_forms(surface: str, type: SemanticType) -> tuple[Form, ...]:
    """Return the forms forbidden in the output once the mention is masked."""
    inside = type is SemanticType.PERSON
    forms = [Form(unify(text), case, inside) for text, case in _forms(surface, type, _NOBODY)]
    if inside:
        forms += _turned(normalise(surface))
        composed = normalize("NFC", surface)
        respelt = composed.translate(TWO_LETTERS)
        if respelt != composed:
            forms += leak_forms(respelt, type)
    return tuple(dict.fromkeys(forms))


def _turned(folded: str) -> Iterator[Form]:
    """Yield a name with the surname first, and the names in a double or prefixed one."""
    name = parse_name(folded)
    if name is None:
        return
    if len(name.tokens) > 1 and name.surname:
        yield Form(unify(" ".join((name.tokens[-1], *name.tokens[:-1]))), Case.ANY, inside=True)
    for token in name.tokens:
        for piece in _WORD.findall(token) if _COMPOUND.fullmatch(token) else ():
            if len(piece) >= SHORTEST_INSIDE and piece not in _NO_NAMES:
                yield Form(piece, Case.ANY, inside=True)


def _forms(
    surface: str, type: SemanticType, no_names: frozenset[str]
) -> Iterator[tuple[str, Case]]:
    """Yield forms with all separators kept; ``no_names`` are words that name nobody alone."""
    folded = normalise(surface)
    if type is SemanticType.PERSON:
        yield from _person(surface, folded, no_names)
    elif type is SemanticType.CODE:
        if sum(map(str.isalnum, folded)) > 2:
            yield folded, Case.ANY
    elif type is SemanticType.DATETIME:
        if _is_full_date(folded) or _YEAR.search(folded):
            yield folded, Case.ANY
    elif type is SemanticType.QUANTITY:
        if _is_telling_quantity(folded):
            yield folded, Case.ANY
    else:
        yield from _named(surface, folded)


def _person(surface: str, folded: str, no_names: frozenset[str]) -> Iterator[tuple[str, Case]]:
    name = parse_name(folded)
    if name is None:
        yield from _named(surface, folded)
        return
    bare = trim(" ".join(name.tokens))
    if bare in NEVER or (bare in no_names and bare != folded):
        # "Mr May": the surname alone says too little, title and surname together do not.
        if bare != folded and len(bare) > 1:
            yield folded, Case.CAPITAL
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
        yield glued, Case.ANY
    for token in name.tokens if len(name.tokens) > 1 else ():
        part = trim(token)
        if len(part) < _LONG_PART or is_initial(token) or part in no_names:
            continue
        if part not in NAMES_THAT_ARE_WORDS:
            yield part, Case.ANY
        elif surface != surface.lower():
            yield part, Case.CAPITAL


def _named(surface: str, folded: str) -> Iterator[tuple[str, Case]]:
    if _names_something(folded):
        yield folded, _case(surface, folded)
    for part in parenthesised(surface):
        text = normalise(part)
        if _names_something(text):
            yield text, _case(part, text)


def _case(surface: str, folded: str) -> Case:
    if " " in folded:
        return Case.ANY
    if is_acronym(surface) and len(folded) <= _SHORT_ACRONYM:
        return Case.SAME
    capital = folded in NAMES_THAT_ARE_WORDS and surface != surface.lower()
    return Case.CAPITAL if capital else Case.ANY


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


# The names of the person to protect, and whether another name can be theirs.
#
# Names are folded (case, diacritics) and taken apart by ``forms.names``; titles and suffixes are
# left out. For the target "Mr Galip Yalman":
#
# | name | |
# |---|---|
# | ``Galip Yalman``, ``G. Yalman``, ``Yalman``, ``Galip``, ``G.Y.``, ``YALMAN Galip`` | can be theirs |
# | ``Mr and Mrs Yalman``, ``Galip and Ayşe Yalman`` | can be theirs: it names them too |
# | ``Ghalip Jalman`` | can be theirs: another spelling of the sound |
# | ``Mrs Yalman``, ``Ayşe Yalman``, ``A. Yalman`` | a namesake: a title or given name contradicts |


_UMLAUTS = re.compile("ae|oe|ue|aa")
_LONGEST_CHARACTERS = 8
_HONORIFICS = tuple(
    normalize_text(
        "先生 女士 小姐 太太 某 氏 同志 老师 老師 教授 医生 醫生 律师 律師 さん さま 様 君 くん ちゃん "
        "씨 님 군 양 선생 교수 박사 과장 부장 대리 사장 의원"
    ).split()
)
# Shorter keys are shared by names that have nothing to do with each other (Lee, Li, Ly).
_SHORTEST_KEY = 5


@dataclass(frozen=True, slots=True)
class TargetName:
    """Name of the person to protect.

    Attributes:
        folded: the whole of it, folded.
        initials: the first letters of its names, as written; empty where one is an initial only.
        name: its parts; None where it can't be taken apart, such as a company's.
    """

    folded: str = field(repr=False)
    initials: str = field(repr=False)
    name: PersonName | None = field(repr=False)

    @classmethod
    def parse(cls, name: str) -> TargetName:
        """Return the name with its parts."""
        folded = normalize_text(name).strip()
        parsed = parse_name(folded)
        if parsed is not None and all(map(_is_character, "".join(parsed.tokens))):
            # Han and Hangul names are one word to the reader, whatever is between the characters.
            parsed = parse_name("".join(parsed.tokens))
        return cls(folded, _first_letters(name, parsed), parsed)

    @property
    def letters(self) -> frozenset[str]:
        """Its names of one letter: ``o`` of *Wei O*, not ``w`` of *W. O*."""
        tokens = () if self.name is None else self.name.tokens
        return (
            frozenset(token for token in tokens if len(token) == 1) if self.words else frozenset()
        )

    @property
    def telling(self) -> frozenset[str]:
        """The names sufficient as evidence even in small letters."""
        return frozenset(
            word
            for word in self.words
            if len(word) >= SHORTEST_INSIDE and word not in NAMES_THAT_ARE_WORDS | NEVER
        )

    @property
    def words(self) -> frozenset[str]:
        """The names in full: no initials, no particles."""
        if self.name is None:
            return frozenset()
        return frozenset(
            word for word in self.name.tokens if not is_initial(word) and word not in PARTICLES
        )

    def respelt(self, word: str) -> str:
        """Return the word of this name with the sound of ``word`` (folded), or "" for none."""
        if word in self.words:
            return word
        key = sound(word)
        if len(key) < _SHORTEST_KEY:
            return ""
        return next((candidate for candidate in sorted(self.words) if sound(candidate) == key), "")

    def spellings(self, words: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return the words of a text that are one of this name by their sound, each with that one.

        Args:
            words: folded words of the text, by their sounds.
        """
        spellings: dict[str, str] = {}
        for candidate in sorted(self.words):
            key = sound(candidate)
            if len(key) >= _SHORTEST_KEY:
                for word in words.get(key, ()):
                    spellings.setdefault(word, candidate)
        return spellings

    def spelt_as_here(self, name: PersonName) -> PersonName:
        """Return ``name`` with each word of the same sound as one of this name spelt as here."""

        def here(word: str) -> str:
            return self.respelt(word) or word

        return replace(
            name,
            tokens=tuple(map(here, name.tokens)),
            given=tuple(map(here, name.given)),
            surname=here(name.surname) if name.surname else "",
        )

    def is_whole_in(self, folded: str) -> bool:
        """Return whether the given name and the surname, or all of the name, are in a string."""
        if self.name is None or not self.name.given:
            return folded == self.folded or (self.name is None and self.folded in folded)
        words = {word.strip(",;()\"'.") for word in folded.split()}
        return {self.name.given[0], self.name.surname} <= words

    def can_be(self, name: PersonName) -> bool:
        """Return whether ``name`` can be another way to write this one."""
        target = self.name
        if target is None:
            return False
        name = self.spelt_as_here(name)
        if {name.gender, target.gender} == {"m", "f"} and not name.couple:
            return False
        if not name.surname:
            return len(name.initials) > 1 and name.initials == target.initials
        if name.surname == target.surname:
            return name.couple or all(
                _agrees(given_name, target.given) for given_name in name.given
            )
        # A given name alone, or the names in another order.
        return self.words >= set(name.tokens)

    def is_namesake(self, name: PersonName) -> bool:
        """Return whether ``name`` has the surname although it can't be this one."""
        return (
            self.name is not None
            and self.name.surname in self.spelt_as_here(name).tokens
            and bool(self.name.surname)
            and not self.can_be(name)
        )


def check_target(names: Iterable[str], document: str = "") -> None:
    """Raise InputError for a name without a letter: nobody could be found by it.

    Raises:
        InputError: if one has no letter, naming its place.
    """
    for index, name in enumerate(names):
        if not any(map(str.isalpha, name)):
            raise InputError(f"target: name {index} has no letter; leave it out.", document)


def target_forms(name: str, spellings: Iterable[str] = ()) -> tuple[Form, ...]:
    """Return the forms of a target in all spellings that a reader may recognize.

    Args:
        name: the name of the target.
        spellings: further spellings of its names, folded.
    """
    target = TargetName.parse(name)
    if target.name is None:
        return (Form(unify(target.folded), Case.ANY, inside=True),)
    forms = [*leak_forms(name, SemanticType.PERSON)]
    respelt = {
        normalize_text(word.strip(",;()\"'.").translate(TWO_LETTERS)) for word in name.split()
    }
    for word in {*spellings, *target.words, *_namelike(respelt)} - target.letters:
        for spelling in {word, *_respelt_umlauts(word)}:
            case = (
                Case.ANY if spelling in target.telling or word in target.telling else Case.CAPITAL
            )
            forms.append(Form(unify(spelling), case, inside=True))
    characters = "".join(target.name.tokens)
    if all(map(_is_character, characters)):
        forms += [Form(unify(form), Case.ANY) for form in _of_characters(characters)]
    elif all(len(token) > 1 for token in target.name.tokens) or target.letters:
        forms.append(Form(unify(" ".join(target.name.tokens)), Case.ANY, inside=True))
    return tuple(dict.fromkeys(forms))


def _namelike(words: Iterable[str]) -> Iterator[str]:
    yield from (word for word in words if len(word) > 1 and word not in PARTICLES | NEVER)


def _first_letters(string: str, name: PersonName | None) -> str:
    if name is None or not name.surname or any(len(token) < 2 for token in name.tokens):
        return ""
    tokens = [token for token in name.tokens if token not in PARTICLES]
    words = {normalize_text(word).strip(",;()\"'."): word for word in reversed(string.split())}
    letters = [words[token].lstrip("(\"'")[0] for token in tokens if token in words]
    return "".join(letters) if all(map(str.isupper, letters)) else ""


def _respelt_umlauts(word: str) -> Iterator[str]:
    """Yield a word of five letters or more with ``ae oe ue aa`` for one letter, as in *Mueller*."""
    plain = _UMLAUTS.sub(lambda pair: pair.group()[0], word)
    if plain != word and len(plain) >= SHORTEST_INSIDE:
        yield plain


def _is_character(character: str) -> bool:
    return is_spaceless(ord(character)) and character > "\u1100"


def _of_characters(name: str) -> Iterator[str]:
    """Yield the possible spellings of a Han or Hangul name of surname and given name.

    The end of the surname is unknown: each way to part the name is tried. A part of one
    character is searched for only with an honorific after it.
    """
    yield name
    for middle in range(1, min(len(name), _LONGEST_CHARACTERS)):
        surname, given_name = name[:middle], name[middle:]
        for first, second in ((surname, given_name), (given_name, surname)):
            yield from (f"{first}{gap}{second}" for gap in ("", " ", "·", "・", ", ", "，", "、"))
        yield from (part for part in (surname, given_name) if len(part) > 1)
        for honorific in _HONORIFICS:
            yield from (f"{surname}{gap}{honorific}" for gap in ("", " "))


def _agrees(given_name: str, targets: tuple[str, ...]) -> bool:
    return not targets or any(
        given_name == target
        or (
            (is_initial(given_name) or is_initial(target))
            and letters_of(given_name)[:1] == letters_of(target)[:1]
        )
        for target in targets
    )
