"""Who may come in: with the token of this run, or with a key; and the sessions of browsers."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ....errors import InputError

_SHORTEST_KEY = 16
_MOST_SESSIONS = 10_000


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that came in.

    Attributes:
        person: whose changes it makes.
        proof: what its pages send with every change, and other pages can't know.
    """

    person: str
    proof: str = field(default_factory=lambda: secrets.token_urlsafe(24))


class Access:
    """Tokens, keys and sessions of one run; sessions end with the run.

    Args:
        person: who comes in with the token.
        keys: names of people and programs to their keys; with keys there is no token.
    """

    def __init__(self, person: str, keys: Mapping[str, str] | None = None) -> None:
        self._keys = dict(keys or {})
        self._person = person
        self.token = "" if self._keys else secrets.token_urlsafe(32)
        # Cookies don't know ports: two runs on one host must not take each other's.
        self.cookie = f"tacenda_{secrets.token_hex(4)}"
        self._sessions: dict[str, Session] = {}

    @property
    def by_key(self) -> bool:
        """Whether people come in with keys."""
        return bool(self._keys)

    def person_with(self, secret: str) -> str | None:
        """Return whose the token or key is; None if nobody's. Takes as long for any wrong one."""
        given = secret.encode("utf-8", "surrogatepass")
        found = None
        if self.token and hmac.compare_digest(given, self.token.encode()):
            found = self._person
        for name, key in self._keys.items():
            if hmac.compare_digest(given, key.encode()):
                found = name
        return found

    def begin(self, person: str) -> str:
        """Return the cookie's value of a new session."""
        while len(self._sessions) >= _MOST_SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))
        value = secrets.token_urlsafe(32)
        self._sessions[value] = Session(person)
        return value

    def session(self, value: str) -> Session | None:
        """Return the session of a cookie's value."""
        return self._sessions.get(value)


def read_keys(path: Path) -> dict[str, str]:
    """Read keys: lines of a name and a key; blank lines and lines with # are skipped.

    Raises:
        InputError: naming the line that is none, without the key.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the keys can't be read ({type(error).__name__}); check the path.", str(path)
        ) from None
    keys: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, key = line.strip().partition(" ")
        key = key.strip()
        if len(key) < _SHORTEST_KEY or name in keys or key in keys.values():
            raise InputError(
                f"line {number} is not `name key` with a name and a key of their own, the key of "
                f"{_SHORTEST_KEY} characters or more; make one with `openssl rand -hex 32`.",
                str(path),
            )
        keys[name] = key
    if not keys:
        raise InputError("the file has no key; write a line `name key`.", str(path))
    return keys
