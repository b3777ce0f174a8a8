"""Read a shipped ranker: the weights of features by name, compared with their digest first."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelError
from .store import locate

DEFAULT_RANKER = "ranker-en"
RANKER_FILE = "ranker.json"


@dataclass(frozen=True, slots=True)
class RankerWeights:
    """What a ranker's file has.

    Attributes:
        weights: of the features, by name.
        fitted_to: ``text_digest`` of the documents it was fitted to: figures of those are not what
            it is worth.
    """

    weights: dict[str, float]
    fitted_to: frozenset[str]


def load_weights(source: str | Path = DEFAULT_RANKER) -> RankerWeights:
    """Return the weights of a ranker.

    Args:
        source: name of a shipped ranker, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or has no weights.
    """
    model = locate(source)
    model.verify()
    if RANKER_FILE not in model.digests:
        raise ModelError(f"{model.name} is no ranker: it has no {RANKER_FILE}.")
    text = (model.folder / RANKER_FILE).read_text(encoding="utf-8")
    try:
        found = json.loads(text)
        weights = {str(name): float(weight) for name, weight in found["weights"].items()}
        return RankerWeights(weights, frozenset(map(str, found["fitted_to"])))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"{model.name}: {RANKER_FILE} has no weights; rebuild it.") from error


def text_digest(text: str) -> str:
    """Return 16 hexadecimal digits that tell a document from others."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
