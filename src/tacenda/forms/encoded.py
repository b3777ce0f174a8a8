"""Tokens that say something only once decoded: base64, hexadecimal, punycode.

| written | says |
|---|---|
| ``R2FsaXAgWWFsbWFu``, over lines as in mail, ``-_`` for ``+/`` | the bytes as text (RFC 4648, 2045) |
| ``47616c6970``, ``47 61 6c``, ``0x47, 0x61`` | the same |
| ``xn--yalmanolu-bvb`` | the label of a host (RFC 3492) |

Of longer tokens that are no text (a picture, an archive), the runs of text in them are what they say.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

_LINE = r"[A-Za-z0-9+/]{60,}\r?\n(?:[ \t]{0,8}(?:>[ \t]?){0,4})"
_BASE64 = re.compile(rf"(?:{_LINE})++[A-Za-z0-9+/]*+={{0,2}}|[A-Za-z0-9+/_-]{{8,}}+={{0,2}}")
_PARTING = (re.compile(r"/"), re.compile(r"[/_+-]"))
_BETWEEN_LINES = re.compile(r"[\s>]+")
_PAIR = r"(?:0[xX])?[0-9A-Fa-f]{2}"
_HEX = re.compile(rf"(?<![0-9A-Za-z])(?:{_PAIR}(?:, ?|[ :])?){{3,}}{_PAIR}(?![0-9A-Za-z])")
_BYTE = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{2})[ :,]*")
_PUNYCODE = re.compile(r"xn--([a-z0-9-]{1,59})", re.IGNORECASE)
_URL_DIGITS = str.maketrans("-_", "+/")
_RUN = re.compile(r"[^\W_][^\x00-\x1f\x7f-\x9f\ufffd]{3,}")
_ASCII = re.compile(rb"[A-Za-z]")
_SHORTEST, _LONG = 8, 48


def encoded_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where tokens stand, and what each says, in linear time; they may overlap."""
    for token in _HEX.finditer(text):
        said = _text_of(bytes.fromhex("".join(_BYTE.findall(token.group()))))
        if said:
            yield (*token.span(), said)
    for token in _PUNYCODE.finditer(text):
        try:
            yield (*token.span(), token[1].encode("ascii").decode("punycode"))
        except UnicodeError:
            continue
    for token in _BASE64.finditer(text):
        yield from _base64(token)


def _base64(token: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    written = token.group()
    pieces = [written]
    if "\n" in written:
        # A word may follow the last line.
        pieces.append(written.rpartition("\n")[0])
    elif not written.isalnum():
        # What parts addresses and words are digits of base64, too.
        pieces += (part for parting in _PARTING for part in parting.split(written))
    said = [text for text in map(_said, dict.fromkeys(pieces)) if text]
    if said:
        yield (*token.span(), "\n\n".join(said))


def _said(written: str) -> str:
    body = written.rstrip("=").translate(_URL_DIGITS)
    if len(body) < _SHORTEST:
        return ""
    if "\n" in body:
        body = _BETWEEN_LINES.sub("", body)
    if len(body) % 4 == 1:
        body = body[:-1]
    try:
        data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except binascii.Error:
        return ""
    return _text_of(data)


def _text_of(data: bytes) -> str:
    """Return what bytes say; empty if that is nothing."""
    try:
        text = data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1") if len(_ASCII.findall(data)) * 2 > len(data) else ""
    if text and text.translate(_SPACES).isprintable():
        return text
    if len(data) < _LONG:
        return ""
    runs = _RUN.findall(data.replace(b"\0", b"").decode("utf-8", "replace"))
    return "\n\n".join(runs)


_SPACES = {ord(space): " " for space in "\t\r\n\f\0"}
