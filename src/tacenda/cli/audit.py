"""``sanitize --audit``: the record of what was decided, beside the output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..audit import AuditWriter
    from ..corpora import Record
    from ..document import Sanitized
    from ..policy import Policy
    from ..sanitizer import Sanitizer
    from .destinations import Destination


class Audited:
    """A destination that records why everything that it writes was decided."""

    def __init__(self, destination: Destination, audit: AuditWriter, policy: Policy) -> None:
        self._destination = destination
        self._audit = audit
        self._policy = policy
        self._finished = False

    def write(self, record: Record, result: Sanitized) -> None:
        """Write one result, and then why."""
        from ..risk import assess

        self._destination.write(record, result)
        self._audit.add(record, result, assess(result.document, result.entities, self._policy))

    def finish(self) -> None:
        """End what is open; the record last, which speaks of what is there."""
        self._destination.finish()
        self._finished = True
        self._audit.finish()

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        self._destination.abort()
        if not self._finished:
            self._audit.abort()


def with_audit(
    destination: Destination, path: Path, sanitizer: Sanitizer, model: str | None, name: str
) -> Destination:
    """Return ``destination`` with an audit record.

    Raises:
        PolicyError: if it can't be written; ``destination`` is aborted then.
        ModelError: if the model's digests can't be read; likewise.
    """
    from ..audit import AuditWriter, origin_of

    try:
        # Of a policy in a file the name alone: a path may tell whose it is.
        origin = origin_of(sanitizer.policy, sanitizer.threshold, model, name=Path(name).name)
        return Audited(destination, AuditWriter(path, origin), sanitizer.policy)
    except BaseException:
        destination.abort()
        raise
