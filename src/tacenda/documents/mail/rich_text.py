"""Unpacks Outlook's compressed rich text ([MS-OXRTFCP])."""

from __future__ import annotations

import struct

_PACKED, _PLAIN = b"LZFu", b"MELA"
_HEAD = struct.Struct("<II4sI")
_SIZE = 4_096
_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""First bytes of the dictionary, by section 2.1.2.1."""


def unpacked_rtf(data: bytes) -> bytes:
    """Return the rich text of a message, or an empty string if there is none.

    Raises:
        ValueError: if it is damaged.
    """
    if not data:
        return b""
    if len(data) < _HEAD.size:
        raise ValueError
    _, size, kind, _ = _HEAD.unpack_from(data)
    content = data[_HEAD.size :]
    if kind == _PLAIN:
        return content[:size]
    if kind != _PACKED:
        raise ValueError
    return _unpacked(content)[:size]


def _unpacked(data: bytes) -> bytes:
    ring = bytearray(_DICTIONARY.ljust(_SIZE, b"\0"))
    output = bytearray()
    write, position = len(_DICTIONARY), 0
    while position < len(data):
        control = data[position]
        position += 1
        for bit in range(8):
            if position >= len(data):
                break
            if not control >> bit & 1:
                run = data[position : position + 1]
                position += 1
                output += run
                ring[write : write + 1] = run
                write = (write + 1) % _SIZE
                continue
            reference = int.from_bytes(data[position : position + 2], "big")
            position += 2
            read, length = reference >> 4, (reference & 0xF) + 2
            if read == write:
                return bytes(output)
            for _ in range(length):
                output.append(ring[read])
                ring[write] = ring[read]
                read, write = (read + 1) % _SIZE, (write + 1) % _SIZE
    return bytes(output)
