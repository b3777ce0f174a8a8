"""Records within a file, named by the field policy: each by itself, and what is around them sanitized too."""

from __future__ import annotations

import io
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from tacenda import documents
from tacenda.documents.fields import FieldPolicy, Fields, refuse_unnamed
from tacenda.documents.running_numbers import RunningNumbers
from tacenda.documents.writing import writer
from tacenda.errors import PolicyError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

SANITIZER = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
PERSON = {
    "first": {"treatment": "text", "name": "given"},
    "last": {"treatment": "text", "name": "surname"},
}


def policy(records: str, within: str, **rules: Any) -> Fields:
    """Return a field policy under which names in fields are known."""
    own = {f"{within}.{name}": rule for name, rule in PERSON.items()}
    chosen = FieldPolicy.model_validate(
        {"unlisted": "text", "records": records, "fields": own | rules}
    )
    return Fields(chosen, "f.yaml", RunningNumbers())


def written(source: str | bytes, format: str, fields: Fields) -> tuple[bytes, list[str], list[str]]:
    """Return a file sanitized without a recognizer, the names of its documents, and what failed."""
    data = source.encode() if isinstance(source, str) else source
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    names, faults = [], []
    items = documents.read("-", format, stdin=io.BytesIO(data), fields=fields)
    for item in refuse_unnamed(items, "same"):
        if isinstance(item, documents.Failure):
            faults.append(str(item.error))
            continue
        names.append(item.document.id)
        try:
            sink.write(item, next(SANITIZER.pipe([item.document])))
        except ValueError as error:
            faults.append(str(error))
    sink.close()
    return output.getvalue(), names, faults


XML = """<?xml version="1.0"?>
<p:list xmlns:p="urn:p" owner="x"><!-- made -->
  <p:patient id="1"><p:first>Zofia</p:first><last>Kowalik</last><note>Kowalik and Berg came.</note></p:patient>
  <p:patient id="2"><p:first>Anna</p:first><last>Berg</last><note>Kowalik and Berg came.</note></p:patient>
  <p:patient id="3"/>
  <end>of it</end></p:list>
"""
ITEMS: dict[str, Any] = {
    "made": "today",
    "groups": [
        {
            "items": [{"first": "Zofia", "last": "Kowalik", "note": "Kowalik and Berg came."}],
            "n": 1,
        },
        {"items": [], "n": 2},
        {
            "items": [
                {"first": "Anna", "last": "Berg", "note": "Kowalik and Berg came."},
                {"note": "Berg"},
            ]
        },
    ],
    "end": [],
}


def test_people_of_one_element_are_not_those_of_another() -> None:
    """Names that fields tell are masked in their record alone; the rest comes back to the byte."""
    output, names, faults = written(XML, "xml", policy("list.patient", "list.patient"))
    assert faults == []
    assert names == ["stdin:head", "stdin[0]", "stdin[1]", "stdin[2]"]
    notes = [note.text for note in ElementTree.fromstring(output).iter("note")]
    assert notes == ["[PERSON 2] and Berg came.", "Kowalik and [PERSON 2] came."]
    blank = policy("list.patient", "none")
    assert written(XML, "xml", blank)[0] == XML.encode()


def test_people_of_one_item_are_not_those_of_another() -> None:
    """Also where several lists have items, or none."""
    fields = policy("groups.items", "groups.items")
    output, names, faults = written(json.dumps(ITEMS), "json", fields)
    assert faults == []
    assert names == ["stdin:head", "stdin[0]", "stdin[1]", "stdin[2]"]
    again = json.loads(output)
    items = [item for group in again["groups"] for item in group["items"]]
    assert [item["note"] for item in items] == [
        "[PERSON 2] and Berg came.", "Kowalik and [PERSON 2] came.", "Berg"
    ]  # fmt: skip
    for indent in (None, 2):
        source = json.dumps(ITEMS, indent=indent) + "\n"
        assert written(source, "json", policy("groups.items", "none"))[0] == source.encode()


def test_what_stands_around_the_records_is_sanitized() -> None:
    """Attributes, comments and fields there have their treatments, dropped ones with the records in them."""
    rules = {"list.@owner": "identifier", "list.end": "drop"}
    output, _, faults = written(XML, "xml", policy("list.patient", "list.patient", **rules))
    assert faults == []
    assert b'owner="[ID 1]"' in output
    assert b"of it" not in output
    assert output.count(b"<p:patient") == 3
    fields = policy("groups.items", "groups.items", groups="drop", made="identifier")
    fields = policy("groups.items", "none", groups="drop", made="identifier")
    assert json.loads(written(json.dumps(ITEMS), "json", fields)[0]) == {
        "made": "[ID 1]",
        "end": [],
    }
    fields = policy("list.patient", "none", **{"list.ward": "drop"})
    nested = "<list><ward><patient>x</patient></ward><patient>y</patient></list>"
    assert written(nested, "xml", fields)[0] == b"<list><patient>y</patient></list>"


def test_a_record_that_fails_is_left_out_and_the_rest_is_done() -> None:
    """Named by its number, in either format."""
    rule = {"treatment": "date", "to": "year"}
    xml = "<l><r><d>2019-05-01</d></r><r><d>Berg</d></r><r><d>2020-05-01</d></r></l>"
    output, _, faults = written(xml, "xml", policy("l.r", "none", **{"l.r.d": rule}))
    assert output == b"<l><r><d>2019</d></r><r><d>2020</d></r></l>"
    assert faults[0].startswith("stdin[1]")
    assert "Berg" not in faults[0]
    items = '{"l": [{"d": "Berg"}, {"d": "2019-05-01"}, {"d": "Berg"}]}'
    output, _, faults = written(items, "json", policy("l", "none", **{"l.d": rule}))
    assert output == b'{"l": [ {"d": "2019"}]}'
    assert len(faults) == 2


def test_without_its_frame_no_record_is_written() -> None:
    """What is around them has no treatment."""
    fields = Fields(FieldPolicy.model_validate({"records": "l", "fields": {"l": "text"}}), "f.yaml")
    output, _, faults = written('{"who": "Berg", "l": ["x", "y"]}', "json", fields)
    assert output == b"[]\n"
    assert "who" in faults[0]
    assert "can't be written, so no record can" in faults[1]


def test_encodings_stay() -> None:
    """A byte order mark stands once, at the begin."""
    source = '<?xml version="1.0" encoding="utf-16"?><l><r>é x</r><r>y</r></l>'
    output, _, faults = written(source.encode("utf-16"), "xml", policy("l.r", "none"))
    assert faults == []
    assert output == source.encode("utf-16")
    text = '\ufeff{"l": ["é", "y"]}'
    assert written(text, "json", policy("l", "none"))[0] == text.encode()


@pytest.mark.parametrize(
    "source",
    ['{"l": [1, 2}', '{"l": [1,,2]}', '{"l": [' + "[" * 200_000, '{"l" [1]}', '{"l": [1]} x'],
)
def test_hostile_json_is_an_error(source: str) -> None:
    """Whatever its records are."""
    output, _, faults = written(source, "json", policy("l", "none"))
    assert output == b"[]\n"
    assert "is not JSON" in faults[0]


def test_many_records_take_time_by_their_number() -> None:
    """A frame is put together in one pass."""
    source = "<l>" + "<r>x</r>" * 3000 + "</l>"
    assert written(source, "xml", policy("l.r", "none"))[0] == source.encode()


def test_records_of_definitions_are_refused(tmp_path: Any) -> None:
    """A resource knows its type from what is around it."""
    path = tmp_path / "f.yaml"
    path.write_text("extends: fhir\nrecords: Bundle.entry\nfields: {}\n")
    with pytest.raises(PolicyError, match="records and definitions"):
        FieldPolicy.load(path)
