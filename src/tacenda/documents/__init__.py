"""Document formats: where text comes from and where it goes.

    for item in read(path):                          # SourceDocument | Failure
        if isinstance(item, SourceDocument):
            result = sanitizer.sanitize(item.document.text, id=item.document.id)
            write([(item, result)], output)

A ``SourceDocument`` is a document that knows how to be written back to its file. See ``record`` for
how an edit finds its place in markup, ``names`` for names outside the text, ``registry`` for the
formats, and ``formats`` for what a format from another package must provide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .blocks import Block
    from .fields import FieldPolicy, FieldRule, Fields, Treatment
    from .formats import Assembly, DocumentFormat, Kind, Passage
    from .names import NameScrubber
    from .reading import read
    from .record import (
        Container,
        Extraction,
        Failure,
        Head,
        Kept,
        Origin,
        Region,
        Slot,
        SourceDocument,
        SurroundingFields,
        edited_source,
    )
    from .registry import FORMATS
    from .writing import OUTPUT_FORMATS, write

__all__ = [
    "FORMATS",
    "OUTPUT_FORMATS",
    "Assembly",
    "Block",
    "Container",
    "DocumentFormat",
    "Extraction",
    "Failure",
    "FieldPolicy",
    "FieldRule",
    "Fields",
    "Head",
    "Kept",
    "Kind",
    "NameScrubber",
    "OcrSettings",
    "Origin",
    "Passage",
    "Region",
    "Slot",
    "SourceDocument",
    "SurroundingFields",
    "Treatment",
    "edited_source",
    "read",
    "write",
]

_MODULES = {
    "blocks": "Block",
    "fields": "FieldPolicy FieldRule Fields Treatment",
    "formats": "Assembly DocumentFormat Kind Passage",
    "names": "NameScrubber",
    "ocr.tesseract": "OcrSettings",
    "reading": "read",
    "record": """
        Container Extraction Failure Head Kept Origin Region Slot SourceDocument SurroundingFields
        edited_source""",
    "registry": "FORMATS",
    "writing": "OUTPUT_FORMATS write",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    # A worker that reads one format needs neither the others nor the HTML pages.
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
