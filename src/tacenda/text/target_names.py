"""Names of the person to protect, and whether another name may be theirs.

Names are folded (case, diacritics) and split by ``text.names``; titles and suffixes are left out.
For the target "Mr Galip Yalman":

| name | |
|---|---|
| ``Galip Yalman``, ``G. Yalman``, ``Yalman``, ``Galip``, ``G.Y.``, ``YALMAN Galip`` | can be theirs |
| ``Mr and Mrs Yalman``, ``Galip and Ayşe Yalman`` | can be theirs: it also names them |
| ``Ghalip Jalman`` | can be theirs: another spelling with the same sound |
| ``Mrs Yalman``, ``Ayşe Yalman``, ``A. Yalman`` | a namesake: a title or given name contradicts it |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..document import SemanticType
from ..errors import InputError
from .names import (
    TWO_LETTERS,
    PersonName,
    is_initial,
    letters_of,
    parse_name,
    sound,
)
from .normal_form import fold_text
from .surface_forms import SHORTEST_INSIDE, Form, LetterCase, leak_forms
from .tokens import is_spaceless, unify_gaps
from .word_lists import NAMES_THAT_ARE_WORDS, NEVER, PARTICLES

_UMLAUTS = re.compile("ae|oe|ue|aa")
_LONGEST_CHARACTERS = 8
_HONORIFICS = tuple(
    fold_text(
        "先生 女士 小姐 太太 某 氏 同志 老师 老師 教授 医生 醫生 律师 律師 さん さま 様 君 くん ちゃん "
        "씨 님 군 양 선생 교수 박사 과장 부장 대리 사장 의원"
    ).split()
)
# Unrelated names share shorter keys (Lee, Li, Ly).
_SHORTEST_KEY = 5


@dataclass(frozen=True, slots=True)
class TargetName:
    """The name of the person to protect.

    Attributes:
        folded: the whole name, folded.
        initials: the first letters of its names, as written; empty if one of them is only an
            initial.
        name: its parts; None if it can't be split, such as a company's name.
    """

    folded: str = field(repr=False)
    initials: str = field(repr=False)
    name: PersonName | None = field(repr=False)

    @classmethod
    def parse(cls, name: str) -> TargetName:
        """Return the name with its parts."""
        folded = fold_text(name).strip()
        parsed = parse_name(folded)
        if parsed is not None and all(map(_is_character, "".join(parsed.tokens))):
            # Readers see Han and Hangul names as one word, whatever is between the characters.
            parsed = parse_name("".join(parsed.tokens))
        return cls(folded, _first_letters(name, parsed), parsed)

    @property
    def letters(self) -> frozenset[str]:
        """Its one-letter names: ``o`` in *Wei O*, but not ``w`` in *W. O*."""
        tokens = () if self.name is None else self.name.tokens
        return (
            frozenset(token for token in tokens if len(token) == 1) if self.words else frozenset()
        )

    @property
    def telling(self) -> frozenset[str]:
        """The names that are sufficient evidence even in lowercase."""
        return frozenset(
            word
            for word in self.words
            if len(word) >= SHORTEST_INSIDE and word not in NAMES_THAT_ARE_WORDS | NEVER
        )

    @property
    def words(self) -> frozenset[str]:
        """The full names, without initials and particles."""
        if self.name is None:
            return frozenset()
        return frozenset(
            word for word in self.name.tokens if not is_initial(word) and word not in PARTICLES
        )

    def respelt(self, word: str) -> str:
        """Return the word in this name that sounds like ``word`` (folded), or "" if there is none."""
        if word in self.words:
            return word
        key = sound(word)
        if len(key) < _SHORTEST_KEY:
            return ""
        return next((candidate for candidate in sorted(self.words) if sound(candidate) == key), "")

    def spellings(self, words: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return the words in a text that sound like a word in this name, each with that word.

        Args:
            words: the text's folded words, by their sounds.
        """
        spellings: dict[str, str] = {}
        for candidate in sorted(self.words):
            key = sound(candidate)
            if len(key) >= _SHORTEST_KEY:
                for word in words.get(key, ()):
                    spellings.setdefault(word, candidate)
        return spellings

    def spelt_as_here(self, name: PersonName) -> PersonName:
        """Return ``name`` with each word that sounds like a word in this name spelled as it is here."""

        def here(word: str) -> str:
            return self.respelt(word) or word

        return replace(
            name,
            tokens=tuple(map(here, name.tokens)),
            given=tuple(map(here, name.given)),
            surname=here(name.surname) if name.surname else "",
        )

    def is_whole_in(self, folded: str) -> bool:
        """Return whether a string contains the given name and the surname, or the whole name."""
        if self.name is None or not self.name.given:
            return folded == self.folded or (self.name is None and self.folded in folded)
        words = {word.strip(",;()\"'.") for word in folded.split()}
        return {self.name.given[0], self.name.surname} <= words

    def can_be(self, name: PersonName) -> bool:
        """Return whether ``name`` may be another way to write this one."""
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
        # Only a given name, or the names in another order.
        return self.words >= set(name.tokens)

    def is_namesake(self, name: PersonName) -> bool:
        """Return whether ``name`` has the same surname but can't be this person."""
        return (
            self.name is not None
            and self.name.surname in self.spelt_as_here(name).tokens
            and bool(self.name.surname)
            and not self.can_be(name)
        )


def check_target(names: Iterable[str], document: str = "") -> None:
    """Raise an InputError for a name without letters, which can't identify anybody.

    Raises:
        InputError: if one has no letters; names its place.
    """
    for index, name in enumerate(names):
        if not any(map(str.isalpha, name)):
            raise InputError(f"target: name {index} has no letter; remove it.", document)


def target_forms(name: str, spellings: Iterable[str] = ()) -> tuple[Form, ...]:
    """Return the forms of a target in all spellings that a reader may recognize.

    Args:
        name: the name of the target.
        spellings: additional folded spellings of its names.
    """
    target = TargetName.parse(name)
    if target.name is None:
        return (Form(unify_gaps(target.folded), LetterCase.ANY, inside=True),)
    forms = [*leak_forms(name, SemanticType.PERSON)]
    respelt = {fold_text(word.strip(",;()\"'.").translate(TWO_LETTERS)) for word in name.split()}
    for word in {*spellings, *target.words, *_namelike(respelt)} - target.letters:
        for spelling in {word, *_respelt_umlauts(word)}:
            case = (
                LetterCase.ANY
                if spelling in target.telling or word in target.telling
                else LetterCase.CAPITAL
            )
            forms.append(Form(unify_gaps(spelling), case, inside=True))
    characters = "".join(target.name.tokens)
    if all(map(_is_character, characters)):
        forms += [Form(unify_gaps(form), LetterCase.ANY) for form in _of_characters(characters)]
    elif all(len(token) > 1 for token in target.name.tokens) or target.letters:
        forms.append(Form(unify_gaps(" ".join(target.name.tokens)), LetterCase.ANY, inside=True))
    return tuple(dict.fromkeys(forms))


def _namelike(words: Iterable[str]) -> Iterator[str]:
    yield from (word for word in words if len(word) > 1 and word not in PARTICLES | NEVER)


def _first_letters(string: str, name: PersonName | None) -> str:
    if name is None or not name.surname or any(len(token) < 2 for token in name.tokens):
        return ""
    tokens = [token for token in name.tokens if token not in PARTICLES]
    words = {fold_text(word).strip(",;()\"'."): word for word in reversed(string.split())}
    letters = [words[token].lstrip("(\"'")[0] for token in tokens if token in words]
    return "".join(letters) if all(map(str.isupper, letters)) else ""


def _respelt_umlauts(word: str) -> Iterator[str]:
    """Yield a word of five or more letters with ``ae oe ue aa`` in place of one letter, as in *Mueller*."""
    plain = _UMLAUTS.sub(lambda pair: pair.group()[0], word)
    if plain != word and len(plain) >= SHORTEST_INSIDE:
        yield plain


def _is_character(character: str) -> bool:
    return is_spaceless(ord(character)) and character > "\u1100"


def _of_characters(name: str) -> Iterator[str]:
    """Yield the possible spellings of a Han or Hangul name with surname and given name.

    It is unknown where the surname ends, so every way to split the name is tried. A part of one
    character is searched for only if followed by an honorific.
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
