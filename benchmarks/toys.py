"""Time of `tacenda lab reproduce PAPER --toy` for all five papers, each in a process of its own.

    python -m benchmarks toys [--seconds 240]

Seconds of a core (of all threads, with loading), and by the clock, which other work lengthens. Ends with 1 if a command fails
for another reason than missing predictors of AutoGluon's, or if all together take more than ``--seconds`` of a core.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.tables import print_header
from tacenda_lab.cli.reproduce import PAPERS

_MISSING = re.compile(r"^(.+?): missing: (.+)$", re.M)
_EXPECTED = "language_automl"
"""What nothing on this machine can make in a toy: AutoGluon's predictors."""


def reproduce(paper: str, out: Path) -> tuple[float, float, int, list[str]]:
    """Return seconds of a core and by the clock, number of tables and figures that are made, and what is missing."""
    began, used = time.perf_counter(), os.times()
    command = [
        sys.executable,
        "-m",
        "tacenda",
        "lab",
        "reproduce",
        paper,
        "--toy",
        "--out",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    seconds = (
        after.children_user + after.children_system - used.children_user - used.children_system
    )
    printed = done.stdout + done.stderr
    missing = [name for name, why in _MISSING.findall(printed) if _EXPECTED not in why]
    if done.returncode and not _MISSING.search(printed):
        missing.append((printed.strip().splitlines() or ["no message"])[-1])
    return seconds, time.perf_counter() - began, printed.count(": done\n"), missing


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=240, help="of a core, for all together")
    options = parser.parse_args()
    total = 0.0
    failures: list[str] = []
    print_header("| paper | tables and figures | seconds of a core | seconds by the clock |")
    with tempfile.TemporaryDirectory() as folder:
        for paper in PAPERS:
            seconds, clock, made, missing = reproduce(paper, Path(folder, paper))
            print(f"| {paper} | {made} | {seconds:.0f} | {clock:.0f} |", flush=True)
            total += seconds
            failures += [f"{paper}: {each}" for each in missing]
    print(f"| all | | {total:.0f} | |")
    if total > options.seconds:
        failures.append(f"{total:.0f} seconds of a core are more than {options.seconds:g}")
    sys.exit("\n".join(failures) or 0)
