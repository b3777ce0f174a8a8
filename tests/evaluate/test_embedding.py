"""Latent semantic analysis, against what can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacenda_lab.evaluation.embedding import LatentSemanticAnalysis

TEXTS = ["Court court of Oslo", "the court", "a cat and the dog", "a dog"]


def test_words_are_those_of_the_originals() -> None:
    """Words that were not fitted have no weight, and a text without any is 0."""
    encode = LatentSemanticAnalysis().encoder(TEXTS)
    assert encode(["court zebra"]) == pytest.approx(encode(["court"]))
    assert not encode(["***", "", "zebra"]).any()


def test_with_all_dimensions_nothing_is_lost() -> None:
    """Cosines of the originals are those of their weights: here 0 without a shared word, by hand with one."""
    vectors = LatentSemanticAnalysis().encoder(TEXTS)(TEXTS)
    court, rare = math.log(5 / 3) + 1, math.log(5 / 2) + 1
    first, second = math.hypot(2 * court, rare, rare), math.hypot(court, court)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] == pytest.approx(2 * court * court / (first * second))
    assert cosines[0, 2] == pytest.approx(0, abs=1e-12)
    assert np.diag(cosines) == pytest.approx(np.ones(4))


def test_few_dimensions_join_what_shares_company() -> None:
    """In one dimension a topic's texts are the same, though one of them shares a word only."""
    texts = ["court judge", "judge law", "law court", "cat"]
    vectors = LatentSemanticAnalysis(1).encoder(texts)(texts)
    assert vectors[0] @ vectors[1] == pytest.approx(1.0)
    assert not vectors[3].any()


def test_empty_corpora_embed_to_nothing() -> None:
    """No document, and no word, are no error."""
    assert LatentSemanticAnalysis().encoder([])([]).shape[0] == 0
    assert not LatentSemanticAnalysis().encoder(["", "…"])(["", "…"]).any()
