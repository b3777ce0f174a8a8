"""A detector without weights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span

Row = tuple[str, str, float] | tuple[str, str, float, float]


class KnownNames:
    """A detector of strings, wherever they stand.

    Args:
        rows: a string, its type, and the probabilities that it must be masked and that it is direct (or none).
        fields: further fields of each mention.
    """

    def __init__(self, *rows: Row, **fields: Any) -> None:
        self._rows = rows
        self._fields = {"source": MentionSource.NEURAL, **fields}

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return where they are."""
        return [
            tuple(
                Mention(
                    Span(*found.span()),
                    SemanticType(type),
                    masking,
                    *(direct or (0.0,)),
                    **self._fields,
                )
                for string, type, masking, *direct in self._rows
                for found in re.finditer(re.escape(string), document.text)
            )
            for document in documents
        ]
