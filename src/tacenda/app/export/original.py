"""A reviewed document in the format that came in (.docx, PDF, HTML …), or in another one."""

from __future__ import annotations

from io import BytesIO

from ...corpora import OUTPUT_FORMATS, Failure, Record, read, writer
from ...document import Sanitized
from ...errors import InputError


def export(
    result: Sanitized,
    original: bytes,
    format: str = "same",
    *,
    came_in: str,
    encoding: str = "utf-8",
) -> bytes:
    """Return a reviewed document as a file.

    Args:
        result: the document as it was decided.
        original: the bytes of the file that it came from, which holds one document.
        format: one of ``corpora.OUTPUT_FORMATS``; ``same`` for the format that came in.
        came_in: what ``original`` is: one of ``corpora.INPUT_FORMATS``.
        encoding: of ``original``, where it is text.

    Raises:
        InputError: if the bytes can't be read, or are not those of this document.
        MissingExtraError: at .docx and PDF without the extra ``documents``.
    """
    if format not in OUTPUT_FORMATS:
        known = ", ".join(OUTPUT_FORMATS)
        raise InputError(f"output format {format[:40]!r} is not known; choose one of {known}.")
    record = _record(result, original, came_in, encoding)
    stream = BytesIO()
    target = writer(format, stream, came_in=came_in)
    target.write(record, result)
    target.close()
    return stream.getvalue()


def _record(result: Sanitized, original: bytes, came_in: str, encoding: str) -> Record:
    records = []
    for item in read("-", came_in, encoding=encoding, stdin=BytesIO(original)):
        if isinstance(item, Failure):
            raise item.error
        records.append(item)
    if len(records) != 1 or records[0].document.text != result.document.text:
        raise InputError(
            "the file is not the one that was reviewed; import it anew.", result.document.id
        )
    return records[0]
