"""A cache of the most recently used values, shared by all threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class LruCache(Generic[_Key, _Value]):
    """A least-recently-used cache.

    Args:
        size: maximum number of values.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[_Key, _Value] = OrderedDict()
        self._lock = Lock()

    def get_or_compute(self, key: _Key, make: Callable[[], _Value]) -> _Value:
        """Return the value of ``key``, computing it if it is missing.

        Two threads may compute the same value at once; the later one is kept.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        return self.put(key, make())

    def get(self, key: _Key) -> _Value | None:
        """Return the value of ``key``, or None if it is missing."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def forget(self, is_gone: Callable[[_Key], bool]) -> None:
        """Forget the values of some keys."""
        with self._lock:
            for key in [key for key in self._values if is_gone(key)]:
                del self._values[key]

    def put(self, key: _Key, value: _Value) -> _Value:
        """Store a value and return it."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value
