"""Runs that are stopped, and gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

POLICY = "recognizer: false\nthreshold: 0.5\noperator: tag\n"


def folder_of_letters(folder: Path, number: int) -> None:
    """Write letters, each with its own number in it."""
    folder.mkdir(parents=True)
    for index in range(number):
        lines = [f"letter {index} line {line} of rain and salt" for line in range(300)]
        (folder / f"letter{index}.txt").write_text("\n".join(lines) + "\n")
    (folder.parent / "policy.yaml").write_text(POLICY)


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start the command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tacenda", "sanitize", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end; the exit code and what was said."""
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def arguments_of(folder: Path, output: Path) -> list[str]:
    """What a run over a folder of letters is told."""
    policy = str(folder / "policy.yaml")
    return [str(folder / "in"), "-o", str(output), "--policy", policy, "--target", "Galip Yalman"]


def stopped(
    arguments: list[str], signal_: signal.Signals, output: Path, number: int
) -> tuple[int, str]:
    """Run, and send a signal once so many files are there; the exit code and what was said."""
    process = start(*arguments)
    while process.poll() is None:
        if len(files(output)) >= number:
            os.kill(process.pid, signal_)
            break
        time.sleep(0.005)
    return ended(process)


def files(folder: Path) -> dict[str, bytes]:
    """The visible files below a folder with their contents."""
    if not folder.is_dir():
        return {}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
