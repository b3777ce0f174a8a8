"""Sealed strings: written by *encrypt*, opened again by ``tacenda restore``.

A ``Cipher`` is AES-SIV under keys derived from the user's; a ``SealedToken`` is a sealed string in a
text; ``open_text`` opens all tokens of a text or none.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .document import Replacement, SemanticType, Span
from .errors import InputError, PolicyError

# AES-SIV (RFC 5297): deterministic authenticated encryption, under keys derived from the user's.
#
# Equal strings with equal associated data give equal ciphertexts, and that is all that shows: the
# synthetic initialisation vector is a keyed digest of both, so that no nonce can be reused. Any
# change of ciphertext or associated data is noticed.


_BLOCK = 16
KEY_ID_BYTES = 4


class Cipher:
    """Cipher of byte strings.

    Args:
        key: the user's secret, at least 16 bytes.
        purpose: separates the seals of one use from those of another.
    """

    def __init__(self, key: bytes, purpose: str) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

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


# Token of a sealed string in a text: ``[PERSON e1.MFRGG…]``.
#
# Capitals and the digits 2 to 7 (base32, RFC 4648) between brackets mean nothing in plain text,
# Markdown, HTML, JSON or CSV, so a token passes through all of them unchanged.
#
# | bytes | |
# |---|---|
# | 4 | id of the key |
# | 8 | seal of the document: keyed digest of its text with all tokens opened |
# | 16 | synthetic initialisation vector |
# | a multiple of 16 | ciphertext |
#
# Type and seal of the document are associated data: a token of another document, or under another
# type, can't be opened here.


SEAL_BYTES = 8
_HEAD = KEY_ID_BYTES + SEAL_BYTES
_TYPES = "|".join(SemanticType)
_TOKEN = re.compile(rf"\[({_TYPES}) e1\.([A-Z2-7]+)\]")
_BEGIN = re.compile(rf"\[(?:{_TYPES}) e1\.")


@dataclass(frozen=True, slots=True)
class SealedToken:
    """Token in a text.

    Attributes:
        start, end: code points of the text.
        type: semantic type of the entity.
        key_id: id of its key.
        seal: the seal of its document.
        sealed: vector and ciphertext; empty where the token is damaged.
    """

    start: int
    end: int
    type: str
    key_id: bytes
    seal: bytes
    sealed: bytes


def document_seal(key: bytes, text: str) -> bytes:
    """Return the seal of a document with the text ``text`` after opening all its tokens."""
    data = text.encode("utf-8", "surrogatepass")
    return hmac.digest(key, b"tacenda document\0" + data, "sha256")[:SEAL_BYTES]


def write_token(cipher: Cipher, seal: bytes, type: str, string: str) -> str:
    """Return the token of ``string``."""
    sealed = cipher.seal(string.encode("utf-8", "surrogatepass"), type.encode(), seal)
    payload = base64.b32encode(cipher.key_id + seal + sealed).decode().rstrip("=")
    return f"[{type} e1.{payload}]"


def open_token(cipher: Cipher, token: SealedToken) -> str | None:
    """Return the string of a token; None unless this key sealed it for its document."""
    plain = cipher.open(token.sealed, token.type.encode(), token.seal)
    return None if plain is None else plain.decode("utf-8", "surrogatepass")


def find_tokens(text: str) -> Iterator[SealedToken]:
    """Yield the tokens of a text; a cut off or damaged one with empty ``sealed``."""
    for begin in _BEGIN.finditer(text):
        match = _TOKEN.match(text, begin.start())
        payload = b"" if match is None else _decoded(match[2])
        start, end = match.span() if match else begin.span()
        type = match[1] if match else ""
        yield SealedToken(
            start, end, type, payload[:KEY_ID_BYTES], payload[KEY_ID_BYTES:_HEAD], payload[_HEAD:]
        )


def _decoded(string: str) -> bytes:
    try:
        return base64.b32decode(string + "=" * (-len(string) % 8))
    except binascii.Error:
        return b""


# The tokens of a text opened: all of them, or an error and none; of an edited text those that can be.


@dataclass(frozen=True, slots=True)
class OpenedToken:
    """Text with its tokens opened.

    Attributes:
        text: the text as it was before *encrypt*.
        replacements: place of each token (``original``) and its string, in order.
        damaged: number of tokens left, as they are cut off or were changed.
    """

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    damaged: int = 0


def open_text(text: str, key: bytes, name: str = "", *, edited: bool = False) -> OpenedToken:
    """Return ``text`` with the strings of its tokens.

    Args:
        text: a sanitized document; one without tokens comes back as it is.
        key: the user's secret.
        name: name of the document for errors.
        edited: take a text with later changes around its tokens, with lost tokens or tokens of
            another document; tokens that can't be opened are left.

    Raises:
        PolicyError: if a token (of an edited text: every token) was sealed under another key.
        InputError: unless it is ``edited``, if a token is damaged, cut off or from another document,
            or the text was changed since.
    """
    tokens = list(find_tokens(text))
    if not tokens:
        return OpenedToken(text, ())
    cipher = Cipher(key, "encrypt")
    parts: list[str] = []
    replacements: list[Replacement] = []
    position = length = damaged = 0
    refusal: InputError | PolicyError | None = None
    for number, token in enumerate(tokens, start=1):
        place = f"token {number} at offset {token.start}"
        try:
            string = _string(cipher, token, token if edited else tokens[0], place, name)
        except (InputError, PolicyError) as error:
            if not edited:
                raise
            damaged += 1
            refusal = refusal or error
            continue
        gap = text[position : token.start]
        parts += [gap, string]
        start = length + len(gap)
        length = start + len(string)
        position = token.end
        replacements.append(Replacement(Span(token.start, token.end), start, length, string, ()))
    if isinstance(refusal, PolicyError) and not replacements:
        raise refusal
    parts.append(text[position:])
    plaintext = "".join(parts)
    if not edited and not hmac.compare_digest(document_seal(key, plaintext), tokens[0].seal):
        raise InputError(
            "the text was changed after its tokens were written, or some are missing; use the "
            "file as tacenda wrote it, or allow the changes with --edited",
            name,
        )
    return OpenedToken(plaintext, tuple(replacements), damaged)


def _string(cipher: Cipher, token: SealedToken, first: SealedToken, place: str, name: str) -> str:
    if not token.sealed:
        raise InputError(f"{place} is cut off or damaged; nothing was restored", name)
    if token.key_id != cipher.key_id:
        raise PolicyError(
            f"{name + ': ' if name else ''}{place} was made with the key of id "
            f"{token.key_id.hex()}, the key given has {cipher.key_id.hex()}; give the other key"
        )
    if token.seal != first.seal:
        raise InputError(
            f"{place} is from another document than token 1; nothing was restored", name
        )
    string = open_token(cipher, token)
    if string is None:
        raise InputError(f"{place} was tampered with; nothing was restored", name)
    return string
