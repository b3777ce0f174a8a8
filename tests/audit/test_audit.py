"""The audit record: who decided what and why, and nothing of what was masked."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.audit import Act, AuditWriter, Provenance, as_object, provenance_of, schema
from tacenda.document import Assessment, Document, Evidence, IdentifierType
from tacenda.documents.record import Origin as FileOrigin
from tacenda.documents.record import SourceDocument
from tacenda.errors import OutputError
from tacenda.models.store import DEFAULT, find
from tacenda.pages.audit import ends
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.result import Result
from tests.documents.conftest import mask_strings
from tests.pages.markup import Elements

TEXT = "Galip Yalman met Ann; Galip Yalman left."
NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)


def result(text: str = TEXT, name: str = "letter.txt") -> Result:
    """Return a document with one name masked and one kept."""
    return mask_strings(Document(name, text), "Galip Yalman", kept=("Ann",))


def assessed(sanitized: Result, statement: str = "It is a name.") -> list[Assessment]:
    """Return an assessment of each entity."""
    evidence = (Evidence("masking_head", 0.9, statement),)
    return [
        Assessment(entity, 0.9, IdentifierType.QUASI, evidence) for entity in sanitized.entities
    ]


def origin(policy: Policy | None = None) -> Provenance:
    """Return an origin of a fixed time."""
    return provenance_of(policy or Policy(), 0.2, created=NOON, name="default")


def write(path: Path, *documents: Result, acts: tuple[Act, ...] = ()) -> str:
    """Write a record and return it."""
    writer = AuditWriter(path, origin())
    for document in documents:
        file = FileOrigin(document.document.id, document.document.id, "text", "utf-8")
        record = SourceDocument(document.document, file, document.document.text, ())
        writer.add(record, document, assessed(document), acts)
    writer.finish()
    return path.read_text("utf-8")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_record_follows_the_schema(count: int, tmp_path: Path) -> None:
    """However many documents there are, the file is one object of the schema."""
    text = write(tmp_path / "a.json", *[result()] * count)
    record = json.loads(text)
    jsonschema.validate(record, schema())
    assert len(record["documents"]) == count
    assert record["created"] == "2024-05-06T12:00:00+00:00"


def test_every_decision_is_there_with_its_evidence() -> None:
    """Masked and kept entities, what was written, where, and by which indicator."""
    item = as_object(result(), assessed(result()), name="x")
    masked, kept = item["entities"]
    assert (masked["decision"], len(masked["mentions"]), kept["decision"]) == ("mask", 2, "keep")
    assert item["replacements"] == [
        {"output_start": start, "output_end": start + 3, "text": "[X]", "entities": ["e1"]}
        for start in (0, 13)
    ]
    assert masked["assessment"]["evidence"] == [
        {"indicator": "masking_head", "value": 0.9, "statement": "It is a name."}
    ]
    assert masked["decided_by"] == {"kind": "policy"}


def test_nothing_tells_how_long_was_what_is_masked() -> None:
    """A longer name gives the same record: places are those of the sanitized text."""
    short, long = (
        mask_strings(Document("d", f"{name} met Ann; {name} left."), name, kept=("Ann",))
        for name in ("Bo", "Galip Yalman")
    )
    records = [as_object(item, assessed(item), name="x") for item in (short, long)]
    assert records[0] == records[1]


def test_the_last_act_of_a_person_decides() -> None:
    """An entity is decided by whoever decided on it last; a note decides nothing."""
    acts = (
        Act("ann", "2024-01-01T00:00:00+00:00", "decide", "keep", ("e1",), decides=True),
        Act("bob", "2024-01-02T00:00:00+00:00", "decide", "mask", ("e1",), decides=True),
        Act("eve", "2024-01-03T00:00:00+00:00", "note", "hm", ("e1",)),
    )
    item = as_object(result(), assessed(result()), acts, name="x")
    assert item["entities"][0]["decided_by"] == {
        "kind": "person",
        "person": "bob",
        "at": "2024-01-02T00:00:00+00:00",
    }
    assert [act["person"] for act in item["acts"]] == ["ann", "bob", "eve"]


@pytest.mark.parametrize("suffix", [".json", ".html"])
@given(around=st.text(st.sampled_from(" .,<&x"), max_size=5))
def test_masked_strings_are_in_no_record(
    suffix: str, around: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Not in a note or the name of the file, whatever stands around them."""
    act = Act(
        "bob", "2024-01-02T00:00:00Z", "note", f"{around} Galip Yalman {around}, GALIP", ("e1",)
    )
    path = tmp_path_factory.mktemp("audit") / f"a{suffix}"
    text = write(path, result(name="Galip Yalman.txt"), acts=(act,))
    assert "galip" not in text.lower()
    assert "yalman" not in text.lower()


def test_the_records_own_words_stay() -> None:
    """Evidence, reasons and warnings have no text of the document, so nothing is struck there."""
    sanitized = mask_strings(Document("d", "The number of the form."), "number", "form")
    assessments = assessed(sanitized, "Its form (number) gives 1.00.")
    item = as_object(sanitized, assessments, name="x")
    evidence = [entity["assessment"]["evidence"] for entity in item["entities"]]
    statements = [findings[0]["statement"] for findings in evidence]
    assert statements == ["Its form (number) gives 1.00."] * 2


def test_a_recorded_model_is_the_one_that_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder called like the default model is neither loaded nor recorded in its place."""
    (tmp_path / DEFAULT).mkdir()
    monkeypatch.chdir(tmp_path)
    sanitizer = load()
    assert provenance_of(sanitizer.policy, sanitizer.threshold).model == {
        "name": DEFAULT,
        "files": find().digests,
        "engine": "onnxruntime",
    }


def test_policy_and_model_are_named_by_digest() -> None:
    """Files of the model have the digests that ship; the policy's changes with its settings."""
    head = origin().as_object()
    assert head["model"]["files"] == find().digests
    assert head["policy"]["sha256"] == origin().policy["sha256"]
    other = provenance_of(Policy(operator="suppress"), 0.2, created=NOON)
    assert other.policy["sha256"] != head["policy"]["sha256"]
    assert provenance_of(Policy(recognizer=False), 0.2).model is None


def test_a_policy_gives_away_no_name() -> None:
    """Target and rules are counted; neither they nor a digest of them is in the record."""
    one, two = (
        Policy(target=(name,), deny=({"exact": name},)) for name in ("Galip Yalman", "Ann Smith")
    )
    assert "Galip" not in json.dumps(origin(one).as_object())
    assert origin(one).policy["rules"]["target"] == 1
    assert origin(one) == origin(two)


def test_forms_of_rules_are_named() -> None:
    """They say what a policy does, and change its digest."""
    one, two = (Policy(deny=({"form": form, "type": "CODE"},)) for form in ("url", "picture_file"))
    assert origin(one).policy["forms"] == {"deny": [{"form": "url", "type": "CODE"}]}
    assert origin(one).policy["sha256"] != origin(two).policy["sha256"]
    assert "forms" not in origin().policy


def test_the_page_runs_nothing_and_loads_nothing(tmp_path: Path) -> None:
    """Text is shown as text, and there is a row for each decision."""
    act = Act("<script>", "2024-01-02T00:00:00+00:00", "note", "<b>", ("e2",))
    source = write(tmp_path / "a.html", result(name="<i>.txt"), acts=(act,))
    page = Elements(source)
    tags = [tag for tag, _ in page.tags]
    assert not {"script", "i", "img", "link", "iframe"} & set(tags)
    assert tags.count("tr") == 3
    assert "<script>: wrote a comment <b>, person 2" in page.text.replace("\n", " ")
    assert "2024-01-02 00:00:00 UTC" in page.text
    assert "http:" not in source
    assert "https:" not in source


def test_settings_are_written_as_words() -> None:
    """Switches are yes or no, and thresholds and operators by type are lists without brackets."""
    policy = Policy.build(propagate=False, thresholds={"LOC": 0.5}, operators={"ORG": "tag"})
    start, _ = ends(origin(policy).as_object())
    settings = Elements(start).text
    assert "recognizer: yes" in settings
    assert "propagate: no" in settings
    assert "thresholds: place 0.5; " in settings
    assert "operators: organization tag; " in settings
    assert not {"True", "False"} & set(re.findall(r"\w+", settings))


def test_assessments_of_other_entities_are_refused() -> None:
    """Evidence is never laid to the wrong entity."""
    with pytest.raises(ValueError, match="1 assessments"):
        as_object(result(), assessed(result())[:1], name="x")


def test_an_aborted_record_leaves_nothing(tmp_path: Path) -> None:
    """A run that fails leaves no half of a record, and a place that can't be is said so."""
    writer = AuditWriter(tmp_path / "a.json", origin())
    writer.abort()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="can't be written"):
        AuditWriter(tmp_path / "file" / "a.json", origin())


def test_the_command_writes_it(tmp_path: Path) -> None:
    """``sanitize --audit`` records what it wrote."""
    from typer.testing import CliRunner

    from tacenda.cli import app

    (tmp_path / "letter.txt").write_text("Mr Galip Yalman was born in 1966.\n")
    target = tmp_path / "audit.json"
    run = CliRunner().invoke(
        app, ["sanitize", str(tmp_path / "letter.txt"), "--audit", str(target)]
    )
    assert run.exit_code == 0, run.output
    record = json.loads(target.read_text())
    jsonschema.validate(record, schema())
    assert "Yalman" not in target.read_text()
    assert {item["decision"] for item in record["documents"][0]["entities"]} >= {"mask"}
