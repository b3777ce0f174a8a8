"""Pairs on disk, read a few at a time: for 728,000 people, memory holds 16 bytes each rather than their profiles."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from tacenda.background.normalization import FieldKind, FieldStatistics, normalize_profile
from tacenda.background.profiles import Person, table_of
from tacenda.errors import InputError
from tacenda.models.store import digest

from .pairs import read_pairs

Role = Literal["train", "dev"]
_JUDGED: Final = 20
"""Without pairs to judge on, one person in so many, by the digest of their id."""


@dataclass(frozen=True, slots=True)
class StoredPair:
    """A profile worded as texts would word it, and the text about its person; empty without one."""

    profile: dict[str, str] = field(repr=False)
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class PairFile:
    """All people in some files of pairs as candidates, and the people whose texts are for learning or judging.

    Attributes:
        path: a file with one pair per line.
        starts: where each line starts, [people].
        learned: numbers of the people whose texts are for learning, in order.
        judged: numbers of the people whose texts are for judging epochs, in order.
        digests: SHA-256 of each file of pairs, by its role and name.
    """

    path: Path
    starts: NDArray[np.int64]
    learned: NDArray[np.int64]
    judged: NDArray[np.int64]
    digests: dict[str, str]

    def __len__(self) -> int:
        return len(self.starts)

    def read(self, numbers: Sequence[int] | NDArray[np.int64]) -> list[StoredPair]:
        """Return the pairs with the given numbers, in this order."""
        pairs = []
        with self.path.open("rb") as file:
            for number in numbers:
                file.seek(self.starts[number])
                profile, text = json.loads(file.readline())
                pairs.append(StoredPair(profile, text))
        return pairs

    @classmethod
    def write(cls, path: Path, train: Path, dev: Path | None) -> PairFile:
        """Write the pairs in one or two files; each file is read twice, one pair at a time.

        Args:
            path: the new file.
            train: pairs to learn from.
            dev: pairs to judge on; if None, some pairs of the first file.

        Raises:
            InputError: a file can't be read, a person occurs twice, or too few people have a text.
        """
        files: dict[Role, Path] = {"train": train}
        if dev is not None:
            files["dev"] = dev
        kinds = _kinds(list(files.values()))
        starts, learned, judged = array("q"), array("q"), array("q")
        place = 0
        ids: set[bytes] = set()
        with path.open("wb") as out:
            for role, source in files.items():
                for pair in read_pairs(source):
                    person = pair.person
                    key = hashlib.sha256(person.id.encode("utf-8", "replace")).digest()[:12]
                    if key in ids:
                        raise InputError(f"person {person.id!r} occurs twice", str(source))
                    ids.add(key)
                    if pair.text and pair.text.strip():
                        drawn = dev is None and int.from_bytes(key) % _JUDGED == 0
                        (judged if role == "dev" or drawn else learned).append(len(starts))
                    starts.append(place)
                    place += out.write(_line(person, kinds, pair.text or ""))
        if len(learned) < 2 or not judged:
            raise InputError(
                f"{len(learned)} texts to learn from and {len(judged)} to judge on are too few; give more pairs"
                + ("" if dev else ", or --dev"),
                str(train if dev is None or len(learned) < 2 else dev),
            )
        return cls(
            path,
            _numbers(starts),
            _numbers(learned),
            _numbers(judged),
            {f"{role} {source.name}": digest(source) for role, source in files.items()},
        )


def _kinds(files: Sequence[Path]) -> dict[str, FieldKind]:
    statistics = FieldStatistics()
    for file in files:
        for pair in read_pairs(file):
            statistics.add(pair.person.profile)
    return statistics.kinds()


def _line(person: Person, kinds: dict[str, FieldKind], text: str) -> bytes:
    known = Person(person.id, person.name, normalize_profile(person.profile, kinds))
    return json.dumps([table_of(known), text]).encode() + b"\n"


def _numbers(numbers: array[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)
