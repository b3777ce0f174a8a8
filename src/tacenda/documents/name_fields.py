"""Name fields: judge from a field's name and values whether it contains people's names.

A name is struck out everywhere in its record, so a field of sentences must not be mistaken for one:
it would lose its text, and its words would disappear everywhere else. A text that is a name is
masked where the recognizer finds it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ..shipped import shipped_table


def words_of(name: str) -> frozenset[str]:
    """Return a list from ``data/field_words.toml``."""
    return frozenset(shipped_table("field_words")[name].split())


def words_in(name: str) -> set[str]:
    """Return the lowercase words in a field's name, however they are joined, and the whole name."""
    words = (*CAMEL_WORD.findall(name), *_WORD.findall(name), name)
    return {unicodedata.normalize("NFC", word).lower() for word in words}


def is_called_a_birth(name: str) -> bool:
    """Return whether a field's name means a date of birth."""
    return not _BIRTH.isdisjoint(words_in(name))


CAMEL_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
"""A word in ``patientId`` and ``patient_id``."""
_BIRTH = words_of("birth")
_TEXTS = words_of("texts")
"""Last words of the names of text fields."""
_NOBODY = words_of("nobody")
"""Values that identify no one."""
_PARTICLES = words_of("particles")
"""Words that are lowercase in names and titles."""
_OF_SENTENCES = words_of("sentences")
"""Words that occur in sentences but not in names, for lowercase text."""
_WORD = re.compile(r"[^\W\d_]+|\d+")
_LAST_OF_SENTENCE = re.compile(r"[^\W\d_]{4,}[.]\W*")
_SIGN = re.compile(r"[;:?!=]")
_MOST = 0.8


def is_called_a_text(words: list[str]) -> bool:
    """Return whether a field's name means text: ``patient note``, but not ``note author``."""
    last = next((word for word in reversed(words) if not word.isdigit()), "")
    return last.lower() in _TEXTS


def are_like_names(values: Iterable[str]) -> bool:
    """Return whether most values may be people's names; meaningless ones (``null``, ``x``, ``12``) don't count."""
    candidates = [value for value in values if _has_letters_of_a_name(value)]
    likely = sum(not is_sentence(value) for value in candidates)
    return likely > 0 and likely >= _MOST * len(candidates)


def _has_letters_of_a_name(value: str) -> bool:
    text = value.strip().strip(".").lower()
    letters = [character for character in text if character.isalpha()]
    return bool(letters) and text not in _NOBODY and (len(letters) > 1 or not text.isascii())


def is_sentence(value: str) -> bool:
    """Return whether a short value looks like a sentence: it has verbs and other small words, a number, or final punctuation."""
    words = _WORD.findall(value)
    small = [word for word in words if word.islower() and word not in _PARTICLES]
    if _SIGN.search(value) or (len(words) > 1 and any(map(str.isdigit, words)) and " " in value):
        return True
    tokens = value.split()
    if len(tokens) > 1 and tokens[-1].islower() and _LAST_OF_SENTENCE.fullmatch(tokens[-1]):
        return True
    if any(word[0].isupper() for word in words):
        # In a properly written name only particles are lowercase: "Mr Nowak left".
        return bool(small) and len(tokens) > 1
    return not _OF_SENTENCES.isdisjoint(small)
