"""Read what was fitted to a language model's answers, compared with its digest first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from ..errors import ModelError
from .store import read_text

DEFAULT_LANGUAGE_RISK = "language-risk-en"
LANGUAGE_RISK_FILE = "language-risk.json"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number at which a risk begins, and what stood on both sides of it where it was chosen.

    Attributes:
        at: the threshold.
        risky: share of the entities beyond it that people masked.
        other: share of the others that they masked.
    """

    at: float
    risky: float
    other: float


@dataclass(frozen=True, slots=True)
class LanguageRiskWeights:
    """What the indicators that ask a language model were fitted to.

    Attributes:
        model: name of the language model, up to its digest.
        surprise: of the summed log-probability of an entity, in nats; below it is risky.
        together: of the joint log-probability of several entities, in nats; below it is risky.
        alone: of the rise, in nats, of the log-probability of the direct identifiers when an entity
            is shown and all others are hidden; above it is risky.
        among: the same with all others shown.
        weights: of the logistic regression, by name of the feature.
        types: of one that knows the types alone, to see what the language model adds.
    """

    model: str
    surprise: Threshold
    together: Threshold
    alone: Threshold
    among: Threshold
    weights: Mapping[str, float]
    types: Mapping[str, float]

    def as_json(self) -> str:
        """Return the content of ``LANGUAGE_RISK_FILE``."""
        return json.dumps(asdict(self), indent=1) + "\n"


@cache
def load_language_risk(source: str | Path = DEFAULT_LANGUAGE_RISK) -> LanguageRiskWeights:
    """Return what was fitted, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or holds something else.
    """
    name, text = read_text(source, LANGUAGE_RISK_FILE, "was fitted to no language model")
    try:
        found = json.loads(text)
        names = ("surprise", "together", "alone", "among")
        thresholds = {
            each: Threshold(*(float(found[each][part]) for part in ("at", "risky", "other")))
            for each in names
        }
        weights, types = (
            {str(each): float(weight) for each, weight in found[part].items()}
            for part in ("weights", "types")
        )
        return LanguageRiskWeights(
            model=str(found["model"]), **thresholds, weights=weights, types=types
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{name}: {LANGUAGE_RISK_FILE} has no thresholds and weights; rebuild it."
        ) from error
