"""A local engine, and a client that does not wait in earnest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tacenda.errors import SearchError
from tacenda_lab.json_client import JsonClient
from tests.lab.indicators.web.server import Engine, running


class Waits(list[float]):
    """Seconds that a client would have slept; its clock stands still but for them."""

    def client(self, interval: float = 0.0) -> JsonClient:
        return JsonClient(
            "Toy",
            "look at TOY_KEY",
            interval,
            SearchError,
            sleep=self.append,
            clock=lambda: sum(self),
        )


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Run a local search engine."""
    with running() as engine:
        yield engine


@pytest.fixture
def waits() -> Waits:
    """Return the waits, with a client that makes them."""
    return Waits()
