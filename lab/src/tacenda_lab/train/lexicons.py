"""Lexicons that recipes read: WordNet's database files, and the lists of the corpora project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.errors import InputError

# WordNet's database files: synsets, senses and the licence (``data.noun`` and the like; wndb(5WN)).


@dataclass(frozen=True, slots=True)
class Synset:
    """A meaning.

    Attributes:
        lemmas: its words, the most usual first.
        pointers: symbol of the relation, part of speech and offset of the other synset.
    """

    lemmas: tuple[str, ...]
    pointers: tuple[tuple[str, str], ...]


def read_senses(path: Path) -> dict[str, list[str]]:
    """Return the synsets of each lemma of an index file, the most frequent sense first.

    Raises:
        InputError: if the file can't be read.
    """
    senses = {}
    for fields in _lines(path):
        count = int(fields[2])
        senses[fields[0]] = [f"n{offset}" for offset in fields[-count:]]
    return senses


def read_usual(path: Path) -> set[tuple[str, str]]:
    """Return the lemmas with their synsets in tagged texts.

    Raises:
        InputError: if the index file can't be read.
    """
    usual = set()
    for fields in _lines(path):
        count = int(fields[2])
        met = int(fields[-count - 1])
        usual |= {(fields[0], f"n{offset}") for offset in fields[-count:][:met]}
    return usual


def read_synsets(path: Path, part_of_speech: str) -> dict[str, Synset]:
    """Return the synsets of a data file by part of speech and offset.

    Raises:
        InputError: if the file can't be read.
    """
    synsets = {}
    for fields in _lines(path):
        count = int(fields[3], 16)
        lemmas = tuple(fields[4 + 2 * k].replace("_", " ") for k in range(count))
        first = 5 + 2 * count
        pointers = tuple(
            (fields[k], fields[k + 2] + fields[k + 1])
            for k in range(first, first + 4 * int(fields[first - 1]), 4)
        )
        synsets[part_of_speech + fields[0]] = Synset(lemmas, pointers)
    return synsets


LICENCE_FILE = "WORDNET-LICENCE"


def write_licence(folder: Path, out: Path) -> str:
    """Write the licence of WordNet's ``dict`` to a folder; return the name of the file.

    Raises:
        InputError: if ``data.noun`` can't be read.
    """
    (out / LICENCE_FILE).write_text(licence(folder), encoding="utf-8")
    return LICENCE_FILE


def licence(folder: Path) -> str:
    """Return WordNet's licence, from the beginning of one of its files.

    Raises:
        InputError: if ``data.noun`` can't be read.
    """
    lines = [
        line[2:].partition(" ")[2].rstrip()
        for line in _read(folder / "data.noun")
        if line.startswith("  ")
    ]
    return "\n".join(lines) + "\n"


def read_pertainyms(path: Path) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the lemmas of adjectives, and the synsets of the nouns they pertain to.

    Raises:
        InputError: if the data file of adjectives can't be read.
    """
    for adjective in read_synsets(path, "a").values():
        nouns = tuple(target for symbol, target in adjective.pointers if symbol == "\\")
        if nouns:
            yield adjective.lemmas, nouns


def _lines(path: Path) -> Iterator[list[str]]:
    for line in _read(path):
        if not line.startswith("  "):  # the licence
            yield line.partition(" | ")[0].split()


def _read(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from file
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror or error}); give WordNet's folder dict.", str(path)
        ) from error


# Word lists of the corpora project (dariusk/corpora): JSON, as lists or as trees of words.


# Keys under which a list says something about itself.
_NOTES = frozenset(("description", "source", "sources", "url", "license", "symbol", "credits"))


def load_list(path: Path) -> Any:
    """Return the content of a list.

    Raises:
        InputError: if it is missing or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as a JSON list of words ({error}).", str(path)) from error


def words_of(content: Any, headings: bool = False) -> Iterator[str]:
    """Yield the words of a list in their order, without its notes.

    Args:
        content: of the list, or a part of it.
        headings: whether keys with further words below them are words, too.
    """
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for item in content:
            yield from words_of(item, headings)
    elif isinstance(content, dict):
        for key, item in content.items():
            if key not in _NOTES:
                if headings:
                    yield key
                yield from words_of(item, headings)
