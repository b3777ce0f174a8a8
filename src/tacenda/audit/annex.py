"""Annexes of a record: the table of HIPAA Safe Harbor, or the principles of an Expert Determination.

45 CFR 164.514(b); the principles are those of the guidance of HHS (2012) on the two methods. ``docs/hipaa.md`` says
what the policy *clinical* makes of each kind of identifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

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


_BY_FORM: Final = "found by form, whatever the text"
_BY_MODEL: Final = "found by the recognizer, which can miss one; see the bound"

SAFE_HARBOR: Final = (
    ("A", "names", "placeholder", _BY_MODEL),
    (
        "B",
        "places smaller than a state; ZIP codes",
        "placeholder; ZIP area of three digits",
        _BY_MODEL,
    ),
    ("C", "dates but for the year; ages over 89", "year; over 89", _BY_FORM),
    ("D", "telephone numbers", "placeholder", _BY_FORM),
    ("E", "fax numbers", "placeholder", _BY_FORM),
    ("F", "e-mail addresses", "placeholder", _BY_FORM),
    ("G", "social security numbers", "placeholder", _BY_FORM),
    ("H", "medical record numbers", "placeholder", _BY_FORM),
    ("I", "health plan beneficiary numbers", "placeholder", _BY_FORM),
    ("J", "account numbers", "placeholder", _BY_FORM),
    ("K", "certificate and licence numbers", "placeholder", _BY_FORM),
    ("L", "vehicle identifiers, licence plates", "placeholder", _BY_FORM),
    ("M", "device identifiers, serial numbers", "placeholder", _BY_FORM),
    ("N", "web addresses", "placeholder", _BY_FORM),
    ("O", "addresses on the Internet", "placeholder", _BY_FORM),
    ("P", "biometric identifiers", "placeholder", _BY_FORM),
    ("Q", "photographs", "names of picture files; pictures themselves are not read", _BY_FORM),
    ("R", "any other unique number or code", "placeholder", _BY_MODEL),
)
"""Letter, kind of identifier, what becomes of it by the policy *clinical*, and how it is found."""

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
        policy: of the record; only for *clinical* it is known what becomes of each kind of identifier.
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
    is_clinical = policy is not None and policy.get("name") == "clinical"
    return Annex(
        kind=kind,
        title="Safe Harbor, 45 CFR 164.514(b)(2)",
        statement=(
            "The identifiers named above, of the individual and of relatives, employers and household members, "
            "are removed, and I have no actual knowledge that the information could be used alone or in "
            "combination with other information to identify an individual who is a subject of it."
        ),
        rows=tuple(
            AnnexRow(
                item=letter,
                requirement=name,
                done=f"{made}; {how}" if is_clinical else "to be confirmed by the signer",
            )
            for letter, name, made, how in SAFE_HARBOR
        ),
    )
