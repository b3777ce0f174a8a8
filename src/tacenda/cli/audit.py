"""``sanitize --audit``: the record of what was decided, beside the output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..audit.writing import AuditWriter
    from ..documents.record import Record
    from ..result import Result
    from ..sanitizer import Sanitizer
    from .destinations import Destination
    from .inputs import InputFile


class Audited:
    """A destination that records why everything that it writes was decided."""

    def __init__(self, destination: Destination, audit: AuditWriter, sanitizer: Sanitizer) -> None:
        self._destination = destination
        self._audit = audit
        self._sanitizer = sanitizer
        self._finished = False
        self._documents = 0

    def begin_file(self, file: InputFile) -> None:
        """Expect the results of one file."""
        self._destination.begin_file(file)

    def write(self, record: Record, result: Result) -> Sequence[str]:
        """Write one result, and then why."""
        from ..risk.assess import assess

        places = self._destination.write(record, result)
        self._documents += 1
        asked = self._sanitizer.policy, self._sanitizer.further
        self._audit.add(record, result, assess(result.document, result.entities, *asked))
        return places

    def end_file(self, failed: int) -> str:
        """End what belongs to the file."""
        return self._destination.end_file(failed)

    def finish(self, failed: int) -> None:
        """End what is open; the record last, which speaks of what is there."""
        self._destination.finish(failed)
        if failed and not self._documents:
            self._audit.abort()
            return
        self._finished = True
        self._audit.finish()

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        self._destination.abort()
        if not self._finished:
            self._audit.abort()


def with_audit(
    destination: Destination,
    path: Path,
    sanitizer: Sanitizer,
    model: str | None,
    name: str,
    background: Path | None = None,
) -> Destination:
    """Return ``destination`` with an audit record.

    Raises:
        OutputError: if it can't be written; ``destination`` is aborted then.
        ModelError: if the model's digests can't be read; likewise.
    """
    from ..audit.origin import origin_of
    from ..audit.writing import AuditWriter
    from ..risk.search.indicator import named

    try:
        # Of a policy in a file the name alone: a path may tell whose it is.
        origin = origin_of(sanitizer.policy, sanitizer.threshold, model, name=Path(name).name)
        if background is not None:
            origin = replace(origin, background=named(background))
        return Audited(destination, AuditWriter(path, origin), sanitizer)
    except BaseException:
        destination.abort()
        raise
