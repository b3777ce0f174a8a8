"""Gold files and prediction files: what is read, and what is said of what can't be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.annotations import AnnotatedDocument, AnnotatedMention, Annotation
from tacenda.annotations.tab import parse_masks
from tacenda.document import IdentifierType, Span
from tacenda.errors import InputError
from tacenda.evaluate.gold import gold_document, load_gold, parse_gold
from tacenda.evaluate.systems import load_masks
from tests.examples import for_each

from .corpus import FIGURE_3, standoff

TEXT = "Anna Berg spoke."


def broken(**changes: Any) -> list[dict[str, Any]]:
    """Return a corpus of one mention with some of its keys changed; None removes the key."""
    document = standoff(TEXT, {"a": [("Anna", "PERSON", "DIRECT", "e")]})
    mention = document["annotations"]["a"]["entity_mentions"][0]
    for key, value in changes.items():
        mention[key] = value
        if value is None:
            del mention[key]
    return [document]


def test_mentions_are_grouped_by_annotator_and_entity() -> None:
    """The person of each annotator has two mentions."""
    (document,) = parse_gold([FIGURE_3])
    people = [entity for entity in document.entities if entity.id == "person"]
    assert [entity.annotator for entity in people] == ["first", "second"]
    assert [len(entity.mentions) for entity in people] == [2, 2]


def test_overlapping_mentions_are_read() -> None:
    """Overlaps are part of the annotation model."""
    document = standoff(
        TEXT, {"a": [("Anna", "PERSON", "DIRECT", "e"), ("Anna Berg", "PERSON", "QUASI", "f")]}
    )
    assert len(parse_gold([document])[0].entities) == 2


@for_each(
    ("changes", "message"),
    [
        ({"start_offset": 4, "end_offset": 0}, r"offsets \[4, 0\) are not in the text of 16"),
        ({"start_offset": 3, "end_offset": 3}, r"offsets \[3, 3\)"),
        ({"end_offset": 17}, r"offsets \[0, 17\)"),
        ({"start_offset": -1}, r"offsets \[-1, 4\)"),
        ({"start_offset": "0"}, r"'start_offset' must be an integer, not a string"),
        ({"start_offset": True}, r"'start_offset' must be an integer, not bool"),
        ({"end_offset": None}, r"key 'end_offset' is missing"),
        ({"entity_id": None}, r"key 'entity_id' is missing"),
        ({"entity_type": None}, r"key 'entity_type' is missing"),
        ({"identifier_type": "MAYBE"}, r"identifier_type 'MAYBE' must be one of DIRECT, QUASI"),
        ({"identifier_type": ["QUASI"]}, r"identifier_type \['QUASI'\] must be one of"),
        ({"confidential_status": "SECRET"}, r"confidential_status 'SECRET' must be one of"),
    ],
)
def test_a_faulty_mention_is_named_by_document_and_place(
    changes: dict[str, Any], message: str
) -> None:
    """The message has the document, the path to the mention, the value and the rule."""
    with pytest.raises(InputError, match=r"^d1: annotations\['a'\]\.entity_mentions\[0\]: ") as e:
        parse_gold(broken(**changes))
    assert e.match(message)
    assert e.value.document == "d1"
    assert "Anna" not in str(e.value)


@for_each(
    ("corpus", "message"),
    [
        ({}, "must contain a JSON list"),
        ([1], r"gold\[0\]: must be a JSON object with 'doc_id'"),
        ([{"doc_id": "d1"}], "d1: key 'text' is missing"),
        ([{"doc_id": 7}], "'doc_id' must be a string, not an integer"),
        ([{"doc_id": "d1", "text": ""}], "d1: key 'annotations' is missing"),
        ([{"doc_id": "d1", "text": "", "annotations": {"a": []}}], r"d1: annotations\['a'\]: must"),
        ([FIGURE_3, FIGURE_3], r"doc_id 'd1' occurs again at \[1\]"),
    ],
)
def test_a_faulty_corpus_is_an_error(corpus: Any, message: str) -> None:
    """What is missing or of another kind is named with its place."""
    with pytest.raises(InputError, match=message):
        parse_gold(corpus)


@for_each(
    ("masks", "message"),
    [
        ([], "must contain a JSON object"),
        ({"d1": {}}, "document 'd1' must have a list"),
        ({"d1": [[1, 2], [3]]}, r"document 'd1', span 1: must be \[start, end\]"),
        ({"d1": [[1, 2.0]]}, "span 0: must be"),
        ({"d1": [[True, 2]]}, "span 0: must be"),
        ({"d1": [[5, 2]]}, r"span 0: \[5, 2\) is not a span"),
        ({"d1": [[-5, 2]]}, r"span 0: \[-5, 2\) is not a span"),
    ],
)
def test_faulty_masks_are_an_error(masks: Any, message: str) -> None:
    """Each is named by document and position."""
    with pytest.raises(InputError, match=message):
        parse_masks(masks)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not JSON: .* line 1, column 2"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b'{"d1": [], "d1": []}', "has the key 'd1' twice"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_not_json_is_an_error(content: bytes, message: str, tmp_path: Path) -> None:
    """The message names the file and where in it the fault is."""
    path = tmp_path / "masks.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        load_masks(path)
    assert error.value.document == str(path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """It is named."""
    with pytest.raises(InputError, match=r"none\.json: can't be read: No such file"):
        load_gold(tmp_path / "none.json")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """UTF-8 with a byte order mark is read as without."""
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([FIGURE_3]), "utf-8-sig")
    assert load_gold(path) == parse_gold([FIGURE_3])


def test_offsets_are_code_points() -> None:
    """Characters outside the basic plane and lone surrogates count as one."""
    text = "😀\ud800 Anna"
    (document,) = parse_gold([standoff(text, {"a": [("Anna", "PERSON", "DIRECT", "e")]})])
    assert document.entities[0].mentions[0].span.of(document.text) == "Anna"


def test_gold_is_made_of_annotated_documents_of_any_format() -> None:
    """Who marked what is all that is needed; an unknown identifier type is named with its place."""
    mention = AnnotatedMention((Span(0, 4),), "PERSON", IdentifierType.DIRECT, entity="e")
    (entity,) = gold_document(_by_a(mention)).entities
    assert (entity.annotator, entity.is_direct) == ("a", True)
    with pytest.raises(InputError, match=r"^d1: annotator 'a', mention 0 at \[0, 4\): gold needs"):
        gold_document(_by_a(AnnotatedMention((Span(0, 4),))))


def _by_a(mention: AnnotatedMention) -> AnnotatedDocument:
    return AnnotatedDocument("d1", TEXT, (Annotation("a", (mention,)),))
