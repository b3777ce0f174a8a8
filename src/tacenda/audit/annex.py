"""Annexes of a record: the table of HIPAA Safe Harbor, or the principles of an Expert Determination.

45 CFR 164.514(b); the principles are those of the guidance of HHS (2012) on the two methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from .safe_harbor import table
from .sample import FrozenModel


class AnnexKind(StrEnum):
    """Method of de-identification that a record is for."""

    SAFE_HARBOR = "safe-harbor"
    EXPERT = "expert"


class AnnexRow(FrozenModel):
    """A requirement: its letter or name, what it asks for, and what was done."""

    item: str
    requirement: str
    done: str


class Annex(FrozenModel):
    """A table of requirements, with the statement that the signer makes."""

    kind: AnnexKind
    title: str
    statement: str
    rows: tuple[AnnexRow, ...]


_EXPERT: Final = (
    (
        "Replicability",
        "what stays is told from what changes over time, and ranked by how consistently it occurs with a person",
        "risk of each entity in the record of decisions",
    ),
    (
        "Data source availability",
        "which outside sources hold what could identify a person, and who can get at them",
        "what the recipient is assumed to hold; the attackers' background",
    ),
    (
        "Distinguishability",
        "to what extent what stays makes a person one of a kind",
        "rates of the attackers at rank 1 and among the first k",
    ),
    (
        "Assessment of the risk",
        "the greater the three above, the greater the risk; it must be very small",
        "highest rate with its interval; upper confidence bounds of what is left",
    ),
)


def annex_of(kind: AnnexKind, policy: Mapping[str, Any] | None) -> Annex:
    """The annex of a kind.

    Args:
        kind: which.
        policy: of the record of decisions; None where there is none.

    Raises:
        KeyError, TypeError: if the policy isn't one of such a record.
    """
    if kind is AnnexKind.EXPERT:
        return Annex(
            kind=kind,
            title="Expert Determination, 45 CFR 164.514(b)(1)",
            statement=(
                "I have appropriate knowledge of and experience with generally accepted statistical and "
                "scientific principles and methods for rendering information not individually identifiable. "
                "Applying them, I determine that the risk is very small that the information could be used, "
                "alone or in combination with other reasonably available information, by an anticipated "
                "recipient to identify an individual who is a subject of the information; methods and "
                "results are documented in this record."
            ),
            rows=tuple(AnnexRow(item=a, requirement=b, done=c) for a, b, c in _EXPERT),
        )
    return Annex(
        kind=kind,
        title="Safe Harbor, 45 CFR 164.514(b)(2)",
        statement=(
            "The identifiers named above, of the individual and of relatives, employers and household members, "
            "are removed, and I have no actual knowledge that the information could be used alone or in "
            "combination with other information to identify an individual who is a subject of it."
        ),
        rows=tuple(AnnexRow(item=a, requirement=b, done=c) for a, b, c in table(policy)),
    )
