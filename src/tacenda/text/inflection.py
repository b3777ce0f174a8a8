"""Inflected names of people: their nominatives, and other names in the same case.

| text | names | nominative |
|---|---|---|
| Polish | ``Jan Kowalski``, ``Kowalskiego``, ``Kowalskim`` | ``kowalski``: only an inflected form has this ending |
| Polish | ``Maria Zaręba``, ``Zarębą``; ``Nowaka``, ``Nowakowi`` | ``zareba``: it is in the text; ``nowak``: both are forms of it |
| Polish | ``Adama Kowalczyka``, ``pana Kowalczyka`` | ``adam kowalczyk``: both words are in the same case, and one is known |
| Polish | ``Mietkowi``, ``Droga Jadwigo`` | ``mietek``, ``jadwiga``: a known given name |
| Polish | ``Kowalscy``, ``Nowaków`` | ``kowalski``, ``nowak``: a family |
| Polish | ``Kamila``, ``Jan Mazura`` | as written: a woman's name; words in different cases |
| German | ``Anna Berg``, ``Bergs``, ``Annas``, ``Anna Bergs`` | ``berg``, ``anna``, ``anna berg`` |
| German | ``Annas`` alone | ``anna``: a known given name, which *Annas* isn't |
| German | ``Ute Peter``, ``Hans Peters``, ``Peters`` | as written: another person has this name |

The endings are in ``data/name_endings.toml``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..shipped import shipped_table
from .given_names import is_common_given_name
from .names import is_initial
from .normal_form import fold_text
from .word_lists import FORMS_OF_ADDRESS

_FEWEST_FORMS = 2
_SHORTEST = 3
_VOWELS = "aeiouyąęó"
_NEVER_NOMINATIVE = ("ą", "ę")
_MARKS = ".,;:()\"'’„”"
PLURAL = "plural"
"""Beginning of the cases of a family."""


@dataclass(frozen=True, slots=True, repr=False)
class InflectedName:
    """A name in a case other than the nominative.

    Attributes:
        words: its words in the nominative, folded, without marks.
        gender: the person's gender, ``m`` or ``f``; empty if the endings don't show it.
        case: the first case that has this form.
    """

    words: tuple[str, ...]
    gender: str
    case: str


@dataclass(frozen=True, slots=True)
class _Ending:
    """The ending of a case, and the corresponding ending in the nominative."""

    written: str
    nominative: str
    case: str
    gender: str
    unmistakable: bool


@lru_cache(maxsize=8)
def _endings(language: str) -> tuple[_Ending, ...]:
    """Return a language's endings in table order; empty if its names aren't inflected."""
    table = shipped_table("name_endings").get(language, {"cases": "", "classes": ()})
    return tuple(
        _Ending(ending, nominative, case, item["gender"], item.get("unmistakable", False))
        for item in table["classes"]
        for nominative, *endings in (
            [ending.strip("-") for ending in row.split()]
            for row in item["rows"].strip().splitlines()
        )
        for case, ending in zip(item.get("cases", table["cases"]).split(), endings, strict=True)
    )


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    """Return the Polish given names and titles."""
    table = shipped_table("name_endings")["pl"]
    return frozenset(f"{table['men']} {table['women']} {table['titles']}".split())


@lru_cache(maxsize=4096)
def _readings(word: str, language: str) -> tuple[tuple[str, _Ending], ...]:
    """Return the folded nominatives that a lowercase word may be a form of."""
    readings = []
    is_plain = word == fold_text(word)
    for ending in _endings(language):
        written = fold_text(ending.written) if is_plain else ending.written
        # Without diacritics, the instrumental of women's names looks like the nominative.
        if not word.endswith(written) or (is_plain and ending.written.endswith("ą")):
            continue
        stem = word[: len(word) - len(written)]
        # A vowel is inserted only after a consonant: Marka, Marek.
        if ending.nominative[:1] in ("e", "i") and stem[-1:] in _VOWELS:
            continue
        nominative = fold_text(stem + ending.nominative)
        if len(nominative) >= _SHORTEST and (
            nominative != word or ending.written == ending.nominative
        ):
            readings.append((nominative, ending))
    return tuple(readings)


def declined(name: str, gender: str, case: str, language: str) -> str:
    """Return a name in another case; unchanged if it has the same form in all cases."""
    if "-" in name:
        return "-".join(declined(part, gender, case, language) for part in name.split("-"))
    for ending in _endings(language):
        if (
            ending.case == case
            and ending.gender in ("", gender)
            and name.casefold().endswith(ending.nominative)
        ):
            return name[: len(name) - len(ending.nominative)] + ending.written
    return name


class Inflections:
    """The names in a text that aren't in the nominative.

    Args:
        names: the names as written in the text, with preceding titles.
        language: the language of the text.
    """

    def __init__(self, names: Iterable[str], language: str) -> None:
        self._language = language
        self._agree = language == "pl"
        self._names: dict[tuple[str, ...], InflectedName] = {}
        self._fixed: set[str] = set()
        """Words of whole names in the nominative, as written and folded."""
        if not _endings(language):
            return
        unique = sorted(set(map(_words, names)), key=lambda name: (-len(name), name))
        self._wholes = {tuple(sorted(map(fold_text, name))) for name in unique}
        words = {part for name in unique for word in name for part in word.split("-")}
        self._forms = Counter(form for word in words for form in self._possible(word))
        self._written = {
            fold_text(name[-1])
            for name in unique
            if self._is_single(name)
            and not (name[-1].endswith(_NEVER_NOMINATIVE) or self._is_of_given_name(name[-1]))
        }
        wholes = [name for name in unique if not self._is_single(name)]
        for name in wholes:
            if not any(self._parses(name)):
                self._fix(name)
        for name in unique:
            if inflected := self._read(name):
                self._names[name] = inflected
            elif name in wholes:
                self._fix(name)

    def get(self, name: str) -> InflectedName | None:
        """Return the inflected name, or None if it is in the nominative."""
        return self._names.get(_words(name))

    def _possible(self, word: str) -> set[str]:
        return {fold_text(word), *(form for form, _ in _readings(word, self._language))}

    def _is_single(self, name: tuple[str, ...]) -> bool:
        """Return whether a name is a single word, not counting a Polish title that isn't inflected."""
        return len(name) == 1 or (self._agree and all(map(_is_invariable, name[:-1])))

    def _fix(self, name: tuple[str, ...]) -> None:
        folded = set(map(fold_text, name))
        self._fixed.update(name, folded)
        self._written |= folded

    def _parses(self, name: tuple[str, ...]) -> Iterator[InflectedName]:
        """Yield the readings of a name whose words are all in one case or, in some languages, only the last one."""
        folded = tuple(map(fold_text, name))
        first = 0 if self._agree else len(name) - 1
        parts = (part for word in name[first:] for part in word.split("-"))
        readings = (item for part in parts for item in _readings(part, self._language))
        for case in dict.fromkeys(ending.case for _, ending in readings):
            for gender in "mf" if self._agree else ("",):
                words = [
                    self._word(word, gender, case, may_stay=0 < place == len(name) - 1)
                    for place, word in enumerate(name[first:], start=first)
                ]
                if all(words):
                    yield InflectedName((*folded[:first], *filter(None, words)), gender, case)

    def _word(self, word: str, gender: str, case: str, *, may_stay: bool) -> str:
        """Return the likeliest nominative of a word in a case; empty if there is none.

        A woman's surname may have the same form in all cases.
        """
        if _is_invariable(word):
            return fold_text(word)
        if "-" in word:
            parts = [self._word(part, gender, case, may_stay=True) for part in word.split("-")]
            return "-".join(parts) if all(parts) else ""
        forms = [
            form
            for form, ending in _readings(word, self._language)
            if ending.case == case and (not gender or ending.gender in ("", gender))
        ]
        folded = fold_text(word)
        stays = may_stay and gender == "f" and word[-1:] not in _VOWELS
        sign = -1 if case.startswith(PLURAL) else 0
        return max(
            forms,
            key=lambda form: (self._weight(form), form == folded, sign * len(form)),
            default=folded if stays else "",
        )

    def _weight(self, form: str) -> tuple[bool, int]:
        known = form in _known() if self._agree else is_common_given_name(form)
        return form in self._written or known, self._forms[form]

    def _is_of_given_name(self, word: str) -> bool:
        """Return whether a word that isn't a given name is the genitive of one."""
        forms = (form for form, _ in _readings(word, self._language))
        return not (self._agree or is_common_given_name(fold_text(word))) and any(
            map(is_common_given_name, forms)
        )

    def _read(self, name: tuple[str, ...]) -> InflectedName | None:
        parses = [parse for parse in self._parses(name) if self._is_probable(name, parse)]
        if not parses:
            return None
        best = max(parses, key=lambda parse: sum(sum(map(self._weight, parse.words), ())))
        genders = {parse.gender for parse in parses if parse.words == best.words}
        return InflectedName(best.words, best.gender if len(genders) == 1 else "", best.case)

    def _is_probable(self, name: tuple[str, ...], parse: InflectedName) -> bool:
        """Return whether the text has the nominative, or several of its forms, or a known given name or title."""
        changed = [
            (before, after)
            for before, after in zip(name, parse.words, strict=True)
            if fold_text(before) != after or before.endswith(_NEVER_NOMINATIVE)
        ]
        if not changed:
            return False
        word, form = name[-1], parse.words[-1]
        if not self._agree:
            if len(name) > 1:
                return tuple(sorted(parse.words)) in self._wholes
            is_name = word in self._fixed or is_common_given_name(fold_text(word))
            return not is_name and (form in self._written or self._is_of_given_name(word))
        # Somebody may have this name in the nominative: Kamila, Ignacy; but pana Aleksandra is a
        # man.
        is_name = any(
            fold_text(before) in _known() for before, after in changed if fold_text(before) != after
        )
        if is_name and "pan" not in parse.words:
            return False
        readings = (item for part in word.split("-") for item in _readings(part, self._language))
        if any(
            ending.unmistakable
            and ending.written != ending.nominative
            and nominative in form.split("-")
            for nominative, ending in readings
        ):
            return True
        folded = fold_text(word)
        several = self._forms[form] >= _FEWEST_FORMS and (word, form) in changed
        probable = several or all(after in self._written for _, after in changed)
        if not self._is_single(name):
            return probable or any(after in _known() for _, after in changed)
        fuller = word.endswith(_NEVER_NOMINATIVE) or self._forms[form] > self._forms[folded]
        known = form in _known() and not is_common_given_name(folded)
        return (known or (probable and fuller)) and word not in self._fixed


@lru_cache(maxsize=4)
def inflections_of(names: frozenset[str], language: str) -> Inflections:
    """Return the inflections of a text's lowercase names, computed once for linking and surrogates."""
    return Inflections(names, language)


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.strip(_MARKS) for word in name.casefold().split())


def _is_invariable(word: str) -> bool:
    folded = fold_text(word)
    return is_initial(folded) or (folded in FORMS_OF_ADDRESS and not folded.startswith("pan"))
