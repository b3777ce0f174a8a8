"""Packages that load when a test uses them: each process collects every test and runs a part of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class DeferredModule:
    """A module that is imported when one of its public names is read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # pytest asks every name of a test file for some.
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)
