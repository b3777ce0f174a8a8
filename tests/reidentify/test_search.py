"""The search: fast ways give what slow ways give, and the result is what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Span
from tacenda.errors import InputError
from tacenda.reidentify.anonymize.anonymize import AttackResult, anonymize, make_objective
from tacenda.reidentify.anonymize.objective import BlackBoxObjective, EnsembleObjective
from tacenda.reidentify.anonymize.search import beam, greedy
from tacenda.reidentify.anonymize.units import MaskUnit, mask_of, masked_spans, word_units
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.attackers.lexical import AdditiveAttacker, WordContribution
from tacenda.reidentify.panel import RankTally, panel_of
from tacenda.reidentify.tokens import TokenizedDocument
from tests.reidentify.village import worded


class Table(AdditiveAttacker):
    """An attacker whose weights are written down, [words, people]."""

    def __init__(self, weights: dict[str, Sequence[float]], name: str = "table") -> None:
        self.name = self.family = name
        self.n_people = len(next(iter(weights.values())))
        self._weights = weights

    def row(self, term: str) -> WordContribution:
        values = np.array(self._weights.get(term, [0.0] * self.n_people))
        people = np.flatnonzero(values).astype(np.int32)
        return WordContribution(people, values[people])


WORDS = "oak elm ash fir yew".split()
weight = st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0, 40.0]) | st.floats(0, 30).map(
    lambda number: round(number, 6)  # nothing as small as what counts as a tie
)
tables = st.integers(3, 6).flatmap(
    lambda n: st.fixed_dictionaries(
        {word: st.lists(weight, min_size=n, max_size=n) for word in WORDS}
    )
)
texts = st.lists(st.sampled_from([*WORDS, "the"]), min_size=1, max_size=9).map(" ".join)


@given(tables, texts, st.lists(st.integers(0, 4), max_size=8))
def test_incremental_scores_are_those_from_scratch(
    table: dict[str, list[float]], text: str, moves: list[int]
) -> None:
    """After any masks put on and taken off, scores and gains are those of the masked text."""
    attacker, document = Table(table), worded(text)
    units = word_units(document)
    fast = make_objective(attacker, document, 0, units)
    slow = BlackBoxObjective(attacker, document, 0, units, batch=2)
    masked: list[int] = []
    for unit in (move % len(units) for move in moves if units):
        change = "unmask" if unit in masked else "mask"
        for objective in (fast, slow):
            getattr(objective, change)(unit)
        masked.remove(unit) if unit in masked else masked.append(unit)
    mask = mask_of(units, masked, len(document))
    (scratch,) = attacker.scores(document, mask[None, :])
    np.testing.assert_allclose(fast.scores(), scratch, atol=1e-9)  # type: ignore[union-attr]
    assert fast.rank() == slow.rank() == rank_of(scratch, 0)
    left = [unit for unit in range(len(units)) if unit not in masked]
    np.testing.assert_allclose(fast.log_odds_after(left), slow.log_odds_after(left), atol=1e-6)
    assert fast.log_odds() == pytest.approx(slow.log_odds(), abs=1e-6)
    assert (fast.gains(left) <= fast.upper_bounds()[left] + 1e-6).all()


@given(st.lists(tables, min_size=1, max_size=2), texts, st.integers(1, 2))
def test_lazy_greedy_is_plain_greedy(
    weights: list[dict[str, list[float]]], text: str, k: int
) -> None:
    """Units that are not looked at again could not have been chosen: the order is the same."""
    n_people = min(len(next(iter(table.values()))) for table in weights)
    cut = [{word: row[:n_people] for word, row in table.items()} for table in weights]
    attackers = [Table(table, str(n)) for n, table in enumerate(cut)]
    document = worded(text)
    units = word_units(document)

    def objective() -> EnsembleObjective:
        return EnsembleObjective([make_objective(a, document, 0, units) for a in attackers], k)

    lazily, plainly = objective(), objective()
    lost = [1.0 + n % 3 for n in range(len(units))]
    assert greedy(lazily, lost, k) == greedy(plainly, lost, k, lazy=False)


@given(tables, texts, st.integers(1, 2), st.sampled_from([1, 3]))
def test_the_mask_hides_the_person_and_no_part_of_it_could_go(
    table: dict[str, list[float]], text: str, k: int, width: int
) -> None:
    """Where it is reached, an attack on the masked text agrees; one unit less, and it is found."""
    attacker, document = Table(table), worded(text)
    result = anonymize(document, 0, [attacker], k, width=width)
    (scores,) = attacker.scores(document, result.mask[None, :])
    assert result.reached == (rank_of(scores, 0) > k)
    assert result.attack_results[0].rank == rank_of(scores, 0)
    if not result.reached:
        return
    for unit in word_units(document):
        if result.mask[list(unit.words)].all():
            less = result.mask.copy()
            less[list(unit.words)] = False
            (scores,) = attacker.scores(document, less[None, :])
            assert rank_of(scores, 0) <= k


def test_greedy_takes_the_word_that_tells_most() -> None:
    """By hand: without ash the person is level with nobody above; without elm, third."""
    table = {"oak": [1, 1, 1], "elm": [5, 1, 1], "ash": [2, 1, 1]}
    objective = make_objective(
        Table(table), worded("oak elm ash"), 0, word_units(worded("oak elm ash"))
    )
    assert np.argmax(objective.gains(range(3))) == 1
    assert objective.log_odds() == pytest.approx(8 - 3 - np.log(2))
    assert objective.log_odds_after([1])[0] == pytest.approx(3 - 2 - np.log(2))


@pytest.mark.parametrize(("lost", "order"), [([1, 1, 1], (0, 1)), ([6, 1, 1], (1, 0))])
def test_greedy_minds_what_a_mask_loses_and_ends_when_the_person_is_hidden(
    lost: list[float], order: tuple[int, ...]
) -> None:
    """By hand: the person has 6, the others 2.5; without oak 3, without elm 4, without both 1, and ash stays."""
    table = {"oak": [3, 0, 0], "elm": [2, 0, 0], "ash": [1, 2.5, 2.5]}
    document = worded("oak elm ash")
    objective = make_objective(Table(table), document, 0, word_units(document))
    assert greedy(objective, lost, 1) == order


def test_a_wide_beam_finds_the_smallest_mask() -> None:
    """As small as the smallest of all sixteen sets."""
    table = {"oak": [6, 0, 9], "elm": [5, 0, 0], "ash": [4, 0, 0], "fir": [4, 0, 0]}
    attacker, document = Table(table), worded("oak elm ash fir")
    units = word_units(document)

    def hides(chosen: tuple[int, ...]) -> bool:
        (scores,) = attacker.scores(document, mask_of(units, chosen, 4)[None, :])
        return rank_of(scores, 0) > 1

    sets = [chosen for size in range(5) for chosen in combinations(range(4), size)]
    smallest = min(len(chosen) for chosen in sets if hides(chosen))
    found = beam(make_objective(attacker, document, 0, units), 4, 1, width=6)
    assert hides(found)
    assert len(found) == smallest


def test_entities_go_as_a_whole_and_neighbouring_masks_are_one() -> None:
    """Words with only punctuation between are one mask; a sentence or a word parts them."""
    document = worded("Anna Berg-Lund, of Oslo. Then Rome! Paris")
    every = np.array([key not in ("of", "then") for key in document.keys])
    assert [span.of(document.document.text) for span in masked_spans(document, every)] == [
        "Anna Berg-Lund",
        "Oslo",
        "Rome",
        "Paris",
    ]
    table = {"anna": [9, 0, 0], "berg": [1, 0, 0]}
    units = (MaskUnit((0, 1, 2)),)
    result = anonymize(document, 0, [Table(table)], 1, units=units)
    assert result.spans == (Span(0, 14),)


def test_the_best_rank_of_any_attacker_counts() -> None:
    """One attacker is fooled by a word less, the other needs another one."""
    first = Table({"oak": [5, 0, 0], "elm": [0, 1, 1]}, "first")
    second = Table({"oak": [0, 1, 1], "elm": [5, 0, 0]}, "second")
    document = worded("oak elm ash")
    assert anonymize(document, 0, [first], 1).words_masked == 1
    result = anonymize(document, 0, [first, second], 1, hold_out=False)
    assert result.reached
    assert result.words_masked == 2
    assert {belief.attacker for belief in result.attack_results} == {"first", "second"}


def test_a_family_that_is_held_out_judges_and_does_not_guide() -> None:
    """What only the held-out one reads stays, it is found, and that is said; the same one at each call."""
    first = Table({"oak": [5, 0, 0], "elm": [0, 1, 1]}, "first")
    second = Table({"oak": [0, 1, 1], "elm": [5, 0, 0]}, "second")
    document = worded("oak elm ash")
    guides, judges = panel_of([first, second], document.document)
    assert panel_of([second, first], document.document) == (guides, judges)
    result = anonymize(document, 0, [first, second], 1)
    ranks = {
        belief.attacker: (belief.rank > 1, belief.held_out) for belief in result.attack_results
    }
    assert ranks == {guides[0].name: (True, False), judges[0].name: (False, True)}
    assert not result.reached
    assert panel_of([first, Table({"oak": [1, 0, 0]}, "first")], document.document).judges == ()


def test_each_family_judges_a_share_of_the_documents() -> None:
    """Of 300 documents each of three families judges about a hundred."""
    tables = [Table({"oak": [1, 0, 0]}, name) for name in ("a", "b", "c")]
    panels = [panel_of(tables, Document(str(n), f"text {n}")) for n in range(300)]
    for table in tables:
        assert 70 < sum(table in panel.judges for panel in panels) < 130
    assert all(len(panel.guides) == 2 for panel in panels)


def test_of_adapted_attackers_the_first_always_guides_and_the_others_always_judge() -> None:
    """No document goes without the guide that knows the method, nor without a judge that read other texts."""
    guide, judge = (Table({"oak": [1, 0, 0]}, "adaptive") for _ in range(2))
    tables = [Table({"oak": [1, 0, 0]}, name) for name in ("a", "b")]
    for n in range(20):
        panel = panel_of([*tables, guide, judge], Document(str(n), f"text {n}"))
        assert guide in panel.guides
        assert judge in panel.judges
        assert sum(table in panel.judges for table in tables) == 1
    assert panel_of([tables[0], guide], Document("d", "text")).judges == ()


def test_rates_of_guides_and_judges_stand_side_by_side() -> None:
    """By hand: one of two is found by a judge at rank 1, nobody by a guide."""
    tally = RankTally(10)
    tally.add([AttackResult("a", 11, 0.0, ()), AttackResult("b", 1, 0.5, (), held_out=True)])
    tally.add([AttackResult("b", 40, 0.0, ()), AttackResult("a", 12, 0.5, (), held_out=True)])
    rows = {who: (one.first.value, one.among_k.value, n) for who, one, n in tally.rows()}
    assert rows == {
        "guiding: a": (0.0, 0.0, 1),
        "guiding: b": (0.0, 0.0, 1),
        "guiding: any of them": (0.0, 0.0, 2),
        "held out: a": (0.0, 0.0, 1),
        "held out: b": (1.0, 1.0, 1),
        "held out: any of them": (0.5, 0.5, 2),
    }
    assert "held out: any of them: rank 1 0.500 [0.095, 0.905]" in "\n".join(tally.lines())


def test_nobody_hides_among_too_few() -> None:
    """K must leave somebody to be taken for."""
    attacker = Table({"oak": [1, 0, 0]})
    for k in (0, 3):
        with pytest.raises(InputError, match="3 people"):
            anonymize(worded("oak"), 0, [attacker], k)


def test_a_document_without_words_needs_no_mask() -> None:
    """Nobody is first among equals."""
    empty: TokenizedDocument = worded("…")
    result = anonymize(empty, 0, [Table({"oak": [1, 0, 0, 0]})], 1)
    assert result.reached
    assert result.spans == ()
