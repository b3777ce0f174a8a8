"""Read what was fitted to the answers of a search, compared with its digest first."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from .calibration import Curve
from .store import locate

DEFAULT_EMULATION = "emulation-en"
EMULATION_FILE = "emulation.json"
ARRAYS_FILE = "emulation.npz"
ARRAYS = {
    "mean": 1,
    "deviation": 1,
    "phrase": 2,
    "entity": 2,
    "entity_bias": 1,
    "person": 2,
    "person_bias": 1,
    "hidden": 2,
    "hidden_bias": 1,
    "output": 1,
    "output_bias": 1,
}
"""The arrays of the network by name, with their dimensions; ``risk/search/emulated/network.py``."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Size:
    """What was fitted to combinations of one size.

    Attributes:
        threshold: probability from which a combination is risky.
        curve: from the network's confidence to a probability.
    """

    threshold: float
    curve: Curve


@dataclass(frozen=True, slots=True, eq=False)
class Emulation:
    """The weights of a network that answers in place of a search.

    Attributes:
        encoder: name of the encoder whose vectors it was fitted to, up to its digests.
        facts: names of the facts of an entity, in order.
        sizes: what was fitted to combinations of one entity, of two, and so on; at least one.
        arrays: float32, by the names of ``ARRAYS``.
    """

    encoder: str
    facts: tuple[str, ...]
    sizes: tuple[Size, ...]
    arrays: Mapping[str, Array]


@cache
def load_emulation(source: str | Path = DEFAULT_EMULATION) -> Emulation:
    """Return what was fitted, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or holds something else.
    """
    model = locate(source)
    model.verify()
    if not {EMULATION_FILE, ARRAYS_FILE} <= set(model.digests):
        raise ModelError(
            f"{model.name} emulates no search: it has no {EMULATION_FILE} and {ARRAYS_FILE}; see "
            "`tacenda models list`."
        )
    try:
        found = json.loads((model.folder / EMULATION_FILE).read_text(encoding="utf-8"))
        sizes = tuple(
            Size(
                float(size["threshold"]),
                Curve.of(size),
            )
            for size in found["sizes"]
        )
        encoder, facts = str(found["encoder"]), tuple(map(str, found["facts"]))
        with np.load(io.BytesIO((model.folder / ARRAYS_FILE).read_bytes())) as stored:
            arrays = {name: stored[name].astype(np.float32) for name in ARRAYS}
    except (ValueError, TypeError, KeyError, AttributeError, EOFError, BadZipFile) as error:
        raise ModelError(f"{model.name}: its files hold no network; rebuild it.") from error
    if not sizes or any(arrays[name].ndim != count for name, count in ARRAYS.items()):
        raise ModelError(f"{model.name}: its arrays have other dimensions; rebuild it.")
    return Emulation(encoder, facts, sizes, arrays)
