r"""The language of the frame files: plain text with slots, choices and references.

| syntax | meaning |
|---|---|
| ``@name`` at the start of a line | from here on, alternatives of section ``name`` |
| a line | one alternative of its section |
| lines between ``<<<`` and ``>>>`` | one alternative of several lines |
| ``[one|two|]`` | any one of these, the last being nothing; choices nest |
| ``{>name}`` | any alternative of a section of this file, or of a shared one |
| ``{slot.form#2}`` | a value of the cast; the same mark ``#2`` means the same value |
| ``{a:slot}``, ``{^slot}`` | with the fitting article; with a capital letter |
| ``{DEM!night nurse}`` | an annotated literal: QUASI; ``DEM+`` DIRECT, ``DEM-`` NO_MASK |
| ``\[``, ``\{`` … | a bracket, brace or bar as it stands |
| ``# …`` | a comment, where it starts a line outside ``<<<`` |
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from tacenda.errors import InputError
from tacenda.models.calibration import SEMANTIC_TYPES

_SLOT = re.compile(r"(?P<mark>a:|\^)?(?P<path>[a-z_]+\d*(?:\.[a-z_]+)*)(?:#(?P<same>\w+))?")
_LITERAL = re.compile(r"(?P<type>[A-Z]+)(?P<sign>[+-]?)!(?P<text>.+)", re.DOTALL)
# Escapes with a backslash.
ESCAPED = tuple("[]{}|\\")
_IDENTIFIERS = {"": "QUASI", "+": "DIRECT", "-": "NO_MASK"}


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal text; annotated if ``type`` is not empty."""

    text: str
    type: str = ""
    identifier: str = ""


@dataclass(frozen=True, slots=True)
class FrameSlot:
    """A value of the cast; equal ``same`` means one value; ``mark`` is ``a:``, ``^`` or empty."""

    path: str
    same: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class FrameReference:
    """Any alternative of a section."""

    section: str


@dataclass(frozen=True, slots=True)
class FrameChoice:
    """Any one of several sequences."""

    options: tuple[Frame, ...]


Part = Literal | FrameSlot | FrameReference | FrameChoice
Frame = tuple[Part, ...]
Sections = Mapping[str, tuple[Frame, ...]]


def parse(text: str, place: str) -> dict[str, tuple[Frame, ...]]:
    """Read a frame file.

    Args:
        text: its content.
        place: its name, for messages.

    Raises:
        InputError: naming the invalid line.
    """
    sections: dict[str, list[Frame]] = {}
    current: list[Frame] | None = None
    block: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        at = f"line {number} of {place}"
        if block is not None:
            if line.strip() != ">>>":
                block.append(line.rstrip())
                continue
            source, block = "\n".join(block), None
        elif line.strip() == "<<<":
            block = []
            continue
        elif line.startswith("@") and re.fullmatch(r"@\w+", line.strip()):
            current = sections.setdefault(line.strip()[1:], [])
            continue
        elif not line.strip() or line.startswith("# "):
            continue
        else:
            source = line.strip()
        if current is None:
            raise InputError(f"text before the first section at {at}; begin with '@document'.")
        current.append(parse_frame(source, at))
    if block is not None:
        raise InputError(f"{place}: a '<<<' is never closed; add '>>>'.")
    return {name: tuple(frames) for name, frames in sections.items()}


def parse_frame(source: str, place: str) -> Frame:
    """Read one alternative.

    Raises:
        InputError: naming ``place`` and the text there.
    """
    frame, end = _sequence(source, 0, place, inside=False)
    if end != len(source):
        raise InputError(f"{place}: {source[end]!r} at {end} closes nothing; remove it.")
    return frame


def _sequence(source: str, at: int, place: str, *, inside: bool) -> tuple[Frame, int]:
    parts: list[Part] = []
    plain = ""
    while at < len(source):
        char = source[at]
        if inside and char in "|]":
            break
        if char == "\\" and source[at + 1 : at + 2] in ESCAPED:
            plain += source[at + 1]
            at += 2
        elif char == "{":
            close = source.find("}", at)
            if close < 0:
                raise InputError(f"{place}: '{{' at {at} is never closed; add '}}'.")
            if plain:
                parts.append(Literal(plain))
                plain = ""
            parts.append(_braced(source[at + 1 : close], place))
            at = close + 1
        elif char == "[":
            options, at = _options(source, at + 1, place)
            if plain:
                parts.append(Literal(plain))
                plain = ""
            parts.append(FrameChoice(options))
        else:
            plain += char
            at += 1
    if plain:
        parts.append(Literal(plain))
    return tuple(parts), at


def _options(source: str, at: int, place: str) -> tuple[tuple[Frame, ...], int]:
    options = []
    while True:
        frame, at = _sequence(source, at, place, inside=True)
        options.append(frame)
        if at >= len(source):
            raise InputError(f"{place}: a '[' is never closed; add ']'.")
        if source[at] == "]":
            return tuple(options), at + 1
        at += 1


def _braced(inner: str, place: str) -> Part:
    if inner.startswith(">"):
        return FrameReference(inner[1:])
    literal = _LITERAL.fullmatch(inner)
    if literal and literal["type"] in SEMANTIC_TYPES:
        return Literal(literal["text"], literal["type"], _IDENTIFIERS[literal["sign"]])
    slot = _SLOT.fullmatch(inner)
    if not slot:
        raise InputError(f"{place}: {{{inner}}} is not a slot, reference or literal; fix it.")
    return FrameSlot(slot["path"], slot["same"] or "", slot["mark"] or "")


@cache
def kinds() -> Mapping[str, Sections]:
    """Return the sections of every kind of document, those shared among all included."""
    texts = {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in files(__package__).joinpath("data", "frames").iterdir()
        if entry.name.endswith(".txt")
    }
    shared: dict[str, tuple[Frame, ...]] = {}
    documents = {}
    for name in sorted(texts):
        sections = parse(texts[name], f"{name}.txt")
        if "document" in sections:
            documents[name] = sections
        else:
            shared |= sections
    return {name: {**shared, **sections} for name, sections in documents.items()}


# Word lists: those of this package, and longer ones of a data folder where there is one.


# Name of a list in frames, the file under ``lists/`` that extends it, and its key.
_LISTS = {
    "job": ("humans/occupations.json", "occupations"),
    "body": ("humans/bodyParts.json", "bodyParts"),
    "drug": ("medicine/drugs.json", "drugs"),
}
# Classes of ``entity_types.tsv.gz`` and the list that they add to, by country.
_CLASSES = {
    "city": "city",
    "company": "company",
    "education": "university",
    "university": "university",
    "hospital": "hospital",
    "healthcare": "hospital",
    "nonprofit": "charity",
    "government": "office",
    "football club": "club",
}


@dataclass(frozen=True, slots=True)
class WordBank:
    """Values for slots.

    Attributes:
        lists: by name of the list.
        by_country: by name of the list and of the country.
    """

    lists: Mapping[str, tuple[str, ...]]
    by_country: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


@cache
def load_words(data: Path | None) -> WordBank:
    """Return the lists of this package, with those of the folder ``data`` if it is given."""
    lists = {
        entry.name.removesuffix(".txt"): _lines(entry.read_text(encoding="utf-8"))
        for entry in files(__package__).joinpath("data", "words").iterdir()
        if entry.name.endswith(".txt") and entry.name != "countries.txt"
    }
    if data is None:
        return WordBank(lists)
    for name, (file, key) in _LISTS.items():
        loaded = json.loads((data / "lists" / file).read_text(encoding="utf-8"))
        values = [value.strip() for value in _strings(loaded[key]) if 2 < len(value) < 30]
        lists[name] = (*lists.get(name, ()), *values)
    return WordBank(lists, _entities(data / "wikidata" / "entity_types.tsv.gz"))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _strings(item)


def _entities(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    entities: dict[tuple[str, str], list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        next(rows)
        for row in rows:
            name, kind, place, _ = row.rstrip("\n").split("\t")
            # The country stands after the region: "Kent, United Kingdom".
            country = place.rsplit(", ", 1)[-1]
            # Acronyms and names in other scripts are rare in what people write about themselves.
            if kind in _CLASSES and country and 3 < len(name) < 45 and _plain(name):
                entities[_CLASSES[kind], country].append(name)
    return {key: tuple(names) for key, names in entities.items()}


def _plain(name: str) -> bool:
    return not set(name) & set('()[]{}<>|;:"') and max(name) < "\u0250" and not name.isupper()


# Patterns of numbers and codes: ``#`` a digit, ``%`` a digit but 0, ``@`` a capital letter.


_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def fill_pattern(pattern: str, random: Random) -> str:
    """Return the pattern with its places filled."""
    return "".join(
        random.choice("0123456789")
        if char == "#"
        else random.choice("123456789")
        if char == "%"
        else random.choice(_LETTERS)
        if char == "@"
        else char
        for char in pattern
    )


# Formats of a country: phone numbers, addresses, money, plates (``countries.txt``).


@dataclass(frozen=True, slots=True)
class Country:
    """A block of ``countries.txt``: its code and its lists of values by key."""

    code: str
    lists: Mapping[str, tuple[str, ...]]

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return self.lists[key]


@cache
def countries() -> tuple[Country, ...]:
    """Return all blocks, in order."""
    text = files(__package__).joinpath("data", "words", "countries.txt").read_text(encoding="utf-8")
    blocks: list[tuple[str, dict[str, tuple[str, ...]]]] = []
    for line in text.splitlines():
        if line.startswith("= "):
            blocks.append((line[2:].strip(), {}))
        elif blocks and ":" in line:
            key, _, values = line.partition(":")
            blocks[-1][1][key] = tuple(part.strip() for part in values.split(";") if part.strip())
    return tuple(Country(code, lists) for code, lists in blocks)
