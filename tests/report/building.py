"""Results and systems for tests, written by the strings they cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tacenda.result import SCHEMA_VERSION

from ..evaluate.corpus import spans


def entity(
    text: str, *strings: str, risk: float, threshold: float | None = 0.3, masked: bool | None = None
) -> dict[str, Any]:
    """Return an entity of a result; without a threshold, ``masked`` says what was decided."""
    is_masked = risk >= threshold if threshold is not None else bool(masked)
    return {
        "id": f"e{text.find(strings[0])}",
        "identifier": "QUASI",
        "risk": risk,
        "decision": "mask" if is_masked else "keep",
        "threshold": threshold,
        "masked_up_to": None if threshold is None else risk,
        "mentions": [
            {"start": start, "end": end, "type": "PERSON"} for start, end in spans(text, *strings)
        ],
    }


def result(id: str, *entities: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result whose replacements are the mentions of its masked entities."""
    masked = [e for e in entities if e["decision"] == "mask"]
    return {
        "schema_version": SCHEMA_VERSION,
        "id": id,
        "entities": list(entities),
        "replacements": [mention for e in masked for mention in e["mentions"]],
    }
