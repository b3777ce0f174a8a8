"""The weightings that users can name."""

from __future__ import annotations

from ..errors import InputError
from .information import InformationContent, Uniform


def weighting(name: str) -> InformationContent:
    """Return the information content of this name.

    Args:
        name: ``uniform``.

    Raises:
        InputError: there is none of this name.
    """
    if name == "uniform":
        return Uniform()
    raise InputError(f"weights {name!r} are not known; choose uniform")
