"""Culture of a name: by its script, its letters, its ending, and lists of names.

A culture is one of Faker's locales. Russian, Ukrainian, Bulgarian and Greek names in Latin letters
are common in English texts: their lists are transliterated.
"""

from __future__ import annotations

import hmac
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeVar

from ...document import Decision, Document, SemanticType
from ...errors import MissingExtraError
from ...text.folding import normalize_text
from ...text.word_lists import NEVER, PARTICLES

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
        culture: culture of the names.
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
    """Return ``m`` or ``f`` for a folded given name of one gender, in its culture or anywhere."""
    cultures = _index().get(("given", given_name), {})
    genders = cultures.get(culture) or frozenset().union(*cultures.values())
    return next(iter(genders)) if len(genders) == 1 else ""


def is_name(word: str, latin: bool) -> bool:
    """Return whether a folded word is a given name or a surname of any culture."""
    if latin:
        return ("given", word) in _index() or ("surname", word) in _index()
    return word in _in_other_scripts()


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


# Words of names that name nobody: they stay in a surrogate, and may stand in any other.


_FORMS = frozenset(
    """ltd limited inc llc llp plc corp corporation co gmbh ag kg asa as ab oy nv bv sa srl spa sas
    sarl college academy clinic church mosque theatre museum library club press times news airport
    station harbour bridge park square lane avenue drive close court gardens hill place terrace way
    boulevard road street st rd ave north south east west northern southern eastern western upper
    lower new saint island islands river lake mount mountain valley bay cape gulf sea ocean party
    union trust fund league federation society committee partners holdings group services systems
    borough parish canton commune prefecture barracks executive managing deputy assistant senior
    junior solutions technologies industries consulting studio media software""".split()
)
COMMON = NEVER | PARTICLES | _FORMS
"""Folded words: legal forms, kinds of bodies and places, function words, titles, months, numbers."""


# Keyed choices: the same for the same question under one key, and unforeseeable without it.


_Item = TypeVar("_Item")


class Draw:
    """Keyed choices by HMAC-SHA256 of a question.

    Args:
        key: the secret, at least 16 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def source(self, *question: str) -> random.Random:
        """Return a source of random numbers seeded by the key and the question alone."""
        message = "\0".join(("surrogate", *question)).encode("utf-8", "surrogatepass")
        return random.Random(hmac.digest(self._key, message, "sha256"))

    def choices(self, options: Sequence[_Item], n: int, *question: str) -> Iterator[_Item]:
        """Yield ``n`` of ``options``, some perhaps twice; none where there are no options."""
        source = self.source(*question)
        for _ in range(n if options else 0):
            yield options[source.randrange(len(options))]


# Forbidden surrogates: any string of the document, and surrogates of others.


_WORD = re.compile(r"[^\W_]+")
_SHORTEST_INSIDE = 3
_NAMED = frozenset((SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC, SemanticType.MISC))


class Taken:
    """The words of a document, the names masked in it, and the surrogates given out so far.

    Args:
        document: where the surrogates will stand.
        decisions: of the document.
    """

    def __init__(self, document: Document, decisions: Sequence[Decision]) -> None:
        self._words = frozenset(words_of(document.text))
        self._names = {
            word
            for decision in decisions
            if decision.masked and decision.entity.type in _NAMED
            for mention in decision.entity.mentions
            for word in words_of(mention.span.of(document.text))
            if len(word) >= _SHORTEST_INSIDE and word not in COMMON
        }
        self._owners: dict[str, str] = {}

    def is_free(self, candidate: str) -> bool:
        """Return whether no word of ``candidate`` is in the document or holds a masked name."""
        words = words_of(candidate)
        return self._words.isdisjoint(words) and not any(map(self._holds_name, words))

    def first_free(self, candidates: Iterable[str], owner: str) -> str | None:
        """Return the first candidate for ``owner`` alone; None if there is none."""
        for candidate in candidates:
            key = normalize_text(candidate)
            if self._owners.get(key, owner) == owner and self.is_free(candidate):
                self._owners[key] = owner
                return candidate
        return None

    def names_somebody(self, output: str) -> bool:
        """Return whether a word of ``output`` is one of a name masked in the document."""
        return not self._names.isdisjoint(words_of(output))

    def _holds_name(self, word: str) -> bool:
        # By its pieces, so that the time does not grow with the number of names.
        return any(
            word[start:end] in self._names
            for start in range(len(word))
            for end in range(start + _SHORTEST_INSIDE, len(word) + 1)
        )


def words_of(text: str) -> list[str]:
    """Return the folded words of a text."""
    return _WORD.findall(normalize_text(text))


def gives_away(output: str, original: str) -> bool:
    """Return whether ``output`` is the original or has it inside, whatever the case."""
    inner, outer = words_of(original), words_of(output)
    if not inner:
        return output.strip() == original.strip()
    if sum(map(len, inner)) >= _SHORTEST_INSIDE:
        return "".join(inner) in "".join(outer)
    return set(inner) <= set(outer)


# Names of months and week days in the languages of common European documents, whole and short.


_MONTHS = (
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada "
    "grudnia",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec",
)
_DAYS = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "Mon Tue Wed Thu Fri Sat Sun",
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
)


@dataclass(frozen=True, slots=True)
class _Calendar:
    """The names of one language, and the place of each in the year or the week."""

    names: tuple[str, ...]
    places: dict[str, int]


def same_letters(word: str) -> str:
    """Return a word as compared by an expression without case, dotted and dotless i alike."""
    return word.replace("İ", "i").casefold().replace("ı", "i")


def _calendar(names: str) -> _Calendar:
    months = tuple(names.split())
    return _Calendar(months, {same_letters(name): place for place, name in enumerate(months)})


_MONTH_CALENDARS = tuple(map(_calendar, _MONTHS))
_DAY_CALENDARS = tuple(map(_calendar, _DAYS))


def _pattern(calendars: tuple[_Calendar, ...]) -> str:
    names = {name for calendar in calendars for name in calendar.names}
    return "|".join(sorted(map(re.escape, names), key=lambda name: (-len(name), name)))


MONTH = _pattern(_MONTH_CALENDARS)
WEEKDAY = _pattern(_DAY_CALENDARS)


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name."""
    folded = same_letters(name)
    return next(c.places[folded] for c in _MONTH_CALENDARS if folded in c.places) + 1


def month_like(number: int, name: str) -> str:
    """Return the name of month ``number`` in the language, length and case of ``name``."""
    return _like(_MONTH_CALENDARS, name, number - 1)


def weekday_number(name: str) -> int:
    """Return 0 for Monday, 6 for Sunday."""
    folded = same_letters(name)
    return next(c.places[folded] for c in _DAY_CALENDARS if folded in c.places)


def weekday_like(number: int, name: str) -> str:
    """Return the name of week day ``number`` in the language, length and case of ``name``."""
    return _like(_DAY_CALENDARS, name, number)


def _like(calendars: tuple[_Calendar, ...], name: str, place: int) -> str:
    folded = same_letters(name)
    month = next(c for c in calendars if folded in c.places).names[place]
    if len(name) > 1 and name.isupper():
        return month.upper()
    return month.lower() if name.islower() else month[0].upper() + month[1:]
