"""Files of records read by a field policy, sanitized without a recognizer, and written as they came."""

from __future__ import annotations

import io

from tacenda import documents
from tacenda.documents.fields import Fields, refuse_unnamed
from tacenda.documents.writing import writer
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)


def rewritten(
    source: str | bytes, format: str, fields: Fields, sanitizer: Sanitizer = SANITIZER
) -> tuple[bytes, list[str]]:
    """Return a sanitized file, and the messages of what failed."""
    data = source.encode() if isinstance(source, str) else source
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    faults: list[str] = []
    items = documents.read("-", format, stdin=io.BytesIO(data), fields=fields)
    for item in refuse_unnamed(items, "same"):
        if isinstance(item, documents.Failure):
            faults.append(str(item.error))
        else:
            sink.write(item, next(sanitizer.pipe([item.document])))
    sink.close()
    return output.getvalue(), faults
