"""The groups of the gazetteer's terms and their semantic types.

A group holds the values of some Wikidata properties of people; which ones is written in
``training/gazetteer/properties.py``. DEM: an attribute of a person. MISC: something else that may
contribute to identifying them (``explicit_risk_measures``, section 3.1). A term that several
groups claim belongs to the first of them here.
"""

from __future__ import annotations

from ...document import SemanticType

_DEM = (
    "nationality",
    "ethnic_group",
    "kinship",
    "military_rank",
    "religion",
    "orientation",
    "ideology",
    "sport_position",
    "occupation",
    "health",
    "position",
    "degree",
    "title",
    "language",
    "social_status",
    "appearance",
)
_MISC = (
    "crime",
    "penalty",
    "cause_of_death",
    "instrument",
    "sport",
    "event",
    "award",
    "treatment",
    "field",
    "movement",
    "genre",
    "possession",
    "work",
)

GROUPS: dict[str, SemanticType] = {
    **dict.fromkeys(_DEM, SemanticType.DEM),
    **dict.fromkeys(_MISC, SemanticType.MISC),
}
