"""What people of a country write: phone numbers, addresses, money, plates (``countries.txt``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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
    text = files(__package__).joinpath("words", "countries.txt").read_text(encoding="utf-8")
    blocks: list[tuple[str, dict[str, tuple[str, ...]]]] = []
    for line in text.splitlines():
        if line.startswith("= "):
            blocks.append((line[2:].strip(), {}))
        elif blocks and ":" in line:
            key, _, values = line.partition(":")
            blocks[-1][1][key] = tuple(part.strip() for part in values.split(";") if part.strip())
    return tuple(Country(code, lists) for code, lists in blocks)
