"""The attacker that learned: what goes with what, and a person found without a word of the profile."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tacenda.background.profiles import Person
from tacenda.reidentify.attackers.lexical import Bm25
from tacenda_lab.attackers import Pair, TranslatingBayes, Translations, learn
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
    table = dense(found)
    bergen, man = found.features.index("bergen"), found.features.index("man")
    harbour = table[found.words["harbour"]]
    assert harbour[bergen] > 0.4
    assert harbour[bergen] > 4 * harbour[man]
    assert table.sum(axis=0) == pytest.approx(np.ones(4), abs=1e-5)
    assert found.shares[found.words["harbour"]] == pytest.approx(2 / 11)


def dense(translations: Translations) -> NDArray[np.float32]:
    """Return t(word | feature) with its zeros, [words, features]."""
    table = np.zeros((len(translations.words), len(translations.features)), dtype=np.float32)
    for place in range(len(table)):
        columns, values = translations.row(place)
        table[place, columns] = values
    return table


def model_1(pairs: Sequence[Pair], iterations: int) -> dict[tuple[str, str], float]:
    """Return IBM model 1 on sets of words as the textbook has it, in dictionaries."""
    words = {word for document, _ in pairs for word in document}
    features = {feature for _, profile in pairs for feature in profile}
    table = {(word, feature): 1 / len(words) for word in words for feature in features}
    for _ in range(iterations):
        expected = dict.fromkeys(table, 0.0)
        for document, profile in pairs:
            for word in set(document):
                total = sum(table[word, feature] for feature in set(profile))
                for feature in set(profile):
                    expected[word, feature] += table[word, feature] / total
        sums = {feature: sum(expected[word, feature] for word in words) for feature in features}
        table = {cell: value / sums[cell[1]] for cell, value in expected.items()}
    return table


@pytest.mark.parametrize("waiting", [1, 4_000_000])
def test_the_sparse_table_is_the_dense_one(waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model 1 comes out whether its cells are merged once or after each pair."""
    monkeypatch.setattr("tacenda_lab.attackers._WAITING", waiting)
    random = np.random.default_rng(7)
    words, features = [f"w{n}" for n in range(20)], [f"f{n}" for n in range(9)]
    pairs: list[Pair] = [
        (list(random.choice(words, 8)), list(random.choice(features, 3))) for _ in range(25)
    ]
    found = learn(pairs, at_least=1, iterations=4)
    table = dense(found)
    for (word, feature), value in model_1(pairs, 4).items():
        place, column = found.words[word], found.features.index(feature)
        assert table[place, column] == pytest.approx(value, abs=1e-5)


def test_memory_grows_with_what_occurs_together() -> None:
    """4,000 words and as many features in 4,000 pairs: a dense table alone would be 64 MB."""
    pairs: list[Pair] = [([f"w{n}"], [f"f{n}"]) for n in range(4000)]
    tracemalloc.start()
    found = learn(pairs, at_least=1, iterations=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.values) == 4000
    assert peak < 16e6


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
