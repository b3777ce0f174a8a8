"""The result as JSON: what was done to a document, and why, without what stood there.

``schemas/result.schema.json`` beside this file is the contract; ``SCHEMA_VERSION`` is its version.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from ..document import Decision, Identification, Mention, Option, Sanitized
from .decoding import writable
from .naming import Numbering
from .output import Output
from .record import Record

SCHEMA_VERSION = "1.1"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a result."""
    folder = resources.files(__package__) / "schemas"
    parsed: dict[str, Any] = json.loads((folder / "result.schema.json").read_text("utf-8"))
    return parsed


def as_object(
    sanitized: Sanitized, *, name: str | None = None, reveal: bool = False
) -> dict[str, Any]:
    """Return a sanitized document as a JSON object of the schema.

    Args:
        sanitized: the document.
        name: its id in the output; the document's own by default.
        reveal: adds the original strings of mentions and replacements.
    """
    original = sanitized.document.text
    replacements = []
    for replacement in sanitized.replacements:
        item: dict[str, Any] = {
            "start": replacement.original.start,
            "end": replacement.original.end,
            "output_start": replacement.output_start,
            "output_end": replacement.output_end,
            "text": replacement.text,
            "entities": list(replacement.entity_ids),
        }
        if reveal:
            item["original"] = replacement.original.of(original)
        replacements.append(item)
    risk = sanitized.risk
    result: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "id": sanitized.document.id if name is None else name,
        "text": sanitized.text,
        "replacements": replacements,
        "entities": [_entity(decision, original, reveal) for decision in sanitized.decisions],
        "risk": {
            "before": risk.before,
            "residual": risk.residual,
            "highest_kept": risk.highest_kept,
            "leaks": risk.leaks,
        },
        "leaks": [
            {"entity": leak.entity_id, "start": leak.output_start, "end": leak.output_end}
            for leak in sanitized.leaks
        ],
        "warnings": list(sanitized.warnings),
    }
    if sanitized.identifications:
        result["identifications"] = [
            _identification(found, reveal) for found in sanitized.identifications
        ]
    return result


def _identification(found: Identification, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "attacker": found.attacker,
        "rank": found.rank,
        "probability": found.probability,
        "people": found.people,
        "k": found.k,
        "found": found.found,
    }
    if reveal:
        # In a release they would say where to look.
        item["clues"] = [[span.start, span.end] for span in found.clues]
    return item


def _entity(decision: Decision, original: str, reveal: bool) -> dict[str, Any]:
    entity = decision.entity
    item: dict[str, Any] = {
        "id": entity.id,
        "type": str(entity.type),
        "number": entity.number,
        "identifier": str(decision.identifier),
        "risk": decision.risk,
        "decision": "mask" if decision.masked else "keep",
        "operator": decision.operator,
        "threshold": decision.threshold,
        "masked_up_to": decision.masked_up_to,
        "reasons": list(decision.reasons),
        "mentions": [_mention(mention, original, reveal) for mention in entity.mentions],
    }
    if options := visible_options(decision, reveal):
        item["options"] = [_option(option, decision.choice) for option in options]
    return item


def visible_options(decision: Decision, reveal: bool) -> tuple[Option, ...]:
    """Return the options that an output may show.

    More specific ones than what is written are for the reviewer alone: a decade on the page and
    the year beside it would tell the year.
    """
    if reveal or decision.choice is None:
        return decision.options
    return decision.options[decision.choice.level :]


def _option(option: Option, choice: Option | None) -> dict[str, Any]:
    return {
        "text": option.text,
        "level": option.level,
        "source": option.source,
        "kept": option.kept,
        "risk": option.risk,
        "chosen": option == choice,
    }


def _mention(mention: Mention, original: str, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "start": mention.span.start,
        "end": mention.span.end,
        "type": str(mention.type),
        "source": mention.source,
        "kind": mention.kind,
    }
    if reveal:
        item["text"] = mention.span.of(original)
    return item


class Writer:
    """``--to json``: one result object a line, one line a document."""

    def __init__(self, output: Output, *, reveal: bool = False) -> None:
        self._output = output
        self._reveal = reveal
        self._numbering = Numbering()

    def write(self, record: Record, sanitized: Sanitized) -> None:
        """Write one object."""
        name = self._numbering.public_id(record, sanitized)
        item = as_object(sanitized, name=name, reveal=self._reveal)
        self._output.emit(writable(json.dumps(item, ensure_ascii=False)) + "\n")

    def close(self) -> None:
        """Nothing is left to write."""
