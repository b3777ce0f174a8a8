"""Pseudonyms that number the values in a run."""

from __future__ import annotations

from collections.abc import Mapping


class RunningNumbers:
    """``[ID 1]``, ``[ID 2]`` …: values are numbered in order of first appearance."""

    def __init__(self, numbers: Mapping[str, int] | None = None) -> None:
        self._numbers = dict(numbers or {})

    def __call__(self, value: str) -> str:
        """Return the pseudonym of a value."""
        return f"[ID {self.number(value)}]"

    def number(self, value: str) -> int:
        """Return the number of a value."""
        return self._numbers.setdefault(value, len(self._numbers) + 1)

    def values(self) -> list[str]:
        """Return the numbered values, in order."""
        return list(self._numbers)
