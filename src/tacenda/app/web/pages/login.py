"""Coming in with a key."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from ..security.guard import set_session
from .context import TheAccess, page

router = APIRouter()


@router.get("/login")
def form(request: Request) -> Response:
    """Show the form."""
    return page(request, "login.html", wrong=False)


@router.post("/login")
def enter(request: Request, access: TheAccess, key: Annotated[str, Form()]) -> Response:
    """Begin a session for whom the key is of."""
    person = access.person_with(key.strip())
    if person is None:
        return page(request, "login.html", 401, wrong=True)
    response = RedirectResponse("/", 303)
    set_session(response, access, person)
    return response
