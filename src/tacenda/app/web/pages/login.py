"""Coming in with a key, and going out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from ..security.guard import address_of, cookie_of, set_session, too_many
from ..security.throttle import TooManyWrong
from .context import TheAccess, page

router = APIRouter()


@router.get("/login")
def form(request: Request) -> Response:
    """Show the form."""
    return page(request, "login.html", wrong=False)


@router.post("/login")
def enter(
    request: Request,
    access: TheAccess,
    key: Annotated[str, Form(max_length=1000)],
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Begin a session for whom the key is of; if a name is said, the key must be theirs."""
    try:
        identity = access.identify(key.strip(), address_of(request.scope), name.strip())
    except TooManyWrong as error:
        return too_many(request.scope, error)
    if identity is None:
        return page(request, "login.html", 401, wrong=True)
    response = RedirectResponse("/", 303)
    set_session(response, access, identity, request.scope)
    return response


@router.post("/logout")
def leave(request: Request, access: TheAccess) -> Response:
    """End the session: its cookie opens nothing any more, here or elsewhere."""
    access.end(cookie_of(request.headers, access))
    response: Response = RedirectResponse("/login", 303)
    if not access.by_key:
        response = page(request, "left.html")
    response.delete_cookie(access.cookie, httponly=True, samesite="strict")
    return response
