"""The strings of sanitized rows, to be compared with those in the bytes of their file."""

from __future__ import annotations

import hashlib
import secrets
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np


def nameless_file(owner: object) -> BinaryIO:
    """Return a temporary file that no folder lists; it goes when its owner does."""
    file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # Closed with its owner.
    weakref.finalize(owner, file.close)
    return file


class VerifiedStrings:
    """Strings of a file, group by group: as keyed digests in a file without a name, 8 bytes each.

    A digest is of 64 bits: that one of a million strings of unknown origin passes for one of a million
    others has a probability of 5 in 10⁸.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)
        self._group: set[int] = set()
        self._sizes: list[int] = []
        self._file = nameless_file(self)

    def add(self, values: Iterable[str | bytes]) -> None:
        """Take strings of the current group."""
        self._group.update(map(self._digest, values))

    def end_group(self) -> None:
        """End the current group."""
        np.fromiter(self._group, np.uint64, len(self._group)).tofile(self._file)
        self._sizes.append(len(self._group))
        self._group = set()

    def unknown(self, groups: Iterable[Iterable[str | bytes]]) -> Iterator[int]:
        """Yield, for each group read again, the number of its strings that were not added to it."""
        self._file.seek(0)
        sizes = iter(self._sizes)
        for values in groups:
            known = set(np.fromfile(self._file, np.uint64, next(sizes, 0)).tolist())
            yield sum(self._digest(value) not in known for value in values)

    def _digest(self, value: str | bytes) -> int:
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        return int.from_bytes(hashlib.blake2b(data, digest_size=8, key=self._key).digest(), "big")
