"""Reading JSON that somebody else wrote: every fault becomes an InputError that says where."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ..errors import InputError


def read_json(path: str | Path) -> Any:
    """Read a JSON file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened, is not UTF-8, is not JSON, or has an object with
            the same key twice.
    """
    return parse_json(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """Read a text file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened or is not UTF-8.
    """
    name = str(path)
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", name) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8; convert the file to UTF-8", name
        ) from error


def parse_json(text: str, name: str) -> Any:
    """Parse JSON; ``name`` says in messages where it is from.

    Raises:
        InputError: it is not JSON, or has an object with the same key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}", name
        ) from error
    except RecursionError as error:
        raise InputError("is not JSON of ours: it is nested too deeply", name) from error
    except _DuplicateKeyError as error:
        raise InputError(f"has the key {error.args[0]!r} twice in one object", name) from None
    except ValueError as error:
        raise InputError("is not JSON of ours: a number in it is too long", name) from error


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return result
