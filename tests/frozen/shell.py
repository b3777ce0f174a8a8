"""The command line, many calls in one process.

What starts once costs its time once, and a network that is asked the same again gives the answer
that it gave: a document is read by the recognizer once, however many policies it is sanitized under.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

WIDTH = 100
_FORCING = ("FORCE_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "TTY_COMPATIBLE")
_PLAIN = {"COLUMNS": str(WIDTH), "TERM": "dumb", "NO_COLOR": "1", "LINES": "50"}
_ENGINE = {"TACENDA_ENGINE": "onnxruntime"}  # the one that every installation has


@dataclass(frozen=True, slots=True)
class Run:
    """Exit code and streams of a call."""

    code: int
    out: str
    err: str


def tacenda(
    folder: Path, *calls: Sequence[str], environment: dict[str, str] | None = None
) -> list[Run]:
    """Runs of the command line in a folder, in order; nothing stands on stdin.

    Args:
        folder: the working folder.
        calls: the arguments of each.
        environment: variables besides those of this process.
    """
    variables = {name: value for name, value in os.environ.items() if name not in _FORCING}
    # A relative path of the import system would lead nowhere from another folder.
    if "PYTHONPATH" in variables:
        places = variables["PYTHONPATH"].split(os.pathsep)
        variables["PYTHONPATH"] = os.pathsep.join(str(Path(place).resolve()) for place in places)
    process = subprocess.run(
        [sys.executable, "-P", __file__],
        input=json.dumps(calls),
        # The user's own projects and settings are no part of what is frozen.
        env=variables
        | _PLAIN
        | _ENGINE
        | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / ".data")}
        | (environment or {}),
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if process.returncode:
        raise RuntimeError(
            f"the process of the calls ended with {process.returncode}: {process.stderr}"
        )
    return [Run(**fields) for fields in json.loads(process.stdout)]


def _run(arguments: Sequence[str]) -> dict[str, object]:
    """Exit code and streams of a call in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    sys.argv = ["tacenda", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_module("tacenda", run_name="__main__")
        except SystemExit as end:
            code = 0 if end.code is None else end.code
    streams = []
    for stream in (out, err):
        stream.flush()
        streams.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    return {"code": code, "out": streams[0], "err": streams[1]}


def _remember() -> None:
    """Let networks remember their answers; a session that is not run again costs little."""
    import onnxruntime

    answers: dict[object, Any] = {}

    class Session(onnxruntime.InferenceSession):  # type: ignore[misc]
        def __init__(self, model: Any, *arguments: Any, **options: Any) -> None:
            super().__init__(model, *arguments, **options)
            self._model = model

        def run(self, outputs: Any, feeds: Any, *options: Any) -> Any:
            items = tuple((name, feed.shape, feed.tobytes()) for name, feed in feeds.items())
            key = self._model, tuple(outputs or ()), items
            if key not in answers:
                answers[key] = super().run(outputs, feeds, *options)
            return answers[key]

    onnxruntime.InferenceSession = Session


def _build_commands_once() -> None:
    """Typer builds them for each call."""
    import typer.main

    from tacenda.cli import plugin_commands

    typer.main.get_command = cache(typer.main.get_command)
    plugin_commands._command = cache(plugin_commands._command)


if __name__ == "__main__":
    _remember()
    _build_commands_once()
    runs = [_run(arguments) for arguments in json.load(sys.stdin)]
    json.dump(runs, sys.stdout)
