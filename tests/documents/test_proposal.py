"""A proposed field policy: a treatment with reasons for every path, and no value of the file."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tacenda import documents
from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.documents.fields import FieldPolicy
from tacenda.documents.proposal import Proposal, Sample, as_yaml, proposals
from tacenda.errors import InputError
from tests.cli.test_sanitize import tacenda

FIRST = "Anna Bo Carla Dirk Eva Frank Greta Hans Ida Jonas".split()
LAST = "Berg Lindkvist Malmberg Novak Osei Petrov Quist Romero Sato Tanaka".split()


def people(documents: Sequence[Document]) -> list[list[Mention]]:
    """Find the surnames of the tests."""
    return [
        [
            Mention(Span(start, start + len(name)), SemanticType.PERSON, 0.9, 0.8, MentionSource.NEURAL)
            for name in LAST
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


def proposed(data: str, format: str) -> tuple[Sample, list[Proposal]]:
    """Return what is proposed for a file."""
    sample = Sample()
    stream = io.BytesIO(data.encode())
    sample.take(documents.read("-", format, stdin=stream, fields=sample.fields()))
    return sample, proposals(sample, people)


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
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}, "anthropic-chat"),
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
    assert (sample.records, sample.faults) == (1, 1)


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
