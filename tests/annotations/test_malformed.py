"""Malformed input of each format is an InputError that names the place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tacenda.annotations import FORMATS, format_named
from tacenda.annotations.corpus import Feature, Reading
from tacenda.errors import InputError
from tests.examples import for_each

from .corpora import needs_spacy

TEXT = "Anna Berg spoke."
PLAIN = [name for name in FORMATS if name != "spacy"]


def read(format: str, content: Any, *drop: Feature) -> None:
    """Read JSON, lines or the files of a brat folder to the end."""
    files = content
    if not (isinstance(content, dict) and format == "brat"):
        raw = content if isinstance(content, str | bytes) else json.dumps(content)
        files = {"in": raw.encode() if isinstance(raw, str) else raw}
    list(format_named(format).read(files, Reading(drop=frozenset(drop))))


def tab(**changes: Any) -> list[Any]:
    """Return a TAB corpus of one mention with some keys changed; None removes one."""
    mention = {
        "entity_type": "PERSON",
        "start_offset": 0,
        "end_offset": 4,
        "identifier_type": "DIRECT",
        "entity_id": "e",
        **changes,
    }
    mention = {key: value for key, value in mention.items() if value is not None}
    return [{"doc_id": "d1", "text": TEXT, "annotations": {"a": {"entity_mentions": [mention]}}}]


def task(region: Any, **annotation: Any) -> list[Any]:
    """Return a Label Studio export of one task with one region."""
    return [{"id": 4, "data": {"text": TEXT}, "annotations": [{"result": [region], **annotation}]}]


def labels(**value: Any) -> dict[str, Any]:
    """Return a region with labels."""
    return {"id": "r", "type": "labels", "value": {"start": 0, "end": 4, "labels": ["X"], **value}}


def brat(ann: str) -> dict[str, bytes]:
    """Return the two files of a brat document."""
    return {"d1.txt": TEXT.encode(), "d1.ann": ann.encode()}


T1 = "T1\tPERSON 0 4\tAnna\n"


@for_each(
    ("format", "content", "message"),
    [
        ("tab", {}, "in: must contain a JSON list of documents"),
        ("tab", [{"text": ""}], r"in\[0\]: key 'doc_id' is missing"),
        ("tab", [{"doc_id": "d1", "text": "\ud800", "annotations": {}}], "d1: .*lone surrogate"),
        ("tab", tab(end_offset=17), r"d1: .*entity_mentions\[0\]: offsets \[0, 17\) are not in the text of 16 code points"),
        ("tab", tab(start_offset=None), r"entity_mentions\[0\]: key 'start_offset' is missing"),
        ("tab", tab(start_offset=True), "'start_offset' must be an integer, not bool"),
        ("tab", tab(entity_id=None), "key 'entity_id' is missing"),
        ("tab", tab(identifier_type="MAYBE"), "'MAYBE' must be one of DIRECT, QUASI, NO_MASK"),
        ("tab", tab(confidential_status="SECRET"), "'SECRET' must be one of"),
        ("tab", tab(span_text="Berg"), "differs from the file's quote"),
        ("masks", [], "in: must contain a JSON object"),
        ("masks", {"d1": [[0]]}, r"in: document 'd1', span 0: must be \[start, end\], two integers"),
        ("masks", {"d1": [[0, 1, 2]]}, "document 'd1', span 0: must be"),
        ("masks", {"d1": [[1, 1]]}, r"document 'd1', span 0: \[1, 1\) is not a span"),
        ("masks", {"d1": [7]}, "document 'd1', span 0: must be"),
        ("masks", '{"d1": [], "d1": []}', "in: has the key 'd1' twice in one object"),
        ("masks", "{\n\n x", "in: is not JSON: .* at line 3, column 2"),
        ("masks", b"\xff\xfe{}", "UTF-16"),
        ("masks", b'{"\xff": []}', "byte offset 2: not valid utf-8"),
        ("masks", "[" * 100_000, "nested too deep"),
        ("presidio", {"d1": [{"start": 0, "end": 1}]}, "d1: result 0: key 'entity_type' is missing"),
        ("presidio", {"d1": [{"entity_type": "X", "start": 0, "end": 1, "score": "a"}]}, "score must"),
        ("presidio", '{"d1": [{"entity_type": "X", "start": 0, "end": 1, "score": NaN}]}', "NaN"),
        ("presidio", [], "one list without a document id"),
        ("jsonl", '{"text": "a"}\n{"text": 1}', "2: line 2: 'text' must be a string, not an integer"),
        ("jsonl", '{"text": "a"}\n{', "in: is not JSON: .* at line 2, column 2"),
        ("jsonl", '{"text": "a", "spans": [{"start": 0}]}', r"line 1, spans\[0\]: start and end"),
        ("jsonl", '{"text": "a", "spans": [], "label": []}', "both 'spans' and 'label'"),
        ("jsonl", '{"text": "a", "label": [[0, 1]]}', r"label\[0\] must be \[start, end, type\]"),
        ("jsonl", '{"text": "a", "spans": [[0, 1, "X", "Y"]]}', r"spans\[0\]: 'Y' must be one of DIRECT"),
        ("jsonl", '{"id": 1, "text": "a"}\n{"id": 1, "text": "a"}', "1: line 2: the id occurs twice"),
        ("jsonl", '{"text": "a", "answer": "reject"}', "'answer' is not 'accept'.*--drop other"),
        (
            "jsonl",
            '{"id": 1, "text": "a", "_annotator_id": "x", "spans": [], "t": 1}\n'
            '{"id": 1, "text": "a", "_annotator_id": "y", "spans": [], "t": 2}',
            "line 2: key 't' differs .* --drop document_properties",
        ),
        (
            "jsonl",
            '{"id": 1, "text": "a", "_annotator_id": "x", "spans": []}\n'
            '{"id": 1, "text": "b", "_annotator_id": "y", "spans": []}',
            "line 2: the same id has a different text",
        ),
        ("brat", {"d1.ann": b""}, "d1.ann: the .txt file beside it is missing"),
        ("brat", brat("T1 PERSON 0 4 Anna\n"), "d1.ann, line 1: must be T1, tab"),
        ("brat", brat(T1 + T1), "d1.ann, line 2: T1 occurs twice"),
        ("brat", brat("T1\tX 0 5\tAnna\n"), "line 1: the quoted string differs"),
        ("brat", brat("T1\tX 0 99\tAnna\n"), r"line 1: offsets \[0, 99\) are not in the text of 16"),
        ("brat", brat("T1\tX 5 9;0 4\tBerg Anna\n"), "fragments overlap or are out of order"),
        ("brat", brat(T1 + "A1\tScore T1 high\n"), "line 2: the score must be a number"),
        ("brat", brat(T1 + "A1\tSeen\n"), "line 2: must be A1, tab, NAME T1"),
        ("brat", brat(T1 + "A1\tSeen T1\nA2\tSeen T1\n"), "line 3: T1 has the attribute Seen twice"),
        ("brat", brat(T1 + "A1\tSeen E1\n"), "line 2: 'E1' is not a text-bound annotation"),
        ("brat", brat(T1 + "R1\tIn Arg1:T1 Arg2:T1\n"), "line 2: is a relation, .*--drop other"),
        ("brat", brat("hello\n"), "line 1: is not a line of brat standoff"),
        ("label-studio", {}, "in: the file must be a list"),
        ("label-studio", [{"data": {"txt": ""}}], r"\[0\].data: key 'text' is missing"),
        ("label-studio", task(labels(end=99)), r"4: \[0\].annotations\[0\].result\[0\]: offsets \[0, 99\)"),
        ("label-studio", task(labels(labels=["A", "B"])), "'labels' must contain one string"),
        ("label-studio", task({"type": "relation"}), "is a 'relation' named ''.*--drop other"),
        ("label-studio", task(labels(), was_cancelled=True), "was canceled by its annotator"),
        ("label-studio", task(labels(), completed_by=[1]), "'completed_by' must be a number"),
        ("label-studio", task(labels(), mood="good"), "has the key 'mood'.*--drop other"),
        (
            "label-studio",
            task({"id": "q", "from_name": "entity", "type": "textarea", "value": {"text": ["e"]}}),
            "no labels have this id",
        ),
        ("conll", "Anna\n", "in: line 1: needs a token and a tag"),
        ("conll", "Anna B-X\nBerg E-X\n", "1: line 2: 'E-X' is not a BIO tag"),
        ("conll", "Anna O\nBerg I-X\n", "line 2: 'I-X' continues a mention that no B- tag opened"),
        ("conll", "Anna B-X\nBerg I-Y\n", "line 2: 'I-Y' continues"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_place(format: str, content: Any, message: str) -> None:
    """File or document, place in it, and what must hold; nothing of the text."""
    with pytest.raises(InputError, match=message) as error:
        read(format, content)
    assert "Anna" not in str(error.value)


@for_each(
    ("format", "content"),
    [
        ("brat", brat(T1 + "R1\tIn Arg1:T1 Arg2:T1\n#1\tAnnotatorNotes T1\tsure?\nE1\tX:T1\n")),
        ("brat", brat(T1 + "E1\tX:T1\nA1\tSeen E1\n")),
        ("label-studio", task({"type": "relation"}, mood="good", was_cancelled=True)),
        ("label-studio", [{"data": {"text": TEXT}, "predictions": [{"result": []}]}]),
        ("jsonl", '{"text": "a", "answer": "reject"}'),
        ("tab", [{"doc_id": "d", "text": "", "annotations": {"a": {"entity_mentions": [], "x": 1}}}]),
    ],
)  # fmt: skip
def test_what_there_is_no_word_for_is_passed_over_where_asked(format: str, content: Any) -> None:
    """With `--drop other`; an error without."""
    with pytest.raises(InputError, match="use --drop other to skip it"):
        read(format, content)
    read(format, content, Feature.OTHER)


@for_each("name", PLAIN)
@for_each("content", [b"\x00\x01\x02", b"%PDF-1.7", b"\xff\xfea\x00", b"\xe9"])
def test_what_is_no_text_is_an_input_error(name: str, content: bytes) -> None:
    """Whatever the format."""
    with pytest.raises(InputError):
        read(name, {"d.txt": content, "d.ann": content} if name == "brat" else content)


@needs_spacy
@pytest.mark.parametrize("content", [b"", b"hello", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_docbin_is_an_input_error(content: bytes) -> None:
    """SpaCy's own errors for damaged bytes are many; the message is one."""
    with pytest.raises(InputError, match="in: is not a DocBin that this version of spaCy can read"):
        read("spacy", content)


def test_text_given_beside_must_be_the_text() -> None:
    """A text that lacks a document, or is another, is noticed."""
    files = {"in": b"Anna\tB-X\nBerg\tO\n"}
    conll = format_named("conll")
    with pytest.raises(InputError, match="1: --text has no text with this id"):
        list(conll.read(files, Reading(texts={"d1": TEXT})))
    with pytest.raises(
        InputError, match="1: line 2: the token doesn't match the text at code point 4"
    ):
        list(conll.read(files, Reading(texts={"1": "Anna was Berg"})))
