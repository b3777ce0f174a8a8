"""A call in a worker tells how far it is, and its value comes after that."""

from __future__ import annotations

import pytest

from tacenda.isolation import workers
from tacenda.isolation.worker import CallProgress, report_progress
from tacenda.isolation.workers import isolated


def counted(total: int) -> int:
    """Report each of some pages as done."""
    for number in range(total):
        report_progress(number + 1, total)
    return total


def test_each_page_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, whether or not somebody listens."""
    seen: list[CallProgress] = []
    assert isolated(counted, (3,), subject="a", size=1) == 3
    monkeypatch.setattr(workers, "on_progress", seen.append)
    assert isolated(counted, (3,), subject="a", size=1) == 3
    assert [(each.done, each.total) for each in seen] == [(1, 3), (2, 3), (3, 3)]
