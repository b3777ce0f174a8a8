"""Who may come in: with the token of this run, or with a key; and the sessions of browsers."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from .keys import Identity, Key, Role, digest_of
from .throttle import Throttle

_MOST_SESSIONS = 10_000
IDLE = 2 * 3600.0
"""Seconds after which a session ends in which nothing is asked."""
LONGEST = 12 * 3600.0
"""Seconds after which any session ends."""


@dataclass(slots=True)
class Session:
    """A browser that came in.

    Attributes:
        identity: whose changes it makes.
        begun, seen: when it came in, and when it last asked.
        proof: what its pages send with every change, and other pages can't know.
    """

    identity: Identity
    begun: float
    seen: float
    proof: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Access:
    """Tokens, keys and sessions of one run; sessions end with the run, or before.

    Of keys and cookies only digests are kept.

    Args:
        person: who comes in with the token; everything is open to them.
        keys: names of people and programs to their keys; with keys there is no token.
        clock: seconds that only grow.
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
        self._once: dict[bytes, tuple[Identity, Callable[[], None]]] = {}
        self._sessions: dict[bytes, Session] = {}
        self._throttle = Throttle(clock)
        self._clock = clock
        self._lock = Lock()

    def identify(self, secret: str, address: str, name: str = "") -> Identity | None:
        """Return whose a token or key is; None if nobody's. Takes as long for any wrong one.

        Args:
            secret: what was sent.
            address: where it came from.
            name: whose it is said to be; anybody's if empty.

        Raises:
            TooManyWrong: if this address or this name was wrong too often.
        """
        subjects = [("address", address), *([("name", name)] if name else [])]
        self._throttle.check(*subjects)
        given = digest_of(secret)
        identity = self._first_use(given)
        for known, digest in self._keys.items():
            if hmac.compare_digest(given, digest) and name in ("", known.name):
                identity = known
        if identity is None:
            self._throttle.failed(*subjects)
        else:
            self._throttle.passed(("name", name))
        return identity

    def once(self, name: str, spent: Callable[[], None]) -> str:
        """Return a token that lets somebody come in, once.

        Args:
            name: who; one of those who have a key, or the token.
            spent: called when it was used.
        """
        token = secrets.token_urlsafe(32)
        identity = next(known for known in self._keys if known.name == name)
        with self._lock:
            self._once[digest_of(token)] = (identity, spent)
        return token

    def _first_use(self, given: bytes) -> Identity | None:
        # Looked up by digest: how long that takes says nothing about a token.
        with self._lock:
            known = self._once.pop(given, None)
        if known is None:
            return None
        identity, spent = known
        spent()
        return identity

    def begin(self, identity: Identity) -> str:
        """Return the cookie's value of a new session."""
        value, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            self._sessions[digest_of(value)] = Session(identity, now, now)
        return value

    def session(self, value: str) -> Session | None:
        """Return the session of a cookie's value; None if there is none, or it has ended."""
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
