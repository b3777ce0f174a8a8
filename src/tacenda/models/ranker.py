"""Read a shipped ranker: the weights of features by name, compared with their digest first."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelError
from .store import read_text

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
    name, text = read_text(source, RANKER_FILE, "is no ranker")
    try:
        found = json.loads(text)
        weights = {str(each): float(weight) for each, weight in found["weights"].items()}
        return RankerWeights(weights, frozenset(map(str, found["fitted_to"])))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"{name}: {RANKER_FILE} has no weights; rebuild it.") from error


def text_digest(text: str) -> str:
    """Return 16 hexadecimal digits that tell a document from others."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
