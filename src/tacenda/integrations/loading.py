"""A plug-in's sanitizer, which each process loads at its first text."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from ..document import Document
from ..errors import InputError
from ..frames import sanitized_cells
from ..pipeline import Sanitizer, load
from ..policy import Policy
from ..result import Result

PolicySource = Sanitizer | Policy | str | Path | Mapping[str, Any]
"""A loaded sanitizer, or the policy to load one for: name, path of a YAML file, or its fields."""


def policy_of(source: Policy | str | Path | Mapping[str, Any]) -> Policy:
    """Return a policy by its name, its path or its fields, which may include ``extends``.

    Raises:
        PolicyError: if it can't be used.
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        return Policy.from_yaml(json.dumps(dict(source)))
    return Policy.load(source)


class LazySanitizer:
    """A sanitizer for hosts that pickle or fork their parts.

    Args:
        source: a loaded sanitizer, or the policy to load one for.
        threads: number of cores; None for all cores of this process.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(self, source: PolicySource, threads: int | None = None) -> None:
        is_loaded = isinstance(source, Sanitizer)
        self.policy = source.policy if isinstance(source, Sanitizer) else policy_of(source)
        self._threads = threads
        self._sanitizer: Sanitizer | None = source if isinstance(source, Sanitizer) else None
        self._process = os.getpid() if is_loaded else 0
        self._lock = Lock()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments; weights are loaded again when it is unpickled."""
        return LazySanitizer, (self._sanitizer or self.policy, self._threads)

    @property
    def sanitizer(self) -> Sanitizer:
        """The sanitizer of this process.

        Raises:
            ModelError: if the weights are missing or damaged.
        """
        with self._lock:
            if self._sanitizer is None:
                self._sanitizer = load(self.policy, threads=self._threads)
            elif self._process != os.getpid():
                # The parent's engine doesn't survive a fork.
                self._sanitizer = pickle.loads(pickle.dumps(self._sanitizer))
            self._process = os.getpid()
            return self._sanitizer

    def results(self, documents: Sequence[Document]) -> list[Result | InputError]:
        """Return a result for each document, or why it has none; the message never contains text of the document.

        A document in which a masked string is left has no result.
        """
        return [
            InputError(cell.error or "it was not read") if cell.result is None else cell.result
            for cell in sanitized_cells(self.sanitizer, documents)
        ]
