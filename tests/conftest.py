"""Fixtures shared by all tests."""

from __future__ import annotations

import gc
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.forks import share_commands, share_weights

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_ORACLE = Path(__file__).parent / "data" / "tab_oracle" / "tab_oracle.tar.xz"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_MAY_SKIP = ("needs the large corpora", "needs Chromium", "needs the group scale", "needs Java")

# What is expected of the recognizer's figures is what onnxruntime computes, whatever else is installed here.
os.environ.setdefault("TACENDA_ENGINE", "onnxruntime")

# How long an example takes depends on what else the machine does. Each run tries the same examples, of which
# nothing is kept for the next one; TACENDA_EXAMPLES=search tries ten times as many, few a fifth.
for profile, count in (("few", 10), ("suite", 50), ("search", 500)):
    settings.register_profile(
        profile,
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("TACENDA_EXAMPLES", "suite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """With ``--whole`` tests skip for want of corpora, a browser or an engine, and of nothing else."""
    parser.addoption("--whole", action="store_true", help="fail where a package is missing")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Load the test files of a whole run from the end in every second process.

    Each process loads them all. Two that begin with the same file both compile it and what it imports; from
    two ends each finds half of the work done.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if not session.config.getoption("--whole") or int(worker.removeprefix("gw")) % 2 == 0:
        return
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("test_*.py"), reverse=True):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        # What fails here fails again, and is reported, when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(name)


def pytest_collection_finish() -> None:
    """Look for garbage less often, and never among the ten thousand tests and what they loaded: all that stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a whole run in which a test was skipped for want of a package."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--whole"):
        return
    reasons = {str(report.longrepr) for report in reporter.stats.get("skipped", ())}
    if missing := [item for item in reasons if not any(reason in item for reason in _MAY_SKIP)]:
        reporter.write_line("")
        reporter.write_line(f"skipped in a whole run: {'; '.join(sorted(missing))}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session", autouse=True)
def made_once() -> Iterator[None]:
    """Let all tests of this process share the networks of the shipped recognizers, and the commands."""
    with pytest.MonkeyPatch.context() as patch:
        share_weights(patch.setattr)
        share_commands(patch.setattr)
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the large corpora; skips where the checkout stands alone."""
    if not _SHARED.is_dir():
        pytest.skip(f"needs the large corpora in {_SHARED}, which are not here")
    return _SHARED


@pytest.fixture(scope="session")
def tab_oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with TAB's development split, and what its reference implementation says of systems."""
    folder = tmp_path_factory.mktemp("tab")
    with tarfile.open(_ORACLE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Return a browser; skips where playwright or a Chromium is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("needs Chromium, which is not on the PATH")
    with api.sync_playwright() as playwright:
        # No sandbox: tests run as root in containers, and open nothing but their own pages.
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()
