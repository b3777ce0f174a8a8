"""Tokens, keys and sessions of one run, and the throttling of wrong keys."""

from __future__ import annotations

import hmac
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from threading import Lock

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from .keys import Key, KeyIdentity, Role, digest_of

_FREE = 5
"""Wrong keys that cost nothing: people mistype."""
_LONGEST = 300.0
_FORGOTTEN = 3600.0
_MOST = 10_000


class TooManyWrong(Exception):
    """Too many wrong keys came from an address or for a name.

    Attributes:
        wait: whole seconds until the next key is checked.
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
        """When the next key is checked."""
        over = self.count - _FREE
        return self.last + min(2.0 ** min(over, 30), _LONGEST) if over >= 0 else 0.0


class Throttle:
    """Counts wrong keys by address and name; keeps at most 10,000, against floods.

    Args:
        clock: a monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[tuple[str, str], _Wrong] = OrderedDict()
        self._lock = Lock()

    def check(self, *subjects: tuple[str, str]) -> None:
        """Raise ``TooManyWrong`` if one of them must wait, whether the key is right or wrong."""
        now = self._clock()
        with self._lock:
            until = max((self._wrong[s].until for s in subjects if s in self._wrong), default=0.0)
        if until > now:
            raise TooManyWrong(until - now)

    def failed(self, *subjects: tuple[str, str]) -> None:
        """Count a wrong key for each of them."""
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
        """Forget the wrong keys for a name after the right one.

        Failures of an address stay: otherwise the owner of one key could go on guessing others.
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
        begun, seen: times of its start and of its last request.
        proof: token sent with every change, which other pages don't know.
    """

    identity: KeyIdentity
    begun: float
    seen: float
    proof: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Access:
    """Tokens, keys and sessions of one run; sessions end with the run or earlier.

    Only digests of keys and cookies are kept. Tokens are valid for the run, and can be shown again.

    Args:
        person: name of the token's owner, who may do everything.
        keys: keys of people and programs, by name; if there are keys, there is no token.
        clock: a monotonic clock in seconds.
    """

    def __init__(
        self,
        person: str,
        keys: Mapping[str, Key] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys = {KeyIdentity(name, key.role): key.digest for name, key in (keys or {}).items()}
        self.by_key = bool(self._keys)
        """Whether people come in with keys."""
        self.token = "" if self.by_key else secrets.token_urlsafe(32)
        if self.token:
            self._keys[KeyIdentity(person, Role.ADMIN)] = digest_of(self.token)
        # Cookies don't know ports: two runs on one host must not take each other's.
        self.cookie = f"tacenda_{secrets.token_hex(4)}"
        self._guests: dict[KeyIdentity, str] = {}
        self._once: dict[bytes, tuple[KeyIdentity, Callable[[], None]]] = {}
        self._sessions: dict[bytes, Session] = {}
        self._throttle = Throttle(clock)
        self._clock = clock
        self._lock = Lock()

    @property
    def names(self) -> frozenset[str]:
        """The names of everyone who has a key."""
        return frozenset(identity.name for identity in self._keys if not identity.place)

    def identify(self, secret: str, address: str, name: str = "") -> KeyIdentity | None:
        """Return the identity of a token or key, or None if unknown; takes the same time for any wrong one.

        Args:
            secret: the token or key.
            address: the client's address.
            name: claimed name of the owner; any owner if empty.

        Raises:
            TooManyWrong: if there were too many wrong keys for this address or name.
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
        """Return a single-use token.

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
        """Return a guest's token for one place, the same throughout this run.

        Args:
            name: name of the guest.
            place: the only path they may use.
        """
        guest = KeyIdentity(name, place=place)
        with self._lock:
            if guest not in self._guests:
                self._guests[guest] = secrets.token_urlsafe(32)
                self._keys = {**self._keys, guest: digest_of(self._guests[guest])}
            return self._guests[guest]

    def cookie_for(self, identity: KeyIdentity) -> str:
        """Return the name of the cookie; a guest's cookie has its own name, so other sessions are unaffected."""
        return f"{self.cookie}_guest" if identity.place else self.cookie

    def _first_use(self, digest: bytes) -> KeyIdentity | None:
        # Look it up by digest: how long that takes reveals nothing about a token.
        with self._lock:
            entry = self._once.pop(digest, None)
        if entry is None:
            return None
        identity, spent = entry
        spent()
        return identity

    def begin(self, identity: KeyIdentity) -> str:
        """Start a session, and return the value of its cookie."""
        value, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[digest_of(value)] = Session(identity, now, now)
        return value

    def session(self, value: str) -> Session | None:
        """Return the session of a cookie value, or None if it doesn't exist or has ended."""
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
        """End the session of a cookie value; the cookie no longer gives access."""
        with self._lock:
            self._sessions.pop(digest_of(value), None)


def set_session(response: Response, access: Access, identity: KeyIdentity, scope: Scope) -> None:
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
    """Return the client address of a request."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def end_session(response: Response, request: Request, access: Access) -> None:
    """End the session of a request, and delete its cookie."""
    identity: KeyIdentity = request.state.identity
    name = access.cookie_for(identity)
    for value in cookies_of(request.headers, access):
        session = access.session(value)
        if session is not None and session.identity == identity:
            access.end(value)
    response.delete_cookie(name, path=identity.place or "/", httponly=True, samesite="strict")


def cookies_of(headers: Headers, access: Access) -> list[str]:
    """Return the values of the session cookies, the guest's first."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return []
    names = (f"{access.cookie}_guest", access.cookie)
    return [cookies[name].value for name in names if name in cookies]
