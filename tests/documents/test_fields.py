"""Field policies: each leaf of a record has a treatment, or the record doesn't leave."""

from __future__ import annotations

import io
import json
import pickle
import re
from base64 import b64encode
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.documents.leaves import binned, generalized, record_of
from tacenda.errors import InputError, PolicyError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.examples import for_each
from tests.forks import tacenda

from .building_records import rewritten

SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
ORIGIN = documents.Origin("a", "a", "csv", "utf-8")


def fields(rules: dict[str, Any], unlisted: str = "refuse", **more: Any) -> Fields:
    """Return a field policy in a run, as of a file."""
    policy = FieldPolicy.model_validate({"unlisted": unlisted, "fields": rules})
    return Fields(policy, "f.yaml", **more)


def records(source: str, format: str, chosen: Fields) -> list[Any]:
    """Return what is read of a file."""
    stream = io.BytesIO(source.encode())
    return list(documents.read("-", format, stdin=stream, fields=chosen))


def written(source: str, format: str, chosen: Fields) -> tuple[str, list[str]]:
    """Return a file sanitized without a recognizer, and the messages of what failed."""
    data, faults = rewritten(source, format, chosen)
    return data.decode(), faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unlisted: keep\n", "line 1, unlisted"),
        ("fields:\n  a: hide\n", "line 2, fields.a"),
        ("fields:\n  a: {treatment: keep, to: year}\n", "line 2.*to is for date"),
        ("fields:\n  a: {treatment: date, by: b}\n", "by is for to: shift"),
        ("fields:\n  a: {treatment: number, edges: [2, 1]}\n", "edges must rise"),
        ("fields:\n  a: {treatment: number, bins: 5, edges: [2]}\n", "bins and edges"),
        ("fields:\n  '': keep\n", "a field has no name"),
        ("fields:\n  a: keep\n  a: drop\n", "given on line 2 already"),
    ],
)
def test_a_policy_at_fault_names_its_line(text: str, message: str, tmp_path: Path) -> None:
    """What is wrong is said with the file, the line and the field."""
    path = tmp_path / "f.yaml"
    path.write_text(text)
    with pytest.raises(PolicyError, match=message):
        FieldPolicy.load(path)


def test_the_longest_path_decides() -> None:
    """A star is one segment, and weaker than a name; alone it is everything else."""
    chosen = fields({"a": "text", "a.b": "keep", "a.*.c": "drop", "*": "identifier"})
    treatments = {
        ".".join(path): chosen.rule(path)
        for path in (("a",), ("a", "x"), ("a", "b", "d"), ("a", "b", "c"), ("z", "b"))
    }
    assert [str(rule.treatment) for rule in treatments.values() if rule] == [
        "text", "text", "keep", "drop", "identifier",
    ]  # fmt: skip
    assert fields({"a": "keep"}).rule(("b",)) is None
    assert str(fields({"a": "keep"}, "text").rule(("b",))).startswith("treatment=<Treatment.TEXT")


def test_a_run_of_a_policy_pickles() -> None:
    """Workers have the same treatments and, under a key, the same pseudonyms."""
    chosen = fields({"a": "keep"})
    again = pickle.loads(pickle.dumps(chosen))
    assert again == chosen
    assert again.key == chosen.key


def test_every_treatment_of_a_table() -> None:
    """One row shows them all; nothing of what was there is left but what is kept."""
    source = (
        'mrn,born,seen,age,ward,photo,note\n77012,1974-03-05,2019-05-02,47,B2,x.jpg,"77012, hi"\n'
    )
    rules = {
        "mrn": "identifier", "born": {"treatment": "date", "to": "decade"},
        "seen": {"treatment": "date", "to": "shift", "by": "mrn"},
        "age": {"treatment": "number", "bins": 5}, "ward": "keep", "photo": "drop", "note": "text",
    }  # fmt: skip
    output, faults = written(source, "csv", fields(rules))
    assert not faults
    header, row = output.splitlines()
    assert header == "mrn,born,seen,age,ward,note"
    cells = row.split(",", 5)
    assert [*cells[:2], *cells[3:5]] == ["[ID 1]", "1970s", "45-49", "B2"]
    assert cells[2] != "2019-05-02"


def test_dates_of_one_person_move_by_one_number() -> None:
    """The days between two visits stay, in whichever row and order they are."""
    source = "id,seen\n7,2019-05-02\n8,2019-05-02\n7,2019-05-12\n"
    rules = {"id": "keep", "seen": {"treatment": "date", "to": "shift", "by": "id"}}
    output, _ = written(source, "csv", fields(rules))
    first, other, second = (line.split(",")[1] for line in output.splitlines()[1:])
    assert (date.fromisoformat(second) - date.fromisoformat(first)).days == 10
    assert first != other


@pytest.mark.parametrize(
    "time", ["T10:00:00", "T23:59:59.5+02:00", " 07:42", ", 7:42 pm", "T00:00Z"]
)
def test_a_shifted_date_keeps_its_time_of_day(time: str) -> None:
    """It moves by whole days, as it does without a time."""
    rules = {"id": "keep", "seen": {"treatment": "date", "to": "shift", "by": "id"}}
    source = "".join(json.dumps({"id": 7, "seen": f"2021-05-03{end}"}) + "\n" for end in ("", time))
    output, _ = written(source, "jsonl", fields(rules))
    day, moment = (json.loads(line)["seen"] for line in output.splitlines())
    assert day != "2021-05-03"
    assert moment == day + time


def test_a_person_has_one_shift_in_every_format() -> None:
    """Under one key: a table, lines, XML, Parquet and a workbook may be of the same people."""
    rule = {"treatment": "date", "to": "shift", "by": "id"}
    seen = datetime(2021, 5, 3, 10, 15)
    key = b"of the test"
    chosen = fields({"id": "keep", "seen": rule}, key=key)
    texts = {
        "csv": f"id,seen\n7,{seen}\n",
        "jsonl": json.dumps({"id": 7, "seen": str(seen)}) + "\n",
        "json": json.dumps([{"id": "7", "seen": str(seen)}]),
    }
    moments = [re.findall(r"[-\d]{10} [:\d]+", written(texts[f], f, chosen)[0]) for f in texts]
    xml = fields({"r.id": "keep", "r.seen": {**rule, "by": "r.id"}}, key=key)
    text, _ = written(f"<r><id>7</id><seen>{seen}</seen></r>", "xml", xml)
    moments.append(re.findall(r"[-\d]{10} [:\d]+", text))
    stream = io.BytesIO()
    pq.write_table(pa.table({"id": [7], "seen": [seen]}), stream)
    data, _ = rewritten(stream.getvalue(), "parquet", chosen)
    moments.append([str(pq.read_table(io.BytesIO(data))["seen"][0].as_py())])
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (["id", "seen"], [7, seen]):
        book.active.append(row)
    book.save(stream)
    sheet = fields({"Sheet.id": "keep", "Sheet.seen": {**rule, "by": "Sheet.id"}}, key=key)
    data, _ = rewritten(stream.getvalue(), "xlsx", sheet)
    moments.append([str(openpyxl.load_workbook(io.BytesIO(data)).active["B2"].value)])
    assert len(moments) == 6
    assert len({tuple(found) for found in moments}) == 1
    assert moments[0][0].endswith(" 10:15:00")
    assert moments[0][0] != str(seen)


@for_each(
    ("value", "rule", "expected"),
    [
        ("1974-03-05", {"to": "quarter"}, "1974-Q1"),
        ("1974-03-05T10:11:12Z", {"to": "month"}, "1974-03"),
        ("19740305", {}, "1974"),
        ("03/04/1974", {}, "1974"),
        ("03/04/1974", {"to": "decade"}, "1970s"),
        ("03/04/1974", {"to": "month"}, None),
        ("03/04/1974", {"to": "quarter"}, None),
        ("03/01/1974", {"to": "quarter"}, "1974-Q1"),
        ("03/04/1974", {"month_first": True, "to": "month"}, "1974-03"),
        ("1974", {"to": "month"}, "1974"),
        ("5 March", {}, None),
        ("unknown", {}, None),
    ],
)
def test_a_date_becomes_a_period(value: str, rule: dict[str, Any], expected: str | None) -> None:
    """Whatever its format; what is no date, or could be two, is none."""
    assert generalized(value, documents.FieldRule(treatment="date", **rule)) == expected


@for_each(
    ("value", "rule", "expected"),
    [
        ("47", {}, "40-49"),
        ("-3", {"bins": 5}, "-5--1"),
        ("0.7", {"bins": 0.5}, "[0.5, 1)"),
        ("17", {"edges": [18, 65]}, "<18"),
        ("18", {"edges": [18, 65]}, "18-64"),
        ("65", {"edges": [18, 65]}, ">=65"),
        ("1e3", {}, "1000-1009"),
        ("49.5", {}, "40-49"),
        ("2", {"bins": 1}, "[2, 3)"),
        ("2.5", {"bins": 1}, "[2, 3)"),
        ("-0.5", {"bins": 1}, "[-1, 0)"),
        ("-0.0", {"bins": 1}, "[0, 1)"),
        ("18", {"edges": [18, 19, 65]}, "[18, 19)"),
        ("NaN", {}, None),
        ("5e12345678901", {}, None),
        ("-1E+99999", {"edges": [18]}, None),
        ("1e-12345678901", {}, "0-9"),
        ("about 40", {}, None),
    ],
)
def test_a_number_becomes_a_bin(value: str, rule: dict[str, Any], expected: str | None) -> None:
    """Bins have their begin, not their end."""
    assert binned(value, documents.FieldRule(treatment="number", **rule)) == expected


@pytest.mark.parametrize("width", [0.1, 0.5, 1, 2, 10])
def test_a_bin_has_one_label(width: float) -> None:
    """Whichever number of it is written, and however: two labels would part what the bin puts together."""
    rule = documents.FieldRule(treatment="number", bins=width)
    labels: dict[int, set[str | None]] = {}
    for number in range(-200, 201):  # Twentieths.
        for value in (f"{number / 20:.2f}", f"{number / 20:g}", f"{number / 20:.2e}"):
            labels.setdefault(number // round(width * 20), set()).add(binned(value, rule))
    assert all(len(of_bin) == 1 for of_bin in labels.values())
    assert len(set.union(*labels.values())) == len(labels)


@given(st.dates(date(1911, 1, 1), date.today()), st.sampled_from("./-"), st.booleans())
def test_a_year_of_two_digits_is_not_in_the_future_and_open_at_birth(
    day: date, sign: str, is_birth: bool
) -> None:
    """The latest such year is written, unless somebody born a century before it could be alive."""
    value = f"{day.day}{sign}{day.month}{sign}{day.year % 100:02}"
    rule = documents.FieldRule(treatment="date", to="year")
    year = generalized(value, rule, is_birth=is_birth)
    today = date.today().year
    if is_birth and (day.year < today - 99 or (today - day.year) + 100 <= 115):
        assert year is None
    else:
        assert year is not None
        assert int(year) % 100 == day.year % 100
        assert today - 100 < int(year) <= today


@pytest.mark.parametrize("to", ["year", "decade", "quarter", "month", "shift"])
def test_a_year_that_the_policy_hides_is_hidden_in_a_field(to: str) -> None:
    """What tells an age over 89 in text tells it in a column, however it is written; later years stay."""
    policy = Policy.load("clinical")
    rule = {"treatment": "date", "to": to, "month_first": False}
    for value in ("1931-05-03", "3/5/1949", "3/11/29", "1899"):
        chosen = fields({"dob": rule}, hides_year=policy.hides_year)
        assert written(f"dob\n{value}\n", "csv", chosen) == ("dob\n[date]\n", [])
        output, _ = written(f"dob\n{value}\n", "csv", fields({"dob": rule}))
        assert "[date]" not in output
    chosen = fields({"dob": rule}, hides_year=policy.hides_year)
    output, faults = written("dob\n1968-05-03\n", "csv", chosen)
    assert not faults
    assert re.search("19(5[89]|6)", output)


def test_a_shifted_date_of_a_table_with_types_is_empty_where_its_year_is_hidden(
    tmp_path: Path,
) -> None:
    """A column of dates has no room for a placeholder."""
    source = tmp_path / "a.parquet"
    pq.write_table(pa.table({"dob": [date(1931, 5, 3), date(1968, 5, 3)]}), source)
    field_policy = tmp_path / "f.yaml"
    field_policy.write_text("fields:\n  dob: {treatment: date, to: shift}\n")
    run = tacenda(
        "sanitize", str(source), "--fields", str(field_policy), "--policy", "clinical",
        "-o", str(tmp_path / "b.parquet"),
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    early, late = pq.read_table(tmp_path / "b.parquet")["dob"].to_pylist()
    assert early is None
    assert isinstance(late, date)


def test_dropped_values_are_counted_by_field(tmp_path: Path) -> None:
    """A line on stderr has the number and the field, never the value; nothing is said where all could be read."""
    source, field_policy = tmp_path / "a.csv", tmp_path / "f.yaml"
    rule = "{treatment: date, to: year, unreadable: drop}"
    field_policy.write_text(f"fields:\n  dob: {rule}\n  seen: {rule}\n")
    policy = tmp_path / "p.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    source.write_text("dob,seen\nSecret,3/4/2021\nHidden,2/2/2022\n,1/1/2020\n")
    run = tacenda(
        "sanitize", str(source), "--fields", str(field_policy), "--policy", str(policy),
        "-o", str(tmp_path / "b.csv"),
    )  # fmt: skip
    assert (tmp_path / "b.csv").read_text() == "dob,seen\n,2021\n,2022\n,2020\n"
    assert run.stderr == b"tacenda: dropped 2 values of field 'dob' that can't be read\n"


def test_a_value_that_is_none_fails_its_record_alone() -> None:
    """The message has the field, not the value; the others are done, or it is dropped on request."""
    source = "id,age\n1,47\n2,Secret\n3,12\n"
    output, faults = written(source, "csv", fields({"id": "keep", "age": "number"}))
    assert output == "id,age\n1,40-49\n3,10-19\n"
    (fault,) = faults
    assert "stdin:3" in fault
    assert "'age'" in fault
    assert "Secret" not in fault
    chosen = fields({"id": "keep", "age": {"treatment": "number", "unreadable": "drop"}})
    assert written(source, "csv", chosen) == ("id,age\n1,40-49\n2,\n3,10-19\n", [])


def test_an_unlisted_field_fails_its_record_or_is_text() -> None:
    """In JSON lines schemas drift: the lines without a new field are done."""
    source = '{"a": "x"}\n{"a": "x", "b": "mail a@b.org"}\n{"a": "y"}\n'
    output, faults = written(source, "jsonl", fields({"a": "keep"}))
    assert output == '{"a": "x"}\n{"a": "y"}\n'
    assert len(faults) == 1
    assert "f.yaml has no treatment for 1 field (b)" in faults[0]
    output, faults = written(source, "jsonl", fields({"a": "keep"}, "text"))
    assert not faults
    assert "a@b.org" not in output
    assert len(output.splitlines()) == 3


def test_names_in_parts_are_struck_out_of_the_whole_record() -> None:
    """First and last name in two fields are one name: in text, kept fields, addresses and keys."""
    rules = {
        "who.first": {"treatment": "identifier", "name": "given"},
        "who.last": {"treatment": "text", "name": "surname"},
        "note": "text",
        "*": "keep",
    }
    item = {
        "who": {"first": "Zofia", "last": "Maliszewska"},
        "note": "Seen with zofia.maliszewska@kowal.pl; Maliszewska came back.",
        "file": "letters/maliszewska_z.txt",
        "n": {"Zofia Maliszewska": 1},
        "other": "ward 3",
    }
    output, faults = written(json.dumps(item) + "\n", "jsonl", fields(rules))
    assert not faults
    assert "zofia" not in output.lower()
    assert "maliszewska" not in output.lower()
    assert json.loads(output)["other"] == "ward 3"


def test_a_code_of_a_field_is_struck_out_of_the_whole_record() -> None:
    """In text, however it is spaced, and in kept fields; short ones are nobody's."""
    item = {
        "mrn": "QX-88123-b", "n": "7", "mail": "kowalik.z@example.org", "note": "See 7 in qx 88123 b, told kowalik.z@example.org",
        "file": "scans/QX88123b.tif", "other": "QX-88124-c, 7",
    }  # fmt: skip
    rules = {
        "mrn": "identifier",
        "n": "identifier",
        "mail": "identifier",
        "note": "text",
        "*": "keep",
    }
    output, faults = written(json.dumps(item) + "\n", "jsonl", fields(rules))
    assert not faults
    assert "88123" not in output
    assert "kowalik" not in output
    assert json.loads(output)["other"] == "QX-88124-c, 7"
    assert json.loads(output)["note"].startswith("See 7 in [")


@pytest.mark.parametrize("value", ["", "unknown", "N/A", "-", "  "])
def test_a_field_for_a_name_that_names_nobody_strikes_nothing_out(value: str) -> None:
    """Placeholders are no names."""
    source = json.dumps({"last": value, "note": "The cause is unknown, see N/A."})
    chosen = fields({"last": {"treatment": "text", "name": "surname"}, "note": "text"})
    assert written(source, "jsonl", chosen)[0].strip() == source


def test_a_record_of_leaves_gives_a_value_for_each() -> None:
    """What is unchanged is the same string; what is dropped is None."""
    chosen = fields({"id": "identifier", "note": "text", "x": "drop", "n": "keep", "e": "text"})
    leaves = [
        ("id", "7"),
        ("note", "to a@b.org"),
        ("x", "s"),
        ("n", "5"),
        ("e", ""),
        ("note", "so"),
    ]
    record = record_of([((path,), value) for path, value in leaves], chosen, ORIGIN, ":3")
    result = next(SANITIZER.pipe([record.document.document]))
    values = record.values(result)
    assert values[0] == "[ID 1]"
    assert values[1] is not None
    assert values[1].startswith("to [")
    assert values[2:] == (None, "5", "", "so")
    assert record.document.document.id == "a:3"
    refused = record_of([(("new",), "1")], chosen, ORIGIN, ":4")
    with pytest.raises(InputError, match=r"a:4: f\.yaml has no treatment for 1 field"):
        refused.values(next(SANITIZER.pipe([refused.document.document])))


def test_doubled_names_and_mixed_types_are_all_treated() -> None:
    """Two columns or keys of one name have its treatment; a number where text was is text."""
    chosen = fields({"a": "text", "b": "identifier"})
    output, faults = written("a,a,b,b\na@b.org,c@d.org,1,2\n", "csv", chosen)
    assert not faults
    assert "@" not in output
    assert output.splitlines()[1].endswith("[ID 1],[ID 2]")
    source = '{"a": "a@b.org", "a": ["c@d.org", 4111111111111111, null, {"x": "e@f.org"}], "b": 7, "b": "7"}\n'
    output, faults = written(source, "jsonl", chosen)
    assert not faults
    assert "@" not in output
    assert "1111" not in output
    assert output.count('"[ID 3]"') == 2
    assert output.count('"a": ') == 2


def test_a_row_too_short_or_too_long_fails_alone() -> None:
    """The cells that have no name, or the text that has no cell, are named; others are done."""
    source = "id,note\n1,hi\n2\n3,hi,Secret\n4,hi\n"
    output, faults = written(source, "csv", fields({"id": "keep", "note": "text"}))
    assert output == "id,note\n1,hi\n4,hi\n"
    assert ["too few" in faults[0], "3 cells, the header 2" in faults[1]] == [True, True]
    assert "Secret" not in "".join(faults)


BLOB = b64encode(bytes(range(256))).decode()


@for_each(
    ("value", "is_file"),
    [
        (BLOB, True),
        ("\r\n".join(BLOB[n : n + 76] for n in range(0, len(BLOB), 76)), True),
        (bytes(range(256)).hex(), True),
        (f"see ![a](data:image/png;base64,{BLOB}) there", True),
        (f"DATA:image/png;charset=utf-8;BASE64,{BLOB[:40]}", True),
        (BLOB[:120], False),
        ("data:image/png;base64, says the header", False),
        ("word " * 200, False),
        ("x" * 500, False),
        ("ACGT" * 100, False),
        ("0123456789" * 30, False),
        ("日本語" * 200, False),
    ],
)
def test_a_file_in_a_string_is_no_text(value: str, is_file: bool) -> None:
    """Base64 and hexadecimal of some length fail their record, or are dropped; the values are not in the message."""
    source = json.dumps({"note": "word", "more": {"x": value}})
    output, faults = written(source, "jsonl", fields({"note": "text"}, "text"))
    assert (output == "", len(faults)) == (is_file, int(is_file))
    assert all("'more.x' is a file in base64" in fault and value not in fault for fault in faults)
    rule = {"treatment": "text", "unreadable": "drop"}
    output, faults = written(source, "jsonl", fields({"*": rule}))
    assert not faults
    assert json.loads(output)["more"]["x"] == ("" if is_file else value)
    quoted = value.replace('"', '""')
    output, faults = written(f'a,b\n"{quoted}",1\n', "csv", fields({"*": "text"}))
    assert (len(faults), value in output) == (int(is_file), not is_file)


def test_null_in_a_field_of_text_stays_null() -> None:
    """As in tables and frames; another value that is no string fails its line."""
    source = '{"text": null, "n": 1}\n{"text": 5}\n{"text": "word"}\n'
    output, faults = written(source, "jsonl", Fields.of_options(keep=["n"]))
    assert output == '{"text": null, "n": 1}\n{"text": "word"}\n'
    assert len(faults) == 1
    assert "is not a string" in faults[0]


def test_a_field_policy_that_is_not_there_names_those_that_ship() -> None:
    """Those for fields, not those for text."""
    with pytest.raises(
        PolicyError, match="shipped field policies: anthropic-chat, fhir, openai-chat"
    ):
        FieldPolicy.load("nope.yaml")


def test_a_message_names_a_field_by_a_place_that_the_policy_takes(tmp_path: Path) -> None:
    """The fifth name of a file is ``field 5`` in every record, in lines, lists and XML, and whatever else is listed."""
    rows = [
        {"note": "x", "Galip Yalman": "1", "box": {"Ward No": "A", "in": "y"}},
        {"box": {"in": "z", "Ward No": "B"}, "Extra": 4.5, "note": "w"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    page = (
        '<list><row note="x"><Yalman>1</Yalman></row><row note="y"><Yalman>2</Yalman></row></list>'
    )
    for format, source in (("jsonl", lines), ("json", json.dumps(rows))):
        _, faults = written(source, format, fields({"note": "text", "box.in": "text"}))
        assert ["(field 2,field 4)" in faults[0], "(field 4,field 6)" in faults[1]] == [True, True]
        assert "Yalman" not in "".join(faults)
        places = {"field 2": "drop", "field 4": "keep", "field 6": "keep"}
        for more in ({"box.in": "text"}, {"box": "text"}):
            output, faults = written(source, format, fields({"note": "text", **places, **more}))
            assert not faults
            assert "Yalman" not in output
            assert '"Ward No": "A"' in output
            assert '"Extra": 4.5' in output
    _, faults = written(page, "xml", fields({"list.row.@note": "text"}))
    assert "(field 4)" in faults[0]
    output, faults = written(page, "xml", fields({"list.row.@note": "text", "field 4": "drop"}))
    assert not faults
    assert "Yalman" not in output


def test_a_place_and_a_field_of_that_name_have_one_treatment() -> None:
    """Whoever meant the one gets both."""
    row = json.dumps({"field 2": "Yalman", "other": "Yalman", "note": "x"})
    output, _ = written(row + "\n", "jsonl", fields({"field 2": "drop", "*": "keep"}))
    assert json.loads(output) == {"note": "x"}


def test_a_value_at_fault_is_named_without_a_name_that_may_be_somebodys() -> None:
    """By the place that the policy names, or with a star."""
    rows = '{"by": {"Galip Yalman": "soon"}}\n'
    for rules, place in (({"*.*": "date"}, "by.*"), ({"field 2": "date", "*": "keep"}, "field 2")):
        _, (fault,) = written(rows, "jsonl", fields(rules))
        assert f"the value of field {place!r} can't be read as a date" in fault
        assert "Yalman" not in fault
