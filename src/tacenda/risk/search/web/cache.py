"""Answers of a back end on disk, so that a query is paid for once.

A file is named by a keyed hash (HMAC-SHA256) of its query; the key lies beside it. It holds
addresses and scores, nothing of the query; the folder is the user's alone (0700).
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

from ....atomic import write_atomically
from ....background.queries import Hit, Query, SearchBackend
from ....errors import InputError

_DAY = 86_400.0


class CachedBackend:
    """A back end that remembers its answers in a folder.

    Args:
        backend: what is asked for new answers.
        folder: made where there is none.
        days: how long an answer is good.
        clock: seconds since 1970.

    Raises:
        InputError: if the folder can't be used, or others than the user can enter it.
    """

    def __init__(
        self,
        backend: SearchBackend,
        folder: str | Path,
        days: float = 30.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = backend.name
        self.exhaustive = backend.exhaustive
        self._backend = backend
        self._folder = Path(folder)
        self._seconds = days * _DAY
        self._clock = clock
        self._key = _key_of(self._folder)

    def search(self, query: Query, count: int) -> list[Hit]:
        """Return the remembered answer, or ask for one; see ``SearchBackend``."""
        file = self._folder / f"{self._name(query, count)}.json"
        known = self._read(file)
        if known is None:
            known = self._backend.search(query, count)
            self._write(file, known)
        return known

    def _name(self, query: Query, count: int) -> str:
        question = json.dumps([self.name, count, query.parts]).encode()
        return hmac.new(self._key, question, "sha256").hexdigest()

    def _read(self, file: Path) -> list[Hit] | None:
        try:
            content = json.loads(file.read_bytes())
            if self._clock() - float(content["asked"]) > self._seconds:
                return None
            return [Hit(str(address), float(score)) for address, score in content["hits"]]
        except (OSError, ValueError, KeyError, TypeError):
            # Missing, or cut off by a crash: asked again.
            return None

    def _write(self, file: Path, hits: list[Hit]) -> None:
        content = {"asked": self._clock(), "hits": [[hit.address, hit.score] for hit in hits]}
        try:
            _write_private(file, json.dumps(content).encode())
        except OSError as error:
            raise _unusable(self._folder, error) from None


def _key_of(folder: Path) -> bytes:
    file = folder / "key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            raise InputError("others can enter the cache; run chmod 700 on it.", str(folder))
        if not file.exists():
            _write_private(file, secrets.token_bytes(32))
        return file.read_bytes()
    except OSError as error:
        raise _unusable(folder, error) from None


def _write_private(file: Path, content: bytes) -> None:
    write_atomically(file, content, private=True)


def _unusable(folder: Path, error: OSError) -> InputError:
    reason = error.strerror or type(error).__name__
    return InputError(f"can't be used as a cache: {reason}; choose another folder.", str(folder))
