"""Read a shipped gazetteer: terms by group, compared with its digest first."""

from __future__ import annotations

import gzip
from pathlib import Path

from ..errors import ModelError
from .store import locate

DEFAULT_GAZETTEER = "gazetteer-en"
TERMS_FILE = "terms.txt.gz"


def load_terms(source: str | Path = DEFAULT_GAZETTEER) -> dict[str, tuple[str, ...]]:
    """Return the terms of each group.

    Args:
        source: name of a shipped gazetteer, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or not a list of terms by group.
    """
    model = locate(source)
    model.verify()
    if TERMS_FILE not in model.digests:
        raise ModelError(f"{model.name} is no gazetteer: it has no {TERMS_FILE}.")
    text = gzip.decompress((model.folder / TERMS_FILE).read_bytes()).decode()
    groups = {}
    for block in text.removeprefix("# ").split("\n# "):
        group, *terms = block.split("\n")
        groups[group] = tuple(terms)
    if "" in groups:
        raise ModelError(f"{model.name}: {TERMS_FILE} has terms without a group; rebuild it.")
    return groups
