"""Read what was fitted for risk indicators, compared with its digest first: curves and weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..errors import ModelError
from .calibration import Curve
from .store import read_text

DEFAULT_RISK = "risk-en"
COMBINATION_FILE = "combination.json"
OTHERWISE = "is for no risk indicators"


@dataclass(frozen=True, slots=True)
class Combining:
    """How indicators are combined.

    Attributes:
        curves: by indicator, from its value to the probability that the entity must be masked.
        stacks: by the names of the indicators, sorted and joined by ``+``: weights by feature.
    """

    curves: Mapping[str, Curve]
    stacks: Mapping[str, Mapping[str, float]]

    def calibrated(self, indicator: str, value: float) -> float:
        """Return the probability that an indicator's value stands for; itself without a curve."""
        curve = self.curves.get(indicator)
        return value if curve is None else curve(value)


@cache
def load_combining(source: str | Path = DEFAULT_RISK) -> Combining:
    """Return what was fitted, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or holds something else.
    """
    name, text = read_text(source, COMBINATION_FILE, OTHERWISE)
    try:
        data = json.loads(text)
        return Combining(
            {str(name): Curve.of(curve) for name, curve in data["curves"].items()},
            {
                str(names): {str(name): float(weight) for name, weight in weights.items()}
                for names, weights in data["stacks"].items()
            },
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{name}: {COMBINATION_FILE} has no curves and weights; rebuild it."
        ) from error
