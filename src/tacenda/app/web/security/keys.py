"""The keys of a server: whose they are, and what they may; of the keys themselves only digests."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ....errors import InputError
from ....policy.loading import INSECURE, insisted, is_random, read_private

LOCAL = "local"
"""Who works without a key: the user of this machine. No key has this name."""
_SHORTEST_KEY = 16
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


class Role(StrEnum):
    """What somebody may do."""

    USER = "user"
    """Work with what is theirs, and with projects that they are members of."""
    ADMIN = "admin"
    """Work with everything, and read who did what."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks.

    Attributes:
        name: of the key, or of the user of this machine.
        role: what they may do.
    """

    name: str
    role: Role = Role.USER

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
        """Return the digest of a key."""
        return cls(digest_of(secret), role)


def digest_of(secret: str) -> bytes:
    """Return the digest by which a key, a token or a cookie is known again."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def read_keys(path: Path) -> dict[str, Key]:
    """Read keys: lines ``name key [role]``; blank lines and lines with # are skipped.

    A key may be written as ``sha256:`` and its digest in hexadecimal digits, so that the file holds no key.

    Raises:
        InputError: naming the line that is none, without the key; or if others can read the file.
    """
    try:
        content, exposed = read_private(path)
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the keys can't be read ({type(error).__name__}); check the path.", str(path)
        ) from None
    if exposed:
        raise InputError(f"the file of the keys {exposed}.", str(path))
    keys: dict[str, Key] = {}
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        name, key = words[0], _key(words, number, path)
        if name in keys or any(key.digest == other.digest for other in keys.values()):
            raise InputError(
                f"line {number} has the name or the key of another line; each is of one person.",
                str(path),
            )
        keys[name] = key
    if not keys:
        raise InputError("the file has no key; write a line `name key`.", str(path))
    return keys


def _key(words: list[str], number: int, path: Path) -> Key:
    known = [str(role) for role in Role]
    if not 2 <= len(words) <= 3 or words[0] == LOCAL or (words[2:] and words[2] not in known):
        raise InputError(
            f"line {number} is not `name key [role]`: one word each, the role one of "
            f"{', '.join(known)}, the name not {LOCAL!r}.",
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
