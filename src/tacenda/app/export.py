"""Reviewed documents as files, in text formats or the original one, without original text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import groupby
from zipfile import ZIP_DEFLATED, ZipFile

from ..documents.compression import compression_of
from ..documents.names import filename_leaks
from ..documents.ocr.tesseract import settings
from ..documents.parts import ARCHIVES, WITH_PARTS, PartDecision, treated
from ..documents.reading import read_bytes
from ..documents.record import Failure, Origin, SourceDocument
from ..documents.registry import SHIPPED, written_format
from ..documents.writing import extension_of, writer
from ..errors import InputError
from ..result import Result
from .intake import fields_of
from .service import Service
from .store.documents import NewFile, Status, StoredDocument, StoredFile

_EXTENSIONS = {
    "text": ".txt",
    "html": ".html",
    "json": ".json",
    "masks": ".masks.json",
    "pdf": ".pdf",
}
SAME = "same"
DRAFT = "draft-"
"""Prefix of names of files that are not released."""
FORMATS = (*_EXTENSIONS, SAME)
"""Formats to save; ``same`` is the format that came in."""
ONE_DOCUMENT = tuple(name for name, format in SHIPPED.items() if format.single and name != "text")
"""Formats whose files hold one document, and more than its text."""


def known(format: str) -> str:
    """Return the format.

    Raises:
        InputError: if it isn't one of ``FORMATS``.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {format[:40]!r}; use one of {', '.join(FORMATS)}.")
    return format


def media_type(format: str) -> str:
    """Return the media type of an input or output format."""
    media_type = SHIPPED[format].media_type if format in SHIPPED else "application/json"
    return media_type + "; charset=utf-8" * media_type.startswith("text/")


def extension(format: str, name: str) -> str:
    """Return the extension, with its dot, for a document from the file ``name`` in a format."""
    return extension_of("same", name) if format == SAME else _EXTENSIONS[format]


def as_it_came(
    file: NewFile | StoredFile,
    results: Sequence[Result],
    *,
    allow_leaks: bool = False,
    parts: Mapping[str, PartDecision] | None = None,
    shows_parts: bool = False,
) -> bytes:
    """Return a file with its sanitized documents, in its own format.

    Args:
        file: the original.
        results: one for each of its documents, in order.
        allow_leaks: write it even if masked strings are left in it.
        parts: what to do with the parts besides its text.
        shows_parts: keep all parts, to look at them.

    Raises:
        LeakError: if masked strings are left in it.
        InputError: if the file can't be read, or its documents have changed.
        MissingExtraError: for .docx and PDF without the extra ``documents``.
    """
    records = records_of(file)
    if [record.document.text for record in records] != [item.document.text for item in results]:
        raise InputError("the file is not the one that was reviewed; import it again.", file.name)
    stream = BytesIO()
    target = writer(
        "same",
        stream,
        input_format=file.format,
        allow_leaks=allow_leaks,
        compression=compression_of(file.name),
    )
    for record, result in zip(records, results, strict=True):
        target.write(record, result)
    target.close()
    content = stream.getvalue()
    if shows_parts:
        return content
    return treated(content, written_format(file.format).name, parts or {})


def records_of(file: NewFile | StoredFile) -> list[SourceDocument]:
    """Return the contents of a file, read again.

    Raises:
        InputError: if it can't be read.
        MissingExtraError: for .docx and PDF without the extra ``documents``.
    """
    records = []
    # People decide on the pictures in an archive; undecided ones are blanked (``documents.parts``).
    ocr = (
        replace(settings(), keeps_unread=True)
        if written_format(file.format).name in ARCHIVES
        else None
    )
    origin = Origin(file.name, file.name, file.format, file.encoding, ocr)
    for item in read_bytes(file.content, origin, fields_of(file.columns, file.kept)):
        if isinstance(item, Failure):
            raise item.error
        records.append(item)
    return records


_ZIP = "application/zip"


@dataclass(frozen=True, slots=True)
class Download:
    """A file to hand out, with a name that identifies nobody."""

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
    parts: Mapping[str, PartDecision] | None = None,
) -> Download:
    """Return one document as a file; a draft keeps its own name unless that reveals something masked.

    Args:
        row: the document's row in the project.
        sanitized: the sanitized document.
        format: one of ``FORMATS``.
        file: its original file, for ``same``.
        allow_leaks: hand it out even if masked strings are left in it.
        parts: what to do with the parts besides its text.

    Raises:
        LeakError: if masked strings are left in it.
        InputError: if the format is unknown, or the document wasn't alone in its file.
        MissingExtraError: for .docx and PDF without the extra ``documents``.
    """
    if known(format) != SAME:
        content = _written([(row, sanitized)], format, allow_leaks)
        name = flat_name(_title(row, sanitized), extension(format, row.name))
        return Download(f"{DRAFT}{name}", media_type(format), content)
    if file is None or file.format not in ONE_DOCUMENT:
        raise InputError(
            "its original file is not kept, or contains more than this document; save another "
            "format, or the whole project.",
            row.name,
        )
    name = flat_name(_title_of(file, row, [sanitized]), extension(SAME, file.name))
    content = as_it_came(file, [sanitized], allow_leaks=allow_leaks, parts=parts)
    return Download(f"{DRAFT}{name}", media_type(row.format), content)


def of_project(
    documents: Sequence[tuple[StoredDocument, Result]],
    format: str,
    *,
    allow_leaks: bool = False,
) -> Download:
    """Return several documents as one file; texts and PDFs as a ZIP archive with one file each.

    Raises:
        InputError: if the format is none of ``FORMATS`` but ``same``; see ``archive``.
    """
    if known(format) not in ("text", "pdf"):
        ending = ".jsonl" if format == "json" else extension(format, "")
        return Download(
            f"{DRAFT}documents{ending}",
            media_type(format),
            _written(documents, format, allow_leaks),
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
    parts: Mapping[int, Mapping[str, PartDecision]],
) -> Archive:
    """Return files in their original formats in a ZIP archive; documents without a file are written as text.

    Args:
        files: the files with their documents.
        allow_leaks: write them even if masked strings are left.
        parts: what to do with the parts besides the text, by the number of each document that has
            any.
    """
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
        archive.add(
            _title_of(file, documents[0][0], results),
            extension(SAME, file.name),
            as_it_came(file, results, allow_leaks=allow_leaks, parts=parts.get(documents[0][0].id)),
        )
    return archive


def flat_name(title: str, ending: str) -> str:
    """Return a file name that doesn't leave its folder and has its extension only once."""
    flat = "".join(c if c.isalnum() or c in "-_. " else "-" for c in title).strip(". ")
    return (flat.removesuffix(ending) or "document") + ending


class Archive:
    """A ZIP archive with unique names, none of which leaves its folder."""

    def __init__(self) -> None:
        self._stream = BytesIO()
        self._zip = ZipFile(self._stream, "w", ZIP_DEFLATED)
        self._names: set[str] = set()
        self._digests: dict[str, str] = {}

    def add(self, title: str, ending: str, content: bytes) -> None:
        """Add a file."""
        name, number = flat_name(title, ending), 1
        flat = name.removesuffix(ending)
        while name.casefold() in self._names:
            number += 1
            name = f"{flat}-{number}{ending}"
        self._names.add(name.casefold())
        self._digests[name] = hashlib.sha256(content).hexdigest()
        self._zip.writestr(name, content)

    def digests(self) -> bytes:
        """Return the SHA-256 of each file, in the format of ``sha256sum``."""
        return "".join(f"{digest}  {name}\n" for name, digest in self._digests.items()).encode()

    def result(self, name: str = "draft-documents.zip") -> Download:
        """Return the archive; nothing more can be added."""
        self._zip.close()
        return Download(name, _ZIP, self._stream.getvalue())


def _title_of(file: StoredFile, first: StoredDocument, results: Sequence[Result]) -> str:
    """Return the title of a file: its own name, unless that reveals masked strings."""
    return f"document-{first.place}" if filename_leaks(file.name, results) else file.name


def _title(row: StoredDocument, sanitized: Result) -> str:
    """Return the title of a document: its own name, unless that reveals masked strings."""
    return f"document-{row.place}" if filename_leaks(row.name, (sanitized,)) else row.name


def _written(
    documents: Sequence[tuple[StoredDocument, Result]], format: str, allow_leaks: bool
) -> bytes:
    stream = BytesIO()
    target = writer(format, stream, allow_leaks=allow_leaks)
    for row, sanitized in documents:
        target.write(_record(row, sanitized), sanitized)
    target.close()
    return stream.getvalue()


def _record(row: StoredDocument, sanitized: Result) -> SourceDocument:
    origin = Origin(row.name, row.name, row.format, "utf-8")
    return SourceDocument(
        sanitized.document, origin, sanitized.document.text, (), declared=row.declared
    )


def document_file(service: Service, id: int, format: str, *, allow_leaks: bool = False) -> Download:
    """Return the current state of a document as a file; see ``of_document``.

    Raises:
        LeakError: if masked strings are left in it and leaks aren't allowed, for example because a
            reviewer keeps one of several mentions.
    """
    view = service.open(id)
    keeps_format = format == SAME and view.row.file is not None
    file = service.store.files.get(view.row.file or 0) if keeps_format else None
    return of_document(
        view.row,
        view.reviewed.in_file if format == SAME else view.reviewed.sanitized,
        format,
        file,
        allow_leaks=allow_leaks,
        parts=view.reviewed.state.parts,
    )


def project_file(service: Service, id: int, format: str, *, allow_leaks: bool = False) -> Download:
    """Return all analyzed documents of a project, in their current state.

    In the original format, only complete files are included: a file with an unanalyzed document is
    left out.
    """
    rows = service.store.documents.of(service.project(id).id)
    if format != SAME:
        return of_project(
            [_result(service, row) for row in rows if _ready(row)], format, allow_leaks=allow_leaks
        )
    return of_files(
        files_of(service, rows), allow_leaks=allow_leaks, parts=decided_parts(service, rows)
    ).result()


def decided_parts(
    service: Service, rows: Sequence[StoredDocument]
) -> dict[int, Mapping[str, PartDecision]]:
    """Return the decisions on the parts besides the text, by the number of each document that has any."""
    with_parts = [row for row in rows if _ready(row) and row.format in WITH_PARTS]
    return {row.id: service.open(row.id).reviewed.state.parts for row in with_parts}


def files_of(
    service: Service, rows: Sequence[StoredDocument]
) -> list[tuple[StoredFile | None, list[tuple[StoredDocument, Result]]]]:
    """Return the complete files of a project with their sanitized documents; None for documents that are text."""
    files = []
    for number, group in groupby(rows, key=lambda row: row.file):
        members = list(group)
        if number is None:
            members = [row for row in members if _ready(row)]
        if members and all(map(_ready, members)):
            file = None if number is None else service.store.files.get(number)
            files.append((file, [(row, service.open(row.id).reviewed.in_file) for row in members]))
    return files


def _result(service: Service, row: StoredDocument) -> tuple[StoredDocument, Result]:
    return row, service.open(row.id).reviewed.sanitized


def _ready(row: StoredDocument) -> bool:
    return row.status is Status.READY
