"""``POST /sanitize``: one text."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from ...corpora import as_object
from ..web.pages.context import TheService
from .models import TextWithWishes

router = APIRouter(tags=["texts"])


@router.post("/sanitize")
def sanitize(service: TheService, body: TextWithWishes) -> dict[str, Any]:
    """Sanitize a text; the answer follows result.schema.json and holds no original."""
    sanitizer = service.sanitizer.under(body.policy(service.sanitizer.policy))
    return as_object(sanitizer.sanitize(body.text, target=tuple(body.target), id=body.id))
