"""``POST /assess``: how large the risk is, and by what evidence."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from ...document import Document
from ...pipeline import finish
from ..web.pages.context import TheService
from .models import TextWithWishes

router = APIRouter(tags=["texts"])


@router.post("/assess")
def assess(service: TheService, body: TextWithWishes) -> dict[str, Any]:
    """Return the entities of a text with their risks, in order of the text."""
    sanitizer = service.sanitizer.under(body.policy(service.sanitizer.policy))
    analysis = sanitizer.analyse(Document(body.id, body.text, tuple(body.target)))
    finished = finish(
        analysis,
        sanitizer.policy,
        sanitizer.threshold,
        joint=sanitizer.together,
        indicators=sanitizer.further,
    )
    return {
        "id": body.id,
        "expected_to_mask": finished.sanitized.risk.before,
        "entities": [
            {
                "id": item.entity.id,
                "type": str(item.entity.type),
                "identifier": str(item.identifier),
                "risk": item.risk,
                "mentions": [[m.span.start, m.span.end] for m in item.entity.mentions],
                "evidence": [
                    {
                        "indicator": found.indicator,
                        "value": found.value,
                        "statement": found.statement,
                    }
                    for found in item.evidence
                ],
            }
            for item in finished.assessments
        ],
        "together": [
            {
                "entities": list(found.entity_ids),
                "risk": found.risk,
                "statements": [evidence.statement for evidence in found.evidence],
            }
            for found in finished.sanitized.combinations
        ],
    }
