"""Variations of annotated texts have the same marks, wherever they are now."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

pytest.importorskip("torch")
pytest.importorskip("faker")

from tacenda.models.calibration import BIO_LABELS
from tacenda.models.encoding import TextEncoder
from tacenda.models.store import find
from tacenda_lab.train.examples import Example, MarkedSpan, example
from tacenda_lab.train.variation import Variation

TEXT = """Dear Mrs Osei,

Anna Osei-Brandt (case 4471-09) lives at 12 Elm Row, Wickford since 1987.
Under the Children Act 1989 Mrs OSEI may appeal; see form E403.
"""
MARKS = (
    ("Mrs Osei", "PERSON", 2),
    ("Anna Osei-Brandt", "PERSON", 2),
    ("4471-09", "CODE", 2),
    ("12 Elm Row, Wickford", "LOC", 1),
    ("1987", "DATETIME", 1),
    ("Mrs OSEI", "PERSON", 2),
)


@pytest.fixture(scope="module")
def encoder() -> TextEncoder:
    """The tokenizer of the shipped recognizer."""
    return TextEncoder.from_file(find().path("tokenizer.json"))


@pytest.fixture(scope="module")
def item(encoder: TextEncoder) -> Example:
    """A letter with marks."""
    starts = [TEXT.index(string) for string, *_ in MARKS]
    marked = [
        MarkedSpan(start, start + len(string), type, mask)
        for start, (string, type, mask) in zip(starts, MARKS, strict=True)
    ]
    return example("letter", TEXT, [marked], encoder, "en")


def mentions(item: Example) -> list[tuple[str, str]]:
    """Return the types and strings of the mentions that the labels tell."""
    found: list[tuple[str, int, int]] = []
    for label, start, end in zip(
        (BIO_LABELS[index] for index in item.types.argmax(axis=1)),
        item.encoding.starts.tolist(),
        item.encoding.ends.tolist(),
        strict=True,
    ):
        if label.startswith("B-"):
            found.append((label[2:], start, end))
        elif label.startswith("I-"):
            found[-1] = (found[-1][0], found[-1][1], end)
    return [(type, item.text[start:end].strip()) for type, start, end in found]


def unmarked(item: Example) -> str:
    """Return the letters outside all mentions."""
    outside = item.types[:, 0] == 1
    pairs = zip(item.encoding.starts[outside], item.encoding.ends[outside], strict=True)
    return "".join("".join(item.text[start:end].split()) for start, end in pairs)


def test_other_names_stand_where_names_stood(item: Example, encoder: TextEncoder) -> None:
    """Mentions keep their number, order and types; what isn't marked stays, letter by letter."""
    variation = Variation(encoder, [item])
    texts = set()
    for seed in range(40):
        varied = variation.renamed(item, Random(seed))
        assert [type for type, _ in mentions(varied)] == [type for _, type, _ in MARKS]
        assert unmarked(varied) == unmarked(item)
        assert varied.encoding.ids.tolist() == encoder.encode(varied.text).ids.tolist()
        texts.add(varied.text)
    assert len(texts) > 30
    assert not any("case 4471-09" in text and "1987" in text for text in texts)


def test_one_name_is_one_name_afterwards(item: Example, encoder: TextEncoder) -> None:
    """The same word of a mention becomes the same word everywhere, in capitals where it was; titles stay."""
    variation = Variation(encoder, [item])
    for seed in range(20):
        people = [
            string
            for type, string in mentions(variation.renamed(item, Random(seed)))
            if type == "PERSON"
        ]
        first, _, last = people
        assert first.split()[0] == last.split()[0] == "Mrs"
        assert last.split(" ", 1)[1] == first.split(" ", 1)[1].upper()


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_a_text_in_another_case_has_the_same_marks(
    item: Example, encoder: TextEncoder, change: type[str]
) -> None:
    """The labels of a document in capitals or small letters cover the same letters."""
    varied = Variation(encoder, [item]).recased(item, change)
    assert varied.text == change(item.text)
    assert mentions(varied) == [(type, change(string)) for string, type, _ in MARKS]


def test_a_snippet_is_a_part_with_its_marks(item: Example, encoder: TextEncoder) -> None:
    """Lines or sentences of the text, no longer than three; mentions in it are those of the document."""
    variation = Variation(encoder, [item])
    everything = mentions(item)
    for seed in range(30):
        snippet = variation.snippet(item, Random(seed))
        assert snippet.text
        assert snippet.text in item.text
        found = mentions(snippet)
        assert any(
            found == everything[start : start + len(found)] for start in range(len(everything) + 1)
        )
        assert all(left <= right for left, right in pairwise(snippet.encoding.starts.tolist()))
