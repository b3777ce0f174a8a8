"""Of which culture a name is: by its script, its letters, its ending, and lists of names.

A culture is one of Faker's locales. Russian, Ukrainian, Bulgarian and Greek names in Latin letters
are common in English texts: their lists are transliterated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...errors import MissingExtraError
from ...text.folding import normalize_text

DEFAULT = "en_GB"
_MANY = 20
_LATIN = (
    "en_GB en_US de_DE fr_FR es_ES it_IT nl_NL pl_PL tr_TR sv_SE no_NO da_DK fi_FI cs_CZ pt_PT "
    "ro_RO hu_HU hr_HR sk_SK sl_SI lv_LV et_EE az_AZ id_ID en_IN ru_RU uk_UA bg_BG el_GR"
).split()
_SCRIPTS = (
    (r"[іїєґІЇЄҐ]", "uk_UA"),
    (r"[\u0400-\u04ff]", "ru_RU"),
    (r"[\u0370-\u03ff]", "el_GR"),
    (r"[\u0590-\u05ff]", "he_IL"),
    (r"[\u067e\u0686\u0698\u06af\u06cc]", "fa_IR"),
    (r"[\u0600-\u06ff]", "ar_AA"),
    (r"[\u0530-\u058f]", "hy_AM"),
    (r"[\u10a0-\u10ff]", "ka_GE"),
    (r"[\u0900-\u097f]", "hi_IN"),
    (r"[\u0e00-\u0e7f]", "th_TH"),
    (r"[\u3040-\u30ff]", "ja_JP"),
    (r"[\uac00-\ud7af]", "ko_KR"),
    (r"[\u4e00-\u9fff]", "zh_CN"),
)
_LETTERS = (
    ("ğış", "tr_TR"),
    ("ə", "az_AZ"),
    ("łńśźżęą", "pl_PL"),
    ("øå", "no_NO"),
    ("ß", "de_DE"),
    ("ñ", "es_ES"),
    ("ãõ", "pt_PT"),
    ("őű", "hu_HU"),
    ("řěů", "cs_CZ"),
    ("șțăşţ", "ro_RO"),
    ("đć", "hr_HR"),
    ("èê", "fr_FR"),
)
_ENDINGS = (
    (r"(?:sk[iaá]|ewicz|owicz|czyk|czak)$", "pl_PL"),
    (r"(?:[oe]va?|ina?|skiy|skaya|yev|yeva|vich)$", "ru_RU"),
    (r"(?:enko|chuk)$", "uk_UA"),
    (r"(?:oglu|soy|turk|demir)$", "tr_TR"),
    (r"sson$", "sv_SE"),
    (r"sen$", "no_NO"),
    (r"nen$", "fi_FI"),
    (r"(?:escu|eanu)$", "ro_RO"),
    (r"(?:opoulos|idis|akis|iou)$", "el_GR"),
    (r"(?:mann|stein|meier|bauer)$", "de_DE"),
    (r"ic$", "hr_HR"),
)
_TRANSLITERATION = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэіґ", "abvgdeziyklmnoprstufyeig", strict=True))
    | {"ё": "yo", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "a"}
    | {"ь": "", "ю": "yu", "я": "ya", "ї": "yi", "є": "ye", "'": "", "’": ""}
    | dict(zip("αβγδεζηικλμνξοπρςστυφω", "avgdeziiklmnxoprsstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a culture, in a fixed order."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    male_surnames: tuple[str, ...]
    female_surnames: tuple[str, ...]

    def given(self, gender: str) -> tuple[str, ...]:
        """Return given names of a gender, ``m`` or ``f``; of both if it is empty."""
        return {"m": self.male, "f": self.female}.get(gender) or self.male + self.female

    def surnames(self, gender: str) -> tuple[str, ...]:
        """Return surnames as borne by a gender."""
        return self.female_surnames if gender == "f" else self.male_surnames


@lru_cache(maxsize=64)
def names(culture: str, latin: bool) -> Names:
    """Return the names of a culture, transliterated where its letters are not the Latin ones.

    Raises:
        MissingExtraError: if Faker is not installed.
    """
    provider = _provider(culture)

    def of(*fields: str) -> tuple[str, ...]:
        values = next((value for field in fields if (value := getattr(provider, field, None))), ())
        return _plain(values, latin)

    return Names(
        of("first_names_male", "first_names"),
        of("first_names_female", "first_names"),
        of("last_names_male", "male_last_names", "unisex_last_names", "last_names"),
        of("last_names_female", "unisex_last_names", "last_names"),
    )


def _provider(culture: str) -> Any:
    try:
        return import_module(f"faker.providers.person.{culture}").Provider
    except ImportError:
        raise MissingExtraError("surrogate", "surrogate") from None


@lru_cache(maxsize=512)
def options(
    culture: str, latin: bool, gender: str, surname: bool, length: int = 0
) -> tuple[str, ...]:
    """Return given names or surnames of a culture and a gender.

    Args:
        culture: whose names.
        latin: in Latin letters.
        gender: ``m`` or ``f``.
        surname: surnames instead of given names.
        length: in letters: only names of its class (1-4, 5-8, 9 or more), if these are many.
    """
    lists = names(culture, latin)
    pool = lists.surnames(gender) if surname else lists.given(gender)
    matches = tuple(name for name in pool if _class(len(name)) == _class(length))
    return matches if length and len(matches) >= _MANY else pool


def _class(length: int) -> int:
    return min(2, max(0, (length - 1) // 4))


def _plain(values: Any, latin: bool) -> tuple[str, ...]:
    """Return names of one word, each once."""
    words = dict.fromkeys(name for name in values if name.isalpha() and len(name) > 1)
    return tuple(dict.fromkeys(map(_in_latin, words))) if latin else tuple(words)


def _in_latin(name: str) -> str:
    if name.isascii() or not re.search(r"[\u0370-\u04ff]", name):
        return name
    return normalize_text(name).translate(_TRANSLITERATION).capitalize()


def culture_of(string: str, given_names: Sequence[str], surname: str) -> str:
    """Return the culture of a name.

    Args:
        string: all of its forms as they stand in the text.
        given_names: folded given names.
        surname: folded; may be empty.
    """
    for pattern, culture in _SCRIPTS:
        if re.search(pattern, string):
            return culture
    scores: dict[str, float] = {}
    index = _index()
    for kind, name, weight in (
        *(("given", name, 1.0) for name in given_names),
        ("surname", surname, 1.5),
    ):
        cultures = index.get((kind, name), {})
        for culture in cultures:
            scores[culture] = scores.get(culture, 0.0) + weight / len(cultures)
    small = string.casefold()
    for letters, culture in _LETTERS:
        if any(letter in small for letter in letters):
            scores[culture] = scores.get(culture, 0.0) + 1.0
    for pattern, culture in _ENDINGS:
        if re.search(pattern, surname):
            scores[culture] = scores.get(culture, 0.0) + 0.4
    return max(scores, key=lambda culture: (scores[culture], culture == DEFAULT), default=DEFAULT)


def gender_of(given_name: str, culture: str) -> str:
    """Return ``m`` or ``f`` if a folded given name is only that, in its culture or anywhere."""
    cultures = _index().get(("given", given_name), {})
    genders = cultures.get(culture) or frozenset().union(*cultures.values())
    return next(iter(genders)) if len(genders) == 1 else ""


def is_name(word: str, latin: bool) -> bool:
    """Tell whether a folded word is a given name or a surname of any culture."""
    if latin:
        return ("given", word) in _index() or ("surname", word) in _index()
    return word in _in_other_scripts()


def is_given_name(name: str) -> bool:
    """Tell whether a folded name alone is rather a given name than a surname."""
    index = _index()
    return len(index.get(("given", name), {})) > len(index.get(("surname", name), {}))


@lru_cache(maxsize=1)
def _index() -> dict[tuple[str, str], dict[str, frozenset[str]]]:
    """Return by kind and folded name the cultures that have it, with the genders it has there."""
    index: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for culture in _LATIN:
        lists = names(culture, latin=True)
        for kind, gender, pool in (
            ("given", "m", lists.male),
            ("given", "f", lists.female),
            ("surname", "m", lists.male_surnames),
            ("surname", "f", lists.female_surnames),
        ):
            for name in pool:
                cultures = index.setdefault((kind, normalize_text(name)), {})
                cultures[culture] = cultures.get(culture, frozenset()) | {gender}
    return index


@lru_cache(maxsize=1)
def _in_other_scripts() -> frozenset[str]:
    """Return all folded names in scripts that are not Latin."""
    result: set[str] = set()
    for culture in sorted({culture for _, culture in _SCRIPTS}):
        provider = _provider(culture)
        fields = (field for field in dir(provider) if field.endswith("_names"))
        # A surname of one letter is a name too, though none is made of it.
        result.update(normalize_text(name) for field in fields for name in getattr(provider, field))
    return frozenset(result)
