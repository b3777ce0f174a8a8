"""A reviewed document in the format that came in, with the record of its decisions."""

from __future__ import annotations

import io
import json

import jsonschema
import pytest

from tacenda import corpora
from tacenda.analysis import Analysis
from tacenda.app.export import audit, export
from tacenda.app.review import Change, fold, redecide
from tacenda.app.review.change import Kind
from tacenda.app.review.history import Entry
from tacenda.audit import schema
from tacenda.document import Document, Mention, SemanticType, Span
from tacenda.errors import InputError
from tacenda.policy import Policy

from ...corpora.building_docx import build, entries, paragraph
from ...corpora.conftest import mask_strings

NAME = "Galip Yalman"


def document_of(data: bytes, format: str) -> Document:
    """Return the document that a file holds."""
    (record,) = corpora.read("-", format, stdin=io.BytesIO(data))
    assert isinstance(record, corpora.Record)
    return record.document


def test_a_docx_stays_one() -> None:
    """The bytes that came in come out with the reviewer's edits."""
    pytest.importorskip("lxml.etree")
    data = build(paragraph("Dear ", "Galip ", "Yalman"), {"header": paragraph(NAME)})
    result = mask_strings(document_of(data, "docx"), NAME)
    output = entries(export(result, data, came_in="docx"))
    assert b"Dear " in output["word/document.xml"]
    assert b"[X]" in output["word/header1.xml"]
    assert not any(b"Yalman" in part for part in output.values())


@pytest.mark.parametrize("format", ["same", "text", "pdf", "html", "json"])
def test_any_document_can_be_exported_in_any_format(format: str) -> None:
    """None of them holds what was masked."""
    if format == "pdf":
        pytest.importorskip("reportlab")
    data = f"<p>Dear {NAME}</p>".encode()
    result = mask_strings(document_of(data, "html"), NAME)
    output = export(result, data, format, came_in="html")
    assert output
    assert b"Yalman" not in output


def test_another_file_than_the_reviewed_one_is_refused() -> None:
    """Edits are never made in a text that they were not decided for."""
    result = mask_strings(Document("a", f"Dear {NAME}"), NAME)
    with pytest.raises(InputError, match="not the one that was reviewed"):
        export(result, f"Dear {NAME}!".encode(), came_in="text")
    with pytest.raises(InputError, match="'rtf'"):
        export(result, b"", "rtf", came_in="text")


def entry(id: int, change: Change | None, **more: int) -> Entry:
    """Return a line of a log."""
    return Entry(id, "Ann", f"2024-01-0{id}T00:00:00+00:00", change, **more)


@pytest.mark.parametrize("format", ["json", "html"])
def test_the_record_says_what_people_decided(format: str) -> None:
    """Acts that hold are in it with person and time; what was taken back is not."""
    text = f"{NAME} met Bo Li. Bo Li left."
    spans = [
        Span(text.index(string), text.index(string) + len(string)) for string in (NAME, "Bo Li")
    ]
    mentions = tuple(
        Mention(span, SemanticType.PERSON, risk, 0.1, "neural")
        for span, risk in zip(spans, (0.9, 0.05), strict=True)
    )
    log = (
        entry(1, Change(Kind.DECIDE, (spans[1],), "mask")),
        entry(2, Change(Kind.NOTE, (spans[0],), f"ask {NAME}")),
        entry(3, Change(Kind.BOUND, (), "0.3")),
        entry(4, None, undoes=3),
    )
    policy = Policy(operator="tag")
    changes = [item.change for item in log[:2] if item.change is not None]
    reviewed = redecide(Analysis(Document("d", text), mentions), policy, 0.2, fold(changes))
    data = audit([("document-1", reviewed, log)], policy, 0.2, format=format)
    assert b"Yalman" not in data
    assert b"Bo Li" not in data
    if format == "html":
        assert b"What people did" in data
        return
    record = json.loads(data)
    jsonschema.validate(record, schema())
    (document,) = record["documents"]
    assert [act["action"] for act in document["acts"]] == ["decide", "note"]
    assert document["acts"][1]["value"] == "ask ***"
    by = {item["number"]: item["decided_by"] for item in document["decisions"]}
    assert by == {
        1: {"kind": "policy"},
        2: {"kind": "person", "person": "Ann", "at": "2024-01-01T00:00:00+00:00"},
    }


def test_a_record_of_another_format_is_refused() -> None:
    """The error lists the formats there are."""
    with pytest.raises(InputError, match="json or html"):
        audit([], Policy(), 0.2, format="docx")
