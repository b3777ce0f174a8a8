"""Calibration of risk indicators: curves and weights, read once their digest has been checked."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import ModelError
from .store import read_text

# The label sets of the recognizer's two heads, in the order of the model's outputs.


SEMANTIC_TYPES = ("PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC")
BIO_LABELS = ("O", *(f"{prefix}-{type}" for type in SEMANTIC_TYPES for prefix in "BI"))

NO_MASK, QUASI, DIRECT = 0, 1, 2


def bio_id(prefix: str, type: str) -> int:
    """Return the index of ``B-type`` or ``I-type`` in the type head's output."""
    return 1 + 2 * SEMANTIC_TYPES.index(type) + (prefix == "I")


# From the model's confidence to a calibrated probability.
#
# A fully trained network is overconfident. A monotone, piecewise linear curve, fitted on documents
# that the network hasn't seen (isotonic regression, by a recipe of ``tacenda-lab``), maps its
# output so that annotators masked about 30 % of the mentions with probability .3.


@dataclass(frozen=True, slots=True)
class Curve:
    """A monotone, piecewise linear map of [0, 1] to [0, 1] through the points ``(x[i], y[i])``.

    Raises:
        ValueError: unless x rises strictly from 0 to 1, and y never falls and stays in [0, 1].
    """

    x: tuple[float, ...]
    y: tuple[float, ...]

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in zip(self.x, self.x[1:], strict=False))
        never_falls = all(a <= b for a, b in zip(self.y, self.y[1:], strict=False))
        if (
            len(self.x) != len(self.y)
            or len(self.x) < 2
            or (self.x[0], self.x[-1]) != (0.0, 1.0)
            or not rises
            or not never_falls
            or not 0.0 <= self.y[0] <= self.y[-1] <= 1.0
        ):
            raise ValueError(
                f"Not a calibration curve: x={self.x!r}, y={self.y!r}; x must rise strictly from "
                "0 to 1, y must be as long, never fall, and stay in [0, 1]."
            )

    @classmethod
    def of(cls, points: Mapping[str, Any]) -> Curve:
        """Return the curve described by ``{"x": […], "y": […]}``.

        Raises:
            KeyError, TypeError, ValueError: if the object doesn't describe a curve.
        """
        return cls(tuple(map(float, points["x"])), tuple(map(float, points["y"])))

    def __call__(self, value: float) -> float:
        """Return the value of the curve at ``value``, clipped to [0, 1]."""
        value = 0.0 if value < 0.0 else 1.0 if value > 1.0 else value
        right = bisect_right(self.x, value, 0, len(self.x) - 1)
        x0, x1 = self.x[right - 1], self.x[right]
        y0, y1 = self.y[right - 1], self.y[right]
        return y0 + (y1 - y0) * (value - x0) / (x1 - x0)


IDENTITY = Curve((0.0, 1.0), (0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curves from confidence to probability.

    Attributes:
        masking: curves by semantic type, since the network is surer of dates than of organizations;
            a type without a curve isn't changed.
        direct: the curve for the probability of a direct identifier, for all types.
    """

    masking: Mapping[str, Curve] = field(default_factory=dict)
    direct: Curve = IDENTITY

    def masking_of(self, type: str, confidence: float) -> float:
        """Return the calibrated masking probability of a mention of ``type``."""
        return self.masking.get(type, IDENTITY)(confidence)

    @classmethod
    def from_points(cls, points: Mapping[str, Any]) -> Calibration:
        """Return the calibration from JSON in the form of ``dataclasses.asdict``."""
        return cls(
            {type: Curve.of(curve) for type, curve in points["masking"].items()},
            Curve.of(points["direct"]),
        )


DEFAULT_RISK = "risk-en"
COMBINATION_FILE = "combination.json"
OTHERWISE = "is for no risk indicators"


@dataclass(frozen=True, slots=True)
class Combining:
    """How indicators are combined.

    Attributes:
        curves: by indicator, curves from its value to the entity's masking probability.
        stacks: feature weights, keyed by the sorted names of the indicators joined with ``+``.
    """

    curves: Mapping[str, Curve]
    stacks: Mapping[str, Mapping[str, float]]

    def calibrated(self, indicator: str, value: float) -> float:
        """Return the calibrated probability for an indicator's value, or the value itself if there is no curve."""
        curve = self.curves.get(indicator)
        return value if curve is None else curve(value)


@cache
def load_combining(source: str | Path = DEFAULT_RISK) -> Combining:
    """Return the fitted combination, which is read once per process.

    Args:
        source: name of a shipped model, or a folder that contains one.

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
