"""First and last names of many languages, in Latin letters.

Lists of this package (``names/*.txt``) for languages that are written in other scripts or that
faker has little of; faker's for the rest (extra ``train``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files

from ...errors import InputError, MissingExtraError


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
            raise MissingExtraError("Generated training documents", "train") from None
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
    path = files(__package__).joinpath("names", f"{language}.txt")
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
