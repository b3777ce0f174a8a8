"""AES-SIV (RFC 5297): deterministic authenticated encryption, under keys derived from the user's.

Equal strings with equal associated data give equal ciphertexts, and that is all that shows: the
synthetic initialisation vector is a keyed digest of both, so that no nonce can be reused. Any
change of ciphertext or associated data is noticed.
"""

from __future__ import annotations

import hmac

from ..errors import MissingExtraError

_BLOCK = 16
KEY_ID_BYTES = 4


class Cipher:
    """Seals and opens byte strings.

    Args:
        key: the user's secret, at least 16 bytes.
        purpose: parts what is sealed for one use from what is sealed for another.

    Raises:
        MissingExtraError: if ``cryptography`` is not installed.
    """

    def __init__(self, key: bytes, purpose: str) -> None:
        try:
            from cryptography.exceptions import InvalidTag
            from cryptography.hazmat.primitives.ciphers.aead import AESSIV
        except ImportError:
            raise MissingExtraError("encrypt", "encrypt") from None
        self._invalid = InvalidTag
        # 64 bytes: AES-256 for the vector and AES-256 for the text.
        self._siv = AESSIV(hmac.digest(key, f"tacenda {purpose}".encode(), "sha512"))
        self.key_id = hmac.digest(key, b"tacenda key id", "sha256")[:KEY_ID_BYTES]

    def seal(self, plain: bytes, *associated: bytes) -> bytes:
        """Return the ciphertext, bound to ``associated``; the length is hidden up to 16 bytes."""
        padded = plain + b"\x80" + bytes(-(len(plain) + 1) % _BLOCK)
        return self._siv.encrypt(padded, list(associated))

    def open(self, sealed: bytes, *associated: bytes) -> bytes | None:
        """Return the plain bytes; None if key, ciphertext or ``associated`` are not those of then."""
        try:
            padded = self._siv.decrypt(sealed, list(associated))
        except (self._invalid, ValueError):
            return None
        return padded[: padded.rindex(b"\x80")]
