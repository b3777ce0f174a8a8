"""Runs stopped at a random moment, runs side by side, and runs gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

POLICY = "recognizer: false\nthreshold: 0.5\noperator: tag\n"


def folder_of_letters(folder: Path, number: int) -> None:
    """Write letters, each with its own number in it."""
    folder.mkdir(parents=True)
    for index in range(number):
        lines = [f"letter {index} line {line} of rain and salt" for line in range(400)]
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
    _, said = process.communicate(timeout=120)
    return process.returncode, said


def stopped(arguments: list[str], signal_: signal.Signals, random: Random) -> tuple[int, str]:
    """Run, and send a signal after a random time; the exit code and what was said."""
    process = start(*arguments)
    time.sleep(random.uniform(0.3, 1.5))
    if process.poll() is None:
        os.kill(process.pid, signal_)
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
