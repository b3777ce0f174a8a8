"""Tables through the readers and writers, with a sanitizer that masks the strings it is told to."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from tacenda.document import SemanticType
from tacenda.documents import Failure, Origin, SourceDocument
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.formats import ReadOptions
from tacenda.documents.registry import format_named
from tacenda.documents.writing import writer

from .conftest import mask_strings

NAME = "Galip Yalman"


def fields_of(treatments: Mapping[str, Any], **options: Any) -> Fields:
    """Return a field policy in a run."""
    return Fields(FieldPolicy(fields=dict(treatments)), "fields.yaml", **options)


def items_of(
    data: bytes, format: str, treatments: Mapping[str, Any], **options: Any
) -> list[SourceDocument | Failure]:
    """Return what is read of a table."""
    origin = Origin(f"table.{format}", f"table.{format}", format, "utf-8")
    wanted = ReadOptions(columns=(), fields=fields_of(treatments, **options))
    return list(format_named(format).read(io.BytesIO(data), origin, wanted))


def sanitized_table(
    data: bytes,
    format: str,
    treatments: Mapping[str, Any],
    *strings: str,
    type: SemanticType = SemanticType.PERSON,
    **options: Any,
) -> tuple[bytes, list[str]]:
    """Return a table with strings of a type masked, and the errors of rows that are not in it."""
    output, errors = io.BytesIO(), []
    sink = writer("same", output)
    for item in items_of(data, format, treatments, **options):
        if isinstance(item, Failure):
            errors.append(str(item.error))
            continue
        try:
            sink.write(item, mask_strings(item.document, *strings, type=type))
        except ValueError as error:
            errors.append(str(error))
    sink.close()
    return output.getvalue(), errors
