"""The strings in sanitized rows, to compare with those in their file's bytes."""

from __future__ import annotations

import hashlib
import secrets
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np


def nameless_file(owner: object) -> BinaryIO:
    """Return an unlinked temporary file, which disappears along with its owner."""
    file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # Closed with its owner.
    weakref.finalize(owner, file.close)
    return file


class VerifiedStrings:
    """The strings of a file, group by group, as keyed 8-byte digests in an unnamed file.

    A digest has 64 bits: the probability that one of a million unknown strings is mistaken for one
    of a million others is 5 in 10⁸.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)
        self._group: set[int] = set()
        self._sizes: list[int] = []
        self._file = nameless_file(self)

    def add(self, values: Iterable[str | bytes]) -> None:
        """Add strings to the current group."""
        self._group.update(map(self._digest, values))

    def end_group(self) -> None:
        """End the current group."""
        np.fromiter(self._group, np.uint64, len(self._group)).tofile(self._file)
        self._sizes.append(len(self._group))
        self._group = set()

    def unknown(self, groups: Iterable[Iterable[str | bytes]]) -> Iterator[int]:
        """Yield, for each group read again, how many of its strings weren't added to it."""
        self._file.seek(0)
        sizes = iter(self._sizes)
        for values in groups:
            known = set(np.fromfile(self._file, np.uint64, next(sizes, 0)).tolist())
            yield sum(self._digest(value) not in known for value in values)

    def _digest(self, value: str | bytes) -> int:
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        return int.from_bytes(hashlib.blake2b(data, digest_size=8, key=self._key).digest(), "big")
