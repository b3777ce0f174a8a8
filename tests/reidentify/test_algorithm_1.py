"""Algorithm 1 of the paper: what it masks is worked out here in plain Python, by probabilities and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.errors import InputError
from tacenda.reidentify.anonymize.algorithm_1 import anonymize_by_algorithm_1, masks
from tacenda.reidentify.attackers.encoder import BiEncoder
from tacenda.reidentify.tokens import STOP_WORDS
from tests.reidentify.test_search import Table
from tests.reidentify.village import store, worded

NUMBERS = st.sampled_from([0.0, 0.5, 1.0])
TABLES = st.integers(3, 5).flatmap(
    lambda n: st.fixed_dictionaries(
        {word: st.lists(NUMBERS, min_size=n, max_size=n) for word in ("oak", "elm", "ash")}
    )
)
TEXTS = st.lists(st.sampled_from(["oak", "elm", "ash", "the"]), min_size=1, max_size=7)
_EQUAL = 1e-12
Weights = dict[str, Sequence[float]]


def probabilities(weights: Weights, words: list[str], mask: Sequence[bool]) -> list[float]:
    """Of each person: the softmax of the sums of the weights of the words that are left."""
    left = [word for word, hidden in zip(words, mask, strict=True) if not hidden]
    powers = [
        math.exp(sum(weights[word][person] for word in left if word in weights))
        for person in range(len(weights["oak"]))
    ]
    return [power / sum(powers) for power in powers]


def is_hidden(weights: Weights, words: list[str], mask: Sequence[bool], k: int) -> bool:
    """Whether person 0 is not among the first K: of those who are as probable, half come before."""
    own, *others = probabilities(weights, words, mask)
    above = sum(other > own + _EQUAL for other in others)
    level = sum(abs(other - own) <= _EQUAL for other in others)
    return above + level // 2 >= k


def by_hand(weights: Weights, words: list[str], k: int) -> list[bool]:
    """The mask of Algorithm 1 for person 0."""
    mask = [False] * len(words)
    while candidates := [j for j in range(len(words)) if not mask[j] and words[j] != "the"]:
        after = [
            probabilities(weights, words, [m or i == j for i, m in enumerate(mask)])[0]
            for j in candidates
        ]
        lowest = min(after)
        mask[next(j for j, p in zip(candidates, after, strict=True) if p < lowest + _EQUAL)] = True
        if is_hidden(weights, words, mask, k):
            break
    return mask


@given(TABLES, TEXTS, st.integers(1, 2))
def test_the_word_with_the_lowest_probability_of_the_person_is_masked(
    weights: Weights, words: list[str], k: int
) -> None:
    """One at a time, each occurrence by itself, until the person is not among the first K."""
    attacker, expected = Table(weights), by_hand(weights, words, k)
    result = anonymize_by_algorithm_1(worded(" ".join(words)), 0, [attacker], k)
    assert result.mask.tolist() == expected
    assert result.reached == is_hidden(weights, words, expected, k)


@given(TABLES, TEXTS)
def test_one_run_has_the_masks_of_several_k(weights: Weights, words: list[str]) -> None:
    """Each is that of its own run."""
    together = masks(worded(" ".join(words)), 0, Table(weights), [2, 1])
    assert [mask.tolist() for mask in together] == [by_hand(weights, words, k) for k in (2, 1)]


@given(TABLES, st.lists(st.sampled_from(["oak", "elm", "ash"]), min_size=1, max_size=4))
def test_a_beam_of_all_sets_finds_the_fewest_words(weights: Weights, words: list[str]) -> None:
    """As few as the smallest of all sets that are not empty; all words where none hides the person."""
    (mask,) = masks(worded(" ".join(words)), 0, Table(weights), [1], width=16)
    choices = product([False, True], repeat=len(words))
    sizes = [sum(each) for each in choices if any(each) and is_hidden(weights, words, each, 1)]
    assert mask.sum() == min(sizes, default=len(words))


def test_only_as_many_occurrences_go_as_it_takes_and_one_at_least() -> None:
    """By hand: 6 against 3, then 4 against 3, then 2 against 3; a person who was hidden before loses a word all the same."""
    weights: Weights = {"oak": [2.0, 0.0, 0.0], "ash": [0.0, 3.0, 3.0]}
    (mask,) = masks(worded("oak ash oak oak"), 0, Table(weights), [1])
    assert mask.tolist() == [True, False, True, False]
    (mask,) = masks(worded("oak ash"), 0, Table(weights), [1])
    assert mask.tolist() == [True, False]


def test_the_encoder_guides_and_the_others_judge() -> None:
    """By hand: the guide needs oak; the other attacker goes by elm, which stays, and finds the person."""
    guide = Table({"oak": [2.0, 1.0], "elm": [0.0, 1.5]}, "encoder")
    judge = Table({"oak": [0.0, 0.0], "elm": [2.0, 0.0]}, "words")
    result = anonymize_by_algorithm_1(worded("oak elm"), 0, [judge, guide], 1)
    assert result.mask.tolist() == [True, False]
    assert [(each.attacker, each.held_out, each.rank) for each in result.attack_results] == [
        ("encoder", False, 2),
        ("words", True, 1),
    ]
    assert not result.reached


def test_an_encoder_is_asked_about_every_word_in_every_step(tmp_path: Path) -> None:
    """Its answers to each masked text, one by one, say which word is next, and when it ends."""
    document = worded("Anna bakes in Bergen, born on 4 March 1966.")
    encoder = BiEncoder(store(tmp_path / "people.db"))
    mask = document.unmasked()
    while True:
        free = [j for j in np.flatnonzero(~mask) if document.keys[j] not in STOP_WORDS]
        odds = []
        for j in free:
            variant = mask.copy()
            variant[j] = True
            own, *others = map(float, encoder.scores(document, variant[None, :])[0])
            odds.append(own - math.log(sum(map(math.exp, others))))
        mask[free[odds.index(min(odds))]] = True
        own, *others = encoder.scores(document, mask[None, :])[0]
        if any(other > own for other in others):
            break
    (result,) = masks(document, 0, encoder, [1])
    assert result.tolist() == mask.tolist()


def test_nobody_hides_among_too_few() -> None:
    """K must be below the number of people."""
    with pytest.raises(InputError, match="below the 3 people of the store"):
        masks(worded("oak"), 0, Table({"oak": [1.0, 0.0, 0.0]}), [1, 3])
