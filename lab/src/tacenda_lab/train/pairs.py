"""Pairs of a text and the profile of its person: as wikibio is released, or one a line.

wikibio (Lebret et al. 2016) has three files a split: ``SPLIT.box``, a person a line, ``key_N:value`` parted by tabs;
``SPLIT.nb``, the number of sentences of each text; ``SPLIT.sent``, a sentence a line. ``pairs.jsonl`` and ``pairs.csv``
have ``id``, ``name`` and ``text``; all else is the profile, or the fields of an object ``profile``.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tacenda.background.profiles import Person
from tacenda.errors import InputError

_KEYS: Final = ("id", "name", "text")
_LARGEST_CELL: Final = 2**24


@dataclass(frozen=True, slots=True)
class ProfiledText:
    """A person with a profile, and the text about them; None if no one wrote one."""

    person: Person
    text: str | None = field(repr=False)


def read_pairs(path: Path) -> Iterator[ProfiledText]:
    """Yield the pairs of a JSON lines or CSV file, or of a split of wikibio by its ``.box`` file.

    Raises:
        InputError: names the file, the line and the fault, or there is no pair.
    """
    pair = None
    try:
        for pair in _read(path):
            yield pair
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8; convert the file", str(path)) from None
    except csv.Error as error:
        raise InputError(f"{error}; write the pairs as .jsonl", str(path)) from None
    if pair is None:
        raise InputError("has no pair of a text and a profile", str(path))


def _read(path: Path) -> Iterator[ProfiledText]:
    if path.suffix == ".box":
        yield from _wikibio(path)
        return
    if path.suffix not in (".csv", ".jsonl"):
        raise InputError(
            "pairs are read from .jsonl, .csv and wikibio's .box; convert the file", str(path)
        )
    csv.field_size_limit(_LARGEST_CELL)
    # Spreadsheets put a mark before UTF-8.
    with path.open(encoding="utf-8-sig", newline="") as lines:
        for number, record in _rows(lines) if path.suffix == ".csv" else _objects(lines, path):
            if not isinstance(record, Mapping) or not all(record.get(key) for key in _KEYS[:2]):
                raise InputError(f"line {number}: needs id and name beside the profile", str(path))
            if None in record:
                raise InputError(f"line {number}: has more cells than the header", str(path))
            if not isinstance(record.get("text"), str | None):
                raise InputError(f"line {number}: text must be a string", str(path))
            fields = {key: value for key, value in record.items() if key not in _KEYS}
            if isinstance(fields.get("profile"), Mapping):
                fields |= fields.pop("profile")
            profile = [
                (str(key), str(each))
                for key, value in fields.items()
                if key not in _KEYS
                for each in (value if isinstance(value, list) else [value])
                if each not in (None, "")
            ]
            person = Person(str(record["id"]), str(record["name"]), tuple(profile))
            yield ProfiledText(person, record.get("text") or None)


def _rows(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a table, each with the number of the line where it ends."""
    reader = csv.DictReader(lines)
    for row in reader:
        yield reader.line_num, row


def _objects(lines: Iterable[str], path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except ValueError:
            raise InputError(f"line {number}: is not JSON", str(path)) from None


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
