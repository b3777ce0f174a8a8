"""What the user wants done about things that a target format can't hold or must be told.

Nothing here has an effect unless it is asked for: by default a loss is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import PolicyError
from .corpus import Feature


class Overlaps(StrEnum):
    """What becomes of mentions that overlap where the target can't hold such."""

    MERGE = "merge"
    """One mention covers them, with the features of the longest and the strictest identifier."""
    LONGEST = "longest"
    """The longest stays (the first of equals), those that overlap it go."""


class Fragments(StrEnum):
    """What becomes of a discontinuous mention where the target can't hold such."""

    COVER = "cover"
    """One span from the first to the last character."""
    SPLIT = "split"
    """A mention for each fragment."""


DROPPABLE: Final = frozenset(Feature) - {
    Feature.TEXT,
    Feature.SEVERAL_ANNOTATORS,
    Feature.OVERLAPS,
    Feature.FRAGMENTS,
}
FILLABLE: Final = frozenset(
    {
        Feature.TYPE,
        Feature.IDENTIFIER_TYPE,
        Feature.CONFIDENTIAL_STATUS,
        Feature.ENTITY,
        Feature.SCORE,
    }
)
ENTITY_FILLINGS: Final = ("mention", "string")
"""Every mention an entity of its own; or equal strings of one annotator are one entity."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """The policy of a conversion.

    Attributes:
        annotator: keep only this annotator's mentions; where the source names nobody, this is
            the name. Documents that somebody else annotated are left out and counted.
        each_annotator: make a document ``ID@ANNOTATOR`` of each annotator's version.
        only: keep mentions of these identifier types; None for all.
        rename: new names of semantic types.
        fill: values for what mentions lack, by feature.
        drop: features to leave out.
        drop_rest: leave out whatever the target can't hold.
        fragments: what to do about discontinuous mentions.
        snap: grow mentions to whole tokens where the target annotates tokens.
        overlaps: what to do about mentions that overlap.
    """

    annotator: str = ""
    each_annotator: bool = False
    only: frozenset[IdentifierType] | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    fill: Mapping[Feature, str] = field(default_factory=dict)
    drop: frozenset[Feature] = field(default_factory=frozenset)
    drop_rest: bool = False
    fragments: Fragments | None = None
    snap: bool = False
    overlaps: Overlaps | None = None

    def __post_init__(self) -> None:
        _among(self.drop, DROPPABLE, "drop")
        _among(self.fill, FILLABLE, "fill")
        for feature, value in self.fill.items():
            _check_filling(feature, value)


def _among(features: Iterable[Feature], allowed: frozenset[Feature], option: str) -> None:
    for feature in features:
        if feature not in allowed:
            known = ", ".join(sorted(allowed))
            raise PolicyError(f"--{option} {feature} is not possible; choose among {known}.")


def _check_filling(feature: Feature, value: str) -> None:
    allowed: Mapping[Feature, Iterable[str]] = {
        Feature.IDENTIFIER_TYPE: [one.value for one in IdentifierType],
        Feature.CONFIDENTIAL_STATUS: [one.value for one in ConfidentialStatus],
        Feature.ENTITY: ENTITY_FILLINGS,
    }
    if feature in allowed and value not in allowed[feature]:
        known = ", ".join(allowed[feature])
        raise PolicyError(f"--fill {feature}={value} is not possible; choose one of {known}.")
    if feature is Feature.SCORE and not value.replace(".", "", 1).isdecimal():
        raise PolicyError(f"--fill score={value} is not possible; give a number such as 1.0.")
    if not value:
        raise PolicyError(f"--fill {feature} needs a value: --fill {feature}=VALUE.")
