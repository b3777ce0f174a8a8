"""A sanitizer without a model: it masks the strings it is told to."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from tacenda import documents
from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    Replacement,
    Risk,
    SemanticType,
    Span,
)
from tacenda.documents.writing import writer
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.result import Result
from tests.building import reason


def mask_strings(
    document: Document,
    *strings: str,
    text: str = "[X]",
    kept: tuple[str, ...] = (),
    type: SemanticType = SemanticType.PERSON,
) -> Result:
    """Replace every occurrence of ``strings`` by ``text``; recognise and keep ``kept``."""
    decisions, replacements = [], []
    for number, string in enumerate((*strings, *kept), 1):
        mentions = tuple(
            Mention(Span(*match.span()), type, 0.9, 0.8, MentionSource.NEURAL)
            for match in re.finditer(re.escape(string), document.text)
        )
        if not mentions:
            continue
        masked = string in strings
        entity = Entity(f"e{number}", type, number, mentions)
        kind = IdentifierType.DIRECT if masked else IdentifierType.NO_MASK
        reasons = (reason('a name <from> the "test"'),)
        operator = "tag" if masked else ""
        decisions.append(Decision(entity, masked, operator, kind, 0.9 if masked else 0.1, reasons))
        if masked:
            replacements += [(mention.span, entity.id) for mention in mentions]
    output, position, edits = "", 0, []
    for span, entity_id in sorted(replacements):
        output += document.text[position : span.start]
        start = len(output)
        output += text
        position = span.end
        edits.append(Replacement(span, start, len(output), text, (entity_id,)))
    output += document.text[position:]
    entities = tuple(decision.entity for decision in decisions)
    risk = Risk(1.5, 0.25, 0.1, 0)
    return Result(document, output, entities, tuple(decisions), tuple(edits), (), risk)


def items_of(data: bytes, format: str) -> list[Any]:
    """Return what is read of a file: records and failures."""
    return list(documents.read("-", format, stdin=io.BytesIO(data)))


def sanitized(data: bytes, format: str, name: str) -> bytes:
    """Return a file without one person, under a policy that knows the name alone."""
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5, target=(name,)), None, 0.5)
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    for item in items_of(data, format):
        if isinstance(item, documents.SourceDocument):
            sink.write(item, next(sanitizer.pipe([item.document])))
    sink.close()
    return output.getvalue()


@pytest.fixture(scope="session")
def mask() -> Callable[..., Result]:
    """Return the sanitizer that masks the strings it is told to."""
    return mask_strings


@pytest.fixture(scope="session")
def read_all() -> Callable[..., list[documents.SourceDocument | documents.Failure]]:
    """Return a reader of bytes (or of a string's UTF-8) in a format."""

    def read(data: str | bytes, format: str, **options: object) -> list[object]:
        stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
        return list(documents.read("-", format, stdin=stream, **options))  # type: ignore[arg-type]

    return read  # type: ignore[return-value]


@pytest.fixture(scope="session")
def through(read_all: Callable[..., list[object]]) -> Callable[..., str]:
    """Return a run: read in a format, mask strings, write to a format; failures are skipped.

    Other columns and fields are kept where nothing is said of them.
    """

    def run(
        data: str | bytes,
        format: str,
        *strings: str,
        to: str = "same",
        text: str = "[X]",
        reveal: bool = False,
        kept: tuple[str, ...] = (),
        **options: object,
    ) -> str:
        options.setdefault("fields", documents.Fields.of_options(keep=("*",)))
        output = io.BytesIO()
        sink = writer(to, output, input_format=format, reveal=reveal)
        for item in read_all(data, format, **options):
            if isinstance(item, documents.SourceDocument):
                sink.write(item, mask_strings(item.document, *strings, text=text, kept=kept))
        sink.close()
        encoding = str(options.get("encoding", "utf-8"))
        return output.getvalue().decode(encoding if to == "same" else "utf-8")

    return run
