"""A service and a client that came in, for the tests of the application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tacenda.app.service import Service

from .building import client, come_in, service
from .sharing import share_routes


@pytest.fixture(scope="session", autouse=True)
def routes_once() -> Iterator[None]:
    """Let all applications of this process share their routes."""
    with pytest.MonkeyPatch.context() as patch:
        share_routes(patch.setattr)
        yield


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service without projects."""
    empty = service(tmp_path)
    yield empty
    empty.store.close()


@pytest.fixture
def inside(made: Service) -> Iterator[TestClient]:
    """Return a client that came in."""
    with client(made) as visitor:
        yield come_in(visitor)
