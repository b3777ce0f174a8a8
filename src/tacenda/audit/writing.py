"""An audit record on disk, written document by document: JSON, or a page where the file is .html."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..atomic import AtomicFile
from ..document import Assessment
from ..documents.decoding import writable
from ..documents.record import Numbering, Record
from ..result import Result
from .origin import Origin
from .record import SCHEMA_VERSION, Act, as_object

_PAGES = (".html", ".htm")


class AuditWriter:
    """Writes the record of a run to a file that appears when it is whole.

    Args:
        path: where; ``.html`` makes it a page, anything else JSON.
        origin: what all documents have in common.

    Raises:
        OutputError: if nothing can be written there.
    """

    def __init__(self, path: Path, origin: Origin) -> None:
        self._page = path.suffix.lower() in _PAGES
        self._numbering = Numbering()
        self._file = AtomicFile(path)
        if self._page:
            from ..pages.audit import ends

            start, self._end = ends(origin.as_object())
            self._emit(start)
        else:
            self._end = "\n]}\n"
            head = {"schema_version": SCHEMA_VERSION, **origin.as_object()}
            self._emit(_json(head)[:-1] + ', "documents": [')

    def add(
        self,
        record: Record,
        sanitized: Result,
        assessments: Sequence[Assessment],
        acts: Sequence[Act] = (),
    ) -> None:
        """Record one document."""
        name = self._numbering.public_id(record, sanitized)
        item = as_object(sanitized, assessments, acts, name=name)
        if self._page:
            from ..pages.audit import section

            self._emit(section(item))
        else:
            self._emit(("\n" if self._numbering.number == 1 else ",\n") + _json(item))

    def finish(self) -> None:
        """End the record and give the file its name."""
        self._emit(self._end)
        self._file.commit()

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        self._file.abort()

    def _emit(self, text: str) -> None:
        self._file.stream.write(writable(text).encode())


def _json(item: dict[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False)
