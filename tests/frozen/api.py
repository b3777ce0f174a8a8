"""The REST API of a running ``tacenda serve app``: its description, and answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.frozen.calls import SNAPSHOTS
from tests.keys import KEY, write_key

OUTLINE = SNAPSHOTS / "api.txt"
TEXT = "Ada Byron wrote to ada.byron@example.org on 12 March 1994, from Kentville."
ANSWERS = {
    "result": ("sanitize", {"text": TEXT, "target": ["Ada Byron"], "operator": "tag"}),
    "assess": ("assess", {"text": TEXT, "target": ["Ada Byron"]}),
}


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server without a recognizer, by its address."""
    keys = write_key(folder / "keys", f"robot {KEY} admin\n")
    (folder / "fast.yaml").write_text("recognizer: false\nthreshold: 0.2\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "tacenda",
        "serve",
        "app",
        "--port",
        "0",
        "--policy",
        "fast.yaml",
    ]
    options = ["--store", "store.db", "--api-key-file", str(keys)]
    environment = dict(os.environ)
    if "PYTHONPATH" in environment:
        places = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(str(Path(place).resolve()) for place in places)
    with subprocess.Popen(
        [*command, *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            match = re.search(r"http://[\w.:]+", line)
            if match is None:
                raise RuntimeError(f"the server said {line!r} and no address")
            yield match[0]
        finally:
            process.terminate()


def take(folder: Path) -> tuple[str, dict[str, Any]]:
    """The outline of the API, and answers by name."""
    with serving(folder) as address:
        openapi = _ask(f"{address}/api/v1/openapi.json")
        answers = {
            name: _ask(f"{address}/api/v1/{path}", body) for name, (path, body) in ANSWERS.items()
        }
    return "\n".join(_outline(openapi)) + "\n", answers


def _outline(openapi: dict[str, Any]) -> list[str]:
    """What every release of FastAPI says alike: paths, methods, parameters, answers, fields."""
    lines = []
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            parameters = sorted(item["name"] for item in operation.get("parameters", ()))
            lines.append(f"{method} {path} {parameters} {sorted(operation['responses'])}")
    for name, schema in openapi["components"]["schemas"].items():
        if not name.startswith(("HTTPValidation", "ValidationError")):
            lines.append(f"{name} {sorted(schema.get('properties', ()))}")
    return sorted(lines)


def _ask(url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    with urlopen(Request(url, data, headers), timeout=60) as answer:
        return json.load(answer)
