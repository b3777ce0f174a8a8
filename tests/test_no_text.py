"""No text of a document is in what a program prints by accident: representations and errors."""

from __future__ import annotations

import dataclasses
import json
import traceback
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotations import Reading, format_named
from tacenda.annotations.tab import parse_masks
from tacenda.deciding import complete
from tacenda.document import Document
from tacenda.documents.reading import read_bytes
from tacenda.documents.record import Failure, Origin, SourceDocument
from tacenda.evaluate.gold import parse_gold
from tacenda.explain import alternatives
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda.reidentify import AttackCase, Person, read_words
from tacenda.restore import FileMapping, Restored
from tacenda.text.folding import fold_aligned
from tacenda.text.target_names import TargetName
from tests.examples import for_each

from .documents.building_docx import build, paragraph
from .documents.test_odt import document as odt_document
from .documents.test_odt import saved as odt_saved
from .documents.test_pptx import presentation
from .documents.test_pptx import saved as pptx_saved
from .evaluate.corpus import standoff

SECRET = "Qyzzyx"
FORMATS = ("text", "markdown", "html", "jsonl", "csv", "tab", "texts", "json", "docx", "pdf")

around = st.text(st.sampled_from("ab ,.\n<>&{}[]\"':/0123456789"), max_size=30)


def _values(value: object) -> Iterator[object]:
    """Yield a value and everything in it but strings and numbers."""
    if isinstance(value, (str, bytes, int, float)) or value is None:
        return
    yield value
    if dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from _values(getattr(value, each.name, None))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _values(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            if not isinstance(item, str):
                yield from _values(item)


def _says(value: object) -> bool:
    """Tell whether a value that has fields shows the secret; a bare list of strings is one."""
    shown = dataclasses.is_dataclass(value) or isinstance(value, Policy)
    return shown and SECRET.lower() in repr(value).lower()


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    """Return one that generalises, with the person to protect and lists."""
    return load(
        Policy(
            recognizer=False,
            threshold=0.2,
            operator="generalize",
            target=(f"Ann {SECRET}",),
            deny=[{"exact": f"project {SECRET}"}],
            allow=[{"fuzzy": f"{SECRET} House"}],
            operators_for=[{"regex": SECRET, "operator": "tag"}],
        )
    )


@given(around, around)
def test_no_representation_shows_text(sanitizer: Sanitizer, before: str, after: str) -> None:
    """Of the values that the stages hand on, whatever the document says."""
    text = f"{before} Ann {SECRET}, project {SECRET}, {SECRET.lower()}@mail.example {after}"
    analysis = sanitizer.analyze(Document("d", text, (f"{SECRET} Ann",), SECRET))
    finished = complete(analysis, sanitizer.policy, 0.2)
    result = finished.sanitized
    assert result.replacements
    seen: list[object] = [
        analysis,
        finished,
        sanitizer.policy,
        fold_aligned(text),
        TargetName.parse(text),
    ]
    seen += [alternatives(result.document, decision) for decision in result.decisions]
    shown = [value for each in seen for value in _values(each) if _says(value)]
    assert shown == []
    assert SECRET not in repr(sanitizer)


@given(st.sampled_from(FORMATS), around, around, st.booleans())
def test_no_error_of_a_reader_shows_text(format: str, before: str, after: str, json_: bool) -> None:
    """Neither its message nor the traceback that a program would print."""
    content = f"{before}{SECRET}{after}".encode() + b"\xff"
    if json_:
        content = json.dumps({"text": SECRET, SECRET: [before, after]}).encode()
    for item in read_bytes(content, Origin("x", "x", format, "utf-8")):
        if isinstance(item, Failure):
            shown = "".join(traceback.format_exception(item.error)) + repr(item)
            assert SECRET not in shown
        else:
            assert isinstance(item, SourceDocument)
            assert SECRET not in repr(item)


@for_each("name", ["x.eml", "x.mbox", "x.rtf", "x.vtt", "x.srt", "x.docx", "x.odt", "x.pptx"])
def test_no_record_of_a_file_shows_text(name: str) -> None:
    """Nor does the content that it carries for its writer."""
    format = name[2:]
    head = f"From: Ann {SECRET} <a@b.org>\nMessage-ID: <{SECRET}@x>\n\nAnn {SECRET}\n"
    data = {
        "eml": head, "mbox": f"From x\n{head}\n", "rtf": f"{{\\rtf1 Ann {SECRET}}}",
        "vtt": f"WEBVTT\n\n00:01.000 --> 00:02.000\nAnn {SECRET}\n", "srt": f"Ann {SECRET}\n",
        "docx": build(paragraph(f"Ann {SECRET}"), ties=(("rId9", "hyperlink", f"https://x.org/{SECRET}"),)),
        "odt": odt_saved(odt_document(SECRET)) if format == "odt" else b"",
        "pptx": pptx_saved(presentation(SECRET)) if format == "pptx" else b"",
    }[format]  # fmt: skip
    content = data if isinstance(data, bytes) else data.encode()
    (item,) = read_bytes(content, Origin(name, name, format, "utf-8"))
    assert isinstance(item, SourceDocument)
    assert SECRET in item.document.text
    assert SECRET not in repr(item)


def test_no_representation_of_gold_shows_text() -> None:
    """Nor do the documents and the errors of an evaluation."""
    (gold,) = parse_gold(
        [standoff(f"Ann {SECRET} came.", {"one": [(SECRET, "PERSON", "DIRECT", "e1")]})]
    )
    masks = parse_masks({gold.id: [[0, 3]]})
    shown = [value for each in (gold, masks) for value in _values(each) if _says(value)]
    assert shown == []


def test_no_representation_of_other_public_values_shows_text() -> None:
    """Of annotations, people, words and what undoes an edit: whatever ``__all__`` names."""
    mention = {"start": 4, "end": 10, "label": "PERSON", "note": SECRET}
    line = {"id": "d", "text": f"Ann {SECRET}", "meta": SECRET, "spans": [mention]}
    (annotated,) = format_named("jsonl").read({"d": json.dumps(line).encode()}, Reading())
    words = read_words(Document("d", f"Ann {SECRET} came."))
    values = (
        annotated,
        Reading(texts={"d": SECRET}),
        Person("p1", f"Ann {SECRET}", (("born in", SECRET),)),
        AttackCase(words, 0, words),
        FileMapping("d", "", SECRET, True, ((0, 3, SECRET.encode()),), ((("[X]", SECRET, "e1"),),)),
        Restored(SECRET.encode(), 1, 0, 0),
    )
    shown = [value for each in values for value in _values(each) if _says(value)]
    assert shown == []


def test_no_error_of_a_policy_shows_its_names() -> None:
    """A rule that can't be used is named by its place."""
    with pytest.raises(Exception, match="deny") as caught:
        Policy(deny=[{"exact": SECRET, "regex": SECRET}])
    assert SECRET not in "".join(traceback.format_exception(caught.value))
