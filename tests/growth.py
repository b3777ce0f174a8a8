"""Growth of the time that work takes with the size of its input, on any machine and beside any other work."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

_TRIES = 5
_NOISE_SECONDS = 0.02


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Four times the size takes at most eight times as long; quadratic work would take sixteen times.

    Both are measured one after the other, in seconds of this thread. What else the machine does may spoil
    some tries, but not all.

    Args:
        work: on an input of a size, which takes some hundredths of a second at ``size``.
        size: the smaller one.
    """
    ratios = []
    for _ in range(_TRIES):
        small, large = _seconds(work, size), _seconds(work, 4 * size)
        if large <= 8 * small + _NOISE_SECONDS:
            return
        ratios.append(round(large / small, 1))
    raise AssertionError(f"four times the size takes {ratios} times as long")


def assert_within(
    times: float, work: Callable[[int], object], usual: Callable[[int], object], size: int
) -> None:
    """Work takes at most so many times as long as usual work of the same size, in the best of five tries."""
    ratios = []
    for _ in range(_TRIES):
        ratios.append(round(_seconds(work, size) / (_seconds(usual, size) + _NOISE_SECONDS), 1))
        if ratios[-1] <= times:
            return
    raise AssertionError(f"it takes {ratios} times as long as usual")


def _seconds(work: Callable[[int], object], size: int) -> float:
    was_enabled = gc.isenabled()
    gc.disable()  # what other tests left behind is not looked through meanwhile
    begin = time.thread_time()
    try:
        work(size)
        return time.thread_time() - begin
    finally:
        if was_enabled:
            gc.enable()
