"""``python -m tests.frozen``: all snapshots taken anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.frozen import api, calls, digests


def _taken(take: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        return take(Path(folder))


def main() -> None:
    """Take all snapshots anew."""
    digests.write(_taken(digests.take))
    calls.HELP.write_text(_taken(calls.take_help), "utf-8")
    calls.CODES.write_text(_taken(calls.take_codes), "utf-8")
    openapi, answers = _taken(api.take)
    outputs = calls.lasting({"calls": _taken(calls.take_outputs), "api": answers})
    outputs["pages"] = _taken(calls.take_pages)
    for path, content in ((api.OPENAPI, openapi), (calls.OUTPUTS, outputs)):
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
