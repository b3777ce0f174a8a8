"""Where ``sanitize --mapping`` may write: never where the output is, unless that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .places import has_several_files, is_folder

if TYPE_CHECKING:
    from ..audit import AuditWriter
    from ..documents.record import SourceDocument
    from ..pipeline import Sanitizer
    from ..policy import Policy
    from ..restore.mapping import MappingWriter
    from ..result import Result
    from .inputs import InputFile
    from .outputs import Destination


def check_mapping(
    mapping: Path, sources: Sequence[str], output: str | None, to: str, *, beside_output: bool
) -> None:
    """Refuse a mapping that could be given away with the output, or could not be used.

    Raises:
        typer.BadParameter: saying which, and the way out.
    """
    hint = "--mapping"
    if to != "same":
        raise typer.BadParameter(
            f"a mapping leads back to the format that came in; --to {to} is another",
            param_hint=hint,
        )
    many = has_several_files(sources)
    to_file = output is not None and output != "-"
    folder = output is not None and to_file and is_folder(output, sources, to)
    if many and not folder:
        raise typer.BadParameter(
            "several inputs in one output can't be told apart again; let -o be a folder",
            param_hint=hint,
        )
    if output is None or not to_file or beside_output:
        return
    place = mapping.resolve().parent
    root = Path(output).resolve() if folder else Path(output).resolve().parent
    if place == root or (folder and place.is_relative_to(root)):
        raise typer.BadParameter(
            "it would lie where the output is and be given away with it; choose another folder, "
            "or say --mapping-beside-output",
            param_hint=hint,
        )


class MappedDestination:
    """A destination that records in a mapping what it writes."""

    def __init__(self, destination: Destination, mapping: MappingWriter) -> None:
        self._destination = destination
        self._mapping = mapping
        self._finished = False
        self._documents = 0

    def begin_file(self, file: InputFile) -> None:
        """Expect the results of one file."""
        self._destination.begin_file(file)

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result, and then how to undo it."""
        places = self._destination.write(record, result)
        self._documents += 1
        self._mapping.add(record, result)
        return places

    def end_file(self, failed: int) -> str:
        """End what belongs to the file."""
        return self._destination.end_file(failed)

    def finish(self, failed: int) -> None:
        """End what is open; the mapping last, which is whole once the output is."""
        self._destination.finish(failed)
        if failed and not self._documents:
            self._mapping.abort()
            return
        self._finished = True
        self._mapping.finish()

    def abort(self) -> None:
        """Leave nothing unfinished behind."""
        self._destination.abort()
        if not self._finished:
            self._mapping.abort()


def with_mapping(destination: Destination, mapping: Path, policy: Policy) -> Destination:
    """Return ``destination`` with a mapping, which is encrypted if the policy has a key.

    Raises:
        PolicyError: if something is there already; ``destination`` is aborted then.
    """
    from ..restore.mapping import MappingWriter

    keyed = policy.key_env is not None or policy.key_file is not None
    try:
        return MappedDestination(
            destination, MappingWriter(mapping, policy.key() if keyed else None)
        )
    except BaseException:
        destination.abort()
        raise


# ``sanitize --audit``: the record of what was decided, beside the output.


class AuditedDestination:
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

    def write(self, record: SourceDocument, result: Result) -> Sequence[str]:
        """Write one result, and then why."""
        from ..risk.assess import assess

        places = self._destination.write(record, result)
        self._documents += 1
        arguments = self._sanitizer.policy, self._sanitizer.further
        self._audit.add(record, result, assess(result.document, result.entities, *arguments))
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
    from ..audit import AuditWriter, origin_of
    from ..risk.search.indicator import index_identity

    try:
        # Of a policy in a file the name alone: a path may tell whose it is.
        origin = origin_of(sanitizer.policy, sanitizer.threshold, model, name=Path(name).name)
        if background is not None:
            origin = replace(origin, background=index_identity(background))
        return AuditedDestination(destination, AuditWriter(path, origin), sanitizer)
    except BaseException:
        destination.abort()
        raise
