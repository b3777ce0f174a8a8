"""Offsets: code points inside, UTF-16 units or bytes outside where the user says so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotations import format_named
from tacenda.annotations.corpus import OffsetConverter, Reading, Unit
from tacenda.document import Span
from tacenda.errors import InputError

from .corpora import at, document, texts, written

TEXT = "😀 Anna"


@given(texts, st.data())
def test_offsets_are_those_of_the_encoded_text(text: str, data: st.DataObject) -> None:
    """UTF-16 units are half the bytes of UTF-16, bytes those of UTF-8."""
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    before, covered = text[: span.start], text[: span.end]
    assert OffsetConverter(text, Unit.UTF_16, "d").offsets(span) == (
        len(before.encode("utf-16-le")) // 2,
        len(covered.encode("utf-16-le")) // 2,
    )
    assert OffsetConverter(text, Unit.BYTES, "d").offsets(span) == (
        len(before.encode()),
        len(covered.encode()),
    )


@pytest.mark.parametrize(
    ("unit", "pair"), [("code-points", [2, 6]), ("utf-16", [3, 7]), ("bytes", [5, 9])]
)
def test_masks_are_written_in_the_unit(unit: str, pair: list[int]) -> None:
    """The character before the name is one code point, two UTF-16 units, four bytes."""
    files = written(format_named("masks"), document(TEXT, at(TEXT, "Anna")), unit=Unit(unit))
    assert json.loads(files[""]) == {"d1": [pair]}


@pytest.mark.parametrize("unit", [Unit.UTF_16, Unit.BYTES])
def test_an_offset_inside_a_character_is_an_error(unit: Unit) -> None:
    """It shows that the file counts in another unit."""
    reading = Reading(unit, {"d1": TEXT})
    with pytest.raises(InputError, match=r"d1: span 0: offset 1 in .* is inside a character"):
        list(format_named("masks").read({"m.json": b'{"d1": [[1, 3]]}'}, reading))


def test_a_unit_can_not_be_translated_without_the_text() -> None:
    """The message says how to give it."""
    with pytest.raises(InputError, match="offsets in utf-16 can't be converted without the text"):
        list(format_named("masks").read({"m.json": b'{"d1": [[1, 3]]}'}, Reading(Unit.UTF_16)))


def test_label_studio_of_another_unit_is_noticed_by_its_quotation() -> None:
    """Old exports count UTF-16 units: read as code points, what they quote is not there."""
    region = {
        "id": "r1",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": {"start": 3, "end": 5, "text": "An", "labels": ["PERSON"]},
    }
    task = {"data": {"text": TEXT}, "annotations": [{"completed_by": 1, "result": [region]}]}
    files = {"tasks.json": json.dumps([task]).encode()}
    label_studio = format_named("label-studio")
    with pytest.raises(
        InputError, match=r"result\[0\]: the text at \[3, 5\) differs from .* --from-of"
    ):
        list(label_studio.read(files, Reading()))
    (read,) = label_studio.read(files, Reading(Unit.UTF_16))
    assert read.annotations[0].mentions[0].extent == Span(2, 4)
