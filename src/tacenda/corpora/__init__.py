"""Readers and writers of document formats: where text comes from and where it goes.

    read(path) ─▶ Record | Failure          Record.document ─▶ sanitize ─▶ Sanitized
    writer(to, stream).write(record, sanitized)

A ``Record`` carries a document and the way back into its file. See ``record`` for how an edit
finds its place in markup, and ``surface`` for names outside the text.
"""

from __future__ import annotations

from .reading import INPUT_FORMATS, files_of, format_of, read, read_bytes, read_file
from .record import Failure, Origin, Record, Skipped, Slot, restore, source_edits
from .result import SCHEMA_VERSION, as_object, schema
from .surface import name_tells, safe_name
from .writing import OUTPUT_FORMATS, Writer, extension_of, writer

__all__ = [
    "INPUT_FORMATS",
    "OUTPUT_FORMATS",
    "SCHEMA_VERSION",
    "Failure",
    "Origin",
    "Record",
    "Skipped",
    "Slot",
    "Writer",
    "as_object",
    "extension_of",
    "files_of",
    "format_of",
    "name_tells",
    "read",
    "read_bytes",
    "read_file",
    "restore",
    "safe_name",
    "schema",
    "source_edits",
    "writer",
]
