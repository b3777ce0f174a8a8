"""Annexes of a record: the table of HIPAA Safe Harbor, or the principles of an Expert Determination.

45 CFR 164.514(b); the principles are those of the guidance of HHS (2012) on the two methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ..shipped import shipped_table
from .safe_harbor import table
from .sample import FrozenModel


class AnnexKind(StrEnum):
    """Method of de-identification that a record is for."""

    SAFE_HARBOR = "safe-harbor"
    EXPERT = "expert"


class AnnexRow(FrozenModel):
    """A requirement: its letter or name, its content, and the measures taken."""

    item: str
    requirement: str
    done: str


class Annex(FrozenModel):
    """A table of requirements, with the statement that the signer makes."""

    kind: AnnexKind
    title: str
    statement: str
    rows: tuple[AnnexRow, ...]


def annex_of(kind: AnnexKind, policy: Mapping[str, Any] | None) -> Annex:
    """The annex of a kind.

    Args:
        kind: which.
        policy: of the record of decisions; None where there is none.

    Raises:
        KeyError, TypeError: if the policy isn't one of such a record.
    """
    texts = shipped_table("hipaa")
    if kind is AnnexKind.EXPERT:
        rows = [(row["name"], row["requirement"], row["done"]) for row in texts["principle"]]
    else:
        rows = list(table(policy))
    return Annex(
        kind=kind,
        title=texts[kind]["title"],
        statement=texts[kind]["statement"],
        rows=tuple(AnnexRow(item=a, requirement=b, done=c) for a, b, c in rows),
    )
