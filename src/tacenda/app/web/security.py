"""Tokens, keys and sessions: protection against strangers, and other pages in the same browser.

| against | what | where |
|---|---|---|
| other programs and users of the machine | a random token, or keys; sessions that end | this file |
| other users of the server | everything has an owner, and an id that can't be guessed | ``permission.py`` |
| guessing | who was wrong several times waits | this file |
| names that resolve to this machine (DNS rebinding) | only known hosts are answered | ``guard.py`` |
| other pages that post (CSRF) | cookie SameSite=Strict, Origin, and a header that they can't know | ``guard.py`` |
| scripts in documents | no inline script or style runs; templates escape | ``guard.py`` |
| a flood of requests of one key | three at once, the others wait | ``guard.py`` |
| huge uploads | a limit on the body, declared or not | ``guard.py`` |
| text in logs | errors are logged by class and place | ``guard.py`` |
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Lock

from ...errors import InputError
from ...policy.loading import INSECURE, insisted, is_random, read_private

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
        role: what they may do.
        place: the path that they were let in to, and to nothing else; empty for everything.
    """

    name: str
    role: Role = Role.USER
    place: str = ""

    def may_be_at(self, path: str) -> bool:
        """Whether a path is one that they were let in to."""
        return not self.place or path.startswith(f"{self.place}/")

    @property
    def is_admin(self) -> bool:
        """Whether everything is open to them."""
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True)
class Key:
    """A key's digest and its role.

    SHA-256 is enough for what is random already: no digest leads back to 128 random bits.
    """

    digest: bytes
    role: Role = Role.USER

    @classmethod
    def of(cls, secret: str, role: Role = Role.USER) -> Key:
        """The digest of a key."""
        return cls(digest_of(secret), role)


def digest_of(secret: str) -> bytes:
    """The digest by which a key, a token or a cookie is known again."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def read_keys(path: Path) -> dict[str, Key]:
    """Read keys: lines ``name key [role]``; blank lines and lines with # are skipped.

    A key may be written as ``sha256:`` and its digest in hexadecimal digits, so that the file holds no key.

    Raises:
        InputError: naming the line that is none, without the key; or if others can read the file.
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
    """Wrong keys of addresses and names; of 10,000, so that a flood fills no memory.

    Args:
        clock: seconds that only grow.
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
        """Forget what was wrong of a name before its right key.

        Of an address nothing is forgotten: who has one key could otherwise go on guessing others'.
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

    Of keys and cookies only digests are kept. Tokens end with the run, and are shown again.

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
        self._guests: dict[Identity, str] = {}
        self._once: dict[bytes, tuple[Identity, Callable[[], None]]] = {}
        self._sessions: dict[bytes, Session] = {}
        self._throttle = Throttle(clock)
        self._clock = clock
        self._lock = Lock()

    def identify(self, secret: str, address: str, name: str = "") -> Identity | None:
        """Identity of a token or key; None if nobody's. Takes as long for any wrong one.

        Args:
            secret: what was sent.
            address: where it came from.
            name: whose it is said to be; anybody's if empty.

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
        """A token that lets somebody come in, once.

        Args:
            name: who; one of those who have a key, or the token.
            spent: called when it was used.
        """
        token = secrets.token_urlsafe(32)
        identity = next(candidate for candidate in self._keys if candidate.name == name)
        with self._lock:
            self._once[digest_of(token)] = (identity, spent)
        return token

    def admit(self, name: str, place: str) -> str:
        """The token by which somebody comes in to one place, the same for all of this run.

        Args:
            name: who.
            place: a path; nothing else is open to them.
        """
        guest = Identity(name, place=place)
        with self._lock:
            if guest not in self._guests:
                self._guests[guest] = secrets.token_urlsafe(32)
                self._keys = {**self._keys, guest: digest_of(self._guests[guest])}
            return self._guests[guest]

    def cookie_for(self, identity: Identity) -> str:
        """The name of the cookie: who is let in to one place ends nobody's session elsewhere."""
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
