"""``tacenda`` alone, and the file that starts it by a double click."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.cli.start import starter


def test_on_a_pipe_it_prints_its_help() -> None:
    """A script that forgot the command is told; no server is left behind."""
    run = subprocess.run(
        [sys.executable, "-m", "tacenda"],
        capture_output=True,
        text=True,
        env=os.environ | {"DISPLAY": ":7"},
    )
    assert run.returncode == 2
    assert (run.stdout + run.stderr).count("Usage") == 1
    assert "run: tacenda review" in run.stderr
    assert "http" not in run.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("display", [":7", ""])
def test_on_a_terminal_it_opens_the_page(tmp_path: Path, display: str) -> None:
    """With a display the browser is opened at the page to try a text; without one, help is printed."""
    master, slave = os.openpty()
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\nsed -n "s/.*url=\\([^\\"]*\\).*/\\1/p" "${1#file://}" > place\n')
    browser.chmod(0o755)
    (tmp_path / "data").mkdir()
    environment = os.environ | {
        "DISPLAY": display,
        "WAYLAND_DISPLAY": "",
        "BROWSER": f"{browser} %s",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "TERM": "dumb",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tacenda"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=tmp_path,
        env=environment,
    )
    os.close(slave)
    try:
        shown = _read(master, r"(http\S+|Usage[^~]*)")
        assert shown.startswith("http") == bool(display)
        if display:
            page = _page(shown.strip())
            assert "Paste text, or drop files anywhere" in page
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(90)
        os.close(master)


def _read(master: int, pattern: str) -> str:
    shown = ""
    while (match := re.search(pattern + r"\s", shown)) is None:
        shown += os.read(master, 4096).decode("utf-8", "replace")
    return match[1]


def _page(url: str) -> str:
    transport = httpx.HTTPTransport(retries=20)
    with httpx.Client(follow_redirects=True, transport=transport, timeout=60) as client:
        return client.get(url).text


@pytest.mark.skipif(sys.platform != "linux", reason="that of Linux is run")
def test_the_starter_is_executable_and_starts(tmp_path: Path) -> None:
    """What its Exec says opens the page."""
    run = CliRunner().invoke(app, ["serve", "shortcut", "--to", str(tmp_path)])
    assert run.exit_code == 0
    path = tmp_path / "tacenda.desktop"
    assert path.stat().st_mode & 0o777 == 0o755
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(path)
    assert entry["Desktop Entry"]["Type"] == "Application"
    command = [*shlex.split(entry["Desktop Entry"]["Exec"]), "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
    )
    assert process.stdout is not None
    try:
        url = re.search(r"http\S+", process.stdout.readline())
        assert url is not None
        assert "Paste text, or drop files anywhere" in _page(url[0])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(90)
        process.stdout.close()


@pytest.mark.parametrize(
    ("platform", "python", "name", "line"),
    [
        (
            "linux",
            '/opt/my "$py"/50%/python',
            "tacenda.desktop",
            'Exec="/opt/my \\\\"\\\\$py\\\\"/50%%/python" -m tacenda review',
        ),
        (
            "darwin",
            "/opt/it's mine/python",
            "tacenda.command",
            "exec '/opt/it'\"'\"'s mine/python' -m tacenda review",
        ),
        (
            "win32",
            "C:\\Program Files\\50%\\python.exe",
            "tacenda.bat",
            '"C:\\Program Files\\50%%\\python.exe" -m tacenda review',
        ),
    ],
)
def test_each_system_has_its_starter(platform: str, python: str, name: str, line: str) -> None:
    """With the interpreter's path quoted as that system asks for."""
    assert starter(platform, python)[0] == name
    assert line in starter(platform, python)[1].splitlines()


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    """Usage: exit code 2."""
    run = CliRunner().invoke(app, ["serve", "shortcut", "--to", str(tmp_path / "nowhere")])
    assert run.exit_code == 2
