"""The documents of the held-out posts and letters, and the markup that they are written in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.inline_markup import parse
from tacenda.errors import InputError

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted((ROOT / "tests" / "data" / "offdomain").glob("*.txt"))


def test_marks_become_offsets() -> None:
    """The text is without marks, and each mention is where its text is."""
    document = parse("I, [[DIRECT PERSON me|Ann Li]], or [[DIRECT PERSON me|@al]].", "d")
    assert document["text"] == "I, Ann Li, or @al."
    mentions = document["annotations"]["author"]["entity_mentions"]
    assert [(m["start_offset"], m["end_offset"]) for m in mentions] == [(3, 9), (14, 17)]
    assert mentions[0]["entity_id"] == mentions[1]["entity_id"]


@pytest.mark.parametrize("marked", ["[[DIRECT|Ann]]", "[[SOME PERSON|Ann]]", "x [[QUASI LOC|Rome"])
def test_bad_mark_is_refused(marked: str) -> None:
    """A mark that is none is no text either; the message has its line."""
    with pytest.raises(InputError, match="line 1"):
        parse(marked, "d")


def test_every_document_can_be_read() -> None:
    """Forty documents; spans are trimmed, and some documents have nothing to mask."""
    assert len(DOCUMENTS) == 40
    empty = 0
    for path in DOCUMENTS:
        document = parse(path.read_text(encoding="utf-8"), path.stem)
        mentions = document["annotations"]["author"]["entity_mentions"]
        for mention in mentions:
            span = document["text"][mention["start_offset"] : mention["end_offset"]]
            assert span == mention["span_text"] == span.strip()
        empty += not mentions
    assert empty >= 8


def test_no_held_out_sentence_is_in_a_frame() -> None:
    """What measures must not have been trained on: no run of 30 characters is shared."""
    frames = ROOT / "src" / "tacenda" / "training" / "variety" / "frames"
    trained = "\n".join(path.read_text(encoding="utf-8").lower() for path in frames.glob("*.txt"))
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8").lower()
        shared = [at for at in range(len(text) - 30) if text[at : at + 30] in trained]
        assert not shared, (path.name, json.dumps(text[shared[0] : shared[0] + 40]))
