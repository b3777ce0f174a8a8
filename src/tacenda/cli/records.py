"""Records of ``sanitize`` beside its output: the mapping of ``restore``, and the audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..documents.record import SourceDocument
    from ..pipeline import Sanitizer
    from ..policy import Policy
    from ..result import Result
    from .inputs import InputFile
    from .options import SanitizerOptions
    from .outputs import Destination, OutputFile


class Recorder(Protocol):
    """A file beside the output, under construction."""

    def finish(self) -> None:
        """Give the file its name."""
        ...

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        ...


class RecordedDestination:
    """A destination with a record of all its results.

    Args:
        destination: takes the results.
        recorder: the record, completed after the output.
        add: records one result.
    """

    def __init__(
        self,
        destination: Destination,
        recorder: Recorder,
        add: Callable[[SourceDocument, Result], None],
    ) -> None:
        self._destination = destination
        self._recorder = recorder
        self._add = add
        self._finished = False
        self._documents = 0

    def begin_file(self, file: InputFile) -> None:
        """Expect the results of one file."""
        self._destination.begin_file(file)

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result, and then record it."""
        places = self._destination.write(record, result)
        self._documents += 1
        self._add(record, result)
        return places

    def end_file(self, failed: int) -> OutputFile:
        """Finish the output of the current file."""
        return self._destination.end_file(failed)

    def finish(self, failed: int) -> None:
        """Finish the open outputs, and the record last, since it describes them."""
        self._destination.finish(failed)
        if failed and not self._documents:
            self._recorder.abort()
            return
        self._finished = True
        self._recorder.finish()

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        self._destination.abort()
        if not self._finished:
            self._recorder.abort()


def with_mapping(destination: Destination, mapping: Path, policy: Policy) -> Destination:
    """Destination with a mapping, encrypted if the policy has a key.

    Raises:
        PolicyError: if the path exists already; ``destination`` is aborted then.
    """
    from ..restore.mapping import MappingWriter

    keyed = policy.key_env is not None or policy.key_file is not None
    try:
        writer = MappingWriter(mapping, policy.key() if keyed else None)
    except BaseException:
        destination.abort()
        raise
    return RecordedDestination(destination, writer, writer.add)


def with_audit(
    destination: Destination, path: Path, sanitizer: Sanitizer, options: SanitizerOptions
) -> Destination:
    """Destination with an audit record of all decisions and their reasons.

    Raises:
        OutputError: if it can't be written; ``destination`` is aborted then.
        ModelError: if the model's digests can't be read; likewise.
    """
    from ..audit import AuditWriter, provenance_of
    from ..risk.assess import assess
    from ..risk.search.indicator import index_identity

    try:
        # Of a policy in a file the name alone: a path may tell whose it is.
        name = Path(options.policy).name
        origin = provenance_of(sanitizer.policy, sanitizer.threshold, options.model, name=name)
        if options.background is not None:
            origin = replace(origin, background=index_identity(options.background))
        writer = AuditWriter(path, origin)
    except BaseException:
        destination.abort()
        raise

    def add(record: SourceDocument, result: Result) -> None:
        arguments = sanitizer.policy, sanitizer.indicators
        writer.add(record, result, assess(result.document, result.entities, *arguments))

    return RecordedDestination(destination, writer, add)
