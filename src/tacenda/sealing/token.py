"""How a sealed string stands in a text: ``[PERSON e1.MFRGG…]``.

Capitals and the digits 2 to 7 (base32, RFC 4648) between brackets mean nothing in plain text,
Markdown, HTML, JSON or CSV, so a token passes through all of them unchanged.

| bytes | |
|---|---|
| 4 | id of the key |
| 8 | seal of the document: keyed digest of what it reads like with all tokens opened |
| 16 | synthetic initialisation vector |
| a multiple of 16 | ciphertext |

Type and seal of the document are associated data: a token of another document, or under another
type, can't be opened here.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..document import SemanticType
from .cipher import KEY_ID_BYTES, Cipher

SEAL_BYTES = 8
_HEAD = KEY_ID_BYTES + SEAL_BYTES
_TYPES = "|".join(SemanticType)
_TOKEN = re.compile(rf"\[({_TYPES}) e1\.([A-Z2-7]+)\]")
_BEGIN = re.compile(rf"\[(?:{_TYPES}) e1\.")


@dataclass(frozen=True, slots=True)
class Token:
    """A token found in a text.

    Attributes:
        start, end: code points of the text.
        type: semantic type of the entity.
        key_id: id of the key that sealed it.
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
    """Return the seal of a document that reads ``text`` once all its tokens are opened."""
    data = text.encode("utf-8", "surrogatepass")
    return hmac.digest(key, b"tacenda document\0" + data, "sha256")[:SEAL_BYTES]


def write_token(cipher: Cipher, seal: bytes, type: str, string: str) -> str:
    """Return the token of ``string``."""
    sealed = cipher.seal(string.encode("utf-8", "surrogatepass"), type.encode(), seal)
    payload = base64.b32encode(cipher.key_id + seal + sealed).decode().rstrip("=")
    return f"[{type} e1.{payload}]"


def open_token(cipher: Cipher, token: Token) -> str | None:
    """Return the string of a token; None if it is not what this key sealed for its document."""
    plain = cipher.open(token.sealed, token.type.encode(), token.seal)
    return None if plain is None else plain.decode("utf-8", "surrogatepass")


def find_tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text; one that is cut off or damaged with nothing ``sealed``."""
    for begin in _BEGIN.finditer(text):
        match = _TOKEN.match(text, begin.start())
        payload = b"" if match is None else _decoded(match[2])
        start, end = match.span() if match else begin.span()
        type = match[1] if match else ""
        yield Token(
            start, end, type, payload[:KEY_ID_BYTES], payload[KEY_ID_BYTES:_HEAD], payload[_HEAD:]
        )


def _decoded(written: str) -> bytes:
    try:
        return base64.b32decode(written + "=" * (-len(written) % 8))
    except binascii.Error:
        return b""
