"""The decisions about one document, as JSON without what was masked.

``schemas/audit.schema.json`` beside this file is the contract; ``SCHEMA_VERSION`` is its version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from ..document import Assessment, Decision, Evidence
from ..documents.decoding import writable
from ..documents.names import SurfaceForms
from ..result import Result

SCHEMA_VERSION = "1.1"


@dataclass(frozen=True, slots=True)
class Act:
    """What a person did to a document.

    Attributes:
        person: who.
        at: when, ISO 8601 in UTC.
        action: what, such as ``decide`` or ``add``.
        value: what became of it, such as ``keep``; masked strings are struck out of it.
        entity_ids: the entities it is about; empty for acts about the whole document.
        decides: whether it says what is done about them, so that they are decided by the person.
    """

    person: str
    at: str
    action: str
    value: str = field(repr=False)
    entity_ids: tuple[str, ...] = ()
    decides: bool = False


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of an audit record."""
    folder = resources.files(__package__) / "schemas"
    parsed: dict[str, Any] = json.loads((folder / "audit.schema.json").read_text("utf-8"))
    return parsed


def as_object(
    sanitized: Result,
    assessments: Sequence[Assessment],
    acts: Sequence[Act] = (),
    *,
    name: str,
) -> dict[str, Any]:
    """Return the record of one document.

    Args:
        sanitized: the document as it is released.
        assessments: one a decision, in the same order.
        acts: what people did, the earliest first; only what still holds.
        name: what to call the document; its own name may tell who is in it.

    Raises:
        ValueError: if assessments and decisions are not the same entities.
    """
    if [item.entity.id for item in assessments] != [item.entity.id for item in sanitized.decisions]:
        raise ValueError(
            f"{len(assessments)} assessments are not of the {len(sanitized.decisions)} entities "
            "decided on; assess the entities of the same result."
        )
    forms = SurfaceForms.of(sanitized)
    by_entity = {id: act for act in acts if act.decides for id in act.entity_ids}
    risk = sanitized.risk
    masked = {each.entity.id for each in sanitized.decisions if each.masked}
    return {
        "id": name,
        "sha256": hashlib.sha256(writable(sanitized.text).encode()).hexdigest(),
        "characters": len(sanitized.text),
        "risk": {
            "before": risk.before,
            "residual": risk.residual,
            "highest_kept": risk.highest_kept,
            "leaks": risk.leaks,
        },
        "warnings": list(sanitized.warnings),
        "decisions": [
            _decision(decision, assessment, by_entity.get(decision.entity.id), sanitized)
            for decision, assessment in zip(sanitized.decisions, assessments, strict=True)
        ],
        "combinations": [
            {
                "entities": list(each.entity_ids),
                "risk": each.risk,
                "changed": any(id in masked for id in each.entity_ids),
                "indicators": _indicators(each.evidence),
            }
            for each in sanitized.combinations
        ],
        "identifications": [
            {
                "attacker": found.attacker,
                "rank": found.rank,
                "people": found.people,
                "probability": found.probability,
                "k": found.k,
                "found": found.found,
            }
            for found in sanitized.identifications
        ],
        "acts": [
            {
                "person": act.person,
                "at": act.at,
                "action": act.action,
                "value": forms.strike_out(act.value),
                "entities": list(act.entity_ids),
            }
            for act in acts
        ],
    }


def _decision(
    decision: Decision,
    assessment: Assessment,
    act: Act | None,
    sanitized: Result,
) -> dict[str, Any]:
    entity = decision.entity
    edits = [edit for edit in sanitized.replacements if entity.id in edit.entity_ids]
    return {
        "entity": entity.id,
        "type": str(entity.type),
        "number": entity.number,
        "mentions": len(entity.mentions),
        "identifier": str(decision.identifier),
        "risk": decision.risk,
        "decision": "mask" if decision.masked else "keep",
        "operator": decision.operator,
        "written": list(dict.fromkeys(edit.text for edit in edits if edit.text)),
        "places": [[edit.output_start, edit.output_end] for edit in edits],
        "indicators": _indicators(assessment.evidence),
        "reasons": list(decision.reasons),
        "decided_by": (
            {"kind": "policy"}
            if act is None
            else {"kind": "person", "person": act.person, "at": act.at}
        ),
    }


def _indicators(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    return [
        {
            "name": found.indicator,
            "value": found.value,
            "statement": found.statement,
        }
        for found in evidence
    ]
