"""The gate in front of all pages: identity, origin, proof and load; headers of answers."""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import re
import secrets
import time
from asyncio import Semaphore
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from threading import Lock
from traceback import extract_tb
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import InputError
from ...policy.loading import INSECURE, insisted, is_random, read_private

# Tokens, keys and sessions: protection against strangers, and other pages in the same browser.
#
# | against | what | where |
# |---|---|---|
# | other programs and users of the machine | a random token, or keys; sessions that end | this file |
# | other users of the server | everything has an owner, and an id that can't be guessed | ``permission.py`` |
# | guessing | who was wrong several times waits | this file |
# | names that resolve to this machine (DNS rebinding) | only known hosts are answered | ``guard.py`` |
# | other pages that post (CSRF) | cookie SameSite=Strict, Origin, and a header that they can't know | ``guard.py`` |
# | scripts in documents | no inline script or style runs; templates escape | ``guard.py`` |
# | a flood of requests of one key | three at once, the others wait | ``guard.py`` |
# | huge uploads | a limit on the body, declared or not | ``guard.py`` |
# | text in logs | errors are logged by class and place | ``guard.py`` |


LOCAL = "local"
"""Name of the user of this machine, who works without a key. No key has this name."""
_SHORTEST_KEY = 16
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


class Role(StrEnum):
    """Roles of keys."""

    USER = "user"
    """Work with what is theirs, and with projects that they are members of."""
    ADMIN = "admin"
    """Work with everything, and read who did what."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Name and role of a person or program.

    Attributes:
        name: of the key, or of the user of this machine.
        role: their permissions.
        place: the only path open to a guest; empty for everything.
    """

    name: str
    role: Role = Role.USER
    place: str = ""

    def may_be_at(self, path: str) -> bool:
        """Whether a path is open to them."""
        return not self.place or path.startswith(f"{self.place}/")

    @property
    def is_admin(self) -> bool:
        """Whether everything is open to them."""
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True)
class Key:
    """A key's digest and its role.

    SHA-256 suffices for a random secret: no digest leads back to 128 random bits.
    """

    digest: bytes
    role: Role = Role.USER

    @classmethod
    def of(cls, secret: str, role: Role = Role.USER) -> Key:
        """The digest of a key."""
        return cls(digest_of(secret), role)


def digest_of(secret: str) -> bytes:
    """The digest of a key, a token or a cookie."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def read_keys(path: Path) -> dict[str, Key]:
    """Read keys: lines ``name key [role]``; blank lines and lines with # are skipped.

    A key may be written as ``sha256:`` and its digest in hexadecimal digits, to keep the key out of
    the file.

    Raises:
        InputError: naming the invalid line, without the key; or if others can read the file.
    """
    try:
        content, fault = read_private(path)
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the keys can't be read ({type(error).__name__}); check the path.", str(path)
        ) from None
    if fault:
        raise InputError(f"the file of the keys {fault}.", str(path))
    keys: dict[str, Key] = {}
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        name, key = words[0], _key(words, number, path)
        if name in keys or any(key.digest == key_before.digest for key_before in keys.values()):
            raise InputError(
                f"line {number} has the name or the key of another line; each is of one person.",
                str(path),
            )
        keys[name] = key
    if not keys:
        raise InputError("the file has no key; write a line `name key`.", str(path))
    return keys


def _key(words: list[str], number: int, path: Path) -> Key:
    roles = [str(role) for role in Role]
    if not 2 <= len(words) <= 3 or words[0] == LOCAL or (words[2:] and words[2] not in roles):
        raise InputError(
            f"line {number} is not `name key [role]`: one word each, the role one of "
            f"{', '.join(roles)}, the name not {LOCAL!r}.",
            str(path),
        )
    role = Role(words[2]) if words[2:] else Role.USER
    if digest := _DIGEST.fullmatch(words[1]):
        return Key(bytes.fromhex(digest[1]), role)
    random = is_random(words[1].encode("utf-8", "surrogatepass"))
    if len(words[1]) < _SHORTEST_KEY or not (random or insisted()):
        # Not a passphrase: it is compared at every request, too often for scrypt.
        raise InputError(
            f"line {number} has a key that can be guessed; make one with `openssl rand -hex 32` "
            f"(or insist on a weak one of {_SHORTEST_KEY} characters with {INSECURE}=1).",
            str(path),
        )
    return Key.of(words[1], role)


_FREE = 5
"""Wrong keys that cost nothing: people mistype."""
_LONGEST = 300.0
_FORGOTTEN = 3600.0
_MOST = 10_000


class TooManyWrong(Exception):
    """An address or a name was wrong too often.

    Attributes:
        wait: whole seconds until the next key is looked at.
    """

    def __init__(self, wait: float) -> None:
        super().__init__("too many wrong keys")
        self.wait = max(1, math.ceil(wait))


@dataclass(slots=True)
class _Wrong:
    count: int = 0
    last: float = 0.0

    @property
    def until(self) -> float:
        """When the next key is looked at."""
        over = self.count - _FREE
        return self.last + min(2.0 ** min(over, 30), _LONGEST) if over >= 0 else 0.0


class Throttle:
    """Counts of wrong keys by address and name; at most 10,000, against floods.

    Args:
        clock: seconds of a monotonic clock.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[tuple[str, str], _Wrong] = OrderedDict()
        self._lock = Lock()

    def check(self, *subjects: tuple[str, str]) -> None:
        """Raise ``TooManyWrong`` if one of them has to wait, right or wrong."""
        now = self._clock()
        with self._lock:
            until = max((self._wrong[s].until for s in subjects if s in self._wrong), default=0.0)
        if until > now:
            raise TooManyWrong(until - now)

    def failed(self, *subjects: tuple[str, str]) -> None:
        """Count a wrong key for each."""
        now = self._clock()
        with self._lock:
            for subject in subjects:
                wrong = self._wrong.setdefault(subject, _Wrong())
                wrong.count = 1 if now - wrong.last > _FORGOTTEN else wrong.count + 1
                wrong.last = now
                self._wrong.move_to_end(subject)
            while len(self._wrong) > _MOST:
                self._wrong.popitem(last=False)

    def passed(self, subject: tuple[str, str]) -> None:
        """Forget the wrong keys of a name after its right key.

        Those of an address stay: the owner of one key could otherwise go on guessing others.
        """
        with self._lock:
            self._wrong.pop(subject, None)


_MOST_SESSIONS = 10_000
IDLE = 2 * 3600.0
"""Seconds after which a session ends in which nothing is asked."""
LONGEST = 12 * 3600.0
"""Seconds after which any session ends."""


@dataclass(slots=True)
class Session:
    """A browser's session.

    Attributes:
        identity: author of its changes.
        begun, seen: times of its begin and of its last request.
        proof: token sent with every change, unknown to other pages.
    """

    identity: Identity
    begun: float
    seen: float
    proof: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Access:
    """Tokens, keys and sessions of one run; sessions end with the run, or before.

    Of keys and cookies only digests are kept. Tokens end with the run, and are shown again.

    Args:
        person: name of the token's owner; everything is open to them.
        keys: names of people and programs to their keys; with keys there is no token.
        clock: seconds of a monotonic clock.
    """

    def __init__(
        self,
        person: str,
        keys: Mapping[str, Key] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = {Identity(name, key.role): key.digest for name, key in (keys or {}).items()}
        self.by_key = bool(self._keys)
        """Whether people come in with keys."""
        self.token = "" if self.by_key else secrets.token_urlsafe(32)
        if self.token:
            self._keys[Identity(person, Role.ADMIN)] = digest_of(self.token)
        # Cookies don't know ports: two runs on one host must not take each other's.
        self.cookie = f"tacenda_{secrets.token_hex(4)}"
        self._guests: dict[Identity, str] = {}
        self._once: dict[bytes, tuple[Identity, Callable[[], None]]] = {}
        self._sessions: dict[bytes, Session] = {}
        self._throttle = Throttle(clock)
        self._clock = clock
        self._lock = Lock()

    def identify(self, secret: str, address: str, name: str = "") -> Identity | None:
        """Identity of a token or key, None if unknown; takes equally long for any wrong one.

        Args:
            secret: the token or key.
            address: the client's address.
            name: claimed name of the owner; any if empty.

        Raises:
            TooManyWrong: if this address or this name was wrong too often.
        """
        subjects = [("address", address), *([("name", name)] if name else [])]
        self._throttle.check(*subjects)
        digest_sent = digest_of(secret)
        identity = self._first_use(digest_sent)
        for candidate, digest in self._keys.items():
            if hmac.compare_digest(digest_sent, digest) and name in ("", candidate.name):
                identity = candidate
        if identity is None:
            self._throttle.failed(*subjects)
        else:
            self._throttle.passed(("name", name))
        return identity

    def once(self, name: str, spent: Callable[[], None]) -> str:
        """A single-use token.

        Args:
            name: name of a person with a key, or of the token's owner.
            spent: callback after its use.
        """
        token = secrets.token_urlsafe(32)
        identity = next(candidate for candidate in self._keys if candidate.name == name)
        with self._lock:
            self._once[digest_of(token)] = (identity, spent)
        return token

    def admit(self, name: str, place: str) -> str:
        """The token of a guest for one place, the same throughout this run.

        Args:
            name: of the guest.
            place: a path; nothing else is open to them.
        """
        guest = Identity(name, place=place)
        with self._lock:
            if guest not in self._guests:
                self._guests[guest] = secrets.token_urlsafe(32)
                self._keys = {**self._keys, guest: digest_of(self._guests[guest])}
            return self._guests[guest]

    def cookie_for(self, identity: Identity) -> str:
        """The name of the cookie; a guest's has its own, and leaves sessions elsewhere alone."""
        return f"{self.cookie}_guest" if identity.place else self.cookie

    def _first_use(self, digest: bytes) -> Identity | None:
        # Looked up by digest: how long that takes says nothing about a token.
        with self._lock:
            entry = self._once.pop(digest, None)
        if entry is None:
            return None
        identity, spent = entry
        spent()
        return identity

    def begin(self, identity: Identity) -> str:
        """The cookie's value of a new session."""
        value, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[digest_of(value)] = Session(identity, now, now)
        return value

    def session(self, value: str) -> Session | None:
        """The session of a cookie's value; None if there is none, or it has ended."""
        digest, now = digest_of(value), self._clock()
        with self._lock:
            session = self._sessions.get(digest)
            if session is None:
                return None
            if now - session.seen > IDLE or now - session.begun > LONGEST:
                del self._sessions[digest]
                return None
            session.seen = now
            return session

    def end(self, value: str) -> None:
        """End the session of a cookie's value; the cookie opens nothing any more."""
        with self._lock:
            self._sessions.pop(digest_of(value), None)


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
    # Not no-referrer: under that, browsers hide the Origin of forms, which the guard asks for.
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
    """Whether the ``Content-Length`` of a request is too large or invalid."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return not value.isdigit() or len(value) > 15 or int(value) > LARGEST_BODY
    return False


def limited(receive: Receive) -> Receive:
    """``receive`` with a limit on the body; raises ``TooLarge`` beyond it."""
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
_OPEN = ("/login",)
_WITHOUT_PROOF = "/logout"
"""How an address ends that a plain form may send: the worst that another page of this site could do is end the session."""
_PROOF = "x-tacenda-proof"
NOTHING = "There is nothing at this address."
_log = logging.getLogger(__name__)


class Guard:
    """ASGI middleware: lets a request through to ``app``, or answers it itself.

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
            # Neither the message nor the values: they may hold text of a document.
            place = extract_tb(error.__traceback__)[-1]
            _log.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
            if not is_answered:
                await _answer(scope, 500, "An error; the log says where.")(scope, receive, guarded)

    def _turn(self, scope: Scope) -> Semaphore | nullcontext[None]:
        """Semaphore of a person's requests, so that nobody waits for many of somebody else's."""
        identity = scope.get("state", {}).get("identity")
        if identity is None or not self._access.by_key:
            return nullcontext()
        return self._turns.setdefault(identity.name, Semaphore(_AT_ONCE))

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a forbidden request; None if it may pass."""
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
                return _answer(scope, 401, "The key is none of this server's.")
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
        """The browser's session for a path; a guest's session for the place comes first."""
        for value in cookies_of(headers, self._access):
            session = self._access.session(value)
            if session is not None and session.identity.may_be_at(path):
                return session
        return None

    def _entrance(self, scope: Scope) -> Response | None:
        """The redirect for a GET with the token in its address, with the token removed."""
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        token = query.pop("token", [""])[0]
        if scope["method"] != "GET" or not token:
            return None
        identity = self._access.identify(token, address_of(scope))
        if identity is None:
            return self._unknown(scope)
        rest = urlencode(query, doseq=True)
        # One slash: an address that begins with two would lead to another host.
        place = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")
        response: Response = RedirectResponse(place, 303)
        if Headers(scope=scope).get("sec-fetch-site") == "cross-site":
            # From a file: browsers send a strict cookie only to where one of our own pages leads.
            response = HTMLResponse(
                f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(place)}">'
            )
        set_session(response, self._access, identity, scope)
        return response

    def _unknown(self, scope: Scope) -> Response:
        if self._access.by_key and not scope["path"].startswith("/api/"):
            if Headers(scope=scope).get("hx-request"):
                # A piece of a page whose session has ended: the whole page goes to the form.
                return Response(status_code=401, headers={"HX-Redirect": "/login"})
            return RedirectResponse("/login", 303)
        return _answer(
            scope,
            401,
            "Open the address that the program printed, with its token; programs send "
            "`Authorization: Bearer` and their key.",
        )


def set_session(response: Response, access: Access, identity: Identity, scope: Scope) -> None:
    """Give a browser the cookie of a new session."""
    response.set_cookie(
        access.cookie_for(identity),
        access.begin(identity),
        max_age=int(LONGEST),
        path=identity.place or "/",
        httponly=True,
        samesite="strict",
        secure=scope["scheme"] == "https",
    )


def address_of(scope: Scope) -> str:
    """Address of the client of a request."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def end_session(response: Response, request: Request, access: Access) -> None:
    """End the session of a request, and take its cookie away."""
    identity: Identity = request.state.identity
    name = access.cookie_for(identity)
    for value in cookies_of(request.headers, access):
        session = access.session(value)
        if session is not None and session.identity == identity:
            access.end(value)
    response.delete_cookie(name, path=identity.place or "/", httponly=True, samesite="strict")


def cookies_of(headers: Headers, access: Access) -> list[str]:
    """The values of the session cookies; the guest's first."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return []
    names = (f"{access.cookie}_guest", access.cookie)
    return [cookies[name].value for name in names if name in cookies]


def too_many(scope: Scope, error: TooManyWrong) -> Response:
    """The answer after too many wrong keys."""
    answer = _answer(scope, 429, f"Too many wrong keys; try again in {error.wait} s.")
    answer.headers["Retry-After"] = str(error.wait)
    return answer


def _name_in(host: str) -> str:
    """The name in a Host header, without the port; empty if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").casefold()
    except ValueError:  # Half an address of IPv6.
        return ""


def _from_here(headers: Headers) -> bool:
    """Whether the request is of the same origin: browsers name the origin, programs send none."""
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
