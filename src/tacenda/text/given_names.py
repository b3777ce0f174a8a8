"""Folded given names: their short forms, and the gender they show.

Names used by both women and men (*Alex*, *Robin*, *Andrea*, *Jean*) have no gender here. A name
without short forms is listed only for its gender, and because it isn't a short form itself. The
list is ``data/given_names.txt``, with a gender, a full name and its short forms on each line.
"""

from __future__ import annotations

from functools import lru_cache

from ..shipped import shipped_text
from .word_lists import word_list_of


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return the full names by name, and the genders by name."""
    full: dict[str, set[str]] = {}
    genders: dict[str, set[str]] = {}
    table = shipped_text("given_names.txt")
    for line in table.splitlines():
        gender, *names = line.split()
        for name in names:
            full.setdefault(name, {name}).add(names[0])
            genders.setdefault(name, set()).add(gender)
    return (
        {name: frozenset(names) for name, names in full.items()},
        {name: next(iter(both)) for name, both in genders.items() if len(both) == 1},
    )


_BOTH = word_list_of("given_names_both")
_PATRONYMICS = (("m", ("ovich", "evich", "owicz")), ("f", ("ovna", "evna", "ichna")))
_FEMININE_ENDINGS = ("iana", "ina", "ena", "elle", "ette", "ovna", "evna")


def full_names(name: str) -> frozenset[str]:
    """Return the names that a folded given name may be short for, including itself."""
    return _tables()[0].get(name, frozenset((name,)))


@lru_cache(maxsize=1)
def _short_forms() -> dict[str, tuple[str, ...]]:
    """Return the short forms by full name, in list order."""
    lines = (line.split() for line in shipped_text("given_names.txt").splitlines())
    return {name: tuple(forms) for _, name, *forms in lines}


def short_forms(name: str) -> tuple[str, ...]:
    """Return the short forms of a folded given name, the most common first; empty if none are listed."""
    return _short_forms().get(name, ())


def is_common_given_name(name: str) -> bool:
    """Return whether a folded name is in the lists."""
    return name in _tables()[0]


def gender_by_names(names: tuple[str, ...]) -> str:
    """Return the gender of a person with these folded names, ``m`` or ``f``; empty if they don't show it.

    The first name decides, then a patronymic.
    """
    if not names:
        return ""
    gender = "" if names[0] in _BOTH else _tables()[1].get(names[0], "")
    if gender:
        return gender
    for name in names[1:]:
        for gender, endings in _PATRONYMICS:
            if name.endswith(endings):
                return gender
    return "f" if len(names[0]) > 4 and names[0].endswith(_FEMININE_ENDINGS) else ""
