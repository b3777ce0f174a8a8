"""``POST /evaluate``: the benchmark's figures for a system's masks."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from ...evaluate.evaluation import evaluate as measure
from ...evaluate.gold import parse_gold, parse_masks
from .models import Evaluation

router = APIRouter(tags=["measuring"])


@router.post("/evaluate")
def evaluate(body: Evaluation) -> dict[str, Any]:
    """Return what ``tacenda evaluate --json`` prints, without texts."""
    gold, masks = parse_gold(body.gold), parse_masks(body.masks)
    report = measure(gold, masks, split=body.split, bootstrap=body.bootstrap)
    return report.without_errors().as_json()
