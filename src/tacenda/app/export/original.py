"""Reviewed documents written back into the file that they came from: .docx, PDF, HTML and others."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from ...documents.reading import read_bytes
from ...documents.record import Failure, Origin, Record
from ...documents.writing import writer
from ...errors import InputError
from ...result import Result
from ..intake import DROPPED
from ..store.files import NewFile, StoredFile


def as_it_came(
    file: NewFile | StoredFile, results: Sequence[Result], *, allow_leaks: bool = False
) -> bytes:
    """Return a file with its documents as they were decided, in its own format.

    Args:
        file: the original.
        results: one for each document that is in it, in order.
        allow_leaks: write it although masked strings are left in it.

    Raises:
        LeakError: if masked strings are left in it.
        InputError: if the file can't be read, or its documents are others.
        MissingExtraError: at .docx and PDF without the extra ``documents``.
    """
    records = _records(file)
    if [record.document.text for record in records] != [item.document.text for item in results]:
        raise InputError("the file is not the one that was reviewed; import it anew.", file.name)
    stream = BytesIO()
    target = writer("same", stream, came_in=file.format, allow_leaks=allow_leaks)
    for record, result in zip(records, results, strict=True):
        target.write(record, result)
    target.close()
    return stream.getvalue()


def _records(file: NewFile | StoredFile) -> list[Record]:
    records = []
    origin = Origin(file.name, file.name, file.format, file.encoding)
    for item in read_bytes(file.content, origin, DROPPED):
        if isinstance(item, Failure):
            raise item.error
        records.append(item)
    return records
