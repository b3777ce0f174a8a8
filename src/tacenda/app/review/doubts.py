"""The decisions of a document that need a person, as a project's page lists them by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...document import SemanticType


@dataclass(frozen=True, slots=True)
class Doubt:
    """An entity that needs a person's decision.

    Attributes:
        label: its longest mention, as it stands in the text.
        type: its semantic type.
        anchor: ``start-end`` of its first mention.
        verdict: what becomes of it now, in a word.
        risk: in [0, 1].
        weight: uncertainty in bits times number of mentions.
        count: number of mentions.
        before, after: a few words around the first mention.
    """

    label: str = field(repr=False)
    type: SemanticType
    anchor: str
    verdict: str
    risk: float
    weight: float
    count: int
    before: str = field(repr=False)
    mention: str = field(repr=False)
    after: str = field(repr=False)
