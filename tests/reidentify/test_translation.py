"""The attacker that learned: what goes with what, and a person found without a word of the profile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.background.people import Person
from tacenda.reidentify.attackers.lexical import Bm25
from tacenda_lab.attackers import TranslatingBayes, learn
from tests.reidentify.village import store, worded

PAIRS = [
    ("harbour fish rain".split(), "bergen man".split()),
    ("harbour rain song".split(), "bergen woman".split()),
    ("palace song fish".split(), "oslo man".split()),
    ("palace king".split(), "oslo woman".split()),
]


def test_words_that_go_together_are_learned() -> None:
    """The harbour goes with Bergen in both pairs, with a man in one; a column adds up to 1."""
    found = learn(PAIRS, at_least=2)
    bergen, man = found.features.index("bergen"), found.features.index("man")
    harbour = found.table[found.words["harbour"]]
    assert harbour[bergen] > 0.4
    assert harbour[bergen] > 4 * harbour[man]
    assert found.table.sum(axis=0) == pytest.approx(np.ones(4), abs=1e-5)
    assert found.shares[found.words["harbour"]] == pytest.approx(2 / 11)


def test_what_is_rare_is_not_learned() -> None:
    """The king is in one document; if nothing is frequent, that is an error."""
    assert "king" not in learn(PAIRS, at_least=2).words
    with pytest.raises(ValueError, match="no word is in 9 of 4 pairs"):
        learn(PAIRS, at_least=9)


def test_a_person_is_found_without_a_word_of_the_profile(tmp_path: Path) -> None:
    """BM25 has nothing to go by; who has learned knows where the palace is."""
    people = [Person("a", "A", (("town", "Bergen"),)), Person("b", "B", (("town", "Oslo"),))]
    background = store(tmp_path / "p.db", people)
    document = worded("palace song")
    learned = TranslatingBayes(background, learn(PAIRS, at_least=2))
    assert not Bm25(background).rank(document).scores.any()
    assert learned.rank(document).rank(1) == 1
    assert learned.rank(document).probability(1) > 0.6


def test_a_word_never_speaks_against_anybody(tmp_path: Path) -> None:
    """What is added is above 0, which the bounds of the search rest on."""
    background = store(tmp_path / "p.db")
    learned = TranslatingBayes(background, learn(PAIRS, at_least=2))
    for term in ("harbour", "bergen", "unheard"):
        assert (learned.row(term).values > 0).all()
