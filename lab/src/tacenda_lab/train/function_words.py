"""The commonest function words of languages in Latin letters, by ISO 639-1 code.

Written by hand from grammars; articles, pronouns, prepositions, conjunctions and forms of *be* and
*have* make up a third and more of running text in most of these languages. Words of one Latin letter
are left out: they are signs, variables and items of lists.
"""

from __future__ import annotations

from types import MappingProxyType

from .tables import load_tables

_LISTS: dict[str, str] = load_tables("function_words")

FUNCTION_WORDS = MappingProxyType(
    {
        code: frozenset(word for word in words.split() if len(word) > 1 or not word.isascii())
        for code, words in _LISTS.items()
    }
)
