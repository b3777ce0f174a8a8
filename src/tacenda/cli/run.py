"""A ``tacenda sanitize`` run: one file after another, from the listing to its destination."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal

import typer

from .._version import __version__
from ..atomic import write_atomically
from ..documents.names import filename_leaks
from ..documents.record import Failure, Origin, Skipped, SourceDocument
from ..errors import DEBUG, InputError, OutputError, TacendaError, in_one_line, unforeseen
from .attack import print_identifications
from .outputs import FATAL_ERRNOS
from .printing import print_note, progress_counter

if TYPE_CHECKING:
    from ..document import Document, Identification
    from ..pipeline import Sanitizer
    from ..reidentify.panel import RankTally
    from ..result import Result
    from .outputs import Destination
    from .places import InputFile
    from .resumption import Resumption

# The outcome of each file in a run: counts on stderr, and JSON on request.
#
# The JSON (``schemas/run.schema.json``) contains no text, and no name that could reveal a
# document's subject: a file is named only if its name contains no string masked in it, and a file
# that wasn't sanitized is never named. A second file, which only its owner may read, says which
# file has which neutral name.


SCHEMA_VERSION: Final = "1.0"


class FileOutcome(StrEnum):
    """The outcome of a file."""

    WRITTEN = "written"
    KEPT = "kept"
    """Finished by the run that is resumed, or by one that was whole."""
    INCOMPLETE = "incomplete"
    """Written without some of its documents."""
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(slots=True)
class FileTally:
    """The counts for a file during a run.

    Attributes:
        number: its place in the run, from 1.
        name: its own name, which may be revealing.
        tells: whether a masked string occurs in the name, or may occur (as after a failure).
        documents: number of documents written.
        leaking: number of those in which masked strings remain.
        found: number of those that an attacker still finds.
        warned: number of those with warnings.
        failures: the failed documents' messages.
        reason: why it was skipped.
        output: its file in the output folder, never revealing.
        kept: whether an earlier run finished it.
    """

    number: int
    name: str
    tells: bool = True
    documents: int = 0
    leaking: int = 0
    found: int = 0
    warned: int = 0
    failures: list[str] = field(default_factory=list)
    reason: str = ""
    output: str = ""
    kept: bool = False

    @property
    def outcome(self) -> FileOutcome:
        """The outcome of the file."""
        if self.reason:
            return FileOutcome.SKIPPED
        if self.failures:
            return FileOutcome.INCOMPLETE if self.documents else FileOutcome.FAILED
        if self.kept:
            return FileOutcome.KEPT
        return FileOutcome.WRITTEN

    @property
    def has_neutral_name(self) -> bool:
        """Whether the JSON leaves out its name."""
        return self.tells or bool(self.failures)

    def as_object(self) -> dict[str, Any]:
        """Return the JSON entry."""
        neutral = f"document-{self.number}{_extension(self.name)}"
        last = PurePosixPath(self.name).name
        return {
            "number": self.number,
            "name": neutral if self.has_neutral_name else self.name,
            "outcome": self.outcome,
            "output": self.output or None,
            "documents": self.documents,
            "leaking": self.leaking,
            "found": self.found,
            "reason": self.reason or None,
            "failures": [
                message.replace(self.name, neutral).replace(last, neutral) if last else message
                for message in self.failures
            ],
        }


class RunSummary:
    """The files of a run, in order.

    Args:
        path: where to write the JSON; None for nowhere. Next to it, ``run.names.json`` says which
            input each file with a neutral name was.

    Attributes:
        complete: whether the run wasn't stopped.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.complete = False
        self._files: list[FileTally] = []
        self._ranks: RankTally | None = None

    def add_attacks(self, identifications: Sequence[Identification]) -> None:
        """Count the ranks that attackers give a result's person."""
        if identifications:
            from ..reidentify.panel import RankTally

            if self._ranks is None:
                self._ranks = RankTally(identifications[0].k)
            self._ranks.add(each for each in identifications if not each.silence)

    def rates(self) -> list[str]:
        """Return the rates of guiding and held-out attackers as lines; empty without attackers."""
        return [] if self._ranks is None else self._ranks.lines()

    def add(self, file: FileTally) -> None:
        """Count a finished file."""
        self._files.append(file)

    @property
    def faults(self) -> int:
        """The number of failed or leaking documents."""
        return sum(len(file.failures) + file.leaking + file.found for file in self._files)

    @property
    def written(self) -> int:
        """The number of documents written."""
        return sum(file.documents for file in self._files)

    @property
    def failed(self) -> int:
        """The number of failed documents."""
        return sum(len(file.failures) for file in self._files)

    def line(self) -> str:
        """Return the counts, and whether the run was stopped, in one line."""
        counts = self._counts()
        words = {FileOutcome.KEPT: "written before"}
        parts = [f"{counts[FileOutcome.WRITTEN]} written"]
        parts += [
            f"{counts[outcome]} {words.get(outcome, outcome)}"
            for outcome in FileOutcome
            if outcome is not FileOutcome.WRITTEN and counts[outcome]
        ]
        leaking = sum(file.leaking for file in self._files)
        if leaking:
            parts.append(f"masked strings left in {leaking}")
        warned = sum(file.warned for file in self._files)
        if warned:
            parts.append(f"warnings about {warned}")
        return ", ".join(parts) + ("" if self.complete else "; stopped")

    def write(self) -> None:
        """Write the JSON if requested, and the names of the files that it doesn't name.

        Raises:
            OutputError: if it can't be written.
        """
        if self.path is None:
            return
        counts = self._counts()
        item = {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "tacenda", "version": __version__},
            "complete": self.complete,
            "counts": {str(outcome): counts[outcome] for outcome in FileOutcome},
            "files": [file.as_object() for file in self._files],
        }
        write_atomically(self.path, _json(item))
        names = names_beside(self.path)
        renamed = [
            {"number": file.number, "output": file.output or None, "name": file.name}
            for file in self._files
            if file.has_neutral_name
        ]
        # There is no path next to a pipe or a terminal.
        if self.path.is_file() and (renamed or names.exists()):
            item = {"schema_version": SCHEMA_VERSION, "files": renamed}
            write_atomically(names, _json(item), private=True)

    def _counts(self) -> Counter[FileOutcome]:
        return Counter(file.outcome for file in self._files)


def names_beside(summary: Path) -> Path:
    """Return the file that says which input each file with a neutral name was."""
    return summary.with_suffix(".names.json")


def _json(item: object) -> bytes:
    return json.dumps(item, indent=1).encode() + b"\n"


def _extension(name: str) -> str:
    """Return a file's extension if it is known; an unknown one could be revealing."""
    from ..documents.reading import format_of
    from ..errors import InputError

    try:
        format_of(name)
    except InputError:
        return ""
    return PurePosixPath(name).suffix


Explanation = Literal["", "short", "long"]
_BATCH: Final = 32
_EXPECTED_ERRORS: Final = (TacendaError, OSError)


@dataclass(frozen=True, slots=True)
class SanitizingRun:
    """A run of a sanitizer over files.

    Attributes:
        sanitizer: produces results.
        read: yields the documents in a file.
        destination: receives results.
        summary: counts every file and is written at the end.
        explain: what to print about decisions: nothing, the short or the long explanation.
        unit: unit of the progress display.
        resumption: the record of finished files; None for a run that can't be resumed.
        accepted: the reasons why places aren't leaks; for documents after the first, prefixed with
            the document's id.
    """

    sanitizer: Sanitizer
    read: Callable[[Origin], Iterable[SourceDocument | Failure]]
    destination: Destination
    summary: RunSummary
    explain: Explanation
    unit: str = "documents"
    resumption: Resumption | None = None
    accepted: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, files: Iterable[InputFile]) -> None:
        """Sanitize files.

        Raises:
            OutputError: if nothing more can be written.
        """
        try:
            with progress_counter(self.unit) as advance:
                self._sanitize(files, advance)
            self.summary.complete = True
        except BaseException:
            self.destination.abort()
            raise
        finally:
            self.summary.write()

    def _sanitize(self, files: Iterable[InputFile], advance: Callable[[], None]) -> None:
        tally: FileTally | None = None
        for file, item in self._results(self._items(files)):
            if tally is None:
                tally = self._begun(file)
            if item is not None:
                self._take(tally, item)
                advance()
                continue
            self._end(tally, file)
            tally = None
        self.destination.finish(self.summary.written, self.summary.failed)

    def _items(
        self, files: Iterable[InputFile]
    ) -> Iterator[tuple[InputFile, SourceDocument | Failure | None]]:
        """Yield the documents in files; None at the end of each file."""
        for listed in files:
            file, entry = listed, listed.entry
            if isinstance(entry, Origin):
                if self.resumption is not None:
                    key = self.resumption.key_of(entry)
                    file = replace(file, key=key, kept=self.resumption.output_of(key))
                if not file.kept:
                    for item in _guard_reader(self.read(entry), entry.name):
                        yield file, item
            elif isinstance(entry, Failure):
                yield file, entry
            yield file, None

    def _results(
        self, items: Iterable[tuple[InputFile, SourceDocument | Failure | None]]
    ) -> Iterator[tuple[InputFile, tuple[SourceDocument, Result] | InputError | None]]:
        """Yield results in order, computed in batches, and read failures."""
        stream = iter(items)
        while batch := list(islice(stream, _BATCH)):
            records = [item for _, item in batch if isinstance(item, SourceDocument)]
            results = iter(_sanitized(self.sanitizer, [record.document for record in records]))
            for file, item in batch:
                if isinstance(item, SourceDocument):
                    result = next(results)
                    yield file, result if isinstance(result, InputError) else (item, result)
                else:
                    yield file, item.error if isinstance(item, Failure) else None

    def _begun(self, file: InputFile) -> FileTally:
        match file.entry:
            case Skipped(name, reason):
                print_note(f"{name}: skipped: {reason}")
                return FileTally(file.number, name, reason=reason)
            case Failure(error):
                return FileTally(file.number, error.document)
            case origin:
                self.destination.begin_file(file)
                return FileTally(file.number, origin.name, output=file.kept, kept=bool(file.kept))

    def _take(self, tally: FileTally, item: tuple[SourceDocument, Result] | InputError) -> None:
        if isinstance(item, InputError):
            _fail(tally, item)
            return
        record, result = item
        prefix = f"{result.document.id}: "
        is_first = tally.number == 1 and not (tally.documents or tally.failures)
        result = result.accepting(
            {
                place.removeprefix(prefix): reason
                for place, reason in self.accepted.items()
                if place.startswith(prefix) or (is_first and ": " not in place)
            }
        )
        try:
            places = self.destination.write(record, result)
        except InputError as error:
            _fail(tally, error)
        except _EXPECTED_ERRORS:
            raise
        except Exception as error:
            _fail(tally, _document_error(error, result.document.id))
        else:
            tally.documents += 1
            if self.summary.path is not None:
                leaks = filename_leaks(tally.name, [result])
                tally.tells = leaks if tally.documents == 1 else tally.tells or leaks
            for note in record.notes:
                print_note(f"{record.origin.name}: {note}")
            if result.leaks or places:
                tally.leaking += 1
                message = f"{len(result.leaks)} masked strings are still in the output"
                if not result.leaks:
                    message = f"masked strings are still in the output: {in_one_line(places)}"
                print_note(f"{result.document.id}: {message}")
            tally.found += print_identifications(result)
            self.summary.add_attacks(result.identifications)
            tally.warned += bool(result.warnings)
            for warning in () if self.explain else result.warnings:
                print_note(f"{result.document.id}: {warning}")
        if self.explain:
            typer.echo(f"\n{result.explain(short=self.explain == 'short')}", err=True)

    def _end(self, tally: FileTally, file: InputFile) -> None:
        if isinstance(file.entry, Origin) and not tally.kept:
            try:
                output = self.destination.end_file(tally.documents, len(tally.failures))
                tally.output, tally.kept = output
            except (InputError, OutputError) as error:
                if isinstance(error, OutputError) and error.errno in FATAL_ERRNOS:
                    raise
                tally.documents = 0
                print_note(error)
                tally.failures.append(str(error))
        self.summary.add(tally)


def _fail(tally: FileTally, error: InputError) -> None:
    print_note(error)
    message = str(error)
    tally.failures.append(
        message.removeprefix(f"{error.document}: ") if error.document else message
    )


def _guard_reader(
    items: Iterable[SourceDocument | Failure], name: str
) -> Iterator[SourceDocument | Failure]:
    """Yield a reader's documents; an unexpected error becomes a failure of the file."""
    try:
        yield from items
    except _EXPECTED_ERRORS:
        raise
    except Exception as error:
        yield Failure(_document_error(error, name))


def _document_error(error: Exception, name: str) -> InputError:
    """Return an unexpected error as a document's error, so that the run continues."""
    if os.environ.get(DEBUG):
        raise error
    return unforeseen(error, name)


def _sanitized(sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Result | InputError]:
    """Yield each document's result or error; an error doesn't stop the rest."""
    try:
        return list(sanitizer.pipe(documents, batch_size=_BATCH))
    except _EXPECTED_ERRORS as error:
        if not isinstance(error, InputError):
            raise
        if len(documents) == 1:
            return [error]
    except Exception as error:
        if len(documents) == 1:
            return [_document_error(error, documents[0].id)]
    return [result for document in documents for result in _sanitized(sanitizer, [document])]
