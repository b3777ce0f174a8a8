"""Names of months and week days in the languages of common European documents, whole and short."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    """Return a word as an expression that ignores case compares it, dotted and dotless i alike."""
    return word.replace("İ", "i").casefold().replace("ı", "i")


def _calendar(names: str) -> _Calendar:
    written = tuple(names.split())
    return _Calendar(written, {same_letters(name): place for place, name in enumerate(written)})


_MONTH_CALENDARS = tuple(map(_calendar, _MONTHS))
_DAY_CALENDARS = tuple(map(_calendar, _DAYS))


def _pattern(calendars: tuple[_Calendar, ...]) -> str:
    found = {name for calendar in calendars for name in calendar.names}
    return "|".join(sorted(map(re.escape, found), key=lambda name: (-len(name), name)))


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
    found = next(c for c in calendars if folded in c.places).names[place]
    if len(name) > 1 and name.isupper():
        return found.upper()
    return found.lower() if name.islower() else found[0].upper() + found[1:]
