"""Accepted findings: keyed fingerprints, so that nobody can confirm a guess of a number.

    {"version": 1, "check": "…", "fingerprints": [{"path": …, "type": …, "fingerprint": …}, …]}

A fingerprint covers the path, the type, and the characters with blanks collapsed, but not the
position in the file. ``check`` is the fingerprint of nothing, to detect a wrong key, with which no
fingerprint would match and all findings would be new.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from ...atomic import atomic_file
from ...errors import InputError

_VERSION: Final = 1
_DIGITS: Final = 32


def fingerprint(key: bytes, path: str, type: str, string: str) -> str:
    """Return the fingerprint of a string in a file, 128 bits in hexadecimal."""
    content = "\0".join(("tacenda scan", path, type, " ".join(string.split())))
    return hmac.new(key, content.encode("utf-8", "surrogatepass"), sha256).hexdigest()[:_DIGITS]


def read_baseline(path: Path, key: bytes) -> frozenset[str]:
    """Return the accepted fingerprints in a file.

    Raises:
        InputError: if it isn't a baseline, or has another key.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
        check = content["check"]
        accepted = frozenset(str(item["fingerprint"]) for item in content["fingerprints"])
    except OSError as error:
        raise InputError(f"can't be opened: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError):
        raise InputError("is not a baseline; make one with --write-baseline.", str(path)) from None
    if content.get("version") != _VERSION:
        raise InputError(f"is a baseline of a version other than {_VERSION}.", str(path))
    if not isinstance(check, str) or not hmac.compare_digest(check, fingerprint(key, "", "", "")):
        raise InputError("was made with a different key.", str(path))
    return accepted


def write_baseline(path: Path, key: bytes, items: Iterable[tuple[str, str, str]]) -> None:
    """Write a baseline.

    Args:
        path: path of the file; an existing file is replaced.
        key: the key for fingerprints.
        items: path, type and fingerprint of each finding.

    Raises:
        OutputError: if it can't be written.
    """
    rows = [
        {"path": file, "type": type, "fingerprint": digest}
        for file, type, digest in sorted(set(items))
    ]
    content = {"version": _VERSION, "check": fingerprint(key, "", "", ""), "fingerprints": rows}
    with atomic_file(path) as file:
        file.stream.write((json.dumps(content, indent=1) + "\n").encode())
