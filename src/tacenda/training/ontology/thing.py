"""A thing that a source knows: its names, what it is of, how well known it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of one source.

    Attributes:
        names: what it is called, the usual name first.
        classes: keys of its classes (`hierarchy.Hierarchy`).
        weight: how well known it is; about the logarithm to base 10 of how many people are
            concerned: a town of 10,000 has 4, a country 8, the first sense of a common noun 5.
        source: which row of which source, such as ``geonames:3143244`` or ``Q585``.
        where: names of places that tell it from others of its name; may be empty.
        common: whether it is a common noun, which counts in small letters.
        counts: whether it is counted in the population of its classes.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    weight: float
    source: str
    where: tuple[str, ...] = ()
    common: bool = False
    counts: bool = True
