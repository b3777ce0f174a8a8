"""The README, the first page and each tutorial run word for word in a new clone, after the README's install."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import httpx
import pytest

from tests.docs.first_hour import (
    INSTALL,
    ROOT,
    Block,
    blocks,
    environment,
    link_packages,
    missing_packages,
    requirements,
)
from tests.forks import programs_in

PAGES = (
    ROOT / "README.md",
    ROOT / "docs" / "index.md",
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
)
_LISTENS = re.compile(r"^tacenda (?:review|serve)\b|^tacenda$", re.M)
_FINDS = re.compile(r"^tacenda attack\b", re.M)
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True, slots=True)
class Environments:
    """Environments with the same packages: one in which programs start, and one in which they are forks."""

    real: dict[str, str]
    forked: dict[str, str]


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Environments]:
    """The environments of a newcomer who has had these installed, made once."""

    @cache
    def made(*installs: str) -> Environments:
        programs = environment(tmp_path_factory.mktemp("programs"), requirements(installs))
        path = f"{programs_in(programs)}{os.pathsep}{programs['PATH']}"
        return Environments(programs, programs | {"PATH": path})

    return made


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_word_for_word(
    page: Path, environments: Callable[..., Environments], tmp_path: Path
) -> None:
    """Its blocks one after the other; what they import is what the page has installed until then."""
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "examples", clone / "examples")
    installs = dict.fromkeys(Block(INSTALL).installs)
    for block in blocks(page):
        installs |= dict.fromkeys(block.installs)
        if missing := missing_packages(requirements(block.installs)):
            pytest.skip(f"needs {', '.join(missing)}, which the page has installed")
        script = re.sub(r"^.*\bpip install .*$", "", block.script, flags=re.M)
        if _LISTENS.search(script):
            _open_and_stop(script, clone, environments(*installs).real)
            continue
        run = subprocess.run(
            ["sh", "-ec", script],
            cwd=clone,
            env=environments(*installs).forked,
            capture_output=True,
            text=True,
            timeout=300,
        )
        # Exit code 1 of an attack says that somebody was re-identified.
        allowed = (0, 1) if _FINDS.search(script) else (0,)
        assert run.returncode in allowed, f"{script}\n{run.stderr[-600:]}"
        assert "Traceback" not in run.stderr, f"{script}\n{run.stderr[-600:]}"


def _open_and_stop(script: str, folder: Path, programs: dict[str, str]) -> None:
    """Start a page of the app, wait for its address, press Ctrl+C."""
    with subprocess.Popen(
        ["sh", "-ec", script],
        cwd=folder,
        env=programs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        late = threading.Timer(300, os.killpg, (process.pid, signal.SIGKILL))
        late.start()
        assert process.stdout is not None
        output = ""
        while not _ADDRESS.search(output) and (line := process.stdout.readline()):
            output += line
        address = _ADDRESS.search(output)
        assert address, f"{script}\n{output}"
        # Before it serves, an interrupt is lost where a shell started the tests in the background.
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=60) as client:
            client.get(address[0])
        os.killpg(process.pid, signal.SIGINT)
        output += process.stdout.read()
        late.cancel()
    assert "Traceback" not in output, f"{script}\n{output}"


def test_without_any_extra_a_message_says_what_to_install(
    environments: Callable[..., Environments], tmp_path: Path
) -> None:
    """For each kind of file, engine and page that needs one; no file is called damaged."""
    for name in ("a.xlsx", "a.ods", "a.png", "a.parquet", "a.csv.zst"):
        (tmp_path / name).write_bytes(b"PK\x03\x04")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    programs = environments().forked
    columns = ["--column", "note", "--keep-columns", "id,ward", "--drop-columns", "name"]
    commands: list[list[str]] = [
        ["sanitize", "examples/judgment.pdf", "-o", "out.pdf"],
        ["sanitize", "examples/letter.txt", "-o", "out.pdf"],
        *(
            ["sanitize", name, *columns, "-o", f"out.{name}"]
            for name in ("a.xlsx", "a.ods", "a.parquet")
        ),
        *(["sanitize", name, "-o", f"out.{name}"] for name in ("a.png", "a.csv.zst")),
        ["sanitize", "examples/visits.csv", *columns, "-o", "lake", "--engine", "local"],
        ["review", "examples/letter.txt"],
        ["serve", "presidio"],
    ]
    for command in commands:
        run = subprocess.run(
            ["tacenda", *command],
            cwd=tmp_path,
            env=programs,
            executable=shutil.which("tacenda", path=programs["PATH"]),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert run.returncode in (1, 2), command
        assert " needs an extra: pip install " in run.stderr, f"{command}\n{run.stderr[-600:]}"


def test_the_install_of_the_pages_is_one() -> None:
    """README and first page say the same, which is what the newcomer of these tests has done."""
    for page in PAGES[:2]:
        assert sum(INSTALL in block.script for block in blocks(page)) == 1, page


def test_each_page_has_blocks() -> None:
    """The tests above are not of empty lists."""
    assert min(len(blocks(page)) for page in PAGES) >= 2


def test_what_is_not_installed_is_absent(tmp_path: Path) -> None:
    """A newcomer has FastAPI and pikepdf, but no pandas before the page has it installed."""
    link_packages(tmp_path / "first", requirements(Block(INSTALL).installs))
    names = {path.name for path in (tmp_path / "first").iterdir()}
    assert {"fastapi", "pikepdf", "faker", "numpy", "starlette", "PIL"} <= names
    assert names.isdisjoint({"pandas", "pyarrow", "spacy", "pytest", "openvino"})
    link_packages(tmp_path / "further", requirements([".[tables]", "pandas"]))
    assert {"pandas", "pyarrow", "narwhals"} <= {p.name for p in (tmp_path / "further").iterdir()}
