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
    calls.OPTIONS.write_text(calls.take_options(), "utf-8")
    codes, outputs = _taken(calls.take_calls)
    calls.CODES.write_text(codes, "utf-8")
    calls.FIGURES.write_text(json.dumps(calls.figures(outputs), indent=1) + "\n", "utf-8")
    outline, _ = _taken(api.take)
    api.OUTLINE.write_text(outline, "utf-8")


if __name__ == "__main__":
    main()
