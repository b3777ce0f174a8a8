"""Readers and writers of document formats: where text comes from and where it goes.

    read(path) ─▶ SourceDocument | Failure    SourceDocument.document ─▶ sanitize ─▶ Result
    writer(to, stream).write(record, sanitized)

A ``SourceDocument`` carries a document and the way back into its file. See ``record`` for how an edit
finds its place in markup, and ``names`` for names outside the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..result import SCHEMA_VERSION
    from .columns import Others, refuse_unnamed
    from .names import filename_leaks, safe_name
    from .reading import (
        INPUT_FORMATS,
        check_input,
        files_of,
        format_of,
        read,
        read_bytes,
        read_file,
    )
    from .record import (
        Failure,
        Origin,
        Skipped,
        Slot,
        SourceDocument,
        head_edits,
        restore,
        source_edits,
    )
    from .result import schema
    from .writing import (
        OUTPUT_FORMATS,
        CheckedWriter,
        DocumentWriter,
        extension_of,
        refuse_leaks,
        writer,
    )

__all__ = [
    "INPUT_FORMATS",
    "OUTPUT_FORMATS",
    "SCHEMA_VERSION",
    "CheckedWriter",
    "DocumentWriter",
    "Failure",
    "Origin",
    "Others",
    "Skipped",
    "Slot",
    "SourceDocument",
    "check_input",
    "extension_of",
    "filename_leaks",
    "files_of",
    "format_of",
    "head_edits",
    "read",
    "read_bytes",
    "read_file",
    "refuse_leaks",
    "refuse_unnamed",
    "restore",
    "safe_name",
    "schema",
    "source_edits",
    "writer",
]


_MODULES = {
    "columns": ("Others", "refuse_unnamed"),
    "reading": (
        "INPUT_FORMATS",
        "check_input",
        "files_of",
        "format_of",
        "read",
        "read_bytes",
        "read_file",
    ),
    "record": (
        "Failure",
        "Origin",
        "SourceDocument",
        "Skipped",
        "Slot",
        "head_edits",
        "restore",
        "source_edits",
    ),
    "result": ("SCHEMA_VERSION", "schema"),
    "names": ("filename_leaks", "safe_name"),
    "writing": (
        "OUTPUT_FORMATS",
        "CheckedWriter",
        "DocumentWriter",
        "extension_of",
        "refuse_leaks",
        "writer",
    ),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # A worker that reads one format has no use for the others, nor for pages to show them on.
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
