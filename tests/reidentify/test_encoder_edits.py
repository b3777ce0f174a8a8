"""Edits to the encoders: many texts in few calls say what each text says by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.reidentify.anonymize.edits import (
    KEPT,
    BlackBoxReader,
    EditObjective,
    EncoderReader,
    EntityOptions,
    greedy_edits,
    refine_edits,
)
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.encoder import BiEncoder, JointAttacker
from tacenda.reidentify.tokens import TokenizedDocument
from tests.reidentify.test_edits import written
from tests.reidentify.village import store, worded

DOCUMENT = worded("Anna baker Bergen 4 March 1966 bakes")
OFFERS = (
    EntityOptions((0,), 1, ("[PERSON 1]", "***"), (0.2, 0.0), 5.0),
    EntityOptions((1,), 1, ("[worker with food]", "***"), (0.5, 0.0), 4.0),
    EntityOptions((2,), 1, ("[city in Norway]", "[place]", "***"), (0.6, 0.2, 0.0), 6.0),
    EntityOptions((5,), 1, ("[the 1960s]", "***"), (0.4, 0.0), 7.0),
)


def write(levels: tuple[int, ...]) -> str:
    """Return the text of levels."""
    return written(DOCUMENT, OFFERS, levels)


@pytest.mark.parametrize("name", ["encoder", "joint"])
def test_many_texts_at_once_say_what_each_says(tmp_path: Path, name: str) -> None:
    """The log-odds after each change are those of reading that text alone."""
    (attacker,) = open_attackers(name, store(tmp_path / "p.db"))
    assert isinstance(attacker, BiEncoder | JointAttacker)

    def read(levels: tuple[int, ...]) -> TokenizedDocument:
        return worded(write(levels))

    fast = EncoderReader(attacker, DOCUMENT, 0, OFFERS, read)
    slow = BlackBoxReader(attacker, 0, read)
    levels = (KEPT, 0, KEPT, 1)
    assert fast.log_odds(levels) == pytest.approx(slow.log_odds(levels), abs=1e-3)
    changes = [(n, level) for n, each in enumerate(OFFERS) for level in range(len(each.texts))]
    np.testing.assert_allclose(
        fast.log_odds_after(levels, changes), slow.log_odds_after(levels, changes), atol=1e-3
    )


def test_the_ensemble_loses_the_person(tmp_path: Path) -> None:
    """Where all may be suppressed and little is left, nobody is first; the game says so truly."""
    attackers = open_attackers("ensemble", store(tmp_path / "p.db"))
    game = EditObjective(attackers, DOCUMENT, 0, OFFERS, lambda levels: write(tuple(levels)), 1)
    greedy_edits(game)
    refine_edits(game)
    text = worded(write(game.levels))
    assert game.hidden == all(each.rank(text).rank(0) > 1 for each in attackers)
