"""TAB standoff JSON and lists of texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda import documents
from tacenda.errors import InputError

Through = Callable[..., str]
ReadAll = Callable[..., list[documents.SourceDocument | documents.Failure]]


def document(name: str = "d1", text: str = "Galip left", **more: Any) -> dict[str, Any]:
    """Return an entry of a TAB file."""
    return {"doc_id": name, "text": text, "dataset_type": "dev", **more}


def mention(start: object, end: object) -> dict[str, Any]:
    """Return annotations with one mention."""
    return {"a1": {"entity_mentions": [{"start_offset": start, "end_offset": end}]}}


@pytest.mark.parametrize(
    ("bad", "name", "place"),
    [
        ({"text": "Secret"}, "stdin[0]", "doc_id"),
        ({"doc_id": 7, "text": "Secret"}, "stdin[0]", "doc_id"),
        ({"doc_id": "x"}, "x", "text"),
        ("Secret", "stdin[0]", "object"),
        (document("x", "a\ud800Secret"), "x", "code point 1"),
        (document("x", annotations=[]), "", ""),
        (document("x", annotations=["Secret"]), "x", "annotations"),
        (
            document("x", annotations={"a1": {}}),
            "x",
            "annotations['a1']: key 'entity_mentions' is missing",
        ),
        (document("x", annotations=mention(3, 2)), "x", "entity_mentions[0]: offsets [3, 2)"),
        (document("x", annotations=mention(2, 2)), "x", "entity_mentions[0]: offsets [2, 2)"),
        (document("x", annotations=mention(-1, 2)), "x", "[-1, 2)"),
        (document("x", annotations=mention(0, 11)), "x", "text of 10 code points"),
        (document("x", annotations=mention(0, None)), "x", "end_offset"),
        (document("x", annotations=mention("0", 1)), "x", "start_offset"),
    ],
)
def test_a_document_at_fault_fails_alone(
    bad: object, name: str, place: str, read_all: ReadAll
) -> None:
    """A bad document is an error naming it and the place, never its text; the next is read."""
    first, second = read_all(json.dumps([bad, document("ok")]), "tab")
    assert isinstance(second, documents.SourceDocument)
    if not name:  # no annotations at all is fine
        assert isinstance(first, documents.SourceDocument)
        return
    assert isinstance(first, documents.Failure)
    assert str(first.error).startswith(f"{name}: ")
    assert place in str(first.error)
    assert "Secret" not in str(first.error)


def test_overlapping_mentions_are_legal(read_all: ReadAll) -> None:
    """The benchmark itself has nested mentions."""
    annotations = {"a": {"entity_mentions": [*mention(0, 5)["a1"]["entity_mentions"],
                                             *mention(2, 7)["a1"]["entity_mentions"]]}}  # fmt: skip
    (record,) = read_all(json.dumps([document(annotations=annotations)]), "tab")
    assert isinstance(record, documents.SourceDocument)


def test_a_doc_id_names_one_document(read_all: ReadAll) -> None:
    """The second document of a name is an error that names it and its place."""
    first, failure, last = read_all(json.dumps([document(), document(), document("d2")]), "tab")
    assert isinstance(first, documents.SourceDocument)
    assert isinstance(last, documents.SourceDocument)
    assert isinstance(failure, documents.Failure)
    assert "d1: " in str(failure.error)
    assert "[1]" in str(failure.error)


@pytest.mark.parametrize(
    "data",
    [
        "{",
        "7",
        '{"doc_id": "a"}',
        "[" * 100_000,
        "[" + "9" * 5000 + "]",
        '[{"doc_id": "a", "text": "x", "text": "y"}]',
    ],
)
def test_a_file_that_is_no_list_is_one_failure(data: str, read_all: ReadAll) -> None:
    """Broken JSON, JSON of another kind, bottomless nesting and two texts of one name are errors."""
    assert any(isinstance(item, documents.Failure) for item in read_all(data, "json"))


def test_json_is_told_apart_by_what_it_holds(read_all: ReadAll) -> None:
    """A list of strings is a list of texts, a list of objects is TAB."""
    (text,) = read_all('["Galip"]', "json")
    (tab,) = read_all(json.dumps([document()]), "json")
    assert isinstance(text, documents.SourceDocument)
    assert isinstance(tab, documents.SourceDocument)
    assert (text.origin.format, text.document.id) == ("texts", "stdin[0]")
    assert (tab.origin.format, tab.document.id) == ("tab", "d1")


def test_a_list_of_texts_stays_one(through: Through) -> None:
    """Each string is sanitized and the list is written again."""
    assert json.loads(through('["Galip", "", "é"]', "json", "Galip")) == ["[X]", "", "é"]
    assert json.loads(through("[]", "json")) == []


def test_tab_output_is_standoff_of_the_original(through: Through) -> None:
    """The text is the original; kept entities are NO_MASK, masked ones keep their type."""
    source = json.dumps([document(), document("d2", "Ankara")])
    first, second = json.loads(through(source, "tab", "Galip", to="tab", kept=("left",)))
    assert (first["doc_id"], first["text"], first["dataset_type"]) == (
        "d1",
        "Galip left",
        "dev",
    )
    mentions = first["annotations"]["tacenda"]["entity_mentions"]
    assert [(m["span_text"], m["identifier_type"]) for m in mentions] == [
        ("Galip", "DIRECT"),
        ("left", "NO_MASK"),
    ]
    assert mentions[0] == {
        "entity_type": "PERSON",
        "entity_mention_id": "d1_tacenda_em1",
        "start_offset": 0,
        "end_offset": 5,
        "span_text": "Galip",
        "edit_type": "check",
        "identifier_type": "DIRECT",
        "entity_id": "d1_tacenda_e1",
        "confidential_status": "NOT_CONFIDENTIAL",
    }
    assert second["annotations"]["tacenda"]["entity_mentions"] == []


def test_originals_are_written_only_where_standoff_is_named(through: Through) -> None:
    """What is written by default looks sanitized: a file of originals is refused, and the way out said."""
    with pytest.raises(InputError, match=r"d1: standoff .* --to jsonl for the sanitized text"):
        through(json.dumps([document()]), "tab", "Galip", to="same")


def test_masks_are_the_spans_of_the_edits(through: Through) -> None:
    """One entry a document, empty where nothing was edited; the original's offsets."""
    source = json.dumps([document(text="a Galip b Galip"), document("d2", "x")])
    masks = json.loads(through(source, "tab", "Galip", to="masks"))
    assert masks == {"d1": [[2, 7], [10, 15]], "d2": []}
    assert json.loads(through("[]", "tab", to="masks")) == {}


def test_the_benchmark_is_read_whole(tab_oracle: Path) -> None:
    """All 127 documents of the dev split are read, none fails."""
    records = list(documents.read(tab_oracle / "dev.json"))
    assert len(records) == 127
    assert all(
        isinstance(r, documents.SourceDocument) and r.split == "dev" and r.declared for r in records
    )
