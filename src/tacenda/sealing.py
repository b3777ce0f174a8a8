"""Sealed strings, which *encrypt* writes and ``tacenda restore`` opens.

A ``Cipher`` is AES-SIV with keys derived from the user's key; a ``SealedToken`` is a sealed string
in a text; ``open_text`` opens either all tokens in a text or none.
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

# AES-SIV (RFC 5297): deterministic authenticated encryption with keys derived from the user's key.
#
# Equal strings with equal associated data give equal ciphertexts, and nothing else is revealed: the
# synthetic initialization vector is a keyed digest of both, so nonce reuse is impossible. Any
# change to the ciphertext or the associated data is detected.


_BLOCK = 16
KEY_ID_BYTES = 4


class Cipher:
    """Encrypts byte strings.

    Args:
        key: the user's secret key, at least 16 bytes.
        purpose: keeps seals for different uses apart.
    """

    def __init__(self, key: bytes, purpose: str) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        self._invalid = InvalidTag
        # 64 bytes: AES-256 for the vector and AES-256 for the text.
        self._siv = AESSIV(hmac.digest(key, f"tacenda {purpose}".encode(), "sha512"))
        self.key_id = hmac.digest(key, b"tacenda key id", "sha256")[:KEY_ID_BYTES]

    def seal(self, plain: bytes, *associated: bytes) -> bytes:
        """Return the ciphertext, bound to ``associated``; the length is padded to a multiple of 16 bytes."""
        padded = plain + b"\x80" + bytes(-(len(plain) + 1) % _BLOCK)
        return self._siv.encrypt(padded, list(associated))

    def open(self, sealed: bytes, *associated: bytes) -> bytes | None:
        """Return the plaintext, or None if the key, the ciphertext or ``associated`` has changed."""
        try:
            padded = self._siv.decrypt(sealed, list(associated))
        except (self._invalid, ValueError):
            return None
        return padded[: padded.rindex(b"\x80")]


# The token for a sealed string in a text: ``[PERSON e1.MFRGG…]``.
#
# Capitals and the digits 2 to 7 (base32, RFC 4648) in brackets have no special meaning in plain
# text, Markdown, HTML, JSON or CSV, so tokens pass through all of them unchanged.
#
# | bytes | |
# |---|---|
# | 4 | id of the key |
# | 8 | seal of the document: keyed digest of its text with all tokens opened |
# | 16 | synthetic initialisation vector |
# | a multiple of 16 | ciphertext |
#
# The type and the document's seal are associated data, so a token from another document or with
# another type can't be opened.


SEAL_BYTES = 8
_HEAD = KEY_ID_BYTES + SEAL_BYTES
_TYPES = "|".join(SemanticType)
_TOKEN = re.compile(rf"\[({_TYPES}) e1\.([A-Z2-7]+)\]")
_BEGIN = re.compile(rf"\[(?:{_TYPES}) e1\.")


@dataclass(frozen=True, slots=True)
class SealedToken:
    """A token in a text.

    Attributes:
        start, end: its position in the text, in code points.
        type: semantic type of the entity.
        key_id: id of its key.
        seal: the seal of its document.
        sealed: vector and ciphertext; empty if the token is damaged.
    """

    start: int
    end: int
    type: str
    key_id: bytes
    seal: bytes
    sealed: bytes


def document_seal(key: bytes, text: str) -> bytes:
    """Return the seal of a document whose text is ``text`` once all its tokens are opened."""
    data = text.encode("utf-8", "surrogatepass")
    return hmac.digest(key, b"tacenda document\0" + data, "sha256")[:SEAL_BYTES]


def write_token(cipher: Cipher, seal: bytes, type: str, string: str) -> str:
    """Return the token of ``string``."""
    sealed = cipher.seal(string.encode("utf-8", "surrogatepass"), type.encode(), seal)
    payload = base64.b32encode(cipher.key_id + seal + sealed).decode().rstrip("=")
    return f"[{type} e1.{payload}]"


def open_token(cipher: Cipher, token: SealedToken) -> str | None:
    """Return the string in a token, or None unless this key sealed it for this document."""
    plain = cipher.open(token.sealed, token.type.encode(), token.seal)
    return None if plain is None else plain.decode("utf-8", "surrogatepass")


def find_tokens(text: str) -> Iterator[SealedToken]:
    """Yield the tokens in a text; ``sealed`` is empty for truncated or damaged ones."""
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


# Opening the tokens in a text: either all of them, or none and an error; in an edited text, those
# that can be opened.


@dataclass(frozen=True, slots=True)
class OpenedToken:
    """A text with its tokens opened.

    Attributes:
        text: the text as it was before *encrypt*.
        replacements: the position of each token (``original``) and its string, in order.
        damaged: number of tokens left because they are truncated or changed.
    """

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    damaged: int = 0


def open_text(text: str, key: bytes, name: str = "", *, edited: bool = False) -> OpenedToken:
    """Return ``text`` with its tokens replaced by their strings.

    Args:
        text: a sanitized document; if it has no tokens it is returned unchanged.
        key: the user's secret key.
        name: name of the document, for error messages.
        edited: accept a text that was changed around its tokens, lacks tokens, or has tokens from
            another document; tokens that can't be opened are left.

    Raises:
        PolicyError: if a token was sealed with another key (in an edited text, if every token was).
        InputError: unless ``edited``, if a token is damaged, truncated or from another document, or
            the text has been changed.
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
