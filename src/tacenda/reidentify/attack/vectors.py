"""The vectors of a store's profiles: computed once, kept beside the store, mapped into memory.

The name of the file says of which state of the store and by which model they are, so that vectors of
a store that was built anew are never read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...atomic import atomic_file
from ...background.people import People
from ...background.person import linearised
from ...errors import InputError
from ...models.attacker import AttackerModel
from .reading import PADDING, Reading, read_text

_AT_ONCE: Final = 128
"""Profiles a call of the encoder."""


def profile_vectors(people: People, model: AttackerModel) -> NDArray[np.float32]:
    """Return the vectors of everybody in a store, [people, width], read-only.

    Raises:
        InputError: if they are not there yet, and can't be written beside the store.
    """
    path = _file(people.path, model)
    if not path.exists():
        _write(path, people, model)
    found: NDArray[np.float32] = np.load(path, mmap_mode="r", allow_pickle=False)
    if found.shape != (len(people), model.width):
        raise InputError(
            f"has vectors of {found.shape[0]} people, the store has {len(people)}; delete it.",
            str(path),
        )
    return found


def encoded(readings: Sequence[Reading], model: AttackerModel) -> NDArray[np.float32]:
    """Return the vectors of linearised profiles, [profiles, width]."""
    words = {"": PADDING, "***": 1}
    places = np.zeros((len(readings), max(len(one.places) for one in readings)), dtype=np.int64)
    for row, reading in zip(places, readings, strict=True):
        numbers = np.array([words.setdefault(word, len(words)) for word in reading.words])
        row[: len(reading.places)] = numbers[reading.places]
    return model.vectors("profile", model.pieces(tuple(words)), places)


def _file(store: Path, model: AttackerModel) -> Path:
    state = store.stat()
    of_store = _digest(f"{state.st_size} {state.st_mtime_ns}")
    return store.with_name(f"{store.name}.vectors-{_digest(model.name)}-{of_store}.npy")


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def _write(path: Path, people: People, model: AttackerModel) -> None:
    try:
        with atomic_file(path) as file:
            found = np.lib.format.open_memmap(
                file.part, mode="w+", dtype=np.float32, shape=(len(people), model.width)
            )
            for first, readings in _readings(people):
                found[first : first + len(readings)] = encoded(readings, model)
            found.flush()
            del found
        # Those of an earlier state of the store are of no use any more.
        for old in path.parent.glob(f"{path.name.rpartition('-')[0]}-*.npy"):
            if old != path:
                old.unlink()
    except OSError as error:
        raise InputError(
            f"the vectors of the people can't be written ({error.strerror}); copy the store to a "
            "folder that can be written to, or choose an attacker without an encoder (bm25, bayes).",
            str(path.parent),
        ) from None


def _readings(people: People) -> Iterator[tuple[int, list[Reading]]]:
    first = 0
    while first < len(people):
        some = range(first, min(first + _AT_ONCE, len(people)))
        readings = [read_text(linearised(people.person(number))) for number in some]
        yield first, readings
        first += len(readings)
