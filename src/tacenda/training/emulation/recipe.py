"""From public judgments to the folder ``emulation-en``."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...background.documents import LocalIndex
from ...errors import InputError
from ...models.attacker import AttackerModel
from ...models.emulation import ARRAYS_FILE, EMULATION_FILE
from ...models.store import digest
from ...pipeline import load
from ...risk.search.emulated.facts import FACTS, PhraseEncoder
from .card import card_of
from .cases import ARITY, Observed, observe, read_documents
from .figures import Fitted, fit
from .knowledge import TRAIN, Knows, build_index

_NEEDED = 10
"""Documents that a curve and a threshold can be fitted to."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What was learned, and from how much."""

    fitted: Fitted
    knows: Knows
    documents: int
    entities: int
    indexed: int


def train_emulation(data: Path, folder: Path, knows: Knows, threads: int) -> Trained:
    """Build the index, ask it, fit the network and write the folder that is shipped.

    Args:
        data: the data folder.
        folder: where to; it is made if it is not there.
        knows: how much of the judgments about the people to protect is public.
        threads: cores to find entities with.

    Raises:
        InputError: if too few documents name a person to protect.
    """
    encoder = AttackerModel.load()
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "index.db"
        build_index(data, path, knows)
        index = LocalIndex(path)
        # Who knows openings only finds hardly anything: nearly all triples would be there, for nothing.
        arity = ARITY if knows is Knows.WHOLE else 2
        documents = read_documents(data / TRAIN)
        sanitizer = load(threads=threads)
        observed = [*observe(documents, sanitizer, index, encoder, arity)]
        indexed = index.size().documents
        index.close()
    trained = trained_on(observed, knows, indexed, str(data / TRAIN))
    write_emulation(trained, encoder, folder)
    return trained


def trained_on(observed: Sequence[Observed], knows: Knows, indexed: int, source: str) -> Trained:
    """Return what is learned from documents.

    Raises:
        InputError: if they are too few.
    """
    if len(observed) < _NEEDED:
        raise InputError(
            f"{len(observed)} documents name a person to protect; {_NEEDED} are needed", source
        )
    entities = sum(len(each.entities) for each in observed)
    return Trained(fit(observed), knows, len(observed), entities, indexed)


def write_emulation(trained: Trained, encoder: PhraseEncoder, folder: Path) -> None:
    """Write the network, its card and the digests; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "encoder": encoder.name,
        "knows": str(trained.knows),
        "facts": FACTS,
        "sizes": [
            {"threshold": size.threshold, "x": size.curve.x, "y": size.curve.y}
            for size in trained.fitted.sizes
        ],
    }
    text = json.dumps(content, indent=1) + "\n"
    (folder / EMULATION_FILE).write_text(text, encoding="utf-8")
    with (folder / ARRAYS_FILE).open("wb") as file:
        np.savez(file, **trained.fitted.arrays)  # type: ignore[arg-type]
    (folder / "CARD.md").write_text(card_of(trained, folder.name, encoder.name), encoding="utf-8")
    names = ("CARD.md", EMULATION_FILE, ARRAYS_FILE)
    digests = {name: digest(folder / name) for name in names}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
