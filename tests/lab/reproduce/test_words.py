"""Classes of words in the figures of masked words: by lists, or by the tagger of a spaCy pipeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.document import Document
from tacenda.reidentify.tokens import read_words
from tacenda_lab.reproduce import toy
from tacenda_lab.reproduce.redaction import (
    RedactionPoint,
    by_class,
    parts_of_speech,
    row_of,
    word_classes,
)

spacy = pytest.importorskip("spacy", reason="needs spaCy")

TEXT = read_words(Document("d", "Marta, a nurse since June 1999, sang."))
KINDS = {"Marta": "PROPN", "nurse": "NOUN", "June": "PROPN", "1999": "NUM", "sang": "VERB"}


@pytest.fixture
def tagger(tmp_path: Path) -> str:
    """A pipeline that knows the parts of speech of a few words."""
    nlp = spacy.load(toy.spacy_pipeline(tmp_path / "names"))
    ruler = nlp.add_pipe("attribute_ruler")
    for word, kind in KINDS.items():
        ruler.add([[{"ORTH": word}]], {"POS": kind})
    ruler.add([[{"LOWER": {"IN": ["a", "since", ",", "."]}}]], {"POS": "X"})
    nlp.to_disk(tmp_path / "tagger")
    return str(tmp_path / "tagger")


def test_a_word_has_the_part_of_speech_of_its_token(tagger: str, tmp_path: Path) -> None:
    """One a word, in order; a pipeline without a tagger tells none."""
    (tags,) = parts_of_speech([TEXT], tagger) or [[]]
    words = [span.of(TEXT.document.text) for span in TEXT.spans]
    assert len(tags) == len(words)
    assert {word: tag for word, tag in zip(words, tags, strict=True) if word in KINDS} == KINDS
    assert parts_of_speech([TEXT], str(tmp_path / "names")) is None


def test_masked_words_are_counted_by_class() -> None:
    """By hand: of two names one is masked, of one number one, and a class that isn't there has 0 %."""
    classes = ["names", "other", "other", "other", "names", "numbers", "other"]
    mask = np.array([name in ("names", "numbers") for name in classes])
    mask[0] = False
    row = row_of(TEXT, mask, {"bm25": 1}, classes)
    assert row.classes == {"names": (1, 2), "numbers": (1, 1), "other": (0, 4)}
    point = RedactionPoint(8.0, 0.0, 0.3, 0.1)
    found = {("search", 8.0): [row, row], ("IDF", 8.0): [row]}
    shares = dict(by_class({"search": [point], "IDF": [point]}, found, "search", ["names", "x"]))
    assert shares == {"search, K = 8": [50.0, 0.0], "IDF > 8": [50.0, 0.0]}
    assert row_of(TEXT, mask, {}).classes["months"] == (1, 1)
    assert word_classes(TEXT)[4:6] == ["months", "numbers"]
