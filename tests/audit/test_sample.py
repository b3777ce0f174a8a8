"""Samples of a release: units, strata, the draw, its files, and what a person found in it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.audit.bound import bound
from tacenda.audit.confidence import StratumCount, largest_number_of_hits
from tacenda.audit.marks import read_marks
from tacenda.audit.release import (
    AuditUnit,
    ReleasedDocument,
    digest_of,
    kept_risks,
    read_release,
    units_of,
)
from tacenda.audit.sample import (
    Allocation,
    DrawnSample,
    SampleDesign,
    allocate,
    draw,
    read_sample,
    stratify,
    write_sample,
)
from tacenda.errors import InputError

TEXT = "She left. He stayed for a while.\nThen they met again in the town. Nobody saw them.\n"


def release(number: int = 40) -> list[ReleasedDocument]:
    """Documents, the later ones with more that was kept."""
    return [
        ReleasedDocument(f"d{n}", f"Text {n} of ***.", ((n / number / 2, (0,)),))
        for n in range(number)
    ]


def drawn(size: int = 12, **changes: Any) -> DrawnSample:
    """Draw a sample of the release."""
    return draw(release(), SampleDesign(size=size, **changes))


def result(text: str, **changes: Any) -> dict[str, Any]:
    """A result whose original had *Ann* masked at its start, and an entity kept at 20."""
    entity = {
        "id": "e1",
        "identifier": "QUASI",
        "risk": 0.4,
        "decision": "keep",
        "threshold": 0.5,
        "masked_up_to": 0.4,
        "mentions": [{"start": 20, "end": 24, "type": "LOC"}],
    }
    edit = {"start": 0, "end": 3, "output_start": 0, "output_end": 10}
    item = {"schema_version": "1.2", "id": "r1", "text": text, "entities": [entity]}
    return {**item, "replacements": [edit], **changes}


@pytest.mark.parametrize("words", [0, 1, 4, 5, 100])
def test_units_are_the_whole_document(words: int) -> None:
    """Nothing is left out or read twice, and no passage is longer than asked for."""
    units = units_of(ReleasedDocument("d", TEXT), words)
    assert "".join(unit.text for unit in units) == TEXT
    assert all(TEXT[unit.start : unit.end] == unit.text for unit in units)
    assert not words or max(len(unit.text.split()) for unit in units) <= words


def test_a_passage_ends_with_a_line_or_a_sentence() -> None:
    """A line first, then a sentence, in the second half of what a passage may hold."""
    texts = [unit.text for unit in units_of(ReleasedDocument("d", TEXT), 9)]
    assert texts == [
        "She left. He stayed for a while.\n",
        "Then they met again in the town. ",
        "Nobody saw them.\n",
    ]


def test_an_empty_document_is_a_unit() -> None:
    """It is part of the release, and nothing is left in it."""
    (unit,) = units_of(ReleasedDocument("d", ""), 10)
    assert (unit.text, unit.risk) == ("", 0.0)


def test_risk_is_where_the_kept_entity_is(tmp_path: Path) -> None:
    """Its place in the original moves by what was written before it."""
    text = "[PERSON 1] was seen again in Bonn. " + "Nothing else was said."
    path = tmp_path / "release.jsonl"
    path.write_text(json.dumps(result(text)) + "\n", "utf-8")
    (document,) = read_release([str(path)])
    assert document.kept == ((0.4, (27,)),)
    first, second = units_of(document, 8)
    assert first.risk > 0.3 > 0.01 > second.risk


def test_a_record_of_decisions_tells_risks_of_other_formats(tmp_path: Path) -> None:
    """It knows a document by the digest of its text."""
    (tmp_path / "a.txt").write_text("Text of ***.", "utf-8")
    entities = [{"risk": 0.5, "decision": "keep"}, {"risk": 0.9, "decision": "mask"}]
    record = {"documents": [{"sha256": digest_of("Text of ***."), "entities": entities}]}
    (tmp_path / "record.json").write_text(json.dumps(record), "utf-8")
    risks = kept_risks([str(tmp_path / "record.json")])
    (document,) = read_release([str(tmp_path / "a.txt")], risks)
    assert document.kept == ((0.5, ()),)
    (unit,) = units_of(document, 0)
    assert unit.risk == pytest.approx(0.394, abs=0.01)


def test_a_release_has_each_document_once(tmp_path: Path) -> None:
    """Otherwise a unit's id would name two."""
    (tmp_path / "a.txt").write_text("Text", "utf-8")
    with pytest.raises(InputError, match="twice"):
        read_release([str(tmp_path / "a.txt"), str(tmp_path / "a.txt")])


def unit(id: str, risk: float) -> AuditUnit:
    """Return a unit with a risk."""
    return AuditUnit(id, id, 0, 1, "x", risk)


def test_strata_rise_and_keep_equal_risks_together() -> None:
    """Cuts are where the sums of standard deviations reach equal parts."""
    units = [unit(f"u{n}", 0.1 if n < 30 else 0.4) for n in range(40)]
    assert [len(one) for one in stratify(units, 3)] == [30, 10]
    assert [len(one) for one in stratify([unit("a", 0.2), unit("b", 0.2)], 3)] == [2]
    units = [unit(f"u{n}", n / 100) for n in range(60)]
    strata = stratify(units, 3)
    assert len(strata) == 3
    assert [one.risk for group in strata for one in group] == sorted(one.risk for one in units)


def test_sizes_follow_weights_and_grow_with_the_sample() -> None:
    """At least one of each, at most all; a larger sample reads no stratum less."""
    counts, weights = [50, 30, 7], [50.0, 30.0, 90.0]
    before = [0, 0, 0]
    for size in range(3, 95):
        sizes = allocate(counts, weights, size)
        assert sum(sizes) == min(size, 87)
        assert all(1 <= n <= count for n, count in zip(sizes, counts, strict=True))
        assert all(a <= b for a, b in zip(before, sizes, strict=True))
        before = sizes
    assert allocate([50, 30, 20], [50.0, 30.0, 20.0], 10) == [5, 3, 2]


def test_a_seed_draws_the_same_and_more_of_it() -> None:
    """Another seed draws others."""
    assert drawn().sample.units == drawn().sample.units
    small, large = ({one.id for one in drawn(size).units} for size in (12, 20))
    assert small < large
    assert small != {one.id for one in drawn(seed="2").units}


def test_a_sample_for_a_share_gives_it_where_nothing_is_found() -> None:
    """And one unit less doesn't."""
    sample = draw(release(200), SampleDesign(share=0.05)).sample
    nothing = dict.fromkeys((one.id for one in sample.units), 0)
    assert bound(sample, nothing).units.bound <= 10
    smaller = draw(release(200), SampleDesign(size=len(sample.units) - 1)).sample
    assert bound(smaller, dict.fromkeys(nothing, 0)).units.bound > 10


def test_neyman_reads_more_where_the_risk_is_higher() -> None:
    """And proportional sizes don't."""
    for allocation in Allocation:
        strata = drawn(20, allocation=allocation).sample.strata
        shares = [one.read / one.units for one in strata]
        assert (shares[-1] > 1.3 * shares[0]) is (allocation is Allocation.NEYMAN)


def test_a_sample_needs_one_size() -> None:
    """Two would contradict each other."""
    with pytest.raises(InputError, match="a sample needs a size"):
        SampleDesign(size=3, share=0.1)
    with pytest.raises(InputError, match="a sample needs a size"):
        SampleDesign()


def test_files_of_a_sample_lead_back_to_it(tmp_path: Path) -> None:
    """The sample holds no text; the table and the standoff file have all that is to be read."""
    one = drawn()
    table, standoff = write_sample(one, tmp_path / "sample.json")
    assert read_sample(tmp_path / "sample.json") == one.sample
    assert "Text" not in (tmp_path / "sample.json").read_text("utf-8")
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    texts = {item["doc_id"]: item["text"] for item in json.loads(standoff.read_text("utf-8"))}
    assert [row["text"] for row in rows] == [unit.text for unit in one.units]
    assert texts == {row["unit"]: row["text"] for row in rows}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 3}, "seed"),
        ({"strata": []}, "stratum"),
        ({"units": []}, "add up"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_changed_sample_is_refused(tmp_path: Path, change: Any, message: str) -> None:
    """The message names the field."""
    path = tmp_path / "sample.json"
    path.write_text(json.dumps(json.loads(drawn().sample.model_dump_json()) | change), "utf-8")
    with pytest.raises(InputError, match=message):
        read_sample(path)


def filled(path: Path, one: DrawnSample, missed: dict[int, str]) -> str:
    """A table as a person fills it in: the units by their number, 0 for the others."""
    lines = ["unit;sha256;missed"]
    for n, item in enumerate(one.sample.units):
        lines.append(f"{item.id};{item.sha256};{missed.get(n, '0')}")
    path.write_text("\n".join(lines), "utf-8-sig")
    return str(path)


def test_a_table_has_numbers_or_what_was_missed(tmp_path: Path) -> None:
    """Also where a spreadsheet wrote it."""
    one = drawn()
    marks = read_marks(one.sample, [filled(tmp_path / "m.csv", one, {0: "2", 3: "Bonn|1972"})])
    ids = [item.id for item in one.sample.units]
    assert {id: count for id, count in marks.items() if count} == {ids[0]: 2, ids[3]: 2}


def test_texts_with_quotation_marks_are_read(tmp_path: Path) -> None:
    """The table that ``audit sample`` wrote has the texts, too."""
    one = drawn()
    rows = ((item.id, 'He said "hello, you", and left.', "1") for item in one.sample.units)
    with (tmp_path / "m.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("unit", "text", "missed"), *rows])
    assert sum(read_marks(one.sample, [str(tmp_path / "m.csv")]).values()) == len(one.sample.units)


def test_lines_have_numbers_or_lists(tmp_path: Path) -> None:
    """Of two files the larger number counts."""
    one = drawn()
    lines = [
        {"unit": item.id, "missed": ["Bonn"] if n == 1 else 0}
        for n, item in enumerate(one.sample.units)
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    marks = read_marks(one.sample, [str(path), filled(tmp_path / "m.csv", one, {1: "3"})])
    assert sum(marks.values()) == marks[one.sample.units[1].id] == 3


def standoff(
    one: DrawnSample, spans: dict[str, list[tuple[int, int, str]]]
) -> list[dict[str, Any]]:
    """Standoff JSON with the spans of each annotator in the first unit, and none in the others."""

    def mentions(items: list[tuple[int, int, str]]) -> dict[str, Any]:
        keys = "start_offset", "end_offset", "identifier_type"
        base = {"entity_type": "MISC", "entity_id": "e", "entity_mention_id": "m"}
        return {"entity_mentions": [base | dict(zip(keys, item, strict=True)) for item in items]}

    return [
        {
            "doc_id": unit.id,
            "text": unit.text,
            "annotations": {name: mentions([] if n else items) for name, items in spans.items()},
        }
        for n, unit in enumerate(one.units)
    ]


def test_what_anybody_marked_in_the_app_counts(tmp_path: Path) -> None:
    """Once where two marked the same, and not where it needs no mask."""
    one = drawn()
    spans = {
        "ann": [(0, 4, "DIRECT"), (5, 6, "NO_MASK")],
        "ben": [(0, 4, "QUASI"), (2, 4, "QUASI")],
    }
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(standoff(one, spans)), "utf-8")
    marks = read_marks(one.sample, [str(path)])
    assert marks[one.units[0].id] == sum(marks.values()) == 2


def test_marks_of_whole_documents_are_those_of_their_passages(tmp_path: Path) -> None:
    """A mark over a cut is in both; documents that weren't drawn, or are marked by nobody, count for nothing."""
    text = "Anna is here. " * 30
    one = draw([ReleasedDocument("d", text)], SampleDesign(size=9, passage_words=30))
    units = {unit.id: unit for unit in one.sample.units}
    assert len(units) == 3
    cut = units["d#1"].end
    spans = [(0, 4), (14, 18), (cut - 3, cut + 4)]
    base = {"entity_type": "MISC", "entity_id": "e", "entity_mention_id": "m"}
    base["identifier_type"] = "QUASI"
    mentions = [base | {"start_offset": a, "end_offset": b} for a, b in spans]
    records: list[dict[str, Any]] = [
        {"doc_id": "d", "text": text, "annotations": {"review": {"entity_mentions": mentions}}},
        {"doc_id": "e", "text": text, "annotations": {"review": {"entity_mentions": mentions}}},
    ]
    path = tmp_path / "missed.json"
    path.write_text(json.dumps(records), "utf-8")
    assert read_marks(one.sample, [str(path)]) == {"d#1": 3, "d#2": 1, "d#3": 0}
    for change, message in (
        ({"text": "x" + text}, "a different text"),
        ({"annotations": {}}, "3 of 3 units"),
        ({"doc_id": "f"}, "no unit of the sample"),
    ):
        path.write_text(json.dumps([records[0] | change, records[1]]), "utf-8")
        with pytest.raises(InputError, match=message):
            read_marks(one.sample, [str(path)])


def test_a_unit_nobody_read_is_no_unit_without_misses(tmp_path: Path) -> None:
    """Neither an empty cell nor a page that was not submitted."""
    one = drawn()
    with pytest.raises(InputError, match=r"1 of 12 units of the sample were not read"):
        read_marks(one.sample, [filled(tmp_path / "m.csv", one, {4: ""})])
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(standoff(one, {"ann": []})[:-2]), "utf-8")
    with pytest.raises(InputError, match=r"2 of 12 units"):
        read_marks(one.sample, [str(path)])


def test_marks_of_another_sample_are_refused(tmp_path: Path) -> None:
    """By the ids of its units, and by their texts."""
    one = drawn()
    path = filled(tmp_path / "m.csv", drawn(seed="2"), {})
    with pytest.raises(InputError, match="not in the sample"):
        read_marks(one.sample, [path])
    records = standoff(one, {"ann": []})
    records[0]["text"] += "!"
    other = tmp_path / "annotations.json"
    other.write_text(json.dumps(records), "utf-8")
    with pytest.raises(InputError, match="a different text"):
        read_marks(one.sample, [str(other)])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.csv", "unit\nd1\n", "columns"),
        ("m.jsonl", '{"unit": "d1"}', "line 1"),
        ("m.jsonl", '{"unit": "d1", "missed": true}', "number or a list"),
        ("m.txt", "d1 0", "must be"),
        ("m.json", "{}", "list"),
    ],
)
def test_marks_at_fault_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    """With the file, and without what is in it."""
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        read_marks(drawn().sample, [str(tmp_path / name)])


def test_the_bound_is_that_of_its_counts() -> None:
    """One stratum, one unit with 7 misses of which 5 count."""
    sample = drawn(10, strata=1).sample
    missed = dict.fromkeys((one.id for one in sample.units), 0) | {sample.units[0].id: 7}
    one = bound(sample, missed, share=0.2)
    assert one.units.bound == largest_number_of_hits([StratumCount(40, 10, 1)], 0.05)
    assert (one.units.found, one.units.estimate, one.identifiers.found) == (1, 4.0, 7)
    assert one.identifiers.estimate == 20.0
    assert one.identifiers.bound >= 20
    assert one.strata[0].with_missed == 1
    assert one.further is not None
    sizes = [10 + one.further.if_none, 10 + (one.further.at_this_rate or 0)]
    for size, hits in zip(sizes, (1, round(sizes[1] / 10)), strict=True):
        assert largest_number_of_hits([StratumCount(40, size, hits)], 0.05) <= 8


def test_looks_share_the_error() -> None:
    """Two bounds of one release hold together with the confidence of one."""
    sample = drawn(10).sample
    nothing = dict.fromkeys((one.id for one in sample.units), 0)
    assert bound(sample, nothing, looks=2).units == bound(sample, nothing, confidence=0.975).units


def test_no_reading_bounds_what_is_left_below_what_is_there() -> None:
    """At a rate above the share, no number is enough."""
    sample = drawn(10).sample
    every = dict.fromkeys((one.id for one in sample.units), 1)
    one = bound(sample, every, share=0.1)
    assert one.further is not None
    assert one.further.at_this_rate is None
    with pytest.raises(InputError, match="between 0 and 1"):
        bound(sample, every, share=2.0)
