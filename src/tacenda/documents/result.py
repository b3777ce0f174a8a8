"""Results as JSON lines: the edits of a document with their reasons, without the originals.

``schemas/result.schema.json`` is the contract; ``tacenda.result.SCHEMA_VERSION`` is its version.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from ..result import Result
from ..text.decoding import writable
from .output import Numbering, Output
from .record import SourceDocument


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a result."""
    folder = resources.files("tacenda") / "schemas"
    parsed: dict[str, Any] = json.loads((folder / "result.schema.json").read_text("utf-8"))
    return parsed


class ResultWriter:
    """``--to json``: one result object a line, one line a document."""

    def __init__(self, output: Output, *, reveal: bool = False) -> None:
        self._output = output
        self._reveal = reveal
        self._numbering = Numbering()

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one object."""
        name = self._numbering.public_id(record, sanitized)
        item = sanitized.to_dict(reveal=self._reveal) | {"id": name}
        self._output.emit(writable(json.dumps(item, ensure_ascii=False)) + "\n")

    def close(self) -> None:
        """Nothing is left to write."""
