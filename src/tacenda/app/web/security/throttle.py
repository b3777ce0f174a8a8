"""Slower after wrong keys: who was wrong several times waits, twice as long each time."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

_FREE = 5
"""Wrong keys that cost nothing: people mistype."""
_LONGEST = 300.0
_FORGOTTEN = 3600.0
_MOST = 10_000


class TooManyWrong(Exception):
    """An address or a name was wrong too often.

    Attributes:
        wait: whole seconds until the next key is looked at.
    """

    def __init__(self, wait: float) -> None:
        super().__init__("too many wrong keys")
        self.wait = max(1, math.ceil(wait))


@dataclass(slots=True)
class _Wrong:
    count: int = 0
    last: float = 0.0

    @property
    def until(self) -> float:
        """When the next key is looked at."""
        over = self.count - _FREE
        return self.last + min(2.0 ** min(over, 30), _LONGEST) if over >= 0 else 0.0


class Throttle:
    """Wrong keys of addresses and names; of 10,000, so that a flood fills no memory.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[tuple[str, str], _Wrong] = OrderedDict()
        self._lock = Lock()

    def check(self, *subjects: tuple[str, str]) -> None:
        """Raise ``TooManyWrong`` if one of them has to wait, right or wrong."""
        now = self._clock()
        with self._lock:
            until = max((self._wrong[s].until for s in subjects if s in self._wrong), default=0.0)
        if until > now:
            raise TooManyWrong(until - now)

    def failed(self, *subjects: tuple[str, str]) -> None:
        """Count a wrong key for each."""
        now = self._clock()
        with self._lock:
            for subject in subjects:
                wrong = self._wrong.setdefault(subject, _Wrong())
                wrong.count = 1 if now - wrong.last > _FORGOTTEN else wrong.count + 1
                wrong.last = now
                self._wrong.move_to_end(subject)
            while len(self._wrong) > _MOST:
                self._wrong.popitem(last=False)

    def passed(self, subject: tuple[str, str]) -> None:
        """Forget what was wrong of a name before its right key.

        Of an address nothing is forgotten: who has one key could otherwise go on guessing others'.
        """
        with self._lock:
            self._wrong.pop(subject, None)
