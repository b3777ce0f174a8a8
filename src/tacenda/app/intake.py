"""Files to documents of a project, from the disk or from an upload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import PurePosixPath

from ..corpora import Failure, Record, read
from ..errors import InputError
from .store.documents import NewDocument

_FORMATS = {
    ".txt": "text",
    ".text": "text",
    "": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
}


def from_paths(paths: Iterable[str], target: Sequence[str] = ()) -> list[NewDocument]:
    """Return the documents of files and folders, in order.

    Raises:
        InputError: if one can't be read: nobody should release a project with a document missing.
    """
    return [_taken(item, target) for path in paths for item in read(path)]


def from_upload(name: str, content: bytes, target: Sequence[str] = ()) -> list[NewDocument]:
    """Return the documents of an uploaded file; it never touches the disk as a file.

    Raises:
        InputError: if it can't be read.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    format = _FORMATS.get(path.suffix.lower())
    if format is None:
        raise InputError(
            f"extension {path.suffix[:20]!r} is not known; send one of {' '.join(_FORMATS)}."
        )
    documents = []
    for item in read("-", format, stdin=BytesIO(content)):
        new = _taken(item, target)
        if not new.declared:
            # What came as a stream is called after its place in it: "stdin:12".
            id = path.name + new.document.id.removeprefix("stdin")
            new = replace(new, document=replace(new.document, id=id))
        documents.append(new)
    return documents


def _taken(item: Record | Failure, target: Sequence[str]) -> NewDocument:
    if isinstance(item, Failure):
        raise item.error
    document = replace(item.document, target=(*item.document.target, *target))
    return NewDocument(document, item.origin.format, item.declared)
