"""Find a shipped ontology, compared with its digest first."""

from __future__ import annotations

from pathlib import Path

from ..errors import ModelError
from .store import locate

DEFAULT_ONTOLOGY = "ontology-en"
ONTOLOGY_FILE = "ontology.sqlite"


def ontology_file(source: str | Path = DEFAULT_ONTOLOGY) -> Path:
    """Return the path of an ontology's file.

    Args:
        source: name of a shipped ontology, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or no ontology.
    """
    model = locate(source)
    model.verify()
    if ONTOLOGY_FILE not in model.digests:
        raise ModelError(f"{model.name} is no ontology: it has no {ONTOLOGY_FILE}.")
    return model.folder / ONTOLOGY_FILE
