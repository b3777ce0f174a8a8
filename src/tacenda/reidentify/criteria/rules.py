"""Closure rules as patterns: what an attribute is called in texts by its bearer, and in texts about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from ...shipped import shipped_table
from .values import Attribute

OWN: Final = "author"
OTHER: Final = "other"
PERSON: Final = "person"
"""Scope of rules for texts that are all about one person, author or not."""
ANY: Final = ""
FEMALE: Final = "female"
MALE: Final = "male"


@dataclass(frozen=True, slots=True)
class ClosureRule:
    """A pattern that expresses an attribute.

    Attributes:
        attribute: what it says.
        name: of the rule.
        by: who speaks: ``OWN``, ``OTHER``, ``ANY`` or ``PERSON``.
        probability: that it is so.
        pattern: of the words.
        value: of the attribute; empty if a group of the pattern is it.
    """

    attribute: Attribute
    name: str
    by: str
    probability: float
    pattern: re.Pattern[str]
    value: str


def _rule(row: dict[str, Any]) -> ClosureRule:
    pattern = re.compile(row["pattern"], 0 if row.get("cased") else re.IGNORECASE)
    value = row.get("value", "")
    return ClosureRule(
        Attribute(row["attribute"]),
        row["rule"],
        row.get("by", ANY),
        row["probability"],
        pattern,
        value,
    )


_TABLE = shipped_table("closure_rules")
RULES: Final = tuple(map(_rule, _TABLE["rule"]))
WORK: Final = tuple(
    _rule(
        {"attribute": "occupation", "rule": "work", "by": OWN, "probability": 0.7}
        | row
        | {"value": row.get("occupation", "")}
    )
    for row in _TABLE["work"]
)


JOB: Final = re.compile(
    r"(?:\b(?:I['’]?m|I am|I was|he is|she is|he was|she was|they are|is|was|as|became|being|job as|employed as|"
    r"works? as|working as|worked as|trained as|career as) (?:currently |now |still |also |just )?(?:an?|the)"
    r"|(?:\A|[.;(\n] ?)(?:An?|The|Former|Retired)|[Oo]ccupation:|[Jj]ob:|[Pp]rofession:|[(,]) "
    r"(?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)
OWN_JOB: Final = re.compile(
    r"\b(?:I['’]?m|I am|as|being|I work as|job as|working as|worked as|career as) "
    r"(?:currently |now |still |also |just )?(?:an?|the) (?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)
