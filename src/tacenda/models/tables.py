"""Read a shipped gazetteer, terms by group, once its digest has been checked."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelError
from .store import read_text, verified_file

DEFAULT_GAZETTEER = "gazetteer-en"
TERMS_FILE = "terms.txt.gz"


def load_terms(source: str | Path = DEFAULT_GAZETTEER) -> dict[str, tuple[str, ...]]:
    """Return the terms of each group.

    Args:
        source: name of a shipped gazetteer, or a folder that contains one.

    Raises:
        ModelError: if it is missing, damaged or not a list of terms by group.
    """
    name, path = verified_file(source, TERMS_FILE, "is not a gazetteer")
    text = gzip.decompress(path.read_bytes()).decode()
    groups = {}
    for block in text.removeprefix("# ").split("\n# "):
        group, *terms = block.split("\n")
        groups[group] = tuple(terms)
    if "" in groups:
        raise ModelError(f"{name}: {TERMS_FILE} has terms without a group; rebuild it.")
    return groups


# Find a shipped ontology, and check its digest.


DEFAULT_ONTOLOGY = "ontology-en"
ONTOLOGY_FILE = "ontology.sqlite"


def ontology_file(source: str | Path = DEFAULT_ONTOLOGY) -> Path:
    """Return the path of an ontology's file.

    Args:
        source: name of a shipped ontology, or a folder that contains one.

    Raises:
        ModelError: if it is missing, damaged or not an ontology.
    """
    _, path = verified_file(source, ONTOLOGY_FILE, "is not an ontology")
    return path


# Read the shipped towns and universities that *surrogate* chooses from.


DEFAULT_SUBSTITUTES = "substitutes-en"
SUBSTITUTES_FILE = "substitutes.tsv.gz"


@dataclass(frozen=True, slots=True)
class Substitute:
    """A town or university: its folded country, its subdivision, the log10 of its population, and its name."""

    country: str
    division: str
    size: float
    name: str


def load_substitutes(source: str | Path = DEFAULT_SUBSTITUTES) -> dict[str, tuple[Substitute, ...]]:
    """Return towns and universities by kind, in a fixed order.

    Args:
        source: name of a shipped table, or a folder that contains one.

    Raises:
        ModelError: if it is missing, damaged or not such a table.
    """
    _, path = verified_file(source, SUBSTITUTES_FILE, "has no towns and universities")
    kinds: dict[str, list[Substitute]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
        kind, country, division, size, name = line.split("\t")
        kinds.setdefault(kind, []).append(Substitute(country, division, int(size) / 10, name))
    return {kind: tuple(rows) for kind, rows in kinds.items()}


# Read a shipped ranker, feature weights by name, once its digest has been checked.


DEFAULT_RANKER = "ranker-en"
RANKER_FILE = "ranker.json"


@dataclass(frozen=True, slots=True)
class RankerWeights:
    """Content of a ranker's file.

    Attributes:
        weights: the weights by feature name.
        fitted_to: ``text_digest`` of the training documents, since results on those are too
            optimistic.
    """

    weights: dict[str, float]
    fitted_to: frozenset[str]


def load_weights(source: str | Path = DEFAULT_RANKER) -> RankerWeights:
    """Return the weights of a ranker.

    Args:
        source: name of a shipped ranker, or a folder that contains one.

    Raises:
        ModelError: if it is missing, damaged or has no weights.
    """
    name, text = read_text(source, RANKER_FILE, "is not a ranker")
    try:
        data = json.loads(text)
        weights = {str(key): float(weight) for key, weight in data["weights"].items()}
        return RankerWeights(weights, frozenset(map(str, data["fitted_to"])))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"{name}: {RANKER_FILE} has no weights; rebuild it.") from error


def text_digest(text: str) -> str:
    """Return the first 16 hexadecimal digits of a document's SHA-256, which identify it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
