"""Documents and projects as files, in formats of text and in the one that came in; no originals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from ...documents.names import name_tells
from ...documents.record import Origin, Record
from ...documents.writing import writer
from ...errors import InputError
from ...result import Result
from ..store.documents import StoredDocument
from ..store.files import StoredFile
from .formats import ONE_DOCUMENT, SAME, extension, known, media_type
from .original import as_it_came

_ZIP = "application/zip"


@dataclass(frozen=True, slots=True)
class Download:
    """A file to give out: its name tells nobody, its content is bytes."""

    name: str
    media_type: str
    content: bytes


def of_document(
    row: StoredDocument,
    sanitized: Result,
    format: str,
    file: StoredFile | None = None,
    *,
    allow_leaks: bool = False,
) -> Download:
    """Return one document as a file.

    Args:
        row: its place in the project.
        sanitized: the document as it was decided.
        format: one of ``FORMATS``.
        file: what it came from, for ``same``.
        allow_leaks: give it out although masked strings are left in it.

    Raises:
        LeakError: if masked strings are left in it.
        InputError: if the format is none, or the document was not alone in a file of its own.
        MissingExtraError: at .docx and PDF without the extra ``documents``.
    """
    if known(format) != SAME:
        content = _written([(row, sanitized)], format, allow_leaks)
        return Download(
            f"document-{row.place}{extension(format, row.name)}", media_type(format), content
        )
    if file is None or file.format not in ONE_DOCUMENT:
        raise InputError(
            "the file it came in is not kept, or holds more than this document; save another "
            "format, or the whole project.",
            row.name,
        )
    name = f"document-{row.place}{extension(SAME, file.name)}"
    return Download(
        name, media_type(file.format), as_it_came(file, [sanitized], allow_leaks=allow_leaks)
    )


def of_project(
    documents: Sequence[tuple[StoredDocument, Result]],
    format: str,
    *,
    allow_leaks: bool = False,
) -> Download:
    """Return several documents as one file; texts and PDFs as a ZIP archive of one file each.

    Raises:
        InputError: if the format is none of ``FORMATS`` but ``same``; see ``archive``.
    """
    if known(format) not in ("text", "pdf"):
        ending = ".jsonl" if format == "json" else extension(format, "")
        return Download(
            f"documents{ending}", media_type(format), _written(documents, format, allow_leaks)
        )
    files = Archive()
    for row, sanitized in documents:
        files.add(
            _title(row, sanitized),
            extension(format, ""),
            _written([(row, sanitized)], format, allow_leaks),
        )
    return files.result()


def of_files(
    files: Sequence[tuple[StoredFile | None, Sequence[tuple[StoredDocument, Result]]]],
    *,
    allow_leaks: bool = False,
) -> Download:
    """Return files in the formats they came in, as a ZIP archive; what had no file as text."""
    archive = Archive()
    for file, documents in files:
        results = [sanitized for _, sanitized in documents]
        if file is None:
            for row, sanitized in documents:
                archive.add(
                    _title(row, sanitized),
                    ".txt",
                    _written([(row, sanitized)], "text", allow_leaks),
                )
            continue
        ending = extension(SAME, file.name)
        tells = name_tells(file.name, results)
        title = f"document-{documents[0][0].place}" if tells else file.name.removesuffix(ending)
        archive.add(title, ending, as_it_came(file, results, allow_leaks=allow_leaks))
    return archive.result()


class Archive:
    """A ZIP archive whose names lead out of no folder, each once."""

    def __init__(self) -> None:
        self._stream = BytesIO()
        self._zip = ZipFile(self._stream, "w", ZIP_DEFLATED)
        self._names: set[str] = set()

    def add(self, title: str, ending: str, content: bytes) -> None:
        """Add a file."""
        flat = "".join(c if c.isalnum() or c in "-_. " else "-" for c in title).strip(". ")
        flat = flat.removesuffix(ending) or "document"
        name, number = flat + ending, 1
        while name.casefold() in self._names:
            number += 1
            name = f"{flat}-{number}{ending}"
        self._names.add(name.casefold())
        self._zip.writestr(name, content)

    def result(self) -> Download:
        """Return the archive; nothing can be added any more."""
        self._zip.close()
        return Download("documents.zip", _ZIP, self._stream.getvalue())


def _title(row: StoredDocument, sanitized: Result) -> str:
    """Return what a document may be called: its own name, unless that tells who was masked."""
    return f"document-{row.place}" if name_tells(row.name, (sanitized,)) else row.name


def _written(
    documents: Sequence[tuple[StoredDocument, Result]], format: str, allow_leaks: bool
) -> bytes:
    stream = BytesIO()
    target = writer(format, stream, allow_leaks=allow_leaks)
    for row, sanitized in documents:
        target.write(_record(row, sanitized), sanitized)
    target.close()
    return stream.getvalue()


def _record(row: StoredDocument, sanitized: Result) -> Record:
    origin = Origin(row.name, row.name, row.format, "utf-8")
    return Record(sanitized.document, origin, sanitized.document.text, (), declared=row.declared)
