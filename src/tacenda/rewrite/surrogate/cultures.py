"""Culture and gender of a name: by its script, its letters, its ending, lists of names, and the text.

A culture is one of Faker's locales, or one of the few below that Faker has in no Latin letters. Names
in other letters are common in English texts in Latin ones: their lists are transliterated.
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
from ...text.shipped import by_word, shipped_table
from ...text.word_lists import NAMES_THAT_ARE_WORDS, NEVER

DEFAULT = "en_GB"
_MANY = 20
_LATIN = (
    "en_GB en_US en_IE de_DE fr_FR es_ES it_IT nl_NL pl_PL tr_TR sv_SE no_NO da_DK fi_FI cs_CZ pt_PT "
    "ro_RO hu_HU hr_HR sk_SK sl_SI lv_LV lt_LT et_EE az_AZ uz_UZ id_ID en_IN en_PK fr_DZ yo_NG tw_GH "
    "ru_RU uk_UA bg_BG el_GR mk_MK hy_AM ka_GE zh_CN ja_JP ko fa he sq vi"
).split()
_ENGLISH = frozenset(("en_GB", "en_US"))
_OF_ENGLAND_AND_IRELAND = ("en_GB", "en_IE")
_ROMANCE = ("es_ES", "es_MX", "pt_PT", "it_IT")
_MUSLIM_OR_INDIAN = ("en_PK", "fr_DZ", "tr_TR", "en_IN")
_CHRISTIAN = ("en_IE", "en_NZ", "it_IT", "pl_PL", "es_ES", "no_NO", "fr_FR")
_ELSEWHERE = frozenset((*_MUSLIM_OR_INDIAN, "az_AZ", "uz_UZ", "id_ID", "yo_NG", "tw_GH"))
_TABLE = shipped_table("cultures")
_IMMIGRANT = frozenset(_TABLE["immigrant"].split())
"""Names of Faker's European lists that a reader takes for another culture's."""
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
    (r"(?:[sc]k[iaá]|ewicz|owicz|czyk|czak)$", "pl_PL"),
    (r"(?:[oe]va?|ina?|skiy|skaya|yev|yeva|vich)$", "ru_RU"),
    (r"(?:enko|chuk)$", "uk_UA"),
    (r"(?:oglu|soy|turk|demir|kaya)$", "tr_TR"),
    (r"sson$", "sv_SE"),
    (r"sen$", "no_NO"),
    (r"nen$", "fi_FI"),
    (r"(?:escu|eanu)$", "ro_RO"),
    (r"(?:opoulos|idis|akis|iou)$", "el_GR"),
    (r"(?:mann|stein|meier|bauer)$", "de_DE"),
    (r"(?:yan|ian)$", "hy_AM"),
    (r"(?:shvili|adze|dze)$", "ka_GE"),
    (r"(?:auskas|aitis|iene|yte)$", "lt_LT"),
    (r"ic$", "hr_HR"),
)
_TRANSLITERATION = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэіґ", "abvgdeziyklmnoprstufyeig", strict=True))
    | {"ё": "yo", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "a"}
    | {"ь": "", "ю": "yu", "я": "ya", "ї": "yi", "є": "ye", "'": "", "’": ""}
    | dict(zip("αβγδεζηικλμνξοπρςστυφω", "avgdeziiklmnxoprsstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps", "ј": "j", "љ": "lj", "њ": "nj", "ќ": "kj", "ѓ": "gj"}
    | {"џ": "dzh", "ѕ": "dz"}
    | dict(zip("აბგდევზთიკლმნოპრსტუფქყხჯჰ", "abgdevztiklmnoprstupkqkjh", strict=True))
    | {"ჟ": "zh", "ღ": "gh", "შ": "sh", "ჩ": "ch", "ც": "ts", "ძ": "dz", "წ": "ts", "ჭ": "ch"}
    | {"ხ": "kh"}
    | dict(zip("աբգդեզէըթիլխկհմնոպջռսվտրւքօֆյ", "abgdezeytilkkhmnopjrsvtrvkofy", strict=True))
    | {"ժ": "zh", "ծ": "ts", "ձ": "dz", "ղ": "gh", "ճ": "ch", "շ": "sh", "չ": "ch", "ց": "ts"}
    | {"փ": "p", "և": "ev"}
)


_CERTAIN, _SAID = 1.0, 1.2
_MOST = 0.75
_FOR_GENDER = "en en_NZ de_CH de_AT fr_BE fr_CA nl_BE es_CL es_CO pt_BR is_IS en_KE".split()
"""Long lists of given names that tell the gender, and are drawn from for nobody."""
_KOREAN = re.compile(r"^[a-z]{2,5}-[a-z]{2,5}$")
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
    if written := _TABLE["names"].get(culture):
        _provider(DEFAULT)  # A missing package is missing for all cultures.
        return _written(written)
    lists = _of_faker(culture, latin)
    if further := _TABLE["further_names"].get(culture):
        more = _written(further)
        surnames = tuple(dict.fromkeys(lists.male_surnames + more.male_surnames))
        lists = Names(lists.male + more.male, lists.female + more.female, surnames, surnames)
    if culture not in _LATIN or not latin:
        return lists
    given, family = _foreign_given(culture), _foreign_surnames(culture)
    return Names(
        _without(lists.male, given),
        _without(lists.female, given),
        _without(lists.male_surnames, family),
        _without(lists.female_surnames, family),
    )


def _written(lists: dict[str, str]) -> Names:
    """Return the names of lists of the table, whose surnames both genders bear."""
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
    return tuple(name for name in pool if normalize_text(name) not in names)


@lru_cache(maxsize=64)
def _foreign_given(culture: str) -> frozenset[str]:
    """Return given names in a European list that are another culture's."""
    if culture in _ELSEWHERE:
        return frozenset()
    elsewhere = _all("given", _MUSLIM_OR_INDIAN) - _all("given", _CHRISTIAN) | _IMMIGRANT
    if culture == "en_US":
        elsewhere |= _all("given", _ROMANCE) - _all("given", ("en_GB", "en_IE", "en_NZ"))
    return elsewhere


@lru_cache(maxsize=64)
def _foreign_surnames(culture: str) -> frozenset[str]:
    """Return surnames in a European list that are another culture's."""
    if culture not in _ENGLISH:
        return frozenset() if culture in _ELSEWHERE else _IMMIGRANT
    elsewhere = _all("surname", (*_ROMANCE, *_MUSLIM_OR_INDIAN, "zh_CN", "vi_VN"))
    return elsewhere - _all("surname", _OF_ENGLAND_AND_IRELAND) | _IMMIGRANT


@lru_cache(maxsize=16)
def _all(kind: str, cultures: tuple[str, ...]) -> frozenset[str]:
    """Return all folded given names or surnames of some cultures."""
    lists = [_of_faker(culture, latin=True) for culture in cultures]
    pools = (
        (item.male + item.female if kind == "given" else item.male_surnames + item.female_surnames)
        for item in lists
    )
    return frozenset(normalize_text(name) for pool in pools for name in pool)


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
        culture: culture of the names.
        latin: in Latin letters.
        gender: ``m`` or ``f``.
        surname: surnames instead of given names.
        length: in letters: only names of its class (1-4, 5-8, 9 or more), if these are many.
    """
    lists = names(culture, latin)
    pool = lists.surnames(gender) if surname else lists.given(gender)
    if latin:
        clear = tuple(name for name in pool if _reads_as_name(name, gender, surname=surname))
        pool = clear if len(clear) >= _MANY else pool
    matches = tuple(name for name in pool if _class(len(name)) == _class(length))
    return matches if length and len(matches) >= _MANY else pool


def _reads_as_name(name: str, gender: str, *, surname: bool) -> bool:
    """Return whether a name is no English word, and of one gender if a given one."""
    folded = normalize_text(name)
    if folded in NAMES_THAT_ARE_WORDS or folded in NEVER:
        return False
    if surname or not gender:
        return True
    men, women = _bearers().get(folded, (0, 0))
    return not (women if gender == "m" else men)


def _class(length: int) -> int:
    return min(2, max(0, (length - 1) // 4))


def _plain(values: Any, latin: bool) -> tuple[str, ...]:
    """Return names of one word, each once."""
    words = dict.fromkeys(name for name in values if name.isalpha() and len(name) > 1)
    return tuple(dict.fromkeys(map(_in_latin, words))) if latin else tuple(words)


def _in_latin(name: str) -> str:
    if name.isascii() or not re.search(r"[\u0370-\u058f\u10a0-\u10ff]", name):
        return name
    folded = normalize_text(name).replace("ου", "ou").replace("ευ", "ev").replace("αυ", "av")
    return folded.translate(_TRANSLITERATION).capitalize()


def culture_of(
    string: str, given_names: Sequence[str], surname: str, around: Sequence[str] = ()
) -> str:
    """Return the culture of a name.

    Args:
        string: all of its forms as they stand in the text.
        given_names: folded given names.
        surname: folded; may be empty.
        around: stretches of the text around it, the nearest first, whose nationalities decide where
            the name itself leaves its culture open.
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
        # The cultures of one language are one.
        languages = {culture[:2] for culture in cultures}
        for culture in cultures:
            scores[culture] = scores.get(culture, 0.0) + weight / len(languages)
    small = string.casefold()
    for letters, culture in _LETTERS:
        if any(letter in small for letter in letters):
            scores[culture] = scores.get(culture, 0.0) + 1.0
    for pattern, culture in _ENDINGS:
        if re.search(pattern, surname):
            scores[culture] = scores.get(culture, 0.0) + 0.4
    if len(given_names) == 1 and is_korean(surname, given_names[0]):
        scores["ko"] = scores.get("ko", 0.0) + 1.0
    best = max(scores.values(), default=0.0)
    close = {culture[:2] for culture, score in scores.items() if best - score < _CERTAIN / 2}
    if best < _CERTAIN or len(close) > 1:
        said = next(filter(None, map(_nationality, around)), "")
        # A name of the lists that is none there is not of there.
        if said and (said in scores or not scores):
            scores[said] = scores.get(said, 0.0) + _SAID
    return max(scores, key=lambda culture: (scores[culture], culture == DEFAULT), default=DEFAULT)


def is_korean(surname: str, given_name: str) -> bool:
    """Return whether folded names are Korean ones in Latin letters: Hwang, Hee-Chan."""
    return bool(_KOREAN.search(given_name)) and "ko" in _index().get(("surname", surname), {})


def _nationality(stretch: str) -> str:
    """Return the culture of the first nationality or country in a stretch; empty without one."""
    match = _NATIONALITY.search(stretch)
    return _NATIONALITIES[match[0]] if match else ""


def gender_of(given_name: str, culture: str) -> str:
    """Return ``m`` or ``f`` for a folded given name of one gender, in its culture or in most.

    Args:
        given_name: folded.
        culture: the culture; empty for all of them.
    """
    genders = _index().get(("given", given_name), {}).get(culture, frozenset())
    if len(genders) == 1:
        return next(iter(genders))
    men, women = _bearers().get(given_name, (0, 0))
    if genders or max(men, women) < _MOST * (men + women):
        return ""
    return "" if men == women else "m" if men > women else "f"


@lru_cache(maxsize=1)
def _bearers() -> dict[str, tuple[int, int]]:
    """Return in how many lists of men and of women each folded given name is."""
    counts: dict[str, tuple[int, int]] = {}
    for culture in dict.fromkeys((*_LATIN, *_FOR_GENDER)):
        lists = _of_faker(culture, latin=True) if culture in _FOR_GENDER else names(culture, True)
        for name in {normalize_text(name) for name in lists.male}:
            men, women = counts.get(name, (0, 0))
            counts[name] = men + 1, women
        for name in {normalize_text(name) for name in lists.female}:
            men, women = counts.get(name, (0, 0))
            counts[name] = men, women + 1
    return counts


def is_name(word: str, latin: bool) -> bool:
    """Return whether a folded word is a given name or a surname of any culture."""
    if latin:
        return ("given", word) in _index() or ("surname", word) in _index()
    return word in _in_other_scripts()


def cultures_of(word: str) -> int:
    """Return of how many cultures' lists a folded word is a name."""
    index = _index()
    return len(index.get(("given", word), {}).keys() | index.get(("surname", word), {}).keys())


def is_given_name(name: str) -> bool:
    """Return whether a folded name alone is rather a given name than a surname."""
    index = _index()
    return len(index.get(("given", name), {})) > len(index.get(("surname", name), {}))


@lru_cache(maxsize=1)
def _index() -> dict[tuple[str, str], dict[str, frozenset[str]]]:
    """Return the cultures by kind and folded name, with the genders there."""
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
    """Return all folded names in scripts other than Latin."""
    result: set[str] = set()
    for culture in sorted({culture for _, culture in _SCRIPTS}):
        provider = _provider(culture)
        fields = (field for field in dir(provider) if field.endswith("_names"))
        # A surname of one letter is a name too, though none is made of it.
        result.update(normalize_text(name) for field in fields for name in getattr(provider, field))
    return frozenset(result)
