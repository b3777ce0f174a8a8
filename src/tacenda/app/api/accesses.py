"""``GET /access-log``: who read and changed what."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from ..web.pages.context import TheService
from ..web.permission import Admin

router = APIRouter(tags=["administration"])


@router.get("/access-log")
def access_log(
    service: TheService,
    _: Admin,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
    before: Annotated[int | None, Query(ge=1)] = None,
) -> dict[str, Any]:
    """Return who did what to which project or document, the latest first; no text is in it.

    ``next`` is what to send as ``before`` to go on.
    """
    entries = service.store.accesses.latest(limit, before)
    return {
        "entries": [
            {
                "id": entry.id,
                "at": entry.at,
                "person": entry.person,
                "action": entry.action,
                "object": entry.object,
            }
            for entry in entries
        ],
        "next": entries[-1].id if len(entries) == limit else None,
    }
