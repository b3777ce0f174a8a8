"""A proposed field policy: a treatment with reasons for every path, and no value of the file."""

from __future__ import annotations

import io
import json
import sqlite3
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.documents import sample as module
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.leaves import binned
from tacenda.documents.proposal import Proposal, as_yaml, proposals
from tacenda.documents.sample import RecordSample, sample_of
from tacenda.errors import InputError
from tests.examples import for_each
from tests.forks import tacenda

FIRST = "Anna Bo Carla Dirk Eva Frank Greta Hans Ida Jonas".split()
LAST = "Berg Lindkvist Malmberg Novak Osei Petrov Quist Romero Sato Tanaka".split()


NAME_BYTES = b"Galip Yalman"
PICTURE = "data:image/png;base64," + b64encode(bytes(range(256)) * 4).decode()


def people(documents: Sequence[Document]) -> list[list[Mention]]:
    """Find the names of the tests."""
    return [
        [
            Mention(Span(start, start + len(name)), SemanticType.PERSON, 0.9, 0.8, MentionSource.NEURAL)
            for name in (*FIRST, *LAST)
            if (start := item.text.find(name)) >= 0
        ]
        for item in documents
    ]  # fmt: skip


def rows() -> list[dict[str, Any]]:
    """Return sixty visits of thirty people."""
    return [
        {
            "patientId": f"P{1000 + n % 30}", "firstName": FIRST[n % 10], "last_name": LAST[n * 3 % 10],
            "seenBy": f"{FIRST[n % 7]} {LAST[n % 9]}", "mail": f"{LAST[n % 10].lower()}@x.org",
            "phone": f"+46 8 123 45 {n:02}", "dob": f"19{40 + n % 30}-03-1{n % 10}", "visit": f"2023-02-{1 + n % 28:02}",
            "age": 20 + n % 50, "cost": n * 13.5, "ward": "ABC"[n % 3], "home": {"city": "Uppsala", "street": "Storgatan"},
            "note": f"{LAST[n % 10]} came with her sister on day {n}.", "call": json.dumps({"who": LAST[n % 10]}),
            "page": f"<p>{n} is fine</p>", "ids": {f"k{n}": "some words here"}, "ok": True,
        }
        for n in range(60)
    ]  # fmt: skip


def _chat(part: dict[str, Any]) -> dict[str, Any]:
    """Return a chat with a text and another part of a message."""
    return {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "I am Anna Berg"}, part]}
        ]
    }


def _sanitized(path: Path, *options: str) -> tuple[int, str, str]:
    """Return what becomes of a file under the field policy that is proposed for it: code, output, messages."""
    chosen, policy = path.with_suffix(".yaml"), path.parent / "policy.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    run = tacenda("fields", str(path), "--policy", str(policy), "-o", str(chosen))
    assert run.returncode == 0, run.stderr
    output = path.with_stem("clean")
    run = tacenda(
        "sanitize",
        str(path),
        "--policy",
        str(policy),
        "--fields",
        str(chosen),
        "-o",
        str(output),
        *options,
    )
    return run.returncode, chosen.read_text(), run.stderr.decode()


def proposed(data: str, format: str) -> tuple[RecordSample, list[Proposal]]:
    """Return what is proposed for a file."""
    sample = RecordSample()
    stream = io.BytesIO(data.encode())
    sample.take(documents.read("-", format, stdin=stream, fields=sample.fields()))
    return sample, proposals(sample, people)


@for_each(
    "name",
    [
        "ward", "bedNo", "hospital_unit", "Abteilung", "habitación", "Unité de soins", "reparto", "enfermaria",
        "afdeling", "Vårdavdelning", "sengepost", "afsnit", "oddział",
    ],
)  # fmt: skip
def test_a_ward_is_an_identifier_under_a_clinical_policy(name: str) -> None:
    """In the languages of the recognizer; elsewhere, and for units of measurement, it is what its values are."""
    sample = RecordSample()
    table = f"{name}\n" + "Ward 12\nCCU\nWest\n" * 4
    read = io.BytesIO(table.encode())
    sample.take(documents.read("-", "csv", stdin=read, fields=sample.fields()))
    (item,) = proposals(sample, people, is_clinical=True)
    assert item.rule == {"treatment": "identifier"}
    assert item.path == name


def test_ages_over_89_share_a_bin_under_a_clinical_policy() -> None:
    """As the rule asks: 90 or older."""
    sample = RecordSample()
    read = io.BytesIO(("age\n" + "".join(f"{n}\n" for n in range(3, 110))).encode())
    sample.take(documents.read("-", "csv", stdin=read, fields=sample.fields()))
    (item,) = proposals(sample, people, is_clinical=True)
    rule = FieldPolicy.model_validate({"fields": {"age": item.rule}}).fields["age"]
    assert [binned(age, rule) for age in ("9", "10", "89", "90", "93", "104")] == [
        "<10", "10-19", "80-89", ">=90", ">=90", ">=90",
    ]  # fmt: skip


def test_a_year_of_birth_is_a_date_under_a_clinical_policy() -> None:
    """Its bin would tell an age over 89; a weight at birth is a number."""
    for name, values, treatment in (
        ("birth_year", range(1925, 1990), "date"),
        ("yearOfBirth", [1929, 1931] * 9, "date"),
        ("birth_weight", range(1900, 4000, 20), "number"),
    ):
        sample = RecordSample()
        read = io.BytesIO("\n".join([name, *map(str, values)]).encode())
        sample.take(documents.read("-", "csv", stdin=read, fields=sample.fields()))
        (item,) = proposals(sample, people, is_clinical=True)
        assert item.rule["treatment"] == treatment


def test_a_column_that_is_no_ward_is_not_taken_for_one() -> None:
    """Units of measurement, and wards under a policy that isn't for clinical notes."""
    for table, is_clinical in (
        ("unit\n" + "mmol/L\nmg\n" * 5, True),
        ("ward\n" + "A\nB\n" * 5, False),
    ):
        sample = RecordSample()
        read = io.BytesIO(table.encode())
        sample.take(documents.read("-", "csv", stdin=read, fields=sample.fields()))
        (item,) = proposals(sample, people, is_clinical=is_clinical)
        assert item.rule == {"treatment": "keep"}


def test_the_order_of_day_and_month_is_proposed_where_a_value_shows_it() -> None:
    """A year needs no order; a shift does, and without one it drops what it can't read."""
    _, items = proposed(
        "dob,seen,left\n3/4/1968,3/4/2021,3/4/2021\n5/6/1970,25/4/2021,3/5/2021\n", "csv"
    )
    assert [item.rule for item in items] == [
        {"treatment": "date", "to": "year"},
        {"treatment": "date", "to": "shift", "month_first": False},
        {"treatment": "date", "to": "shift", "unreadable": "drop"},
    ]


@pytest.mark.parametrize("format", ["jsonl", "json"])
def test_each_path_has_a_treatment_and_reasons(format: str, tmp_path: Path) -> None:
    """By names, kinds, numbers of different values and what is found; the YAML is one that is read."""
    data = json.dumps(rows()) if format == "json" else "".join(json.dumps(r) + "\n" for r in rows())
    sample, items = proposed(data, format)
    shift = {"treatment": "date", "to": "shift", "by": "patientId"}
    assert {item.path: {k: str(v) if k == "treatment" else v for k, v in item.rule.items()} for item in items} == {
        "patientId": {"treatment": "identifier"},
        "firstName": {"treatment": "identifier", "name": "given"},
        "last_name": {"treatment": "identifier", "name": "surname"},
        "seenBy": {"treatment": "identifier", "name": "person"},
        "mail": {"treatment": "identifier"}, "phone": {"treatment": "identifier"},
        "dob": {"treatment": "date", "to": "year"}, "visit": shift,
        "age": {"treatment": "number", "bins": 10}, "cost": {"treatment": "number", "bins": 100},
        "ward": {"treatment": "keep"}, "home.city": {"treatment": "drop"}, "home.street": {"treatment": "drop"},
        "note": {"treatment": "text"}, "call": {"treatment": "text", "holds": "json"},
        "page": {"treatment": "text", "holds": "html"}, "ids.*": {"treatment": "text"}, "ok": {"treatment": "text"},
    }  # fmt: skip
    assert all(item.reasons for item in items)
    text = as_yaml("visits", sample, items, sample.shipped())
    for value in (*FIRST, *LAST, "Storgatan", "Uppsala", "P1000", "1943"):
        assert value not in text
    path = tmp_path / "f.yaml"
    path.write_text(text)
    assert list(FieldPolicy.load(path).fields) == [item.path for item in items]


@for_each(
    ("name", "values", "expected"),
    [
        ("notes", ["Anna Berg", "Bo Novak", "Carla Osei"], "text"),
        ("seen", ["Anna Berg", "Bo Novak", "Carla Osei"], "person"),
        ("seen", ["Anna Berg", "Bo Novak"], "text"),
        ("seen", ["Anna Berg called.", "see 'Bo Novak'", "Mr Quist left", "Carla Osei again"], "text"),
        ("Name", ["x", "null", "yes"], "text"),
        ("Name", ["x", "null", "Zed Unknownsson"], "person"),
        ("Name", ["see the file", "Mr Quist left"], "text"),
        ("comment_author", ["Anna Berg", "Bo Novak", "Carla Osei"], "person"),
        ("patient_comment", ["Anna Berg", "Bo Novak", "Carla Osei"], "text"),
        ("last_message", ["Anna Berg", "Bo Novak", "Carla Osei"], "text"),
        ("last_visit", ["2021-05-03", "2021-06-03", "2021-07-03"], "date"),
        ("last", ["Berg", "Novak"], "surname"),
    ],
)  # fmt: skip
def test_a_field_is_of_names_by_more_than_a_few_values(
    name: str, values: list[str], expected: str
) -> None:
    """What it is called and what its values look like count, too; in doubt it is text."""
    _, (item,) = proposed(f"{name}\n" + "\n".join(values) + "\n", "csv")
    assert item.rule.get("name", str(item.rule["treatment"])) == expected


def test_columns_with_strange_names_are_named_so_that_yaml_reads_them(tmp_path: Path) -> None:
    """Whatever a column is called."""
    names = ["a: b", "#x", "'", '"', "yes", "1", "null", "a,b", "é", "- c"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    sample, items = proposed(header + "\n" + ",".join("word" for _ in names) + "\n", "csv")
    path = tmp_path / "f.yaml"
    path.write_text(as_yaml("x", sample, items, None))
    assert list(FieldPolicy.load(path).fields) == names


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ({"messages": [{"role": "user", "content": "hi"}]}, "openai-chat"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}, "openai-chat"),
        (_chat({"type": "image_url", "image_url": {"url": PICTURE}}), "openai-chat"),
        (_chat({"type": "input_audio", "input_audio": {"data": "UklGRg=="}}), "openai-chat"),
        (_chat({"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}), "anthropic-chat"),
        (_chat({"type": "tool_result", "tool_use_id": "t", "content": "hi"}), "anthropic-chat"),
        (_chat({"type": "image", "source": {"type": "base64", "data": "iVBORw0="}}), "anthropic-chat"),
        ({"conversations": [{"from": "human", "value": "hi"}]}, "sharegpt"),
        ({"resourceType": "Patient", "id": "x"}, "fhir"),
        ({"text": "hi"}, None),
    ],
)  # fmt: skip
def test_a_file_of_a_known_shape_extends_the_policy_that_ships(
    item: dict[str, Any], name: str | None, tmp_path: Path
) -> None:
    """Chats and resources have theirs."""
    sample, items = proposed(json.dumps(item), "json")
    assert sample.shipped() == name
    path = tmp_path / "f.yaml"
    path.write_text(as_yaml("x", sample, items, name))
    FieldPolicy.load(path)


def test_a_sample_of_what_cannot_be_read_is_an_error() -> None:
    """One bad line among others is counted."""
    with pytest.raises(InputError):
        proposed("{", "jsonl")
    sample, _ = proposed('{"a": 1}\n{\n', "jsonl")
    assert (sample.records, len(sample.faults)) == (1, 1)


def test_the_command_proposes_what_sanitize_takes(tmp_path: Path) -> None:
    """From the file to the policy to the sanitized file; as JSON it has counts and no value."""
    table, chosen = tmp_path / "a.jsonl", tmp_path / "f.yaml"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows()[:12]))
    policy = tmp_path / "p.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    run = tacenda("fields", str(table), "--policy", str(policy), "-o", str(chosen))
    assert (run.returncode, run.stdout) == (0, b"")
    run = tacenda("sanitize", str(table), "--policy", str(policy), "--fields", str(chosen))
    assert run.returncode == 0
    assert len(run.stdout.splitlines()) == 12
    for row, line in zip(rows(), run.stdout.decode().splitlines(), strict=False):
        for gone in (row["last_name"], row["mail"], row["phone"], row["dob"], "Storgatan"):
            assert gone not in line
    run = tacenda("fields", str(table), "--policy", str(policy), "--json")
    report = json.loads(run.stdout)
    assert report["records"] == 12
    assert report["fields"][0]["path"] == "patientId"
    assert b"Malmberg" not in run.stdout
    run = tacenda("sanitize", str(table), "--fields", str(chosen), "--keep-columns", "ward")
    assert run.returncode == 2


@for_each(
    ("values", "width"),
    [
        ([f"{n / 10}" for n in range(100)], 0.5),
        ([f"{n}" for n in range(100)], 5),
        ([f"{n % 9}" for n in range(18)] + ["4", "9"], 5),
        (["1.10", "2.00", "2.5", "2", "-0.5", "1e3"], 10),
        ([f"{n / 1e7:.7f}" for n in range(1, 100)], 5e-07),
        (["1e400", "2e400"], 10**16),
        ([f"{20_000 + 37 * n}.0" for n in range(300)], 200),
    ],
)
def test_the_bins_proposed_for_numbers_hold_several_values(values: list[str], width: float) -> None:
    """The narrowest ones in which most values lie by fives; too few values get one bin, and the reason."""
    _, (item,) = proposed("cost\n" + "\n".join(values) + "\n", "csv")
    assert (str(item.rule["treatment"]), item.rule["bins"]) == ("number", width)
    assert "in bins of 5 or more" in item.reasons[0]


def test_codes_of_digits_and_an_e_are_no_numbers() -> None:
    """A hexadecimal code may be like a number that nothing can hold."""
    _, (item,) = proposed("code\n" + "\n".join(f"{n}e1234567890" for n in range(9)) + "\n", "csv")
    assert "numbers" not in item.kinds


@pytest.mark.parametrize("policy", ["openai-chat", "anthropic-chat"])
@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": PICTURE}},
        {"type": "image_url", "image_url": {"url": "https://x.org/anna-berg.png"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
        {"type": "image", "source": {"type": "url", "url": "https://x.org/anna-berg.png"}},
        {"type": "video", "clip": PICTURE},
    ],
)
def test_no_picture_of_a_chat_leaves(part: dict[str, Any], policy: str, tmp_path: Path) -> None:
    """Of either company's form, under the policy of the other as well; of an unknown form the record is refused."""
    path, own = tmp_path / "chat.jsonl", tmp_path / "p.yaml"
    path.write_text(json.dumps(_chat(part)))
    own.write_text("recognizer: false\nthreshold: 0.5\n")
    run = tacenda("sanitize", str(path), "--policy", str(own), "--fields", policy)
    assert not any(gone in run.stdout for gone in (PICTURE.encode(), b"anna-berg"))
    assert (run.returncode, b"base64" in run.stderr) == (
        (1, True) if part["type"] == "video" else (0, False)
    )


def test_each_column_of_a_csv_file_is_proposed_and_taken(tmp_path: Path) -> None:
    """Also one that is never filled, has no name, or is of files, and where there is no row at all."""
    path = tmp_path / "a.csv"
    path.write_text(
        "id,note,none,,file\n" + "".join(f'{n},word {n},,x,"{PICTURE}"\n' for n in range(5))
    )
    code, policy, messages = _sanitized(path)
    assert (code, messages) == (0, "")
    assert list(FieldPolicy.load(path.with_suffix(".yaml")).fields) == [
        "id",
        "note",
        "none",
        "column 4",
        "file",
    ]
    assert "file: drop" in policy
    path.write_text("id,note\n")
    assert _sanitized(path)[0] == 0


def test_each_column_of_a_workbook_is_proposed_and_taken(tmp_path: Path) -> None:
    """Formulas without a string, columns that are never filled, sheets without rows."""
    path, book = tmp_path / "a.xlsx", openpyxl.Workbook()
    book.active.title = "Visits"
    book.active.append(["id", "note", "none", "double"])
    for n in range(2, 6):
        book.active.append([n, f"word {n}", None, f"=A{n}*2"])
    book.create_sheet("Empty").append(["a", "b"])
    book.save(path)
    code, _, messages = _sanitized(path)
    assert (code, messages) == (0, "")
    fields = FieldPolicy.load(path.with_suffix(".yaml")).fields
    assert list(fields) == [
        "Visits.id",
        "Visits.note",
        "Visits.none",
        "Visits.double",
        "Empty.A",
        "Empty.B",
    ]
    book = openpyxl.load_workbook(tmp_path / "clean.xlsx")
    assert book["Visits"]["D3"].value == "=A3*2"


def test_each_column_of_a_database_is_proposed_and_taken(tmp_path: Path) -> None:
    """Nulls, pictures, keys that point to others, tables without rows, virtual ones, which can only be dropped."""
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE people (n INTEGER PRIMARY KEY, photo BLOB, none TEXT, mixed TEXT);"
            "CREATE TABLE visits (person INTEGER REFERENCES people(n), note TEXT);"
            "CREATE TABLE empty (a TEXT); CREATE VIRTUAL TABLE found USING fts5(note);"
        )
        photo = bytes(range(256))
        rows = [(n, photo, None, photo if n % 4 else "word") for n in range(10, 20)]
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        connection.executemany(
            "INSERT INTO visits VALUES (?, ?)", [(n % 10 + 10, f"word {n}") for n in range(60)]
        )
    connection.close()
    code, policy, messages = _sanitized(path)
    assert (code, messages) == (0, "")
    assert "people.photo: drop" in policy
    assert photo[200:] not in (tmp_path / "clean.sqlite").read_bytes()
    with sqlite3.connect(tmp_path / "clean.sqlite") as connection:
        joined = connection.execute(
            "SELECT count(*) FROM people JOIN visits ON person = n"
        ).fetchone()
        assert joined == (60,)
    connection.close()


def test_bytes_that_are_no_text_are_refused_as_text(tmp_path: Path) -> None:
    """A picture in a column of text doesn't leave."""
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [(b"\x89PNG" + NAME_BYTES,), ("word",)])
    connection.close()
    policy = tmp_path / "p.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    clean = tmp_path / "clean.sqlite"
    run = tacenda(
        "sanitize", str(path), "--policy", str(policy), "--column", "t.x", "-o", str(clean)
    )
    assert (run.returncode, b"is a file in base64" in run.stderr) == (1, True)
    assert NAME_BYTES not in clean.read_bytes()


def test_each_column_of_a_parquet_file_is_proposed_and_taken(tmp_path: Path) -> None:
    """Of every type that can't be text: nulls, bytes, truths, numbers of 32 bits, doubles that are none, times."""
    path = tmp_path / "a.parquet"
    n = 8
    columns: dict[str, pa.Array] = {
        "note": pa.array([f"word {i}" for i in range(n)]),
        "nothing": pa.nulls(n),
        "empty": pa.array([None] * n, pa.string()),
        "photo": pa.array([bytes(range(200, 256))] * n),
        "ok": pa.array([True, False] * 4),
        "small_id": pa.array(range(10_000, 10_000 + n), pa.int32()),
        "weight": pa.array([i + 0.5 if i % 2 else float("nan") for i in range(n)]),
        "none": pa.array([None] * n, pa.float32()),
        "day": pa.array([None] * n, pa.date32()),
        "time": pa.array(range(n), pa.time32("s")),
        "span": pa.array(range(n), pa.duration("s")),
        "either": pa.UnionArray.from_sparse(
            pa.array([0] * n, pa.int8()), [pa.array(["x"] * n), pa.array([1] * n)]
        ),
    }
    for format in ("parquet", "arrow"):
        path = tmp_path / f"a.{format}"
        chosen = {name: c for name, c in columns.items() if format == "arrow" or name != "either"}
        table = pa.table(chosen)
        if format == "parquet":
            pq.write_table(table.drop_columns("span"), path)
        else:
            with pa.ipc.new_file(path, table.schema) as sink:
                sink.write_table(table)
        code, policy, messages = _sanitized(path)
        dropped = "dropped 4 values of field 'weight' that can't be read"
        assert (code, messages) == (0, f"tacenda: {dropped}\n")
        assert "small_id: identifier" in policy
        assert "photo: drop" in policy
        assert "weight: {treatment: number, bins: 10, unreadable: drop}" in policy


def test_each_path_of_nulls_and_elements_is_proposed_and_taken(tmp_path: Path) -> None:
    """Of JSON lines and of XML."""
    path = tmp_path / "a.jsonl"
    lines = [
        {"note": f"word {n}", "none": None, "list": [], "file": PICTURE if n else "x", "": "y"}
        for n in range(6)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, _, messages = _sanitized(path)
    assert (code, messages) == (0, "")
    assert PICTURE not in (tmp_path / "clean.jsonl").read_text()
    path = tmp_path / "a.xml"
    path.write_text("<a><b c='1'>word</b><d/><e f=''/></a>")
    assert _sanitized(path)[0] == 0


def test_a_file_without_records_says_so(tmp_path: Path) -> None:
    """Captions, mails, an empty file of lines: sanitized directly, no fault of the program."""
    for name, content in {
        "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n",
        "a.eml": "From: a@x.org\nSubject: Hello\n\nHello.\n",
        "a.jsonl": "",
    }.items():
        path = tmp_path / name
        path.write_text(content)
        run = tacenda("fields", str(path))
        said = b"has no fields; sanitize it directly" in run.stderr
        assert (run.returncode, said) == (1, True)


def test_short_notes_with_names_in_them_are_text() -> None:
    """A field of names is one of which names are most of what it says; a note may be called after somebody."""
    lines = [
        {"remark": f"{LAST[n % 10]} is late", "customerNote": f"word {n}", "who": FIRST[n % 10]}
        for n in range(20)
    ]
    _, items = proposed("".join(json.dumps(line) + "\n" for line in lines), "jsonl")
    treatments = {item.path: str(item.rule["treatment"]) for item in items}
    assert treatments == {"remark": "text", "customerNote": "text", "who": "identifier"}


def test_what_can_not_be_read_or_is_ambiguous_is_named(tmp_path: Path) -> None:
    """Rows too short or too long, names that are there twice, a header that is none for that."""
    path = tmp_path / "a.csv"
    path.write_text("id,note,note\n1,a,b\n2\n3,a,b,c\n")
    run = tacenda("fields", str(path))
    messages = run.stderr.decode()
    assert run.returncode == 1
    assert "a.csv:3: the row has 1 cells, the header 3" in messages
    assert "a.csv:4: the row has 4 cells, the header 3" in messages
    assert "two columns have the same name" in messages
    path, book = tmp_path / "a.xlsx", openpyxl.Workbook()
    for row in (["id", "note", "note"], ["1", "a", "b"]):
        book.active.append(row)
    book.save(path)
    run = tacenda("fields", str(path))
    assert b"row 1 of sheet 1 has two equal cells" in run.stderr
    options = ("--column", "Sheet.B", "--keep-columns", "*")
    run = tacenda("sanitize", str(path), *options, "-o", str(tmp_path / "b.xlsx"))
    assert b"row 1 of sheet 1 has two equal cells" in run.stderr


@pytest.mark.parametrize(
    ("data", "format", "place"),
    [
        ("<list><of>x</of>" + "<one><name>Anna</name><note>a</note></one>" * 9 + "</list>", "xml", "list.one"),
        (json.dumps({"of": {"all": [{"name": "Anna", "note": "a"}] * 9}}), "json", "of.all"),
        ("<one><name>Anna</name><visit><day>1</day><note>a</note></visit></one>", "xml", ""),
        (json.dumps({"name": "Anna", "born": "1999", "visits": [{"day": 1, "note": "a"}] * 2}), "json", ""),
    ],
)  # fmt: skip
def test_a_file_that_is_a_list_has_the_items_as_records(data: str, format: str, place: str) -> None:
    """Where most of its values are in what is repeated."""

    def read(chosen: Fields) -> Iterator[documents.SourceDocument | documents.Failure]:
        return documents.read("-", format, stdin=io.BytesIO(data.encode()), fields=chosen)

    sample = sample_of(read)
    assert (sample.place, sample.records >= 9) == (place, bool(place))
    text = as_yaml("x", sample, proposals(sample, people), None)
    assert (f"records: {place}\n" in text) == bool(place)


def _late(number: int, first: int) -> str:
    """Return a table whose columns begin to hold names at a row: of words, of few numbers, of codes."""
    lines = ["state,code,short"]
    for n in range(number):
        name = f"{FIRST[n % 10]} {LAST[n % 7]}"
        late = n >= first
        lines.append(f"{name if late else 'ok'},{name if late else f'K-{n}'},{name if late else 1}")
    return "\n".join(lines) + "\n"


def test_a_column_that_holds_names_from_row_10000_on_is_seen() -> None:
    """Values are drawn from the whole file, the same ones each time, and all rows are counted."""
    data = _late(12_000, 10_000)
    sample, items = proposed(data, "csv")
    assert sample.records == 12_000
    assert "by 12,000 records" in as_yaml("x", sample, items, None)
    state, code, short = items
    assert state.rule == {"treatment": "identifier", "name": "person"}
    assert code.mentions["PERSON"] > 0
    assert str(code.rule["treatment"]) != "keep"
    assert str(short.rule["treatment"]) != "keep"
    assert proposed(data, "csv")[1] == items
    assert sum(len(column.values) for column in sample.columns().values()) <= 3 * 400


def test_a_file_that_takes_too_long_is_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first records always, and a note says how many they were."""
    monkeypatch.setattr(module, "SECONDS", 0.0)
    sample, items = proposed(_late(2_000, 1_000), "csv")
    assert sample.records == module.SAMPLE
    assert next(iter(sample.notes)).startswith("only the first 500 records were inspected")
    assert "# only the first 500 records" in as_yaml("x", sample, items, None)


def test_what_is_kept_of_a_file_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults, paths, different values and characters."""
    monkeypatch.setattr(module, "_FAULTS", 2)
    monkeypatch.setattr(module, "_PATHS", 50)
    monkeypatch.setattr(module, "_CHARACTERS", 1_000)
    bad = "{\n" * 5
    lines = [json.dumps({"id": str(n), "by": {f"k{n}": "x" * 90}}) for n in range(8_000)]
    sample, items = proposed(bad + "\n".join(lines), "jsonl")
    assert (sample.unreadable, len(sample.faults)) == (5, 2)
    assert [item.path for item in items] == ["id", "by.*"]
    id, by = sample.columns().values()
    assert 6_000 < len(id.different) < 10_000
    assert sum(map(len, by.values)) < 5_000


def test_the_command_says_how_many_records_it_looked_at(tmp_path: Path) -> None:
    """On stderr where the policy goes to a file, and in the policy."""
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "x,1\n" * 700)
    run = tacenda("fields", str(path), "-o", str(tmp_path / "f.yaml"))
    assert b"looked at 700 records" in run.stderr
    assert "by 700 records" in (tmp_path / "f.yaml").read_text()


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "sqlite"])
def test_of_a_large_file_records_are_drawn(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From begin to end, and the number of those that were passed over is told."""
    monkeypatch.setattr(module, "_ALL", 400)
    rows = [{"id": str(n), "note": "ok" if n < 3_000 else f"word {n}"} for n in range(4_000)]
    path = tmp_path / f"a.{format}"
    if format == "csv":
        path.write_text("id,note\n" + "".join(f"{row['id']},{row['note']}\n" for row in rows))
    elif format == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif format == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE t (id TEXT, note TEXT)")
            connection.executemany("INSERT INTO t VALUES (:id, :note)", rows)
        connection.close()
    sample = RecordSample()
    sample.take(documents.read(str(path), fields=sample.fields()))
    assert 500 < sample.records < 2_000
    assert sample.records + sample.passed == 4_000
    assert sample.extent == f"{sample.records:,} of 4,000 records"
    (_, note) = sample.columns().values()
    assert sum(value.startswith("word") for value in note.values) > 10


@given(st.text(min_size=1), st.text(min_size=1, max_size=20))
@example("note\nin words", "a\ttab")
@example("'\": {#🎂}", "\x85\u2028")
@example("x" * 2_000, "yes")
def test_any_header_is_valid_yaml(path: str, other: str) -> None:
    """Line breaks, tabs, quotes, emoji and long names are read again as they were."""
    rule = {"treatment": "date", "by": path}
    items = [
        Proposal(name, content, 1.0, 1.0, {}, {}, (f"after {path}",))
        for name, content in ((path, rule), (f"{path}.{other}", {"treatment": "keep"}))
    ]
    text = as_yaml(path, RecordSample(), items, None)
    assert yaml.safe_load(text)["fields"] == {path: rule, f"{path}.{other}": "keep"}
