"""An attacker with a sentence encoder of the user's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tacenda.background.profiles import Person
from tacenda.document import Document
from tacenda.errors import MissingExtraError, ModelError
from tacenda.reidentify.anonymize.anonymize import anonymize
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.encoder import SentenceAttacker
from tacenda.reidentify.tokens import read_words
from tests.reidentify.village import store

PEOPLE = [
    Person("a", "oak ash", ()),
    Person("b", "elm birch", ()),
    Person("c", "fir pine", ()),
]
WORDS = "oak ash elm birch fir pine".split()


def encode(texts: Sequence[str]) -> NDArray[np.floating]:
    """Return which of the trees a text names, as vectors of length 1."""
    found = np.array([[float(w in re.findall(r"\w+", t.lower())) for w in WORDS] for t in texts])
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


def attacker(folder: Path) -> SentenceAttacker:
    """Return an attacker of three people."""
    return SentenceAttacker(store(folder / "p.db", PEOPLE), "hf:trees", encode)


def test_whose_profile_is_nearest_is_first(tmp_path: Path) -> None:
    """By the cosine of text and profile."""
    ranking = attacker(tmp_path).rank(read_words(Document("d", "The elm, the birch and an oak.")))
    assert ranking.rank(1) == 1
    assert ranking.rank(0) == 2


def test_masked_words_are_not_encoded(tmp_path: Path) -> None:
    """Without the elm and the birch, the oak is what is left."""
    words = read_words(Document("d", "The elm, the birch and an oak."))
    mask = np.array([key in ("elm", "birch") for key in words.keys])
    (scores,) = attacker(tmp_path).scores(words, mask[None, :])
    assert scores.argmax() == 0


def test_it_can_guide_a_search_for_masks(tmp_path: Path) -> None:
    """The right person is not first any more, and only trees are masked."""
    words = read_words(Document("d", "The elm, the birch and an oak."))
    guide = attacker(tmp_path)
    found = anonymize(words, 1, [guide], 1)
    assert guide.scores(words, found.mask[None, :])[0].argmax() != 1
    assert {key for key, hidden in zip(words.keys, found.mask, strict=True) if hidden} <= set(WORDS)


def test_a_model_that_is_not_here_is_an_error(tmp_path: Path) -> None:
    """Nothing is downloaded; without the extra its name is said."""
    people = store(tmp_path / "p.db", PEOPLE)
    with pytest.raises((ModelError, MissingExtraError), match=r"hf|no/such-model"):
        open_attackers("hf:no/such-model", people)
