"""National identity, tax and health numbers, from the rows in ``data/detectors.toml`` that have a country.

A shape is sufficient on its own if its check digits are strong: fewer than one in twenty numbers of
that shape pass. Other shapes count only near a word for identity numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from ...shipped import shipped_table
from .base import Hit, before

_ROWS: dict[str, dict[str, Any]] = shipped_table("detectors")


@dataclass(frozen=True, slots=True)
class NationalNumber:
    """A kind of number in one country.

    Attributes:
        name: name of its row.
        kind: kind of its hits.
        check: the stdnum module, or function in this module, that validates it; empty for none.
        shapes: patterns for the whole number; ``9`` is a digit, ``A`` a capital, and anything else
            itself.
        announced: shapes that need a word for identity numbers nearby.
        pattern: a regular expression if shapes aren't enough; empty for none.
    """

    name: str
    kind: str
    check: str
    shapes: tuple[str, ...]
    announced: tuple[str, ...]
    pattern: str

    def is_valid(self, number: str) -> bool:
        """Return whether a number's check digits are valid."""
        return not self.check or bool(_validator(self.check)(number))


NUMBERS = tuple(
    NationalNumber(
        name,
        row["kind"],
        row.get("check", ""),
        tuple(row.get("shapes", ())),
        tuple(row.get("announced", ())),
        row.get("pattern", "").replace("\n", ""),
    )
    for name, row in _ROWS.items()
    if "country" in row
)
_IDENTITY = before(
    rf"(?:\b(?:(?i:{'|'.join(_ROWS['national_id']['words'])})"
    rf"|{'|'.join(_ROWS['national_id']['capitals'])})\b).{{0,40}}"
)
_TO_SHAPE = str.maketrans("0123456789" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "9" * 10 + "A" * 26)
# The shortest shapes have eight characters, so most numbers in a text are rejected at first glance.
_FIRST = {
    "9": r"[0-9](?<!\w[0-9])(?<![0-9][.,/-][0-9])(?=[0-9A-Z ./+-]{7})",
    "A": r"[A-Z](?<!\w[A-Z])(?=[A-Z0-9-]{8})",
}
_UUID = re.compile(r"(?<![\w-])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![\w-])")


def find_uuids(text: str) -> Iterator[Hit]:
    """Yield universally unique identifiers (kind ``uuid``), which no other kind of number may split."""
    return (Hit(*match.span(), "uuid") for match in _UUID.finditer(text) if "-" in text)


class NationalIdFinder:
    """Finds valid national numbers (kinds ``national_id`` and ``identity_number``).

    Args:
        off: row names and kinds to ignore.
    """

    def __init__(self, off: Collection[str] = ()) -> None:
        numbers = [item for item in NUMBERS if item.name not in off and item.kind not in off]
        self._alone: dict[str, list[NationalNumber]] = {}
        self._announced: dict[str, list[NationalNumber]] = {}
        for number in numbers:
            for shape in number.shapes:
                self._alone.setdefault(shape, []).append(number)
            for shape in number.announced:
                self._announced.setdefault(shape, []).append(number)
        self._candidates = _candidates(frozenset((*self._alone, *self._announced)))
        self._patterns = [(re.compile(item.pattern), item) for item in numbers if item.pattern]

    def __call__(self, text: str) -> Iterator[Hit]:
        """Yield the numbers in ``text``."""
        for pattern in self._candidates:
            for match in pattern.finditer(text):
                shape = match[0].translate(_TO_SHAPE)
                announced = self._announced.get(shape, ())
                number = _first_valid(self._alone.get(shape, ()), match[0])
                if number is None and announced and _IDENTITY.match(text, match.start()):
                    number = _first_valid(announced, match[0])
                if number is not None:
                    yield Hit(*match.span(), number.kind)
        for pattern, number in self._patterns:
            for match in pattern.finditer(text):
                if number.is_valid(match[0]):
                    yield Hit(*match.span(), number.kind)


def modules_of(number: str) -> tuple[str, ...]:
    """Return the names of the stdnum modules that accept a number, sufficient checks first."""
    shape = number.translate(_TO_SHAPE)
    candidates = [
        *(item for item in NUMBERS if shape in item.shapes),
        *(item for item in NUMBERS if shape in item.announced),
    ] or [item for item in NUMBERS if item.pattern and "." in item.check]
    return tuple(item.check for item in candidates if item.is_valid(number))


def is_polish_card(number: str) -> bool:
    """Return whether a Polish identity card's check digit is valid."""
    weights = zip(number.replace(" ", ""), (7, 3, 1, 9, 7, 3, 1, 7, 3), strict=True)
    return sum(int(character, 36) * weight for character, weight in weights) % 10 == 0


def _first_valid(numbers: Iterable[NationalNumber], string: str) -> NationalNumber | None:
    return next((number for number in numbers if number.is_valid(string)), None)


@cache
def _candidates(shapes: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for numbers that start with a digit, and one for those that start with a letter."""
    patterns = []
    for first, start in _FIRST.items():
        ordered = sorted((s for s in shapes if s[0] == first), key=lambda s: (-len(s), s))
        if ordered:
            rests = "|".join(map(_rest_of_shape, ordered))
            patterns.append(re.compile(rf"{start}(?:{rests})(?![\w]|[-/][0-9]|\.[0-9])"))
    return tuple(patterns)


def _rest_of_shape(shape: str) -> str:
    """Return the pattern of a shape after its first character."""
    runs = re.findall(r"9+|A+|[^9A]", shape[1:])
    pieces = {"9": "[0-9]", "A": "[A-Z]"}
    return "".join(
        f"{pieces[run[0]]}{{{len(run)}}}" if run[0] in pieces else re.escape(run) for run in runs
    )


@cache
def _validator(check: str) -> Any:
    # Loaded with the first candidate of its shape, since there are fifty.
    return import_module(f"stdnum.{check}").is_valid if "." in check else globals()[check]
