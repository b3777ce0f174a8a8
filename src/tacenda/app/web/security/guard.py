"""The gate in front of all pages: who asks, from where, and with what proof."""

from __future__ import annotations

import logging
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from traceback import extract_tb
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .access import Access
from .headers import HEADERS, NOT_KEPT
from .limits import TOO_LARGE, declared_too_large, limited

_SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/login",)
_PROOF = "x-tacenda-proof"
_log = logging.getLogger(__name__)


class Guard:
    """Lets a request through to ``app``, or answers it itself.

    Args:
        app: the pages.
        access: tokens, keys and sessions.
        hosts: names, without port, by which this server may be called.
    """

    def __init__(self, app: ASGIApp, access: Access, hosts: Collection[str]) -> None:
        self._app = app
        self._access = access
        self._hosts = frozenset(host.casefold() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                kept = scope["path"].startswith("/static/")
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS if kept else (*HEADERS, *NOT_KEPT):
                    headers[name.decode()] = value.decode()
            await send(message)

        try:
            refusal = self._refusal(scope)
            await (refusal or self._app)(scope, limited(receive), guarded)
        except Exception as error:
            # Neither the message nor the values: they may hold text of a document.
            place = extract_tb(error.__traceback__)[-1]
            _log.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
            if not started:
                await _answer(scope, 500, "An error; the log says where.")(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that may not pass; None if it may."""
        headers = Headers(scope=scope)
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if host.casefold() not in self._hosts:
            return _answer(scope, 421, "This server does not go by that name.")
        if declared_too_large(scope):
            return _answer(scope, 413, TOO_LARGE)
        path: str = scope["path"]
        state = scope.setdefault("state", {})
        if path.startswith("/static/") and scope["method"] in _SAFE:
            return None
        if scope["method"] not in _SAFE and not _from_here(headers):
            return _answer(scope, 403, "Another page sent this request.")
        if path in _OPEN:
            return None
        if entered := self._entrance(scope):
            return entered
        if (bearer := headers.get("authorization", "")).startswith("Bearer "):
            person = self._access.person_with(bearer.removeprefix("Bearer ").strip())
            if person is None:
                return _answer(scope, 401, "The key is none of this server's.")
            state["person"], state["proof"] = person, ""
            return None
        session = self._access.session(_cookie(headers, self._access.cookie))
        if session is None:
            return self._unknown(scope)
        if scope["method"] not in _SAFE and headers.get(_PROOF) != session.proof:
            return _answer(scope, 403, "The page is of another session; load it again.")
        state["person"], state["proof"] = session.person, session.proof
        return None

    def _entrance(self, scope: Scope) -> Response | None:
        """Return the way in for a GET with the token in its address, which is then left out."""
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        token = query.pop("token", [""])[0]
        if scope["method"] != "GET" or not token:
            return None
        person = self._access.person_with(token)
        if person is None:
            return self._unknown(scope)
        rest = urlencode(query, doseq=True)
        # One slash: an address that begins with two would lead to another host.
        place = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
        response = RedirectResponse(place, 303)
        set_session(response, self._access, person)
        return response

    def _unknown(self, scope: Scope) -> Response:
        if self._access.by_key and not scope["path"].startswith("/api/"):
            return RedirectResponse("/login", 303)
        return _answer(
            scope,
            401,
            "Open the address that the program printed, with its token; programs send "
            "`Authorization: Bearer` and their key.",
        )


def set_session(response: Response, access: Access, person: str) -> None:
    """Give a browser the cookie of a new session."""
    response.set_cookie(access.cookie, access.begin(person), httponly=True, samesite="strict")


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _from_here(headers: Headers) -> bool:
    """Tell whether no other page sent it: browsers say which one did, programs say nothing."""
    origin = headers.get("origin")
    same_site = headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return same_site and (origin is None or urlsplit(origin).netloc == headers.get("host"))


def _answer(scope: Scope, status: int, text: str) -> Response:
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": text}, status)
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tacenda</title>'
        '<link rel="stylesheet" href="/static/app.css"></head>'
        f'<body><main class="plain"><h1>tacenda</h1><p>{text}</p></main></body></html>',
        status,
    )
