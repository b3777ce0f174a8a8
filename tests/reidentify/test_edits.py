"""Entities written otherwise: fast values are those of the text, and no more is lost than it takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.document import Assessment, Document, Evidence, IdentifierType
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.reidentify.anonymize.edits import (
    KEPT,
    AdditiveReader,
    BlackBoxReader,
    EditObjective,
    EntityOptions,
    edit,
    greedy_edits,
    refine_edits,
)
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.tokens import TokenizedDocument
from tests.building import entity, mention
from tests.reidentify.test_search import WORDS, Table, tables
from tests.reidentify.village import store, word_attackers, worded

options = st.lists(st.sampled_from([*WORDS, "oak elm", "the"]), max_size=2, unique=True)


def offers_of(
    document: TokenizedDocument, texts: Sequence[Sequence[str]]
) -> tuple[EntityOptions, ...]:
    """Return an offer for each of the first words: some options, each keeping less, and ``***``."""
    return tuple(
        EntityOptions(
            (place,), 1, (*own, "***"), tuple(np.linspace(0.8, 0, len(own) + 1)), 1.0 + place
        )
        for place, own in zip(range(len(document)), texts, strict=False)
    )


def written(
    document: TokenizedDocument, offers: Sequence[EntityOptions], levels: Sequence[int]
) -> str:
    """Return the text of levels, one word after the other."""
    words = list(document.keys)
    for offer, level in zip(offers, levels, strict=True):
        if level != KEPT:
            words[offer.words[0]] = offer.texts[level]
    return " ".join(words)


def game_of(
    attackers: Sequence[Table], document: TokenizedDocument, offers: Sequence[EntityOptions], k: int
) -> EditObjective:
    """Return the game against some attackers."""
    return EditObjective(
        attackers, document, 0, offers, lambda levels: written(document, offers, levels), k
    )


texts = st.lists(st.sampled_from([*WORDS, "the"]), min_size=1, max_size=6).map(" ".join)


@settings(deadline=None)
@given(tables, texts, st.lists(options, min_size=1, max_size=6), st.lists(st.integers(0, 3)))
def test_incremental_values_are_those_of_the_text(
    table: dict[str, list[float]], text: str, own: list[list[str]], moves: list[int]
) -> None:
    """At any levels, for any change: what the additive reader reckons, one who reads finds."""
    attacker, document = Table(table), worded(text)
    offers = offers_of(document, own)
    levels = [min(move, len(offer.texts)) - 1 for offer, move in zip(offers, moves, strict=False)]
    levels += [KEPT] * (len(offers) - len(levels))
    fast = AdditiveReader(attacker, document, 0, offers)
    slow = BlackBoxReader(attacker, 0, lambda found: worded(written(document, offers, found)))
    assert fast.log_odds(levels) == pytest.approx(slow.log_odds(levels), abs=1e-6)
    changes = [(n, level) for n, each in enumerate(offers) for level in range(len(each.texts))]
    np.testing.assert_allclose(
        fast.log_odds_after(levels, changes), slow.log_odds_after(levels, changes), atol=1e-6
    )


@settings(deadline=None)
# Once "fir" is written for elm, another person is ahead, and yew may stand.
@example(
    [
        {
            "oak": [0] * 5,
            "elm": [1, 0, 0, 0, 3],
            "ash": [0] * 5,
            "fir": [0.5, 0, 0, 0, 0],
            "yew": [0, 0, 0, 1, 1],
        }
    ],
    "elm yew",
    [["fir"], [], [], [], [], []],
    2,
)
@example(
    [
        {
            "oak": [40, 0, 0, 0, 0, 40],
            "elm": [0.5, 0, 0, 0, 0, 0],
            "ash": [0] * 6,
            "fir": [0, 0, 0, 0, 1, 0],
            "yew": [0] * 6,
        }
    ],
    "oak oak oak oak oak",
    [[], [], [], ["fir"], ["oak", "elm"], []],
    1,
)
@given(
    st.lists(tables, min_size=1, max_size=2),
    texts,
    st.lists(options, min_size=6, max_size=6),
    st.integers(1, 2),
)
def test_it_is_hidden_in_the_text_and_nothing_more_specific_would_do(
    weights: list[dict[str, list[float]]], text: str, own: list[list[str]], k: int
) -> None:
    """An attack on what is written agrees; an entity at a better level, and it is found again."""
    n_people = min(len(next(iter(table.values()))) for table in weights)
    attackers = [
        Table({word: row[:n_people] for word, row in table.items()}, str(n))
        for n, table in enumerate(weights)
    ]
    document = worded(text)
    offers = offers_of(document, own)
    game = game_of(attackers, document, offers, k)
    greedy_edits(game)
    refine_edits(game)

    def hides(levels: Sequence[int]) -> bool:
        read = worded(written(document, offers, levels))
        return all(rank_of(a.scores(read, read.unmasked()[None, :])[0], 0) > k for a in attackers)

    assert game.hidden == hides(game.levels)
    if not game.hidden:
        assert all(level == len(o.texts) - 1 for o, level in zip(offers, game.levels, strict=True))
        return
    for number, level in enumerate(game.levels):
        for better in range(KEPT, level):
            assert not hides([*game.levels[:number], better, *game.levels[number + 1 :]])


def test_what_is_enough_is_generalised_and_no_more() -> None:
    """By hand: "elm" is shared by all, so it hides; "fir" would tell as much as "oak"."""
    table = {"oak": [9, 0, 0], "fir": [9, 0, 0], "elm": [1, 1, 1], "ash": [0, 2, 2]}
    document = worded("oak ash")
    offers = (EntityOptions((0,), 1, ("[fir]", "[elm]", "***"), (0.9, 0.5, 0.0), 10.0),)
    game = game_of([Table(table)], document, offers, 1)
    greedy_edits(game)
    assert game.levels == (1,)
    assert game.hidden


def test_the_price_is_information() -> None:
    """Both words tell the same; the one that is no loss goes."""
    table = {"oak": [5, 0, 0], "elm": [5, 0, 0], "ash": [0, 6, 6]}
    document = worded("oak elm ash")
    offers = (
        EntityOptions((0,), 1, ("***",), (0.0,), 20.0),
        EntityOptions((1,), 1, ("***",), (0.0,), 2.0),
    )
    game = game_of([Table(table)], document, offers, 1)
    greedy_edits(game)
    assert game.levels == (KEPT, 0)


def test_an_edit_that_a_later_one_makes_needless_is_taken_back() -> None:
    """Cheap "elm" goes first but is not enough; without "oak" it may stay."""
    table = {"oak": [9, 0, 0], "elm": [4, 0, 0], "ash": [0, 6, 6]}
    document = worded("oak elm ash")
    offers = (
        EntityOptions((0,), 1, ("***",), (0.0,), 20.0),
        EntityOptions((1,), 1, ("***",), (0.0,), 2.0),
    )
    game = game_of([Table(table)], document, offers, 1)
    greedy_edits(game)
    assert game.levels == (0, 0)
    refine_edits(game)
    assert game.levels == (0, KEPT)


def test_a_document_is_generalised_before_it_is_suppressed(tmp_path: Path) -> None:
    """The day of birth becomes less than a day, what tells nothing stays, and the record says why."""
    document = Document("letter", "A man from Oslo, born on 4 March 1966, came to us.")
    entities = (
        entity("e1", mention(document, "Oslo", "LOC")),
        entity("e2", mention(document, "4 March 1966", "DATETIME")),
    )
    evidence = (Evidence("masking_head", 0.5, "."),)
    assessments = [Assessment(each, 0.5, IdentifierType.QUASI, evidence) for each in entities]
    people = store(tmp_path / "p.db")
    attackers = word_attackers(people)
    result = edit(worded(document.text), 0, attackers, 1, assessments, Policy())
    assert result.reached
    assert "Oslo" in result.text
    assert "4 March 1966" not in result.text
    assert "***" not in result.text
    assert 0 < result.kept < 1
    assert result.words_changed == 3
    (replacement,) = result.replacements
    assert replacement.entity_ids == ("e2",)
    kept, changed = result.decisions
    assert not kept.masked
    assert changed.operator == "generalize"
    assert changed.choice is not None
    assert changed.choice.text in result.text
    assert all(belief.rank > 1 for belief in result.attack_results)
    with pytest.raises(InputError, match="5 people"):
        edit(worded("x"), 0, attackers, 5, [], Policy())


def test_a_document_without_entities_stays_as_it_is(tmp_path: Path) -> None:
    """There is nothing to write; whether the person is found is said all the same."""
    attackers = open_attackers("bm25", store(tmp_path / "p.db"))
    for text, reached in (("Nothing here.", True), ("A nurse.", False)):
        result = edit(worded(text), 3, attackers, 1, [], Policy())
        assert (result.reached, result.text, result.kept) == (reached, text, 1.0)
