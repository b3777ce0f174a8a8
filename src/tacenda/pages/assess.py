"""The risk of identification as a page for readers without a technical background.

It shows strings of the original, so it is for the reviewer, not for the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import Markup

from ..explain import WrittenChoice, alternatives, sentence
from ..wording import TYPES, risk_left
from . import page as whole_page
from . import render

if TYPE_CHECKING:
    from ..document import Assessment, Decision, Document, Entity
    from ..result import Result
    from ..risk.search.indicator import SearchReport

_DANGEROUS: Final = 5
"""Things kept that are listed before all others."""

_LONGEST_STRING: Final = 80


def page(sections: Sequence[str]) -> str:
    """Return the page with the sections of all documents."""
    return whole_page("assess.html", sections=[Markup(section) for section in sections])


def section(result: Result, assessments: Sequence[Assessment], report: SearchReport | None) -> str:
    """Return the section of one document.

    Args:
        result: its result under the policy.
        assessments: one per entity, in the order of the decisions.
        report: the report of a search; None if there was none.
    """
    pairs = sorted(zip(assessments, result.decisions, strict=True), key=lambda pair: -pair[0].risk)
    rows = [_row(result.document, *pair) for pair in pairs]
    kept_rows = sorted(
        (row for row in rows if not row.decision.masked), key=lambda row: -row.decision.risk
    )
    names = {row.decision.entity.id: row.name for row in rows}
    return render(
        "assess_section.html",
        id=result.document.id,
        masked=sum(decision.masked for decision in result.decisions),
        risk_left=risk_left(result.risk),
        kept=kept_rows[:_DANGEROUS],
        rows=rows,
        combinations=_combinations(report, names) if report else [],
        search=" ".join(report.sentences()) if report else "",
    )


class Row(NamedTuple):
    """An entity's row: its type and risk, its decision with reasons, and its alternatives."""

    name: str
    type: str
    times: str
    assessment: Assessment
    decision: Decision
    reasons: list[str]
    choices: tuple[WrittenChoice, ...]


def _row(document: Document, assessment: Assessment, decision: Decision) -> Row:
    entity = decision.entity
    times = len(entity.mentions)
    return Row(
        name=_name(document, entity),
        type=TYPES[entity.type],
        times="once" if times == 1 else f"{times} times",
        assessment=assessment,
        decision=decision,
        reasons=[
            sentence(reason)
            for reason in decision.reasons
            if reason.evidence not in assessment.evidence
        ],
        choices=alternatives(document, decision),
    )


def _name(document: Document, entity: Entity) -> str:
    strings = (" ".join(mention.span.of(document.text).split()) for mention in entity.mentions)
    string = max(strings, key=len)
    return string if len(string) <= _LONGEST_STRING else string[: _LONGEST_STRING - 1] + "…"


class RiskyTogether(NamedTuple):
    """A risky combination of entities, and what the search said about it."""

    names: list[str]
    risk: float
    statements: str


def _combinations(report: SearchReport, names: dict[str, str]) -> list[RiskyTogether]:
    return [
        RiskyTogether(
            [names[id] for id in combination.entity_ids],
            combination.risk,
            " ".join(evidence.statement for evidence in combination.evidence),
        )
        for combination in report.combinations
        if len(combination.entity_ids) > 1
    ]
