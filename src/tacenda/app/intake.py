"""Files to documents of a project, from the disk or from an upload; with their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ..documents.fields import Fields
from ..documents.reading import files_of, format_of, read_bytes, unopened
from ..documents.record import Failure, Origin, Skipped
from .store.documents import NewDocument, NewFile

DROPPED = Fields.of_options(drop=("*",))
"""Treatment of columns and fields that are no text: nobody has looked at them."""

_LEFT_OUT = (
    "Its other columns or fields are not shown here, and are left out when the file is saved; to "
    "keep some, use tacenda sanitize --keep-columns."
)


def from_paths(paths: Iterable[str], target: Sequence[str] = ()) -> list[NewDocument]:
    """The documents of files and folders, in order.

    Raises:
        InputError: if one can't be read: nobody should release a project with a document missing.
        MissingExtraError: at a .docx or PDF without the extra ``documents``.
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
            documents += _documents(content, origin, target)
    return documents


def from_upload(name: str, content: bytes, target: Sequence[str] = ()) -> list[NewDocument]:
    """The documents of an uploaded file; it never touches the disk as a file.

    Raises:
        InputError: if it can't be read.
        MissingExtraError: at a .docx or PDF without the extra ``documents``.
    """
    # A browser may send a path of the user's machine; its folders are nobody's business.
    last = PurePosixPath(name.replace("\\", "/")).name or "document.txt"
    origin = Origin(last, last, format_of(last), "utf-8")
    return list(_documents(content, origin, target))


def _documents(content: bytes, origin: Origin, target: Sequence[str]) -> Iterator[NewDocument]:
    file = NewFile(origin.name, origin.format, origin.encoding, content)
    for item in read_bytes(content, origin, DROPPED):
        if isinstance(item, Failure):
            raise item.error
        names = (*item.document.target, *target)
        yield NewDocument(
            replace(item.document, target=names),
            item.origin.format,
            item.declared,
            file,
            (*item.notes, _LEFT_OUT) if item.beside.edits else item.notes,
        )
