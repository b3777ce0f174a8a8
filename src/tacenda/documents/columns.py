"""What becomes of the columns of a table, or the fields of JSON lines, that are no text.

| treatment | what is written |
|---|---|
| keep | as it came, but that whoever is masked in the row is struck out |
| drop | nothing: neither the value nor the name |
| pseudonym | ``[ID 1]``, the same for the same value in all of a run; with a key, in every run |

Nothing leaves without somebody having said so: a column of which nothing is said makes a row
unwritable, and the message has the options that would allow it. A field within a field is named by
its path (``author.name``), and what is said of a field holds for all within it of which nothing
else is said; lists add nothing to a path. A column may also be named by its place (``column 3``), as
messages do where its name could be somebody's. ``*`` speaks of all that is not named.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from ..errors import InputError
from .record import Failure, SourceDocument

ALL = "*"
_PLAIN = re.compile(r"[a-z][a-z0-9_.]{0,39}")
_SHOWN = 10
"""Names that a message has at most."""
_IN_PLACE = {"same": ("csv", "jsonl"), "jsonl": ("jsonl",)}


class Treatment(StrEnum):
    """What becomes of a column."""

    KEEP = "keep"
    DROP = "drop"
    PSEUDONYM = "pseudonym"


class RunningNumbers:
    """``[ID 1]``, ``[ID 2]`` …: each value has its number in order of its first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, value: str) -> str:
        """Return the pseudonym of a value."""
        return f"[ID {self._numbers.setdefault(value, len(self._numbers) + 1)}]"


@dataclass(frozen=True, slots=True)
class Others:
    """What is said of the columns and fields that are no text.

    Attributes:
        keep, drop, pseudonym: names, of which none may be in two of them.
        name: gives a value its pseudonym.
        harmless: whether cells that a spreadsheet would take for a formula are made text, by an
            apostrophe before them (CSV only).

    Raises:
        InputError: if two things are said of one name.
    """

    keep: frozenset[str] = frozenset()
    drop: frozenset[str] = frozenset()
    pseudonym: frozenset[str] = frozenset()
    name: Callable[[str], str] = field(default_factory=RunningNumbers, repr=False, compare=False)
    harmless: bool = False

    def __post_init__(self) -> None:
        for first, second in (("keep", "drop"), ("keep", "pseudonym"), ("drop", "pseudonym")):
            for name in sorted(getattr(self, first) & getattr(self, second)):
                raise InputError(
                    f"{name!r} is in --{first}-columns and in --{second}-columns; leave one out."
                )

    def of(self, *names: str) -> Treatment | None:
        """Return what becomes of a column; None if nothing is said.

        Args:
            names: its name, or its path and those of the fields it is in, innermost first.
        """
        for name in (*names, ALL):
            for treatment in Treatment:
                if name in getattr(self, treatment):
                    return treatment
        return None

    def within(self, path: str) -> bool:
        """Tell whether something is said of a field within the one of this path."""
        names = self.keep | self.drop | self.pseudonym
        return any(name.startswith(f"{path}.") for name in names)

    def replaced(self, value: str) -> str:
        """Return the pseudonym of a value; nothing has none."""
        return self.name(value.strip()) if value.strip() else value

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return what is to be dropped or replaced and is not among the names."""
        return sorted((self.drop | self.pseudonym) - {*names, ALL})


UNSAID = Others()
"""Nothing is said of any column."""


def names_of(line: str) -> tuple[str, ...]:
    """Return the names in an option's value: ``id,ward``, in quotes those that have a comma."""
    return tuple(name for row in csv.reader(io.StringIO(line, newline="")) for name in row)


def unnamed(names: Mapping[int, str], noun: str) -> str:
    """Return why columns (``noun``) can't be written, and the options that would allow it.

    Args:
        names: by their number in the file; a name that may be somebody's is shown as this number.
        noun: ``column``, of which a number is understood too, or ``field``.
    """
    labels = [
        name if _PLAIN.fullmatch(name) else f"{noun} {number}"
        for number, name in islice(names.items(), _SHOWN)
    ]
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(labels)
    line = shlex.quote(stream.getvalue())
    more = len(names) - len(labels)
    rest = f" (and {more} more; '*' is all that are not named)" if more else ""
    return (
        f"{len(names)} {noun}{'s'[: len(names) > 1]} would be written beside the text, and nothing "
        f"is said of what may leave; say --keep-columns {line}, --drop-columns {line} or "
        f"--pseudonym-columns {line}{rest}."
    )


def refuse_unnamed(
    items: Iterable[SourceDocument | Failure], to: str
) -> Iterator[SourceDocument | Failure]:
    """Yield items until one has columns of which nothing is said, and would be written with them.

    It and the rest of its file give way to one failure: what is missing is the same in all rows.
    """
    refused = ""
    for item in items:
        if isinstance(item, SourceDocument):
            if refused == item.origin.path:
                continue
            carried = item.origin.format in _IN_PLACE.get(to, ())
            if carried and item.beside.refusal:
                refused = item.origin.path
                yield Failure(InputError(item.beside.refusal, item.document.id))
                continue
        yield item
