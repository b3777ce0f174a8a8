"""Attachments of mails under a field policy: each field has its treatment, in every format with fields."""

from __future__ import annotations

import io
import json
import mailbox
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

from tacenda import documents
from tacenda.documents.fields import FieldPolicy, Fields
from tests.cli.test_sanitize import tacenda
from tests.examples import for_each

from .building_records import rewritten
from .test_docx_planted import folded
from .test_mail import attach, message, parsed

OCTETS = "application/octet-stream"
ROWS = [
    {"id": 4711, "name": "Galip Yalman", "ward": "A for yalman", "born": "1974-03-05", "note": "Yalman came.", "photo": "xyzzy"},
    {"id": 4712, "name": "Ottilie Malmberg", "ward": "B", "born": "1980-01-01", "note": "With Ms Malmberg.", "photo": "plugh"},
]  # fmt: skip
RULES: dict[str, Any] = {
    "id": "identifier",
    "name": {"treatment": "identifier", "name": "person"},
    "ward": "keep",
    "born": {"treatment": "date", "to": "year"},
    "note": "text",
    "photo": "drop",
}
GONE = ("yalman", "malmberg", "4711", "19740305", "xyzzy", "plugh")


def _csv(rows: list[dict[str, Any]]) -> bytes:
    lines = [",".join(map(str, row.values())) for row in rows]
    return "\n".join([",".join(rows[0]), *lines, ""]).encode()


def _xlsx(rows: list[dict[str, Any]]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "Visits"
    for row in (list(rows[0]), *(list(row.values()) for row in rows)):
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def _xml(rows: list[dict[str, Any]]) -> bytes:
    items = ("".join(f"<{key}>{value}</{key}>" for key, value in row.items()) for row in rows)
    return f"<list>{''.join(f'<row>{item}</row>' for item in items)}</list>".encode()


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), stream)
    return stream.getvalue()


def _arrow(rows: list[dict[str, Any]]) -> bytes:
    stream = io.BytesIO()
    feather.write_feather(pa.Table.from_pylist(rows), stream)
    return stream.getvalue()


def _sqlite(rows: list[dict[str, Any]]) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE visits ({', '.join(rows[0])})")
    marks = ", ".join("?" * len(rows[0]))
    for row in rows:
        connection.execute(f"INSERT INTO visits VALUES ({marks})", list(row.values()))
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data


FORMATS: dict[str, tuple[str, Callable[[list[dict[str, Any]]], bytes]]] = {
    "v.csv": ("", _csv),
    "v.json": ("", lambda rows: json.dumps(rows).encode()),
    "v.jsonl": ("", lambda rows: "".join(json.dumps(row) + "\n" for row in rows).encode()),
    "v.xml": ("list.row.", _xml),
    "v.xlsx": ("Visits.", _xlsx),
    "v.parquet": ("", _parquet),
    "v.arrow": ("", _arrow),
    "v.sqlite": ("visits.", _sqlite),
}
"""What stands before the paths of a format, and a file of it."""


def mail(*names: str, rows: list[dict[str, Any]] | None = None) -> EmailMessage:
    """Return a message with a file of each name."""
    new = message(body="Ms Malmberg is in it.\n")
    for name in names:
        attach(new, FORMATS[name][1](rows or ROWS), OCTETS, name)
    return new


def fields(prefix: str = "attachments.*.", **more: Any) -> Fields:
    """Return the treatments of attachments as of a policy's file."""
    rules = {f"{prefix}{name}": rule for name, rule in RULES.items()}
    policy = FieldPolicy.model_validate({"fields": rules | more.pop("fields", {}), **more})
    return Fields(policy, "f.yaml", key=bytes(32))


def written(data: bytes, chosen: Fields, format: str = "eml") -> tuple[bytes, list[str]]:
    """Return mails sanitized without a recognizer, and the messages of what failed."""
    return rewritten(data, format, chosen)


def contents(data: bytes) -> list[bytes]:
    """Return what is attached to a message."""
    return [part.get_payload(decode=True) for part in parsed(data).iter_attachments()]


def rows_of(data: bytes, name: str) -> list[dict[str, Any]]:
    """Return the rows of an attached table, read by another program where there is one."""
    stream = io.BytesIO(data)
    match name.partition(".")[2]:
        case "parquet":
            return pq.read_table(stream).to_pylist()
        case "arrow":
            return feather.read_table(stream).to_pylist()
        case "sqlite":
            connection = sqlite3.connect(":memory:")
            connection.deserialize(data)
            cursor = connection.execute("SELECT * FROM visits")
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor]
            connection.close()
            return rows
        case "xlsx":
            sheet = openpyxl.load_workbook(stream).active
            names, *rest = sheet.iter_rows(values_only=True)
            return [dict(zip(names, row, strict=True)) for row in rest]
        case "csv":
            names, *rest = (line.split(",") for line in data.decode().splitlines())
            return [dict(zip(names, row, strict=True)) for row in rest]
        case "json":
            return json.loads(data)
        case "jsonl":
            return [json.loads(line) for line in data.splitlines()]
    return []


@for_each("name", FORMATS)
def test_each_field_of_an_attachment_has_its_treatment(name: str) -> None:
    """Names are struck out of the whole message, what is kept stays, and nothing that is gone is in any part."""
    output, faults = written(mail(name).as_bytes(), fields(f"attachments.*.{FORMATS[name][0]}"))
    assert not faults
    (content,) = contents(output)
    letters = folded(content.decode("latin-1") + parsed(output).get_body().get_content())
    assert [gone for gone in GONE if gone in letters] == []
    assert "1974" in str(rows_of(content, name)) or name == "v.xml"
    for row in rows_of(content, name):
        assert list(row)[:3] == ["id", "name", "ward"]
        assert row["ward"][:1] in "AB"
        assert not row.get("photo")


def test_a_file_is_named_or_is_any() -> None:
    """The name of a file goes before a star, a longer path before a shorter one, and a whole file may go."""
    new = mail("v.csv", "v.jsonl", "v.sqlite")
    own = {
        "attachments.v.csv.ward": "drop",
        "attachments.v.jsonl": "keep",
        "attachments.v.sqlite": "drop",
    }
    output, faults = written(new.as_bytes(), fields(fields=own))
    assert not faults
    table, lines = contents(output)
    assert table.splitlines()[0] == b"id,name,born,note"
    assert b'"ward": "B"' in lines


def test_identifiers_are_the_same_in_all_messages_of_a_run() -> None:
    """In one message and the next, also of a message within a message, and other values have other ones."""
    other = [{**ROWS[0], "id": 4713}, ROWS[1]]
    inner = mail("v.csv")
    outer = mail("v.jsonl", rows=other)
    outer.add_attachment(inner)
    chosen = fields()
    first = rows_of(contents(written(mail("v.csv").as_bytes(), chosen)[0])[0], "v.csv")
    output, faults = written(outer.as_bytes(), chosen)
    assert not faults
    lines, *_ = contents(output)
    second = rows_of(lines, "v.jsonl")
    nested = next(part for part in parsed(output).walk() if part.get_filename() == "v.csv")
    third = rows_of(nested.get_payload(decode=True), "v.csv")
    assert [row["id"] for row in first] == [row["id"] for row in third]
    assert first[1]["id"] == second[1]["id"]
    assert second[0]["id"] not in {row["id"] for row in first}
    assert first[0]["name"] == second[0]["name"]


def test_a_mailbox_has_one_run(tmp_path: Path) -> None:
    """Its messages share identifiers, and one with an unlisted field fails alone."""
    box = mailbox.mbox(tmp_path / "a.mbox")
    bad = [{**row, "Yalman": 1} for row in ROWS]
    for new in (mail("v.csv"), mail("v.parquet", rows=bad), mail("v.parquet")):
        box.add(mailbox.mboxMessage(new))
    box.close()
    output, (fault,) = written((tmp_path / "a.mbox").read_bytes(), fields(), "mbox")
    assert "stdin:2: attachment 1" in fault
    assert "f.yaml has no treatment for 1 column (attachments.*.column 7)" in fault
    assert "alman" not in fault
    (tmp_path / "b.mbox").write_bytes(output)
    with closing(mailbox.mbox(tmp_path / "b.mbox")) as clean:
        first, last = clean
    table, data = (contents(item.as_bytes())[0] for item in (first, last))
    # Numbers of a data set stay numbers, the same as in the label.
    assert [row["id"] for row in rows_of(table, "v.csv")] == ["[ID 1]", "[ID 3]"]
    assert [row["id"] for row in rows_of(data, "v.parquet")] == [1, 3]


def test_a_place_in_a_message_is_taken_in_the_policy() -> None:
    """``attachments.*.column 7`` of a table, ``attachments.*.field 7`` of lines."""
    rows = [{**row, "Galip Yalman": 1} for row in ROWS]
    for name, place in (("v.csv", "column 7"), ("v.jsonl", "field 7"), ("v.parquet", "column 7")):
        _, (fault,) = written(mail(name, rows=rows).as_bytes(), fields())
        assert f"(attachments.*.{place})" in fault
        own = {f"attachments.*.{place}": "drop"}
        output, faults = written(mail(name, rows=rows).as_bytes(), fields(fields=own))
        assert not faults
        assert "alip" not in contents(output)[0].decode("latin-1")


def test_a_bad_value_fails_its_message_by_its_place() -> None:
    """Number of the attachment, row and field, and no value."""
    rows = [ROWS[0], {**ROWS[1], "born": "soon, says Yalman"}]
    _, (fault,) = written(mail("v.jsonl", "v.csv", rows=rows).as_bytes(), fields())
    assert (
        "attachment 1:2: the value of field 'attachments.*.born' can't be read as a date" in fault
    )
    assert "alman" not in fault


def test_dates_move_by_a_field_of_the_attachment() -> None:
    """``by`` is a path as all others are."""
    shift = {"treatment": "date", "to": "shift", "by": "attachments.*.name"}
    rows = [ROWS[0], {**ROWS[0], "born": "1974-03-15"}]
    output, faults = written(
        mail("v.csv", rows=rows).as_bytes(), fields(fields={"attachments.*.born": shift})
    )
    assert not faults
    days = [date.fromisoformat(row["born"]) for row in rows_of(contents(output)[0], "v.csv")]
    assert (days[1] - days[0]).days == 10
    assert b"1974-03-05" not in contents(output)[0]


def test_a_policy_that_says_nothing_of_attachments_leaves_them_text() -> None:
    """Also one that keeps all others; data sets are removed with a note then."""
    chosen = Fields(FieldPolicy.model_validate({"fields": {"*": "keep"}}), "f.yaml")
    (record,) = documents.read(
        "-", "eml", stdin=io.BytesIO(mail("v.csv", "v.parquet").as_bytes()), fields=chosen
    )
    assert isinstance(record, documents.SourceDocument)
    assert "A for yalman" in record.document.text
    assert any("1 part was removed" in note for note in record.notes)


def test_the_command_proposes_fields_of_attachments_that_sanitize_takes(tmp_path: Path) -> None:
    """From the mail to the policy to the sanitized mail; no value and no name of a file is shown."""
    new = message()
    for name, (_, build) in FORMATS.items():
        attach(new, build(ROWS * 6), OCTETS, f"Yalman {name}")
    path, chosen, policy = tmp_path / "a.eml", tmp_path / "f.yaml", tmp_path / "p.yaml"
    path.write_bytes(new.as_bytes())
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    run = tacenda("fields", str(path), "--policy", str(policy), "-o", str(chosen))
    assert run.returncode == 0, run.stderr
    names = list(FieldPolicy.load(chosen).fields)
    for prefix, _ in FORMATS.values():
        assert f"attachments.*.{prefix}note" in names
    assert "alman" not in chosen.read_text()
    output = tmp_path / "b.eml"
    run = tacenda("sanitize", str(path), "--policy", str(policy), "--fields", str(chosen), "-o", str(output))  # fmt: skip
    assert run.returncode == 0, run.stderr
    letters = folded(
        "".join(content.decode("latin-1") for content in contents(output.read_bytes()))
    )
    assert len(contents(output.read_bytes())) == len(FORMATS)
    assert "yalman" not in letters
    assert "malmberg" not in letters


def test_records_of_an_attachment_are_named_like_its_fields() -> None:
    """Each is treated by itself, as in a file of its own."""
    chosen = fields("attachments.*.list.row.", records="attachments.*.list.row")
    output, faults = written(mail("v.xml").as_bytes(), chosen)
    assert not faults
    (content,) = contents(output)
    assert content.count(b"<row>") == 2
    assert "yalman" not in folded(content.decode())
