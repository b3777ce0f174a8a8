"""The output of a system to evaluate: ``{doc_id: [[start, end], ...]}`` (TAB's own format)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..document import Span
from ..errors import InputError
from .reading import read_json

Masks = Mapping[str, Sequence[Span]]
"""Spans masked in each document, by id; they may overlap and be in any order."""


def load_masks(path: str | Path) -> dict[str, tuple[Span, ...]]:
    """Read a prediction file; ``-`` is standard input.

    Raises:
        InputError: the file can't be read or is not what it should be.
    """
    return parse_masks(read_json(path), str(path))


def parse_masks(raw: Any, name: str = "masks") -> dict[str, tuple[Span, ...]]:
    """Turn parsed JSON ``{doc_id: [[start, end], ...]}`` into spans.

    Raises:
        InputError: names the document, the position in its list and what is wrong there.
    """
    if not isinstance(raw, dict):
        raise InputError("must hold a JSON object {doc_id: [[start, end], ...]}", name)
    return {doc_id: _spans(spans, doc_id, name) for doc_id, spans in raw.items()}


def _spans(raw: Any, doc_id: str, name: str) -> tuple[Span, ...]:
    if not isinstance(raw, list):
        raise InputError(f"document {doc_id!r} must have a list of [start, end]", name)
    spans = []
    for position, pair in enumerate(raw):
        if not (isinstance(pair, list) and [type(offset) for offset in pair] == [int, int]):
            raise InputError(
                f"document {doc_id!r}, span {position}: must be [start, end], two integers", name
            )
        start, end = pair
        if not 0 <= start < end:
            raise InputError(
                f"document {doc_id!r}, span {position}: [{start}, {end}) is not a span; "
                "0 <= start < end must hold",
                name,
            )
        spans.append(Span(start, end))
    return tuple(spans)


def check_masks(spans: Sequence[Span], length: int, doc_id: str) -> None:
    """Raise InputError if a span ends past the text of ``length`` code points."""
    for position, span in enumerate(spans):
        if span.end > length:
            raise InputError(
                f"masked span {position}, [{span.start}, {span.end}), ends past the text of "
                f"{length} code points; offsets must be code points of the gold text",
                doc_id,
            )
