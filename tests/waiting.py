"""Waiting for what another thread, process or page does: for a state, as long as it takes, never for a time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

_PATIENCE_SECONDS = 120.0
_POLL_SECONDS = 0.02


def until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; after two minutes the test has failed."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(_POLL_SECONDS)


def is_running(process: int | str) -> bool:
    """Whether a process runs; one that has ended may wait for its parent."""
    try:
        if Path("/proc/self").exists():
            status = Path(f"/proc/{process}/stat").read_text("utf-8")
            return status.rpartition(")")[2].split()[0] != "Z"
        os.kill(int(process), 0)
    except OSError:
        return False
    return True
