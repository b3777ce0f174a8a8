"""Mapping files read: every line checked, the files that they can restore."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError, PolicyError
from ..sealing.cipher import Cipher
from .mapping import VERSION

Written = tuple[str, str, str]
"""A placeholder, the string that it stands for, and the entities, with blanks between."""


@dataclass(frozen=True, slots=True)
class FileMapping:
    """What undoes one output file.

    Attributes:
        name: of the original.
        output: SHA-256 of the output file, in hexadecimal digits.
        original: SHA-256 of the original.
        exact: whether the edits make the original's very bytes.
        edits: ``[start, end)`` bytes of the output and the bytes that stood there, in order.
        documents: of each document in it what was written, in order; None if that is not known.
    """

    name: str
    output: str
    original: str = field(repr=False)
    exact: bool
    edits: tuple[tuple[int, int, bytes], ...]
    documents: tuple[tuple[Written, ...] | None, ...] = ()


def read_mapping(path: Path, key: bytes | None) -> list[FileMapping]:
    """Return what a mapping file holds.

    Raises:
        InputError: if it can't be read, is no mapping, is not whole, or was changed.
        PolicyError: if it is encrypted and the key is missing or another one.
        MissingExtraError: if it is encrypted and ``cryptography`` is not installed.
    """
    try:
        header, *lines = path.read_bytes().splitlines() or [b""]
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); check the path", str(path)) from None
    cipher = _cipher(_header(header, path), path, key)
    files: list[FileMapping] = []
    edits: list[tuple[int, int, bytes]] = []
    documents: list[tuple[Written, ...] | None] = []
    whole = False
    for number, line in enumerate(lines, start=1):
        data: bytes | None = line
        if cipher is not None:
            data = cipher.open(_unwrapped(line), header, str(number).encode())
        try:
            item = json.loads(data or b"")
            if "edits" in item:
                edits += [(int(s), int(e), base64.b64decode(b)) for s, e, b in item["edits"]]
                documents.append(_written(item))
            elif "file" in item:
                files.append(_file(item, edits, documents))
                edits, documents = [], []
            else:
                whole = item["files"] == len(files) and number == len(lines)
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"line {number + 1} of the mapping was changed or cut off; nothing was restored",
                str(path),
            ) from None
    if not whole:
        raise InputError("the mapping is cut off; nothing was restored", str(path))
    return files


def _header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(line)
        if header["tacenda_mapping"] == VERSION and isinstance(header["key_id"], str):
            return dict(header)
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"is no mapping of version {VERSION}; give the file that sanitize --mapping wrote",
        str(path),
    )


def _cipher(header: dict[str, Any], path: Path, key: bytes | None) -> Cipher | None:
    wanted = header["key_id"]
    if not wanted:
        return None
    if key is None:
        raise PolicyError(f"{path} is encrypted; give its key with --key-file or --key-env")
    cipher = Cipher(key, "mapping")
    if cipher.key_id.hex() != wanted:
        raise PolicyError(
            f"{path} was encrypted with the key of id {wanted}, the key given has "
            f"{cipher.key_id.hex()}; give the other key"
        )
    return cipher


def _unwrapped(line: bytes) -> bytes:
    try:
        return base64.b64decode(line, validate=True)
    except binascii.Error:
        return b""


def _written(item: dict[str, Any]) -> tuple[Written, ...] | None:
    if "written" not in item:
        return None
    return tuple((str(text), str(string), str(ids)) for text, string, ids in item["written"])


def _file(
    item: dict[str, Any],
    edits: list[tuple[int, int, bytes]],
    documents: list[tuple[Written, ...] | None],
) -> FileMapping:
    return FileMapping(
        str(item["file"]),
        item["output"],
        item["original"],
        item["exact"],
        tuple(edits),
        tuple(documents),
    )
