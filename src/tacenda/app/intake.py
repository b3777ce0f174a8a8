"""Turns files, from disk or an upload, into documents of a project, and keeps their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from ..documents.fields import ALL, TEXT, FieldPolicy, FieldRule, Fields, Treatment
from ..documents.reading import files_of, format_of, read_bytes, unopened
from ..documents.record import Failure, Origin, Skipped
from ..documents.registry import SHIPPED
from ..errors import InputError
from ..wording import counted
from .page_messages import page_message
from .store.documents import NewDocument, NewFile


def title_of(documents: Sequence[NewDocument]) -> str:
    """Return a name for a project that nobody named. It is never a file name, which may be a patient's."""
    today = datetime.now(UTC)
    return f"{counted(len(documents), 'document')}, {today.day} {today:%B %Y}"


_DROPPED = Fields.of_options(drop=(ALL,))
TABLES = tuple(name for name, format in SHIPPED.items() if format.is_table)
"""Formats of records, whose text fields the user chooses."""
_ROWS_SHOWN = 5
_LONGEST_CELL = 120
_SAMPLE = 20_000
_FEW_WORDS = 3

_LEFT_OUT = (
    "The other columns or fields are not shown here. Kept ones are saved unchanged except for masked "
    "people; the rest is removed."
)


def fields_of(columns: Sequence[str], kept: Sequence[str] = ()) -> Fields:
    """Return how to treat a file with these text columns; other columns, which nobody checks, are dropped.

    Args:
        columns: names or paths; empty for the usual one.
        kept: other columns to keep, except for values of masked people.
    """
    if not columns:
        drop = () if ALL in kept else (ALL,)
        return Fields.of_options(keep=kept, drop=drop) if kept else _DROPPED
    rest = {name: FieldRule(treatment=Treatment.KEEP) for name in kept if name not in columns}
    rules = {ALL: FieldRule(treatment=Treatment.DROP)} | rest | dict.fromkeys(columns, TEXT)
    return Fields(FieldPolicy(fields=rules), "the columns that were chosen")


def from_paths(
    paths: Iterable[str],
    target: Sequence[str] = (),
    columns: Sequence[str] = (),
    kept: Sequence[str] = (),
) -> list[NewDocument]:
    """Return the documents of files and folders, in order.

    Args:
        paths: paths of files and folders.
        target: names of the person to protect.
        columns: text columns of tables and records; empty for the usual one.
        kept: their other columns to keep, except for values of masked people.

    Raises:
        InputError: if a file can't be read, since a project must not be released with a document
            missing.
        MissingExtraError: for a .docx or PDF without the extra ``documents``.
    """
    documents: list[NewDocument] = []
    for path in paths:
        for origin in files_of(path):
            if isinstance(origin, Failure):
                raise origin.error
            if isinstance(origin, Skipped):
                continue
            try:
                content = Path(origin.path).read_bytes()
            except OSError as error:
                raise unopened(error, origin.name) from None
            documents += _documents(content, _as_records(origin, columns), target, columns, kept)
    return documents


def from_upload(
    name: str,
    content: bytes,
    target: Sequence[str] = (),
    columns: Sequence[str] = (),
    kept: Sequence[str] = (),
    language: str = "",
) -> list[NewDocument]:
    """Return the documents of an uploaded file, which is never written to disk as a file.

    Args:
        name: its name; folders in it are dropped.
        content: its bytes.
        target: names of the person to protect.
        columns: text columns of a table or of records; empty for the usual one.
        kept: its other columns to keep, except for values of masked people.
        language: ISO 639-1 code of its texts; empty to guess each one's.

    Raises:
        InputError: if it can't be read.
        MissingExtraError: for a .docx or PDF without the extra ``documents``.
    """
    origin = _as_records(_uploaded(name), columns)
    return list(_documents(content, origin, target, columns, kept, language))


def _as_records(origin: Origin, columns: Sequence[str]) -> Origin:
    return replace(origin, format="objects") if columns and origin.format == "json" else origin


def _uploaded(name: str) -> Origin:
    # A browser may send a full path on the user's machine, whose folders are private.
    last = PurePosixPath(name.replace("\\", "/")).name or "document.txt"
    return Origin(last, last, format_of(last), "utf-8")


@dataclass(frozen=True, slots=True)
class UploadPreview:
    """A preview of a file before it is in any project.

    Attributes:
        name: its name without folders.
        format: one of ``documents.FORMATS``, or ``json``; empty if unknown.
        digest: digest of its bytes, to recognize the same file.
        documents: number of its documents, or rows.
        pages: number of pages of a PDF, otherwise 0.
        fault: why it can't be used; empty if it can.
        columns: columns of a table or of records.
        suggested: the columns that look like text.
        rows: the values of the first rows, one per column, shortened.
        text: the text of a file with one document.
        sample: the beginning of its texts, which shows what it is.
    """

    name: str
    format: str
    digest: str
    documents: int = 0
    pages: int = 0
    fault: str = ""
    columns: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    text: str = field(default="", repr=False)
    sample: str = field(default="", repr=False)


def preview(name: str, content: bytes) -> UploadPreview:
    """Return the preview of an uploaded file; a fault is part of the answer and never raised.

    Raises:
        MissingExtraError: for a format whose extra isn't installed.
    """
    digest = hashlib.sha256(content).hexdigest()
    last = PurePosixPath(name.replace("\\", "/")).name
    format = ""
    try:
        origin = _uploaded(name)
        format = origin.format
        if format in TABLES:
            return _table_preview(content, origin, digest)
        try:
            documents = list(_documents(content, origin, ()))
        except InputError:
            if format != "json":
                raise
            return _table_preview(content, replace(origin, format="objects"), digest)
    except InputError as error:
        ending = PurePosixPath(last).suffix[:20] or "no extension"
        unknown = f"files with {ending} can't be read."
        fault = page_message(error).removeprefix(f"{last}: ") if format else unknown
        return UploadPreview(last, format, digest, fault=fault)
    if not documents:
        return UploadPreview(last, format, digest, fault="contains no text.")
    text = documents[0].document.text if len(documents) == 1 else ""
    pages = text.count("\f") + 1 if format == "pdf" else 0
    sample = "\n".join(item.document.text[:_SAMPLE] for item in documents[:_ROWS_SHOWN])
    return UploadPreview(last, format, digest, len(documents), pages, text=text, sample=sample)


def _table_preview(content: bytes, origin: Origin, digest: str) -> UploadPreview:
    """Return the columns of a file of records, with its first rows.

    Raises:
        InputError: if one of its rows can't be read; names the row.
    """
    cells: dict[str, str] = {}
    samples: list[dict[str, str]] = []

    def seen(path: tuple[str, ...], value: str) -> None:
        if path and path[-1] and (value or ".".join(path) not in cells):
            cells[".".join(path)] = value

    every = Fields(FieldPolicy(fields={ALL: TEXT}), "a preview", observe=seen)
    count = 0
    for item in read_bytes(content, origin, every):
        if isinstance(item, Failure):
            raise item.error
        if cells and len(samples) < _ROWS_SHOWN:
            samples.append(dict(cells))
        count += bool(cells)
        cells.clear()
    columns = tuple(dict.fromkeys(column for row in samples for column in row))
    if not columns:
        raise InputError("no row has any of the named columns.", origin.name)
    return UploadPreview(
        origin.name,
        origin.format,
        digest,
        count,
        columns=columns,
        suggested=_texts_among(columns, samples),
        rows=tuple(tuple(_shortened(row.get(column, "")) for column in columns) for row in samples),
        sample="\n".join(value[:_SAMPLE] for row in samples for value in row.values()),
    )


def _texts_among(columns: Sequence[str], rows: Sequence[dict[str, str]]) -> tuple[str, ...]:
    """Return the columns to select at first: those called ``text``, otherwise those whose cells have several words."""
    if "text" in columns:
        return ("text",)
    words = {c: max(len(row.get(c, "").split()) for row in rows) for c in columns}
    return tuple(column for column in columns if words[column] > _FEW_WORDS)


def _shortened(value: str) -> str:
    flat = " ".join(value.split())
    return flat if len(flat) <= _LONGEST_CELL else flat[: _LONGEST_CELL - 1] + "…"


def _documents(
    content: bytes,
    origin: Origin,
    target: Sequence[str],
    columns: Sequence[str] = (),
    kept: Sequence[str] = (),
    language: str = "",
) -> Iterator[NewDocument]:
    if origin.format not in TABLES:
        columns = kept = ()
    file = NewFile(
        origin.name, origin.format, origin.encoding, content, tuple(columns), tuple(kept)
    )
    left_out = [_LEFT_OUT]
    for item in read_bytes(content, origin, fields_of(columns, kept)):
        if isinstance(item, Failure):
            raise item.error
        names = (*item.document.target, *target)
        yield NewDocument(
            replace(item.document, target=names, language=language),
            item.origin.format,
            item.declared,
            file,
            # Say this once per file, not for each row.
            (*item.notes, left_out.pop()) if item.beside.edits and left_out else item.notes,
        )
