"""The formats that reviewed documents are given out in, with their media types and extensions."""

from __future__ import annotations

from ...documents.writing import extension_of
from ...errors import InputError

_MEDIA = {
    "text": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "masks": "application/json",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "markdown": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "tab": "application/json",
    "texts": "application/json",
}
_EXTENSIONS = {
    "text": ".txt",
    "html": ".html",
    "json": ".json",
    "masks": ".masks.json",
    "pdf": ".pdf",
}
SAME = "same"
FORMATS = (*_EXTENSIONS, SAME)
"""What may be asked for; ``same`` is the format that came in."""
ONE_DOCUMENT = ("docx", "pdf", "html", "markdown")
"""Formats whose files hold one document, and more than its text."""


def known(format: str) -> str:
    """Return the format.

    Raises:
        InputError: if it is none of ``FORMATS``.
    """
    if format not in FORMATS:
        raise InputError(f"format {format[:40]!r} is not known; use one of {', '.join(FORMATS)}.")
    return format


def media_type(format: str) -> str:
    """Return the media type of a format that is given out or came in."""
    return _MEDIA[format]


def extension(format: str, name: str) -> str:
    """Return the extension, with its dot, of a document of the file ``name`` in a format."""
    return extension_of("same", name) if format == SAME else _EXTENSIONS[format]
