"""The eighteen identifiers of HIPAA Safe Harbor, and what a policy does about each, judging by its settings and rules.

45 CFR 164.514(b)(2)(i). ``docs/hipaa.md`` has an example of each under the policy *clinical*, and
its tests; another policy is accepted if it is as strict: its thresholds for the recognizer are no
higher, and identifiers that have a form are denied by that form. What settings and forms can't
show, such as strings that a rule keeps, is for the signer to confirm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from ..shipped import shipped_table
from .sample import FrozenModel

TO_CONFIRM: Final = "to be confirmed by the signer"
_THRESHOLD: Final = 0.2
"""The highest risk of names, places and numbers at which ``docs/hipaa.md`` was tested."""
_RESIDUAL_RISK: Final = 0.004
"""The highest one at which a date becomes its year: half a year fits 181 days."""
_PLACEHOLDERS: Final = frozenset(("suppress", "tag"))
_KEPT: Final = frozenset(
    ("measure", "age_under_90", "year", "time", "weekday", "duration", "us_state")
)
"""Forms that the rule lets stay."""
_BY_FORM: Final = "found by form in any text"
_BY_MODEL: Final = "found by the recognizer, which can miss one; see the bound"


class _Rules:
    """A policy's settings and its rules by form, as in a record of decisions."""

    def __init__(self, policy: Mapping[str, Any]) -> None:
        self._settings: Mapping[str, Any] = policy["settings"]
        self._counts: Mapping[str, int] = policy["rules"]
        self._forms: Mapping[str, Sequence[Mapping[str, str]]] = policy.get("forms", {})

    def _of_form(self, kind: str) -> Sequence[Mapping[str, str]]:
        return self._forms.get(kind, ())

    @property
    def is_whole(self) -> bool:
        """Whether patterns and recognizer run, and a risk above the threshold is enough for masking."""
        requirements = {"recognizer": True, "patterns": True, "propagate": True, "combine": "any"}
        requirements |= {"length_penalty": 0.0, "residual_share": None}
        return all(self._settings.get(key) == value for key, value in requirements.items())

    @property
    def others(self) -> int:
        """The number of rules that keep strings, or write something else for them, without naming a harmless form."""
        kept = sum(rule["form"] in _KEPT for rule in self._of_form("allow"))
        written = sum(
            rule.get("operator") in _PLACEHOLDERS
            or (rule["form"], rule.get("operator")) == ("us_zip", "generalize")
            for rule in self._of_form("operators_for")
        )
        return self._counts["allow"] - kept + self._counts["operators_for"] - written

    def masks(self, type: str) -> bool:
        """Return whether entities of a type are masked at a risk as low as the tested one."""
        settings = self._settings
        return bool(settings["thresholds"].get(type, settings["threshold"]) <= _THRESHOLD)

    def denies(self, form: str) -> bool:
        """Return whether a form is masked whatever the recognizer says."""
        return any(rule["form"] == form for rule in self._of_form("deny"))

    def is_hidden(self, type: str, *also: str) -> bool:
        """Return whether entities of a type are completely replaced, except by the operators ``also``."""
        settings = self._settings
        operator = settings["operators"].get(type, settings["operator"])
        return operator in _PLACEHOLDERS or operator in also

    def writes(self, form: str, operator: str) -> bool:
        """Return whether a form has its own operator."""
        rules = self._of_form("operators_for")
        return any(rule["form"] == form and rule.get("operator") == operator for rule in rules)

    @property
    def dates_become_years(self) -> bool:
        """Whether *generalize* leaves only the year, and nothing of early years."""
        return (
            self._settings["residual_risk"] <= _RESIDUAL_RISK
            and self._settings["prefer"] == "detail"
            and any(self.writes("early_year", operator) for operator in _PLACEHOLDERS)
        )


def _names(rules: _Rules) -> str:
    hidden = all(rules.masks(type) and rules.is_hidden(type) for type in ("PERSON", "ORG"))
    return "placeholder" if hidden else ""


def _places(rules: _Rules) -> str:
    if not (rules.masks("LOC") and rules.is_hidden("LOC")):
        return ""
    areas = rules.writes("us_zip", "generalize")
    return "placeholder; ZIP area of three digits" if areas else "placeholder"


def _dates(rules: _Rules) -> str:
    if not (rules.denies("date") and rules.denies("age_over_89")):
        return ""
    if not rules.is_hidden("DEM", "generalize"):
        return ""
    ages = "placeholder" if rules.is_hidden("DEM") else "over 89"
    if rules.is_hidden("DATETIME"):
        return f"placeholder; {ages}"
    return (
        f"year; {ages}"
        if rules.is_hidden("DATETIME", "generalize") and rules.dates_become_years
        else ""
    )


def _codes(rules: _Rules) -> str:
    hidden = rules.masks("CODE") and rules.is_hidden("CODE", "generalize")
    return "placeholder" if hidden else ""


def _addresses(rules: _Rules) -> str:
    return _codes(rules) if rules.denies("url") else ""


def _pictures(rules: _Rules) -> str:
    if not (_codes(rules) and rules.denies("picture_file")):
        return ""
    return "names of picture files; pictures themselves are not read"


class _Identifier(NamedTuple):
    """An identifier in the rule: its letter and name, what a policy does about it (empty if not enough), and how it is found."""

    letter: str
    name: str
    made: Callable[[_Rules], str]
    found: str


_MAKERS: Final[Mapping[str, Callable[[_Rules], str]]] = {
    "names": _names,
    "places": _places,
    "dates": _dates,
    "codes": _codes,
    "addresses": _addresses,
    "pictures": _pictures,
}
IDENTIFIERS: Final = tuple(
    _Identifier(letter, name, _MAKERS[maker], _BY_FORM if found == "form" else _BY_MODEL)
    for letter, (name, maker, found) in shipped_table("hipaa")["identifiers"].items()
)


def table(policy: Mapping[str, Any] | None) -> Iterator[tuple[str, str, str]]:
    """Return letter, kind of identifier, and what a policy does about it.

    Args:
        policy: the policy in a record of decisions; None if there is none.

    Raises:
        KeyError, TypeError: if it isn't such a policy.
    """
    rules = None if policy is None else _Rules(policy)
    for letter, name, made, found in IDENTIFIERS:
        done = made(rules) if rules is not None and rules.is_whole else ""
        yield letter, name, f"{done}; {found}" if done else TO_CONFIRM
    if rules is not None and rules.others:
        n = rules.others
        yield (
            "",
            "kept or written by rules of the policy",
            f"{n} rule{'s'[: n != 1]}; {TO_CONFIRM}",
        )


# Annexes to a record: the table of HIPAA Safe Harbor, or the principles of an Expert Determination.
#
# 45 CFR 164.514(b); the principles are those in the HHS guidance (2012) on the two methods.


class AnnexKind(StrEnum):
    """The de-identification method that a record is for."""

    SAFE_HARBOR = "safe-harbor"
    EXPERT = "expert"


class AnnexRow(FrozenModel):
    """A requirement: its letter or name, its content, and the measures taken."""

    item: str
    requirement: str
    done: str


class Annex(FrozenModel):
    """A table of requirements, with the signer's statement."""

    kind: AnnexKind
    title: str
    statement: str
    rows: tuple[AnnexRow, ...]


def annex_of(kind: AnnexKind, policy: Mapping[str, Any] | None) -> Annex:
    """Return the annex of a kind.

    Args:
        kind: the kind of annex.
        policy: of the record of decisions; None where there is none.

    Raises:
        KeyError, TypeError: if the policy isn't from such a record.
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
