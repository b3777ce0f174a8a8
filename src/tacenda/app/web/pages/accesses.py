"""The log of accesses, for administrators."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ..permission import Admin
from .context import TheService, page

router = APIRouter()
_SHOWN = 200


@router.get("/access-log")
def access_log(
    request: Request, service: TheService, _: Admin, before: int | None = None
) -> Response:
    """Show who did what, the latest first."""
    entries = service.store.accesses.latest(_SHOWN, before)
    following = entries[-1].id if len(entries) == _SHOWN else None
    return page(request, "access_log.html", entries=entries, following=following)
