"""A run of ``tacenda sanitize``: file after file from the listing to its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

import typer

from ..documents.names import filename_leaks
from ..documents.record import Failure, Origin, Skipped, SourceDocument
from ..errors import DEBUG, InputError, OutputError, TacendaError, in_one_line, unforeseen
from .adversary import print_identifications
from .outputs import FATAL_ERRNOS
from .summary import FileTally, RunSummary

if TYPE_CHECKING:
    from ..document import Document
    from ..pipeline import Sanitizer
    from ..result import Result
    from .inputs import InputFile
    from .outputs import Destination
    from .resumption import Resumption

_BATCH: Final = 32
_EXPECTED_ERRORS: Final = (TacendaError, OSError)


@dataclass(frozen=True, slots=True)
class SanitizingRun:
    """A run of a sanitizer over files.

    Attributes:
        sanitizer: makes results.
        read: yields the documents of a file.
        destination: takes results.
        resumption: record of finished files; None for a run that can't be resumed.
        summary: counts every file.
        explain: whether to print the reasons for every decision.
        advance: called after each document.
    """

    sanitizer: Sanitizer
    read: Callable[[Origin], Iterable[SourceDocument | Failure]]
    destination: Destination
    resumption: Resumption | None
    summary: RunSummary
    explain: bool
    advance: Callable[[], None]

    def __call__(self, files: Iterable[InputFile]) -> None:
        """Sanitize files.

        Raises:
            OutputError: if nothing more can be written.
        """
        tally: FileTally | None = None
        for file, item in self._results(self._items(files)):
            if tally is None:
                tally = self._begun(file)
            if item is not None:
                self._take(tally, item)
                continue
            self._end(tally, file)
            tally = None
        self.destination.finish(self.summary.failed)

    def _items(
        self, files: Iterable[InputFile]
    ) -> Iterator[tuple[InputFile, SourceDocument | Failure | None]]:
        """Documents of files; None where a file ends."""
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
        """Results in order, made in batches, and failures of reading."""
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
                typer.echo(f"tacenda: {name}: skipped: {reason}", err=True)
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
                typer.echo(f"tacenda: {record.origin.name}: {note}", err=True)
            if result.leaks or places:
                tally.leaking += 1
                message = f"{len(result.leaks)} masked strings are still in the output"
                if not result.leaks:
                    message = f"masked strings are still in the output: {in_one_line(places)}"
                typer.echo(f"tacenda: {result.document.id}: {message}", err=True)
            tally.found += print_identifications(result)
        if self.explain:
            typer.echo(f"\n{result.explain()}", err=True)
        self.advance()

    def _end(self, tally: FileTally, file: InputFile) -> None:
        if isinstance(file.entry, Origin) and not tally.kept:
            try:
                tally.output, tally.kept = self.destination.end_file(len(tally.failures))
            except OutputError as error:
                if error.errno in FATAL_ERRNOS:
                    raise
                tally.documents = 0
                typer.echo(f"tacenda: {error}", err=True)
                tally.failures.append(str(error))
        self.summary.add(tally)


def _fail(tally: FileTally, error: InputError) -> None:
    typer.echo(f"tacenda: {error}", err=True)
    message = str(error)
    tally.failures.append(
        message.removeprefix(f"{error.document}: ") if error.document else message
    )


def _guard_reader(
    items: Iterable[SourceDocument | Failure], name: str
) -> Iterator[SourceDocument | Failure]:
    """Documents of a reader; an unforeseen error becomes a failure of the file."""
    try:
        yield from items
    except _EXPECTED_ERRORS:
        raise
    except Exception as error:
        yield Failure(_document_error(error, name))


def _document_error(error: Exception, name: str) -> InputError:
    """An unforeseen error as a document's own, so that the rest of the run goes on."""
    if os.environ.get(DEBUG):
        raise error
    return unforeseen(error, name)


def _sanitized(sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Result | InputError]:
    """Result or error of each document; an error does not stop the rest."""
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
