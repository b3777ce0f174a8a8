"""Attackers: what they say of whom, against figures worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tacenda.background.profiles import Person
from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import Ranking
from tacenda.reidentify.attackers.lexical import Bm25, NaiveBayes
from tacenda.text.information import UnigramSurprisal
from tests.reidentify.village import ABOUT_ANNA, store, word_attackers, worded


@pytest.mark.parametrize("name", ["bm25", "bayes"])
def test_the_person_of_whom_most_is_said_is_first(tmp_path: Path, name: str) -> None:
    """All of Anna's profile but her surname is in the text."""
    (attacker,) = open_attackers(name, store(tmp_path / "p.db"))
    ranking = attacker.rank(worded(ABOUT_ANNA))
    assert ranking.rank(0) == 1
    assert ranking.probability(0) > 0.9
    assert ranking.probabilities().sum() == pytest.approx(1)
    assert ranking.best(1) == [0]


def test_bm25_of_one_word_by_hand(tmp_path: Path) -> None:
    """Two people of two, profiles of 1 and 3 words: idf and length as in the formula."""
    people = store(tmp_path / "p.db", [Person("a", "oak", ()), Person("b", "elm elm ash", ())])
    idf = math.log(1 + (2 - 1 + 0.5) / 1.5)
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    (scores,) = Bm25(people).scores(worded("elm"), np.zeros((1, 1), dtype=bool))
    assert scores.tolist() == pytest.approx([0, expected])


def test_bayes_of_one_word_by_hand(tmp_path: Path) -> None:
    """Elm is half of all profiles, and 2 of 3 words of one; unknown to the language."""
    people = store(tmp_path / "p.db", [Person("a", "oak", ()), Person("b", "elm elm ash", ())])
    language = UnigramSurprisal({"the": 97})
    (scores,) = NaiveBayes(people, language).scores(worded("elm"), np.zeros((1, 1), dtype=bool))
    assert scores.tolist() == pytest.approx([0, math.log1p((2 / 3) / (2 / 4))])


def test_masked_words_and_stop_words_say_nothing(tmp_path: Path) -> None:
    """With everything masked all people are level: nobody is first."""
    people = store(tmp_path / "p.db", [Person(id, "the same", ()) for id in "abcdefg"])
    for attacker in word_attackers(people):
        words = worded("the same")
        masks = np.array([[False, False], [False, True], [True, True]])
        scores = attacker.scores(words, masks)
        assert scores[0].tolist() == pytest.approx([scores[0][0]] * 7)
        assert not scores[1:].any()
        assert Ranking(scores[2]).rank(0) == Ranking(scores[2]).rank(6) == 4


def test_a_rank_counts_those_above_and_half_of_those_level() -> None:
    """Ties are neither for nor against the attacker."""
    ranking = Ranking(np.array([3.0, 2.0, 2.0, 2.0 + 1e-12, 1.0]))
    assert [ranking.rank(person) for person in range(5)] == [1, 3, 3, 3, 5]
    assert ranking.best(3) == [0, 3, 1]
    assert ranking.best(99) == [0, 3, 1, 2, 4]


def test_our_own_labels_are_no_words_of_the_text() -> None:
    """What stands for a mask is not read, what was written by the author is."""
    words = worded("[PERSON 1] met *** in [date in the 1990s] at LOC 3, [LOC] and [Oslo].")
    assert words.keys == tuple("met in date in the 1990s at loc 3 and oslo".split())
    assert [span.of(words.document.text) for span in words.spans][-1] == "Oslo"


def test_a_word_is_masked_if_any_part_of_it_is() -> None:
    """Half a word can tell as much as all of it."""
    words = worded("Anna Berg")
    assert words.masked([Span(2, 6)]).tolist() == [True, True]
    assert words.masked([Span(4, 5)]).tolist() == [False, False]


def test_an_unknown_attacker_is_an_error(tmp_path: Path) -> None:
    """The error lists those there are."""
    with pytest.raises(InputError, match="bm25, bayes, ngrams, records, encoder, joint, ensemble"):
        open_attackers("magic", store(tmp_path / "p.db"))
