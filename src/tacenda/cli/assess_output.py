"""What ``tacenda assess`` prints: tables for a reader, a list of one object a document for a program.

    {"id", "entities": [{"id", "type", "risk", "identifier", "mentions": [[start, end], …],
                         "evidence": [{"indicator", "value", "statement"}, …],
                         "masked", "reason", "alternatives": [{"text", "lost", "risk", "made"}, …]}, …],
     "before", "residual", "kept": [id, …],
     "combinations": [{"entities": [id, …], "risk", "evidence": […]}, …],
     "search": {"people", "judged", "unknown", "unasked", "wordless", "queries", "remembered", "failure"}}

What the policy alone would do: ``lost`` in nats, ``text`` empty for the original and without ``--reveal``
only ``***``; ``kept`` has the riskiest first. The last two of the list only where something was searched; ``--reveal`` adds ``strings`` to each entity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from ..wording import risk_left

if TYPE_CHECKING:
    from ..document import Assessment, Decision, Document, Entity
    from ..result import Result
    from ..risk.search.indicator import SearchReport

_LONGEST_STRING = 40


def print_tables(
    result: Result, assessments: Sequence[Assessment], report: SearchReport | None
) -> None:
    """Print what was found in a document, the riskiest first. Shows its strings."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, document = Console(), result.document
    names = {item.entity.id: _name(document, item.entity) for item in assessments}
    table = Table(title=Text(document.id), title_justify="left")
    done = {decision.entity.id: decision for decision in result.decisions}
    for heading in ("entity", "risk", "identifier", "decision", "indicators"):
        table.add_column(heading, justify="right" if heading == "risk" else "left")
    for item in sorted(assessments, key=lambda item: -item.risk):
        says = "\n".join(f"{e.indicator} {e.value:.2f}: {e.statement}" for e in item.evidence)
        table.add_row(
            Text(names[item.entity.id]),
            f"{item.risk:.2f}",
            str(item.identifier),
            Text(done[item.entity.id].reasons[0]),
            Text(says),
        )
    console.print(table)
    console.print(risk_left(result.risk))
    if report is None:
        return
    together = [item for item in report.combinations if len(item.entity_ids) > 1]
    if together:
        table = Table(title="risky together", title_justify="left")
        for heading in ("entities", "risk", "evidence"):
            table.add_column(heading, justify="right" if heading == "risk" else "left")
        for found in together:
            members = "\n".join(names[id] for id in found.entity_ids)
            says = "\n".join(e.statement for e in found.evidence)
            table.add_row(Text(members), f"{found.risk:.2f}", Text(says))
        console.print(table)
    for sentence in report.sentences():
        console.print(Text(sentence))


def _name(document: Document, entity: Entity) -> str:
    strings = (" ".join(mention.span.of(document.text).split()) for mention in entity.mentions)
    string = max(strings, key=len)
    shown = string if len(string) <= _LONGEST_STRING else string[: _LONGEST_STRING - 1] + "…"
    return f"{entity.type} {entity.number} {shown!r}"


def as_object(
    result: Result,
    assessments: Sequence[Assessment],
    report: SearchReport | None,
    reveal: bool,
) -> dict[str, object]:
    """Return what was found in a document as JSON; with ``reveal``, with its strings."""
    kept = sorted(
        (decision for decision in result.decisions if not decision.masked),
        key=lambda decision: -decision.risk,
    )
    item: dict[str, object] = {
        "id": result.document.id,
        "entities": [
            _entity(result.document, assessment, decision, reveal)
            for assessment, decision in zip(assessments, result.decisions, strict=True)
        ],
        "before": result.risk.before,
        "residual": result.risk.residual,
        "kept": [decision.entity.id for decision in kept],
    }
    if report is not None:
        item["combinations"] = [
            {
                "entities": list(combination.entity_ids),
                "risk": combination.risk,
                "evidence": [
                    {"indicator": e.indicator, "value": e.value, "statement": e.statement}
                    for e in combination.evidence
                ],
            }
            for combination in report.combinations
        ]
        item["search"] = {
            "people": report.people,
            "judged": report.judged,
            "unknown": report.unknown,
            "unasked": report.unasked,
            "wordless": report.wordless,
            "queries": report.sent,
            "remembered": report.remembered,
            "failure": report.failure,
        }
    return item


def _entity(
    document: Document, assessment: Assessment, decision: Decision, reveal: bool
) -> dict[str, object]:
    from ..alternatives import alternatives

    entity = assessment.entity
    item: dict[str, object] = {
        "id": entity.id,
        "type": str(entity.type),
        "risk": assessment.risk,
        "identifier": str(assessment.identifier),
        "mentions": [[mention.span.start, mention.span.end] for mention in entity.mentions],
        "evidence": [
            {"indicator": e.indicator, "value": e.value, "statement": e.statement}
            for e in assessment.evidence
        ],
        "masked": decision.masked,
        "reason": decision.reasons[0],
        "alternatives": [
            asdict(choice)
            for choice in alternatives(document, decision)
            if reveal or choice.text in ("", "***")
        ],
    }
    if reveal:
        item["strings"] = sorted({m.span.of(document.text) for m in entity.mentions})
    return item
