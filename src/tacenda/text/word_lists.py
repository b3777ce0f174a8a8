"""Closed lists of folded words: words that name nobody on their own, and names that are English words."""

from __future__ import annotations

from ..shipped import shipped_table, shipped_words
from ..wording import LANGUAGES


def word_list_of(name: str) -> frozenset[str]:
    """Return a list from ``data/word_lists.toml``."""
    return frozenset(shipped_table("word_lists")[name].split())


def ordered_words(name: str) -> tuple[str, ...]:
    """Return a list from ``data/word_lists.toml``, in file order."""
    return tuple(shipped_table("word_lists")[name].split())


MASCULINE = word_list_of("masculine")
FEMININE = word_list_of("feminine")
TITLES = MASCULINE | FEMININE | word_list_of("titles_of_both")
FORMS_OF_ADDRESS = TITLES.union(
    *map(word_list_of, ("called_of_men", "called_of_women", "called_of_both"))
)
"""Words before a name by which somebody is called."""
SUFFIXES = word_list_of("suffixes")
PARTICLES = word_list_of("particles").union(*(item.particles for item in LANGUAGES.values()))
MONTHS = word_list_of("months")
DAYS = word_list_of("days")
NUMBERS = word_list_of("numbers")
UNITS = word_list_of("units")
FUNCTION = word_list_of("function")
GENERIC = word_list_of("generic")
NAMES_THAT_ARE_WORDS = word_list_of("names_that_are_words")


NEVER = FUNCTION | TITLES | MONTHS | DAYS | NUMBERS | UNITS | GENERIC
DETERMINERS = NUMBERS | frozenset(
    """a an the this that these those each every any some no another
    my your his her its our their""".split()
)

_ENDINGS = (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"))


def is_ordinary(word: str) -> bool:
    """Return whether a folded word is an English word usually written in lowercase, or a form of one."""
    words = shipped_words("ordinary_words")
    return word in words or any(
        word.endswith(ending) and word.removesuffix(ending) + base in words
        for ending, base in _ENDINGS
    )
