"""Pairs of a text and its person's profile: as wikibio was released, or one per line.

wikibio (Lebret et al. 2016) has three files per split: ``SPLIT.box``, one person per line as
``key_N:value`` separated by tabs; ``SPLIT.nb``, the number of sentences in each text;
``SPLIT.sent``, one sentence per line. ``pairs.jsonl`` and ``pairs.csv`` have ``id``, ``name`` and
``text``; all else is the profile, or the fields of an object ``profile``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from tacenda.background.profiles import Person
from tacenda.background.reading import PeopleReader, read_records
from tacenda.errors import InputError

_LARGEST_CELL: Final = 2**24


@dataclass(frozen=True, slots=True)
class ProfiledText:
    """A person with a profile, and the text about them, or None without one."""

    person: Person
    text: str | None = field(repr=False)


def read_pairs(path: Path, without: Iterable[str] = ()) -> Iterator[ProfiledText]:
    """Yield the pairs in a file of records about people, or in a wikibio split, given its ``.box`` file.

    Args:
        path: JSON lines, JSON or a table, as ``tacenda index people`` reads it, with id, name and text.
        without: fields that are left out of the profiles.

    Raises:
        InputError: names the file, the line and the fault, or there is no pair.
    """
    pair = None
    try:
        for pair in _wikibio(path) if path.suffix == ".box" else _records(path, without):
            yield pair
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8; convert the file", str(path)) from None
    if pair is None:
        raise InputError("has no pair of a text and a profile", str(path))


def _records(path: Path, without: Iterable[str]) -> Iterator[ProfiledText]:
    reader = PeopleReader(without=frozenset(("text", *without)))
    csv.field_size_limit(_LARGEST_CELL)
    for number, record in read_records(path):
        place = f"{path}:{number}"
        if isinstance(record, str):
            raise InputError(record, place)
        if not isinstance(record, dict) or not (record.get("id") and record.get("name")):
            raise InputError("needs id and name beside the profile", place)
        text = record.get("text")
        if not isinstance(text, str | None):
            raise InputError("text must be a string", place)
        yield ProfiledText(reader.person(record, place), text or None)


def _wikibio(path: Path) -> Iterator[ProfiledText]:
    """One after the other, so that 728,000 profiles need no room."""
    sizes, sentences = path.with_suffix(".nb"), path.with_suffix(".sent")
    for part in (sizes, sentences):
        if not part.is_file():
            raise InputError(f"needs {part.name} beside it", str(path))
    with (
        path.open(encoding="utf-8") as boxes,
        sizes.open(encoding="utf-8") as counts,
        sentences.open(encoding="utf-8") as lines,
    ):
        for number, (box, count) in enumerate(zip(boxes, counts, strict=False), 1):
            if not count.strip().isdecimal():
                raise InputError(f"line {number}: is not a number of sentences", str(sizes))
            text = " ".join(line.strip() for line in islice(lines, int(count)))
            fields = _box(box)
            name = fields.pop("name", "") or fields.get("article_title", "")
            if not name:
                continue  # A box without anyone's name is no one's profile.
            person = Person(f"{path.stem}-{number}", name, tuple(fields.items()))
            yield ProfiledText(person, text or None)


def _box(line: str) -> dict[str, str]:
    """The fields of an infobox: ``name_1:walter`` and ``name_2:extra`` are *walter extra*."""
    words: dict[str, list[str]] = {}
    for item in line.rstrip("\n").split("\t"):
        key, _, value = item.partition(":")
        base, _, place = key.rpartition("_")
        if value and value != "<none>":
            words.setdefault(base if place.isdecimal() else key, []).append(value)
    return {key: " ".join(parts) for key, parts in words.items()}
