"""Identities, roles and the key file."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ...errors import InputError
from ...policy.loading import INSECURE, insisted, is_random, read_private

LOCAL = "local"
"""Name of the user of this machine, who works without a key. No key has this name."""
_SHORTEST_KEY = 16
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


class Role(StrEnum):
    """The role of a key."""

    USER = "user"
    """Work with what is theirs, and with projects that they are members of."""
    ADMIN = "admin"
    """Work with everything, and read who did what."""


@dataclass(frozen=True, slots=True)
class KeyIdentity:
    """Name and role of a person or program.

    Attributes:
        name: name of the key, or of this machine's user.
        role: their permissions.
        place: the only path a guest may use; empty for everything.
    """

    name: str
    role: Role = Role.USER
    place: str = ""

    def may_be_at(self, path: str) -> bool:
        """Return whether they may use a path."""
        return not self.place or path.startswith(f"{self.place}/")

    @property
    def is_admin(self) -> bool:
        """Whether they may do everything."""
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True)
class Key:
    """A key's digest and its role.

    SHA-256 is enough for a random secret: 128 random bits can't be recovered from a digest.
    """

    digest: bytes
    role: Role = Role.USER

    @classmethod
    def of(cls, secret: str, role: Role = Role.USER) -> Key:
        """Return the digest of a key."""
        return cls(digest_of(secret), role)


def digest_of(secret: str) -> bytes:
    """Return the digest of a key, a token or a cookie."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def read_keys(path: Path) -> dict[str, Key]:
    """Read keys from lines ``name key [role]``; skip blank lines and comments (#).

    A key may be written as ``sha256:`` and its hexadecimal digest, to keep it out of the file.

    Raises:
        InputError: if a line is invalid (the message names it, without the key), or other users can
            read the file.
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
        # Not a passphrase: it is compared on every request, too often for scrypt.
        raise InputError(
            f"line {number} has a key that can be guessed; make one with `openssl rand -hex 32` "
            f"(or insist on a weak one of {_SHORTEST_KEY} characters with {INSECURE}=1).",
            str(path),
        )
    return Key.of(words[1], role)
