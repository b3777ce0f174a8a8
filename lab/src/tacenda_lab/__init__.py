"""Tools for building tacenda: recipes, baselines, further indicators and measures."""

from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).parent / "models"
"""Weights that only the further indicators and ``--weights lm`` read."""
