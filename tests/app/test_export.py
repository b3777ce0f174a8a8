"""A reviewed document in the format that came in, with the record of its decisions."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from email import message_from_bytes

import jsonschema
import pytest

from tacenda import documents
from tacenda.app.audit import AuditedDocument, audit
from tacenda.app.events import Event, EventKind
from tacenda.app.export import as_it_came, extension
from tacenda.app.intake import from_upload
from tacenda.app.review.events import replay
from tacenda.app.review.redecide import redecide
from tacenda.app.store.documents import NewFile
from tacenda.app.store.log import LogEntry
from tacenda.app.store.projects import Project
from tacenda.audit import schema
from tacenda.deciding import Analysis
from tacenda.document import Document, Leak, Mention, MentionSource, SemanticType, Span
from tacenda.errors import InputError, LeakError
from tacenda.policy import Policy

from ..documents.building_docx import build, entries, paragraph
from ..documents.building_msg import Note, build_msg
from ..documents.conftest import mask_strings

NAME = "Galip Yalman"
PROJECT = Project(1, "Letters", "", "review", Policy(operator="tag"), 0.2, "strict")


def document_of(data: bytes, format: str) -> Document:
    """Return the document that a file holds."""
    (record,) = documents.read("-", format, stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument)
    return record.document


def file_of(data: bytes, format: str) -> NewFile:
    """Return a file as it is kept."""
    return NewFile(f"letter.{format}", format, "utf-8", data)


def test_a_docx_stays_one() -> None:
    """The bytes that came in come out with the reviewer's edits."""
    pytest.importorskip("lxml.etree")
    data = build(paragraph("Dear ", "Galip ", "Yalman"), {"header": paragraph(NAME)})
    result = mask_strings(document_of(data, "docx"), NAME)
    output = entries(as_it_came(file_of(data, "docx"), [result]))
    assert b"Dear " in output["word/document.xml"]
    assert b"[X]" in output["word/header1.xml"]
    assert not any(b"Yalman" in part for part in output.values())


def test_a_message_of_outlook_becomes_a_mail() -> None:
    """It is kept as it came, and leaves in the format in which it is written."""
    pytest.importorskip("olefile")
    data = build_msg(Note({0x0037: "A", 0x1000: f"Dear {NAME}"}))
    (new,) = from_upload("a.msg", data)
    assert (new.format, new.file and new.file.format) == ("eml", "msg")
    output = as_it_came(file_of(data, "msg"), [mask_strings(document_of(data, "msg"), NAME)])
    assert message_from_bytes(output).get_payload().strip() == "Dear [X]"  # type: ignore[union-attr]
    assert extension("same", "a.msg") == ".eml"


def test_a_file_of_many_documents_is_written_whole() -> None:
    """Each document in its place, without the columns that nobody has looked at."""
    data = f"id,text\n1,Dear {NAME}\n2,Hello\n".encode()
    records = list(documents.read("-", "csv", stdin=io.BytesIO(data)))
    results = [
        mask_strings(item.document, NAME)
        for item in records
        if isinstance(item, documents.SourceDocument)
    ]
    assert as_it_came(file_of(data, "csv"), results) == b"text\nDear [X]\nHello\n"


def test_a_document_that_leaks_is_given_out_only_where_that_is_allowed() -> None:
    """A reviewer who keeps one of several mentions says so once more."""
    data = f"Dear {NAME}".encode()
    result = replace(mask_strings(document_of(data, "text"), NAME), leaks=(Leak("e1", 0, 4),))
    with pytest.raises(LeakError, match="code points 0:4"):
        as_it_came(file_of(data, "text"), [result])
    assert as_it_came(file_of(data, "text"), [result], allow_leaks=True) == b"Dear [X]"
    accepted = result.accepting({"0:4": "an adjective"})
    assert (accepted.risk.leaks, as_it_came(file_of(data, "text"), [accepted])) == (0, b"Dear [X]")


def test_another_file_than_the_reviewed_one_is_refused() -> None:
    """Edits are never made in a text that they were not decided for."""
    result = mask_strings(Document("a", f"Dear {NAME}"), NAME)
    for data in (f"Dear {NAME}!".encode(), b""):
        with pytest.raises(InputError, match="not the one that was reviewed"):
            as_it_came(file_of(data, "text"), [result])


def entry(id: int, change: Event | None, **more: int) -> LogEntry:
    """Return a line of a log."""
    return LogEntry(id, "Ann", f"2024-01-0{id}T00:00:00+00:00", change, **more)


@pytest.mark.parametrize("format", ["json", "html"])
def test_the_record_says_what_people_decided(format: str) -> None:
    """Acts that hold are in it with person and time; what was taken back is not."""
    text = f"{NAME} met Bo Li. Bo Li left."
    spans = [
        Span(text.index(string), text.index(string) + len(string)) for string in (NAME, "Bo Li")
    ]
    mentions = tuple(
        Mention(span, SemanticType.PERSON, risk, 0.1, MentionSource.NEURAL)
        for span, risk in zip(spans, (0.9, 0.05), strict=True)
    )
    log = (
        entry(1, Event(EventKind.DECIDE, (spans[1],), "mask")),
        entry(2, Event(EventKind.NOTE, (spans[0],), f"ask {NAME}")),
        entry(3, Event(EventKind.BOUND, (), "0.3")),
        entry(4, None, undoes=3),
    )
    changes = [item.event for item in log[:2] if item.event is not None]
    reviewed = redecide(
        Analysis(Document("d", text), mentions), PROJECT.policy, 0.2, replay(changes)
    )
    model = {"name": "m", "files": {"weights.onnx": "0" * 64}}
    found = [
        AuditedDocument("document-1", reviewed, log, model),
        AuditedDocument("document-2", reviewed, (), None),
    ]
    data = audit(found, PROJECT, {"name": "known.db", "sha256": "1" * 64}, format)
    assert b"Yalman" not in data
    assert b"Bo Li" not in data
    if format == "html":
        assert b"What people did" in data
        assert b"known.db" in data
        assert b"strict" in data
        assert b"each document has its own" in data
        return
    record = json.loads(data)
    jsonschema.validate(record, schema())
    assert record["linked"] is PROJECT.linked
    document, other = record["documents"]
    assert (record["model"], record["policy"]["name"]) == (model, "strict")
    assert "model" not in document
    assert other["model"] is None
    assert [act["action"] for act in document["acts"]] == ["decide", "note"]
    assert document["acts"][1]["value"] == "ask ***"
    by = {item["number"]: item["decided_by"] for item in document["entities"]}
    assert by == {
        1: {"kind": "policy"},
        2: {"kind": "person", "person": "Ann", "at": "2024-01-01T00:00:00+00:00"},
    }


def test_a_record_of_another_format_is_refused() -> None:
    """The error lists the formats there are."""
    with pytest.raises(InputError, match="json or html"):
        audit([], PROJECT, format="docx")
