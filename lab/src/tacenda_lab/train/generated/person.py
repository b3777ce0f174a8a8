"""People of a document, and the forms of their names in texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from random import Random

from tacenda.errors import InputError, MissingExtraError

from ..tables import load_tables
from .frames import Country, fill_pattern

# First and last names of many languages, in Latin letters.
#
# Lists of this package (``names/*.txt``) for languages that are written in other scripts or that
# faker has little of; faker's for the rest (extra ``train``).


@dataclass(frozen=True, slots=True)
class NameBank:
    """The names of one language: given names by gender, last names by the bearer's gender."""

    male: tuple[str, ...]
    female: tuple[str, ...]
    last_male: tuple[str, ...]
    last_female: tuple[str, ...]


@cache
def name_bank(language: str) -> NameBank:
    """Return the names of a list of this package (``ru``) or of a faker locale (``de_DE``).

    Raises:
        MissingExtraError: if faker is not installed.
        InputError: if neither has the language.
    """
    if "_" not in language:
        return _own(language)
    try:
        module = import_module(f"faker.providers.person.{language}")
    except ModuleNotFoundError as error:
        if error.name == "faker":
            raise MissingExtraError(
                "Generated training documents", "train", "tacenda-lab"
            ) from None
        raise InputError(f"no names of {language!r}: faker has no such locale.") from None
    provider = module.Provider

    def names(*attributes: str) -> tuple[str, ...]:
        for attribute in attributes:
            values = getattr(provider, attribute, ())
            if not isinstance(values, property) and len(values) > 5:
                return tuple(_writable(values))
        raise InputError(f"no names of {language!r}: faker has no {attributes!r} for it.")

    return NameBank(
        names("first_names_male", "first_names"),
        names("first_names_female", "first_names"),
        names("last_names_male", "last_names"),
        names("last_names_female", "last_names"),
    )


def _own(language: str) -> NameBank:
    path = files(__package__).joinpath("data", "names", f"{language}.txt")
    if not path.is_file():
        raise InputError(f"no names of {language!r}: add names/{language}.txt.")
    lists: dict[str, tuple[str, ...]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(":")
        if rest:
            lists[head.strip()] = tuple(name.strip() for name in rest.split(",") if name.strip())
    last = lists.get("last", ())
    try:
        return NameBank(
            lists["male"],
            lists["female"],
            lists.get("last_male", last),
            lists.get("last_female", last),
        )
    except KeyError as error:
        raise InputError(f"names/{language}.txt lacks the list {error.args[0]!r}.") from None


def _writable(values: Iterable[str]) -> list[str]:
    """Return names in Latin letters, those with titles or brackets left out, in a fixed order."""
    return sorted(
        {
            value
            for value in map(str.strip, values)
            if len(value) > 1
            and not set(value) & set(".(),0123456789")
            and all(not char.isalpha() or "LATIN" in unicodedata.name(char, "") for char in value)
        }
    )


_PLAIN = str.maketrans("łŁøØđĐðÐþÞıßæÆœŒəƏ", "lLoOdDdDtTisaAoOaA")
_PEOPLE = load_tables("generated")["people"]
_ADDRESSES: dict[str, list[str]] = _PEOPLE["addresses"]


@dataclass(frozen=True, slots=True)
class GeneratedPerson:
    """One person, with all forms of the name, for consistency."""

    first: str
    middle: str
    last: str
    male: bool
    title: str
    country: Country
    handle: str
    email: str
    phone: str
    nick: str
    full: str


def new_person(
    random: Random, country: Country, words: Sequence[str], last: str = "", work: str = ""
) -> GeneratedPerson:
    """Make a person.

    Args:
        random: source of all choices.
        country: where the person lives; the name may be of another language spoken there.
        words: parts of handles unrelated to their bearer.
        last: a family name to share; one of the language otherwise.
        work: a domain for the e-mail address, as of an employer; a provider's otherwise.
    """
    bank = name_bank(random.choice(country["names"]))
    male = random.random() < 0.5
    first = random.choice(bank.male if male else bank.female)
    if random.random() < 0.05:
        first += random.choice(" -") + random.choice(bank.male if male else bank.female)
    lasts = bank.last_male if male else bank.last_female
    surname = random.choice(lasts)
    if random.random() < 0.07:
        surname += random.choice(" -") + random.choice(lasts)
    if last:
        surname = last
    middle = ""
    if random.random() < 0.1:
        middle = random.choice(bank.male if male else bank.female)
    if middle and random.random() < 0.6:
        middle = middle[0] + "."
    titles = ("Mr", "Mr", "Mr.", "Dr") if male else ("Ms", "Mrs", "Ms.", "Miss", "Dr")
    handle = _handle(random, first, surname, words)
    return GeneratedPerson(
        first,
        middle,
        surname,
        male,
        random.choice(titles),
        country,
        handle,
        _email(random, first, surname, handle, work),
        fill_pattern(random.choice(country["phone"]), random),
        _nick(random, first),
        " ".join(part for part in (first, middle, surname) if part),
    )


def plain(name: str) -> str:
    """Return a name as addresses are written: small letters without marks, spaces, apostrophes."""
    folded = unicodedata.normalize("NFKD", name.translate(_PLAIN)).lower()
    return "".join(char for char in folded if char.isascii() and char.isalnum())


def _handle(random: Random, first: str, last: str, words: Sequence[str]) -> str:
    name, family = plain(first) or "user", plain(last) or "x"
    one, two = random.choice(words), random.choice(words)
    year = random.choice((str(random.randint(1955, 2009)), f"{random.randint(0, 99):02}"))
    number = str(random.randint(1, 9999))
    return random.choice(_ADDRESSES["handles"]).format(
        **{"name": name, "family": family, "one": one, "two": two, "year": year, "number": number},
        **{"Name": name.capitalize(), "One": one.capitalize(), "Two": two.capitalize()},
        **{"name3": name[:3], "family3": family[:3], "F": family[0].upper()},
        **{"yy": year[-2:], "nn": number[-2:]},
    )


def _email(random: Random, first: str, last: str, handle: str, work: str) -> str:
    name, family = plain(first) or "info", plain(last) or "x"
    n = str(random.randint(1, 99))
    template = random.choice(_ADDRESSES["users"])
    user = template.format(name=name, family=family, n=n, handle=handle.lower())
    return f"{user}@{work or random.choice(_ADDRESSES['providers'])}"


def _nick(random: Random, first: str) -> str:
    short = first.split()[0].split("-")[0]
    if len(short) < 5:
        return short
    stem = short[: random.choice((3, 4))].rstrip("aeiouy'")
    if len(stem) < 3:
        return short[:3]
    return stem + random.choice(("", "i", "y", "a", "o", "ie", "ko", "s"))


def form(person: GeneratedPerson, name: str, random: Random) -> tuple[str, str] | None:
    """Return the text of a form and its semantic type; None if there is no such form.

    Pronouns have the empty type: they are not mentions.
    """
    if name == "url":
        scheme = random.choice(_ADDRESSES["schemes"])
        return scheme + random.choice(_ADDRESSES["sites"]) + person.handle, "CODE"
    if name in _PEOPLE["words"]:
        return _PEOPLE["words"][name][0 if person.male else 1], ""
    for kind, type in (("name", "PERSON"), ("code", "CODE")):
        if forms := _PEOPLE[kind].get(name):
            template = forms[0] if len(forms) == 1 else random.choice(forms)
            return template.format(**_parts(person)), type
    return None


def _parts(person: GeneratedPerson) -> dict[str, str]:
    """Return what the templates of a person's forms may name; in capitals where the key is."""
    names = ("first", "last", "title", "full", "nick", "handle", "email", "phone")
    parts = {name: str(getattr(person, name)) for name in names}
    parts["account"] = person.handle.replace("-", "_").replace(".", "_")
    return parts | {
        "FULL": person.full.upper(),
        "LAST": person.last.upper(),
        "FIRST": person.first.upper(),
    }
