"""Text, HTML, JSON and masks, as ``tacenda sanitize`` writes them, without the originals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from ...corpora import Origin, Record, writer
from ...corpora.naming import Numbering
from ...document import Sanitized
from ...errors import InputError
from ..store import StoredDocument

FORMATS = {
    "text": ("text/plain; charset=utf-8", ".txt"),
    "html": ("text/html; charset=utf-8", ".html"),
    "json": ("application/json", ".json"),
    "masks": ("application/json", ".masks.json"),
}
"""Format to media type and extension."""


@dataclass(frozen=True, slots=True)
class Result:
    """A file to give out: its name tells nobody, its content is bytes."""

    name: str
    media_type: str
    content: bytes


def of_document(row: StoredDocument, sanitized: Sanitized, format: str) -> Result:
    """Return one document as a file.

    Raises:
        InputError: if the format is none of ``FORMATS``.
    """
    media_type, extension = _known(format)
    return Result(f"document-{row.id}{extension}", media_type, _written([(row, sanitized)], format))


def of_project(documents: Sequence[tuple[StoredDocument, Sanitized]], format: str) -> Result:
    """Return several documents as one file; texts as a ZIP archive of one file each.

    Raises:
        InputError: if the format is none of ``FORMATS``.
    """
    media_type, extension = _known(format)
    if format != "text":
        extension = ".jsonl" if format == "json" else extension
        return Result(f"documents{extension}", media_type, _written(documents, format))
    numbering = Numbering()
    names: set[str] = set()
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for row, sanitized in documents:
            name = _flat(numbering.public_id(_record(row, sanitized), sanitized))
            name = f"{row.id}-{name}" if name in names else name
            names.add(name)
            archive.writestr(f"{name}.txt", _written([(row, sanitized)], "text"))
    return Result("documents.zip", "application/zip", stream.getvalue())


def _known(format: str) -> tuple[str, str]:
    if format not in FORMATS:
        raise InputError(f"format {format[:40]!r} is not known; use one of {', '.join(FORMATS)}.")
    return FORMATS[format]


def _flat(name: str) -> str:
    """Return a file name without folders, as an archive may hold it safely."""
    flat = "".join(c if c.isalnum() or c in "-_. " else "-" for c in name).strip(". ")
    return flat.removesuffix(".txt") or "document"


def _written(documents: Sequence[tuple[StoredDocument, Sanitized]], format: str) -> bytes:
    stream = BytesIO()
    target = writer(format, stream)
    for row, sanitized in documents:
        target.write(_record(row, sanitized), sanitized)
    target.close()
    return stream.getvalue()


def _record(row: StoredDocument, sanitized: Sanitized) -> Record:
    origin = Origin(row.name, row.name, row.format, "utf-8")
    return Record(sanitized.document, origin, sanitized.document.text, (), declared=row.declared)
