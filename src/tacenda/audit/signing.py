"""Signatures of records: Ed25519 (RFC 8032) over canonical JSON.

Canonical JSON has sorted keys and no white space, in UTF-8, so that a signature stays valid when a
program reads and rewrites a file, however it is indented.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..atomic import atomic_file
from ..errors import InputError, OutputError, PolicyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM: Final = "Ed25519"
_PURPOSE: Final = b"tacenda audit record\n"
"""Signed before the record, so that no signature of something else is one of a record."""


def make_key(path: Path) -> str:
    """Write a new private key (PKCS 8, PEM) that only its owner can read; return the public key.

    Raises:
        OutputError: if the file exists or can't be written.
    """
    serialization, ed25519 = _cryptography()
    key = ed25519.Ed25519PrivateKey.generate()
    content: bytes = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        with atomic_file(path, private=True, new=True) as file:
            file.stream.write(content)
    except FileExistsError:
        raise OutputError("already exists; a key is never replaced.", str(path)) from None
    return public_key_of(key)


def read_key(path: Path) -> Ed25519PrivateKey:
    """Read a private key written by ``make_key``.

    Raises:
        PolicyError: if it can't be read or isn't a key of this kind; the message contains nothing
            of it.
    """
    serialization, ed25519 = _cryptography()
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise PolicyError(f"{path}: the key can't be read: {error.strerror or error}") from None
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise PolicyError(
            f"{path}: is not an Ed25519 private key; make one with `tacenda audit key`."
        )
    private: Ed25519PrivateKey = key
    return private


def public_key_of(key: Ed25519PrivateKey) -> str:
    """Return the public key in base64, 44 characters."""
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def sign(content: Mapping[str, Any], key: Ed25519PrivateKey) -> dict[str, str]:
    """Return the signature of JSON values."""
    value = key.sign(_PURPOSE + canonical(content))
    return {
        "algorithm": ALGORITHM,
        "public_key": public_key_of(key),
        "value": base64.b64encode(value).decode(),
    }


def is_signed(content: Mapping[str, Any], signature: Mapping[str, str]) -> bool:
    """Return whether a signature matches these JSON values and its public key.

    Raises:
        InputError: if the public key isn't valid.
    """
    _, ed25519 = _cryptography()
    from cryptography.exceptions import InvalidSignature

    try:
        public = base64.b64decode(signature["public_key"], validate=True)
        value = base64.b64decode(signature["value"], validate=True)
        key = ed25519.Ed25519PublicKey.from_public_bytes(public)
    except (binascii.Error, ValueError):
        raise InputError("the record's signature has no valid Ed25519 public key") from None
    try:
        key.verify(value, _PURPOSE + canonical(content))
    except InvalidSignature:
        return False
    return True


def canonical(content: Mapping[str, Any]) -> bytes:
    """Return JSON values as the bytes that are signed."""
    return json.dumps(
        content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def _cryptography() -> tuple[Any, Any]:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519

    return serialization, ed25519
