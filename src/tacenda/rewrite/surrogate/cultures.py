"""The culture and gender of a name, from its script, its letters compared with name lists, and the text.

A culture is one of Faker's locales, or one of the few below that Faker doesn't have in Latin
letters. In English texts, names in other scripts are usually in Latin letters, so their lists are
transliterated.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...shipped import by_word, shipped_table
from ...text.given_names import gender_by_names, is_common_given_name
from ...text.normal_form import fold_text
from ...text.word_lists import NAMES_THAT_ARE_WORDS, NEVER, is_ordinary

DEFAULT = "en_GB"
_MIN_NAMES = 20
_ENGLISH = frozenset(("en_GB", "en_US"))
_OF_ENGLAND_AND_IRELAND = ("en_GB", "en_IE")
_ROMANCE = ("es_ES", "es_MX", "pt_PT", "it_IT")
_MUSLIM_OR_INDIAN = ("en_PK", "fr_DZ", "tr_TR", "en_IN")
_CHRISTIAN = ("en_IE", "en_NZ", "it_IT", "pl_PL", "es_ES", "no_NO", "fr_FR")
_ELSEWHERE = frozenset((*_MUSLIM_OR_INDIAN, "az_AZ", "uz_UZ", "id_ID", "yo_NG", "tw_GH"))
_OF_FAR = _ELSEWHERE | frozenset("fa he ar ig wo vi ko zh_CN ja_JP hy_AM ka_GE".split())
_TABLE = shipped_table("cultures")
_LATIN: list[str] = _TABLE["latin"].split()
_IMMIGRANT = frozenset(_TABLE["immigrant"].split())
"""Names of Faker's European lists that a reader takes for another culture's."""
_SCRIPTS: dict[str, str] = _TABLE["scripts"]
_TRANSLITERATION = str.maketrans(_TABLE["transliteration"])


_LISTED, _SAID, _USUAL = 8.0, 6.0, 6.0
"""Nats for a culture: a name in its list alone, a nationality beside the name, the language of the text."""
_ALONE = 5.0
"""Nats for the language of the text where a given name or a surname is all there is."""
_UNKNOWN = 9.0
"""Nats for the language of the text where no list has a part of a name."""
_UNLISTED = 0.75
"""Weight of the letters of a name that no list has."""
_RATHER_GIVEN = 2.0
"""Nats for a given name where a name is in no list: nicknames are mostly made of these."""
_SURNAME = 1.5
"""Weight of a surname relative to a given name."""
_LETTER = 3.0
"""Nats for or against a culture by each letter such as ø or ş."""
_RARE = 200
_SMOOTHING = 100.0
_MOST = 0.75
_FEWEST_ALIKE = 4
_FOR_GENDER = "en en_NZ de_CH de_AT fr_BE fr_CA nl_BE es_CL es_CO pt_BR is_IS en_KE".split()
"""Long lists of given names that show the gender, and are never drawn from."""
_KOREAN = re.compile(r"^[a-z]{2,5}-[a-z]{2,5}$")
USUAL: dict[str, str] = _TABLE["usual"]
"""The culture by the language of a text."""
COUNTRIES: dict[str, str] = _TABLE["countries"]
"""The country of each of these cultures, folded."""
_NATIONALITIES = by_word(_TABLE["nationalities"])
_NATIONALITY = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(_NATIONALITIES, key=len, reverse=True)))})(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a culture, in a fixed order."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    male_surnames: tuple[str, ...]
    female_surnames: tuple[str, ...]

    def given(self, gender: str) -> tuple[str, ...]:
        """Return given names of a gender, ``m`` or ``f``, or of both if it is empty."""
        return {"m": self.male, "f": self.female}.get(gender) or self.male + self.female

    def surnames(self, gender: str) -> tuple[str, ...]:
        """Return surnames in the form of a gender."""
        return self.female_surnames if gender == "f" else self.male_surnames


_OF_WOMEN = (
    (r"([sc]k)i$", r"\1a"),
    (r"([oe]v|in)$", r"\1a"),
    (r"skiy$", "skaya"),
    (r"sky$", "ska"),
)
_OF_MEN = ((r"skaya$", "skiy"), (r"([sc]k)a$", r"\1i"), (r"([oe]v|in)a$", r"\1"))
_SLAVIC = frozenset(("pl_PL", "ru_RU", "uk_UA", "bg_BG", "mk_MK"))


def as_borne(surname: str, gender: str, culture: str) -> str:
    """Return a Slavic surname in its masculine or feminine form (Kowalski, Kowalska), and any other unchanged."""
    if culture in _SLAVIC and gender:
        for pattern, form in _OF_WOMEN if gender == "f" else _OF_MEN:
            changed, count = re.subn(pattern, form, surname)
            if count:
                return changed
    return surname


@lru_cache(maxsize=64)
def names(culture: str, latin: bool) -> Names:
    """Return the names of a culture, transliterated unless they are in Latin letters."""
    if table := _TABLE["names"].get(culture):
        _provider(DEFAULT)  # A missing package is missing for all cultures.
        return _written(table)
    lists = _of_faker(culture, latin)
    if latin and (further := _TABLE["further_names"].get(culture)):
        pairs = zip(astuple(lists), astuple(_written(further)), strict=True)
        lists = Names(*(tuple(dict.fromkeys(first + more)) for first, more in pairs))
    if latin and culture in _SLAVIC:
        of_women = tuple(as_borne(name, "f", culture) for name in lists.female_surnames)
        lists = replace(lists, female_surnames=of_women)
    if culture not in _LATIN or not latin:
        return lists
    given, family = _foreign_given(culture), _foreign_surnames(culture)
    return Names(*map(_without, astuple(lists), (given, given, family, family)))


def _written(lists: dict[str, str]) -> Names:
    """Return the names in the table's lists, whose surnames are the same for both genders."""
    men, women, surnames = (tuple(lists[kind].split()) for kind in ("men", "women", "surnames"))
    return Names(men, women, surnames, surnames)


def _of_faker(culture: str, latin: bool) -> Names:
    provider = _provider(culture)

    def of(*fields: str) -> tuple[str, ...]:
        fields = (
            *(field.replace("_names", "_romanized_names") for field in fields if latin),
            *fields,
        )
        values = next((value for field in fields if (value := getattr(provider, field, None))), ())
        return _plain(values, latin)

    return Names(
        of("first_names_male", "first_names"),
        of("first_names_female", "first_names"),
        of("last_names_male", "male_last_names", "unisex_last_names", "last_names"),
        of("last_names_female", "unisex_last_names", "last_names"),
    )


def _without(pool: tuple[str, ...], names: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in pool if fold_text(name) not in names)


@lru_cache(maxsize=64)
def _foreign_given(culture: str) -> frozenset[str]:
    """Return given names in a European list or the Indian one that belong to another culture."""
    if culture == "en_IN":
        return _all("given", ("en_GB", "en_US"))
    if culture in _ELSEWHERE:
        return frozenset()
    elsewhere = _all("given", _MUSLIM_OR_INDIAN) - _all("given", _CHRISTIAN) | _IMMIGRANT
    if culture == "en_US":
        elsewhere |= _all("given", _ROMANCE) - _all("given", ("en_GB", "en_IE", "en_NZ"))
    return elsewhere


@lru_cache(maxsize=64)
def _foreign_surnames(culture: str) -> frozenset[str]:
    """Return surnames in a European list that belong to another culture."""
    if culture not in _ENGLISH:
        return frozenset() if culture in _ELSEWHERE else _IMMIGRANT
    elsewhere = _all("surname", (*_ROMANCE, *_MUSLIM_OR_INDIAN, "zh_CN", "vi_VN"))
    return elsewhere - _all("surname", _OF_ENGLAND_AND_IRELAND) | _IMMIGRANT


@lru_cache(maxsize=16)
def _all(kind: str, cultures: tuple[str, ...]) -> frozenset[str]:
    """Return all case-folded given names or surnames of some cultures."""
    lists = [
        names(culture, latin=True) if culture in _ELSEWHERE else _of_faker(culture, latin=True)
        for culture in cultures
    ]
    pools = (
        (item.male + item.female if kind == "given" else item.male_surnames + item.female_surnames)
        for item in lists
    )
    return frozenset(fold_text(name) for pool in pools for name in pool)


def _provider(culture: str) -> Any:
    return import_module(f"faker.providers.person.{culture}").Provider


@lru_cache(maxsize=512)
def options(
    culture: str, latin: bool, gender: str, surname: bool, length: int = 0
) -> tuple[str, ...]:
    """Return given names or surnames of a culture and a gender.

    Args:
        culture: culture of the names.
        latin: whether they must be in Latin letters.
        gender: ``m`` or ``f``.
        surname: whether to return surnames instead of given names.
        length: length in letters: only names in the same class (1-4, 5-8, 9 or more), if there are
            many.
    """
    lists = names(culture, latin)
    pool = lists.surnames(gender) if surname else lists.given(gender)
    if latin:
        clear = tuple(name for name in pool if _reads_as_name(name, gender, surname=surname))
        pool = clear if len(clear) >= _MIN_NAMES else pool
    matches = tuple(name for name in pool if _class(len(name)) == _class(length))
    return matches if length and len(matches) >= _MIN_NAMES else pool


def _reads_as_name(name: str, gender: str, *, surname: bool) -> bool:
    """Return whether a name isn't an English word; a given name must have one gender, and a surname must not be a given name."""
    folded = fold_text(name)
    if folded in NAMES_THAT_ARE_WORDS or folded in NEVER or is_ordinary(folded):
        return False
    if surname:
        return not is_common_given_name(folded)
    if not gender:
        return True
    men, women = _bearers().get(folded, (0, 0))
    return not (women if gender == "m" else men)


def _class(length: int) -> int:
    return min(2, max(0, (length - 1) // 4))


def _plain(values: Any, latin: bool) -> tuple[str, ...]:
    """Return distinct one-word names, without Dutch ones of the sixteenth century such as Claesdr."""
    names = (name for name in values if name.isalpha() and not name.endswith("sdr"))
    words = dict.fromkeys(name for name in names if len(name) > 1)
    return tuple(dict.fromkeys(map(_in_latin, words))) if latin else tuple(words)


def _in_latin(name: str) -> str:
    if name.isascii() or not re.search(r"[\u0370-\u058f\u10a0-\u10ff]", name):
        return name
    folded = fold_text(name).replace("ου", "ou").replace("ευ", "ev").replace("αυ", "av")
    return folded.translate(_TRANSLITERATION).capitalize()


def culture_of(
    string: str,
    given_names: Sequence[str],
    surname: str,
    around: Sequence[str] = (),
    usual: str = DEFAULT,
) -> str:
    """Return the likeliest culture of a name by its letters, the name lists and its context.

    Args:
        string: all of its forms as written in the text.
        given_names: case-folded given names.
        surname: case-folded surname; may be empty.
        around: stretches of text around it, the nearest first, to look for nationalities.
        usual: the culture of the text's language.
    """
    for culture, pattern in _SCRIPTS.items():
        if re.search(pattern, string):
            return culture
    scores = dict.fromkeys(_LATIN, 0.0)
    for kind, name in (*(("given", name) for name in given_names), ("surname", surname)):
        listed = (kind, name) in _index()
        parts = [part for part in ([name] if listed else name.split("-")) if len(part) > 1]
        for part in parts:
            for culture, score in _scores(kind, part).items():
                scores[culture] += score * (_SURNAME if kind == "surname" else 1) / len(parts)
    special = {sign for sign in string.casefold() if sign.isalpha() and not sign.isascii()}
    for culture in scores if special else ():
        letters = special & _letters_of(culture)
        scores[culture] += _LETTER * (2 * len(letters) - len(special))
    if len(given_names) == 1 and is_korean(surname, given_names[0]):
        scores["ko"] += _LISTED
    # A name alone says little, and English texts are about people from everywhere.
    homes = {usual} | ({"en_US", "en_IE"} if usual == DEFAULT else set())
    bearing = [
        cultures
        for kind, name in (*(("given", name) for name in given_names), ("surname", surname))
        if (cultures := _index().get((kind, name)))
    ]
    # European lists are short, and neighbors share names: Jagoda is Polish, too.
    near: Set[str] = frozenset() if usual == DEFAULT else frozenset(_LATIN) - _OF_FAR
    at_home = not any(map((near | homes).isdisjoint, bearing))
    at_home = at_home and bool(bearing or not special or special & _letters_of(usual))
    # Said next to the name, not somewhere at the beginning: a Ukrainian family, Oleh and Daria.
    at_home = at_home and not any(map(_nationality, around[:-1]))
    alone = at_home and (not surname or all(len(name) == 1 for name in given_names))
    bonus = _USUAL * (1 if usual == DEFAULT else 1.5) + _ALONE * alone + _UNKNOWN * (not bearing)
    bonus *= 1 if at_home else 0.5
    for culture in scores:
        if culture in homes:
            scores[culture] += bonus if culture == usual else bonus / 2
    nationality = next(filter(None, map(_nationality, around)), "")
    if nationality:
        scores[nationality] = scores.get(nationality, 0.0) + _SAID
    return max(scores, key=scores.__getitem__)


@lru_cache(maxsize=64)
def _letters_of(culture: str) -> frozenset[str]:
    """Return the letters in a culture's names, except rare ones."""
    lists = names(culture, latin=True)
    pool = lists.male + lists.female + lists.male_surnames
    counts = Counter(sign for name in pool for sign in set(name.casefold()))
    return frozenset(sign for sign, count in counts.items() if count * _RARE >= len(pool))


@lru_cache(maxsize=4096)
def _scores(kind: str, name: str) -> dict[str, float]:
    """Return the log-likelihood of a case-folded name by culture."""
    profiles, common, total = _profiles()
    listed = _index().get((kind, name), {})
    languages = {culture[:2] for culture in listed}
    scores = {}
    for culture in _LATIN:
        counts = profiles[kind, culture]
        size = counts.total()
        scores[culture] = math.log(size) + sum(
            math.log((counts[gram] + _SMOOTHING * (common[gram] + 1) / total) / (size + _SMOOTHING))
            for gram in _trigrams(name)
        )
        scores[culture] *= 1 if listed else _UNLISTED
        if culture in listed:
            scores[culture] += _LISTED / len(languages)
    return scores


@lru_cache(maxsize=1)
def _profiles() -> tuple[dict[tuple[str, str], Counter[str]], Counter[str], int]:
    """Return the trigrams of each culture's lists and of all lists, and how many there are."""
    profiles = {
        (kind, culture): Counter[str]() for kind in ("given", "surname") for culture in _LATIN
    }
    for (kind, name), cultures in _index().items():
        for culture in cultures:
            profiles[kind, culture].update(_trigrams(name))
    common = sum(profiles.values(), Counter[str]())
    return profiles, common, common.total() + len(common)


def _trigrams(name: str) -> list[str]:
    edged = f"^{name}$"
    return [edged[place : place + 3] for place in range(len(edged) - 2)]


def is_korean(surname: str, given_name: str) -> bool:
    """Return whether case-folded names are Korean ones in Latin letters: Hwang, Hee-Chan."""
    return bool(_KOREAN.search(given_name)) and "ko" in _index().get(("surname", surname), {})


def _nationality(stretch: str) -> str:
    """Return the culture of the first nationality or country in a stretch, or an empty string if there is none."""
    match = _NATIONALITY.search(stretch)
    return _NATIONALITIES[match[0]] if match else ""


def gender_of(given_name: str, culture: str) -> str:
    """Return ``m`` or ``f`` for a case-folded given name with one gender, in its culture or in most cultures.

    Args:
        given_name: case-folded given name.
        culture: the culture; empty for all of them.
    """
    genders = _index().get(("given", given_name), {}).get(culture, frozenset())
    if len(genders) == 1:
        return next(iter(genders))
    if known := gender_by_names(tuple(given_name.split("-"))):
        return known
    men, women = _bearers().get(given_name, (0, 0))
    return "" if genders else _majority(men, women)


def _majority(men: int, women: int) -> str:
    if men == women or max(men, women) < _MOST * (men + women):
        return ""
    return "m" if men > women else "f"


@lru_cache(maxsize=4096)
def gender_of_ending(name: str) -> str:
    """Return ``m`` or ``f`` for a case-folded given name, judged by names with the same ending."""
    name = name.partition("-")[0]
    for length in (4, 3, 2):
        counts = [both for other, both in _bearers().items() if other.endswith(name[-length:])]
        if len(counts) >= _FEWEST_ALIKE and len(name) > length:
            men = sum(men > women for men, women in counts)
            return _majority(men, sum(women > men for men, women in counts))
    return ""


@lru_cache(maxsize=1)
def _bearers() -> dict[str, tuple[int, int]]:
    """Return in how many lists of men and of women each case-folded given name is."""
    men, women = Counter[str](), Counter[str]()
    for culture in dict.fromkeys((*_LATIN, *_FOR_GENDER)):
        lists = _of_faker(culture, latin=True) if culture in _FOR_GENDER else names(culture, True)
        men.update(set(map(fold_text, lists.male)))
        women.update(set(map(fold_text, lists.female)))
    return {name: (men[name], women[name]) for name in men.keys() | women.keys()}


def is_name(word: str, latin: bool) -> bool:
    """Return whether a case-folded word is a given name or a surname in any culture."""
    if latin:
        return ("given", word) in _index() or ("surname", word) in _index()
    return word in _in_other_scripts()


def cultures_of(word: str) -> int:
    """Return in how many cultures' lists a case-folded word is a name."""
    index = _index()
    return len(index.get(("given", word), {}).keys() | index.get(("surname", word), {}).keys())


def is_given_name(name: str) -> bool:
    """Return whether a case-folded name alone is more likely a given name than a surname."""
    if is_common_given_name(name):
        return True
    index = _index()
    given, surname = index.get(("given", name), {}), index.get(("surname", name), {})
    if given or surname:
        return len(given) >= len(surname)
    likeliest = {kind: max(_scores(kind, name).values()) for kind in ("given", "surname")}
    return name.isascii() and likeliest["given"] + _RATHER_GIVEN > likeliest["surname"]


@lru_cache(maxsize=1)
def _index() -> dict[tuple[str, str], dict[str, frozenset[str]]]:
    """Return the cultures by kind and case-folded name, with the genders there."""
    index: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for culture in _LATIN:
        pools = zip(("given", "given", "surname", "surname"), "mfmf", strict=True)
        for (kind, gender), pool in zip(pools, astuple(names(culture, latin=True)), strict=True):
            for name in pool:
                cultures = index.setdefault((kind, fold_text(name)), {})
                cultures[culture] = cultures.get(culture, frozenset()) | {gender}
    return index


@lru_cache(maxsize=1)
def _in_other_scripts() -> frozenset[str]:
    """Return all case-folded names in scripts other than Latin."""
    result: set[str] = set()
    for culture in sorted(_SCRIPTS):
        provider = _provider(culture)
        fields = (field for field in dir(provider) if field.endswith("_names"))
        # A one-letter surname is also a name, though it is never used as a surrogate.
        result.update(fold_text(name) for field in fields for name in getattr(provider, field))
    return frozenset(result)
