"""Keyed choices: the same for the same question under one key, and unforeseeable without it."""

from __future__ import annotations

import hmac
import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


class Draw:
    """Answers every question by HMAC-SHA256.

    Args:
        key: the secret, at least 16 bytes.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def source(self, *question: str) -> random.Random:
        """Return a source of numbers that depends on the key and the question alone."""
        message = "\0".join(("surrogate", *question)).encode("utf-8", "surrogatepass")
        return random.Random(hmac.digest(self._key, message, "sha256"))

    def choices(self, options: Sequence[_Item], n: int, *question: str) -> Iterator[_Item]:
        """Yield ``n`` of ``options``, some perhaps twice; none where there are no options."""
        source = self.source(*question)
        for _ in range(n if options else 0):
            yield options[source.randrange(len(options))]
