"""Files to documents to annotate, and what is marked in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.annotation.annotation import SpanMark
from tacenda.app.annotation.sources import MarkOptions, from_files, recognized, with_options
from tacenda.app.annotation.store import AnnotationSource
from tacenda.document import ConfidentialStatus, IdentifierType, SemanticType, Span
from tacenda.errors import InputError
from tacenda.policy import Policy

from ..building import sanitizer

_TEXT = "Ada met Ben in Rome."
_MENTION = {
    "entity_type": "PERSON",
    "start_offset": 0,
    "end_offset": 3,
    "identifier_type": "DIRECT",
    "entity_id": "e1",
    "confidential_status": "HEALTH",
}


def _file(folder: Path, *mentions: dict[str, Any], **more: Any) -> list[str]:
    annotations = {"a": {"entity_mentions": list(mentions)}, "b": {"entity_mentions": []}}
    record = {"doc_id": "d", "text": _TEXT, "annotations": annotations} | more
    path = folder / "gold.json"
    path.write_text(json.dumps([record]), "utf-8")
    return [str(path)]


def test_texts_and_tab_files_are_documents(tmp_path: Path) -> None:
    """Whom to protect is said by the option, or by the file."""
    (tmp_path / "a.txt").write_text("Ada", "utf-8")
    paths = [*_file(tmp_path, _MENTION, meta={"applicant": "Ada"}), str(tmp_path / "a.txt")]
    judgment, text = from_files(paths)
    assert (judgment.target, text.target, text.text) == (("Ada",), (), "Ada")
    assert judgment.marks.items == ()
    assert next(from_files(paths, ["Ben"])).target == ("Ben",)
    task = "Task: conceal the identity of: ada byron"
    assert next(from_files(_file(tmp_path, task=task))).target == ("ada byron",)


def test_marks_of_a_file_are_spans_or_whole_decisions(tmp_path: Path) -> None:
    """A pre-annotation leaves the decisions to the annotators."""
    paths = _file(tmp_path, _MENTION)
    (plain,) = from_files(paths, options=MarkOptions(marks=True))
    assert plain.marks.items == (SpanMark(Span(0, 3), SemanticType.PERSON),)
    (whole,) = from_files(paths, options=MarkOptions(marks=True, decisions=True))
    assert whole.marks.by == "a"
    assert whole.marks.items == (
        SpanMark(
            Span(0, 3),
            SemanticType.PERSON,
            IdentifierType.DIRECT,
            ConfidentialStatus.HEALTH,
            "e1",
        ),
    )
    (other,) = from_files(paths, options=MarkOptions(marks=True, by="b"))
    assert (other.marks.by, other.marks.items) == ("b", ())


@pytest.mark.parametrize(
    ("mentions", "by", "message"),
    [
        ([_MENTION], "c", "annotator 'c' not found; choose one of a, b"),
        ([_MENTION, _MENTION], "", r"'a' marked \[0, 3\) twice"),
        ([_MENTION | {"entity_type": "ANIMAL"}], "", "entity_type 'ANIMAL' must be one of"),
        ([_MENTION | {"replacement": {"x": 1}}], "", "mention at 0: replacement.generalizations"),
        ([_MENTION | {"end_offset": 99}], "", "99"),
    ],
)
def test_what_can_not_be_marked_is_an_error(
    tmp_path: Path, mentions: list[dict[str, Any]], by: str, message: str
) -> None:
    """The message names the document and the place."""
    wanted = MarkOptions(marks=True, decisions=True, by=by)
    with pytest.raises(InputError, match=message):
        list(from_files(_file(tmp_path, *mentions), options=wanted))


def test_a_missing_file_is_an_error() -> None:
    """No project lacks a document silently."""
    with pytest.raises(InputError, match=r"nowhere.txt: can't be opened"):
        list(from_files(["nowhere.txt"]))


def test_the_recognizer_marks_what_has_no_marks() -> None:
    """Spans and types for people to decide on, or decisions for people to replace."""
    source = AnnotationSource("d", "Ada Byron wrote to Ada Byron in Kentville.")
    (plain,) = recognized([source], sanitizer(), decisions=False)
    assert [(m.type, m.identifier, m.entity) for m in plain.marks.items] == [
        ("PERSON", None, ""),
        ("PERSON", None, ""),
        ("LOC", None, ""),
    ]
    (decided,) = recognized([source], sanitizer(), decisions=True)
    assert [m.identifier for m in decided.marks.items] == ["QUASI", "QUASI", "NO_MASK"]
    first, second, town = (m.entity for m in decided.marks.items)
    assert first == second != town
    assert list(recognized([decided], sanitizer(), decisions=False)) == [decided]


def test_masked_marks_get_options_from_specific_to_stars() -> None:
    """One entity has the same options everywhere; what has some, and what is kept, stays so."""
    source = AnnotationSource("d", "Ada Byron wrote to Ada Byron on 12 March 1994 in Kentville.")
    (decided,) = recognized([source], sanitizer(), decisions=True)
    offered = with_options(decided, Policy(operator="generalize"))
    first, second, date, town = offered.marks.items
    assert first.choices == second.choices
    assert first.choices[-1] == "***"
    assert date.options == town.options == ()
    assert with_options(offered, Policy(operator="generalize")) == offered
