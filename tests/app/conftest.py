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
def made(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Service]:
    """Return a service; project 1 has the ``TEXTS`` of the module, if it has any."""
    found = service(tmp_path, *getattr(request.module, "TEXTS", ()))
    yield found
    found.store.close()


@pytest.fixture
def inside(made: Service) -> Iterator[TestClient]:
    """Return a client that came in."""
    with client(made) as visitor:
        yield come_in(visitor)
