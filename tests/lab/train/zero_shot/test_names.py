"""Corpora of named entities as texts with three types of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.errors import InputError
from tacenda.models.calibration import BIO_LABELS
from tacenda.models.encoding import TextEncoder
from tacenda.models.store import find
from tacenda_lab.train.name_corpora import (
    NameCorpora,
    label_types,
    read_sentences,
    texts_of,
)


def written(path: Path, *sentences: str, separator: str = "\t") -> Path:
    """Write sentences of ``word/label`` as columns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = (sentence.replace("/", separator).replace(" ", "\n") for sentence in sentences)
    if separator == " ":
        blocks = (s.replace("/", " ") for s in ("\n".join(t.split(" ")) for t in sentences))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


def found(path: Path, types: dict[str, str]) -> list[tuple[str, str]]:
    """Return the mentions of a file as (string, type)."""
    return [
        (text[each.start : each.end], each.type)
        for text, marked in texts_of(read_sentences(path), types)
        for each in marked
    ]


def test_labels_of_corpora_become_semantic_types(tmp_path: Path) -> None:
    """Kinds of people are PERSON, bands ORG, countries LOC, books names of another kind; genres nothing."""
    path = written(
        tmp_path / "a.txt",
        "Alice/B-writer Munro/I-writer of/O Canada/B-country wrote/O Runaway/B-book",
        "Can/B-band played/O krautrock/B-musicgenre",
    )
    assert found(path, label_types("crossner")) == [
        ("Alice Munro", "PERSON"),
        ("Canada", "LOC"),
        ("Runaway", "MISC"),
        ("Can", "ORG"),
    ]


def test_inside_begins_where_nothing_of_its_type_goes_before(tmp_path: Path) -> None:
    """In IO files neighbours of one type are one mention, B- parts them, and so does a sentence's end."""
    path = written(
        tmp_path / "a.txt",
        "The/O Mad/I-ORG Capsule/I-ORG Ann/I-PER Bea/B-PER",
        "Cem/I-PER",
        separator=" ",
    )
    expected = [("Mad Capsule", "ORG"), ("Ann", "PERSON"), ("Bea", "PERSON"), ("Cem", "PERSON")]
    assert found(path, label_types("wikigold")) == expected


def test_invisible_words_are_none_and_missing_labels_an_error(tmp_path: Path) -> None:
    """A word of white space is left out; a line without a label names its number."""
    path = tmp_path / "a.conll"
    path.write_text("Ann\tB-PER\n\u3000\tO\nleft\u2028\tO\n", encoding="utf-8")
    assert found(path, label_types("tweets")) == [("Ann", "PERSON")]
    path.write_text("Ann\tB-PER\nleft\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2 has no label beside its word"):
        list(read_sentences(path))


def test_nothing_is_known_of_masking(tmp_path: Path) -> None:
    """Every example has types alone, personal data too, whose dates and codes are no names."""
    written(tmp_path / "ner/crossner/ner_data/ai/train.txt", "Ann/B-person left/O")
    written(tmp_path / "ner/BTC/a.conll", "Ann/B-PER left/O")
    (tmp_path / "pii").mkdir()
    span = {"entity_type": "PERSON", "start_position": 0, "end_position": 3}
    date = {"entity_type": "DATE_TIME", "start_position": 9, "end_position": 15}
    document = {"full_text": "Bea left Monday", "spans": [span, date]}
    (tmp_path / "pii/presidio_x.json").write_text(json.dumps([document]), encoding="utf-8")
    names = NameCorpora.read(
        tmp_path, TextEncoder.from_file(find("attacker-en").folder / "tokenizer.json")
    )
    assert [each.text for each in names.of_epoch(0)] == ["Ann left", "Bea left Monday", "Ann left"]
    for each in names.of_epoch(0):
        assert not each.mask_known.any()
        labels = [BIO_LABELS[n] for n in each.types.argmax(axis=1)]
        assert labels == ["B-PERSON"] + ["O"] * (len(labels) - 1)
