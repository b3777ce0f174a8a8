"""Generated documents and their annotation."""

from __future__ import annotations

import re
from collections import Counter

import pytest

pytest.importorskip("faker", reason="needs the extra 'train'")

from tacenda.models.calibration import SEMANTIC_TYPES
from tacenda_lab.train.generated import ABROAD, GeneratedText, generate
from tacenda_lab.train.generated.frames import kinds


@pytest.fixture(scope="module")
def samples() -> list[GeneratedText]:
    """Return enough documents to count."""
    return list(generate(7, 600))


def test_every_kind_comes_and_equally_often(samples: list[GeneratedText]) -> None:
    """No kind has two documents more than another; that in other languages comes when asked for."""
    counts = Counter(sample.kind for sample in samples)
    assert set(counts) == set(kinds()) - {ABROAD}
    assert {sample.kind for sample in generate(7, 3, only=(ABROAD,))} == {ABROAD}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_mentions_are_aligned(samples: list[GeneratedText]) -> None:
    """Every span is in the text, in order, not empty, and has no white space at its edges."""
    for sample in samples:
        position = 0
        for start, end, type, identifier in sample.mentions:
            assert position <= start < end <= len(sample.text)
            span = sample.text[start:end]
            assert span == span.strip()
            assert type in SEMANTIC_TYPES
            assert identifier in ("DIRECT", "QUASI", "NO_MASK")
            position = end


def test_mentions_say_whose_they_are(samples: list[GeneratedText]) -> None:
    """Each mention has the person it names, or nobody; names filled in by a role have one."""
    for sample in samples:
        assert len(sample.people) == len(sample.mentions)
    people = [
        person
        for sample in samples
        for person, (_, _, type, _) in zip(sample.people, sample.mentions, strict=True)
        if type == "PERSON"
    ]
    assert sum(map(bool, people)) > 0.95 * len(people)


def test_no_slot_is_left_unfilled(samples: list[GeneratedText]) -> None:
    """No slot, no section mark and no backslash of ours is in a text; JSON has braces of its own."""
    for sample in samples:
        assert not re.search(r"\{[>^]?[\w:]+[.#!]?[^{}\s\"]*\}", sample.text)
        assert "\\" not in sample.text
        assert "<<<" not in sample.text
        assert ">>>" not in sample.text


def test_same_seed_same_documents() -> None:
    """A seed decides everything; another seed gives other documents."""
    assert list(generate(3, 40)) == list(generate(3, 40))
    assert list(generate(3, 40)) != list(generate(4, 40))


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    """The count does not change what comes first."""
    assert list(generate(5, 30))[:12] == list(generate(5, 12))


def test_many_documents_name_their_subject(samples: list[GeneratedText]) -> None:
    """Over half hold a DIRECT identifier, and a tenth hold no mention to mask at all."""
    direct = [any(mention[3] == "DIRECT" for mention in sample.mentions) for sample in samples]
    plain = [all(mention[3] == "NO_MASK" for mention in sample.mentions) for sample in samples]
    assert sum(direct) / len(samples) > 0.5
    assert 0.04 < sum(plain) / len(samples) < 0.35


def test_most_of_the_text_is_ordinary(samples: list[GeneratedText]) -> None:
    """Masked characters are under a third of all: the rest teaches what to leave alone."""
    masked = sum(
        end - start
        for sample in samples
        for start, end, _, identifier in sample.mentions
        if identifier != "NO_MASK"
    )
    assert masked / sum(len(sample.text) for sample in samples) < 1 / 3


def test_all_types_occur(samples: list[GeneratedText]) -> None:
    """Each semantic type has mentions to mask."""
    types = {m[2] for sample in samples for m in sample.mentions if m[3] != "NO_MASK"}
    assert types == set(SEMANTIC_TYPES)
