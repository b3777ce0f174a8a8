"""Guards all pages: checks identity, origin, proof and load, and sets response headers.

Protection against strangers and against other pages in the same browser:

| against | what | where |
|---|---|---|
| other programs and users of the machine | a random token, or keys; sessions that end | ``keys.py``, ``access.py`` |
| other users of the server | everything has an owner and an id that can't be guessed | ``permission.py`` |
| guessing | delays after several wrong keys | ``access.py`` |
| names that resolve to this machine (DNS rebinding) | only known hosts get an answer | this file |
| posts by other pages (CSRF) | cookie SameSite=Strict, Origin, and a header unknown to them | this file |
| scripts in documents | no inline script or style runs; templates escape | this file |
| a flood of requests with one key | three at once, the others wait | this file |
| huge uploads | a limit on the body, declared or not | this file |
| text in logs | errors are logged only by class and place | this file |
"""

from __future__ import annotations

import hmac
import logging
from asyncio import Semaphore
from collections.abc import Collection
from contextlib import nullcontext
from html import escape
from traceback import extract_tb
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .access import Access, Session, TooManyWrong, address_of, cookies_of, set_session

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)

HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Not no-referrer: with that, browsers hide the Origin of forms, which the guard needs.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
NOT_KEPT = ((b"cache-control", b"no-store"),)
"""For all answers but static files: originals must not lie in the browser's cache."""


LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of one request: some thousand judgments."""
TOO_LARGE = "The request is larger than this server takes; send fewer documents at once."


class TooLarge(HTTPException):
    """The body is larger than allowed."""

    def __init__(self) -> None:
        super().__init__(413, TOO_LARGE)


def declared_too_large(scope: Scope) -> bool:
    """Return whether the ``Content-Length`` of a request is too large or invalid."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return not value.isdigit() or len(value) > 15 or int(value) > LARGEST_BODY
    return False


def limited(receive: Receive) -> Receive:
    """Return ``receive`` with a limit on the body; it raises ``TooLarge`` above the limit."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise TooLarge
        return message

    return counted


_AT_ONCE = 3
"""Requests of one key that are worked on at once; fewer than the threads that do the work."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_OPEN = ("/health", "/login")
_WITHOUT_PROOF = "/logout"
"""How an address ends that a plain form may send: the worst that another page of this site could do is end the session."""
_PROOF = "x-tacenda-proof"
NOTHING = "There is nothing at this address."
_log = logging.getLogger(__name__)


class Guard:
    """ASGI middleware that passes a request on to ``app`` or answers it itself.

    Args:
        app: the pages.
        access: tokens, keys and sessions.
        hosts: host names of this server, without port.
    """

    def __init__(self, app: ASGIApp, access: Access, hosts: Collection[str]) -> None:
        self._app = app
        self._access = access
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._turns: dict[str, Semaphore] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_answered = False

        async def guarded(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                is_static = scope["path"].startswith("/static/")
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS if is_static else (*HEADERS, *NOT_KEPT):
                    headers[name.decode()] = value.decode()
            await send(message)

        try:
            try:
                refusal = self._refusal(scope)
            except TooManyWrong as error:
                refusal = too_many(scope, error)
            if refusal is not None:
                await refusal(scope, receive, guarded)
                return
            async with self._turn(scope):
                await self._app(scope, limited(receive), guarded)
        except Exception as error:
            # Neither the message nor the values, which may contain document text.
            place = extract_tb(error.__traceback__)[-1]
            _log.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
            if not is_answered:
                await _answer(scope, 500, "Internal error; see the log.")(scope, receive, guarded)

    def _turn(self, scope: Scope) -> Semaphore | nullcontext[None]:
        """Return the semaphore of a person's requests, so that nobody waits for another person's many requests."""
        identity = scope.get("state", {}).get("identity")
        if identity is None or not self._access.by_key:
            return nullcontext()
        return self._turns.setdefault(identity.name, Semaphore(_AT_ONCE))

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a forbidden request, or None if it may pass."""
        headers = Headers(scope=scope)
        if _name_in(headers.get("host", "")) not in self._hosts:
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
        if entrance := self._entrance(scope):
            return entrance
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if scheme.casefold() == "bearer":
            identity = self._access.identify(secret.strip(), address_of(scope))
            if identity is None:
                return _answer(scope, 401, "Unknown key.")
            if not identity.may_be_at(path):
                return _answer(scope, 404, NOTHING)
            state["identity"], state["person"], state["proof"] = identity, identity.name, ""
            return None
        session = self._session(headers, path)
        if session is None:
            return self._unknown(scope)
        if (
            scope["method"] not in _SAFE
            and not path.endswith(_WITHOUT_PROOF)
            and not hmac.compare_digest(headers.get(_PROOF, "").encode(), session.proof.encode())
        ):
            return _answer(scope, 403, "The page is of another session; load it again.")
        state["identity"], state["person"] = session.identity, session.identity.name
        state["proof"] = session.proof
        return None

    def _session(self, headers: Headers, path: str) -> Session | None:
        """Return the browser's session for a path; a guest's session for the place comes first."""
        for value in cookies_of(headers, self._access):
            session = self._access.session(value)
            if session is not None and session.identity.may_be_at(path):
                return session
        return None

    def _entrance(self, scope: Scope) -> Response | None:
        """Return the redirect that removes the token from the URL of a GET request."""
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        token = query.pop("token", [""])[0]
        if scope["method"] != "GET" or not token:
            return None
        identity = self._access.identify(token, address_of(scope))
        if identity is None:
            return self._unknown(scope)
        rest = urlencode(query, doseq=True)
        # One slash: a path that starts with two would lead to another host.
        place = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
        response: Response = RedirectResponse(place, 303)
        if Headers(scope=scope).get("sec-fetch-site") == "cross-site":
            # From a file: browsers send a strict cookie only when one of our own pages links there.
            response = HTMLResponse(
                f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(place)}">'
            )
        set_session(response, self._access, identity, scope)
        return response

    def _unknown(self, scope: Scope) -> Response:
        if self._access.by_key and not scope["path"].startswith("/api/"):
            if Headers(scope=scope).get("hx-request"):
                # A fragment of a page whose session has ended: send the whole page to the login
                # form.
                return Response(status_code=401, headers={"HX-Redirect": "/login"})
            return RedirectResponse("/login", 303)
        return _answer(
            scope,
            401,
            "Open the address that the program printed, with its token; programs send "
            "`Authorization: Bearer` and their key.",
        )


def too_many(scope: Scope, error: TooManyWrong) -> Response:
    """Return the answer after too many wrong keys."""
    answer = _answer(scope, 429, f"Too many wrong keys; try again in {error.wait} s.")
    answer.headers["Retry-After"] = str(error.wait)
    return answer


def _name_in(host: str) -> str:
    """Return the name in a Host header without the port, or an empty string."""
    try:
        return (urlsplit(f"//{host}").hostname or "").casefold()
    except ValueError:  # An incomplete IPv6 address.
        return ""


def _from_here(headers: Headers) -> bool:
    """Return whether the request has the same origin: browsers send one, programs don't."""
    origin = headers.get("origin")
    same_site = headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return same_site and (
        origin is None or origin.partition("://")[2].partition("/")[0] == headers.get("host")
    )


def _answer(scope: Scope, status: int, text: str) -> Response:
    if scope["path"].startswith("/api/"):
        challenge = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        return JSONResponse({"error": text}, status, challenge)
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tacenda</title>'
        '<link rel="stylesheet" href="/static/app.css"></head>'
        f'<body><main class="plain"><h1>tacenda</h1><p>{text}</p></main></body></html>',
        status,
    )
