"""The attack as a measurement: rates, baseline, control and clues, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.rates import rate
from tacenda.reidentify.report import (
    AttackCase,
    as_object,
    attack,
    outcome_rows,
    rate_rows,
    rates_of,
    telling_words,
)
from tests.reidentify.village import ABOUT_ANNA, store, word_attackers, worded

MASKED = "*** is a *** in Bergen. She was born on 4 March 1966. *** bakes."
STRIPPED = "*** is a *** in ***. She was born on ***. *** bakes."


def test_a_rate_has_the_interval_of_wilson() -> None:
    """Of 1 in 10: textbook values; of none and of all the interval ends at the rate."""
    assert rate(1, 10) == pytest.approx((0.1, 0.01788, 0.40415), abs=1e-5)
    assert rate(0, 10) == pytest.approx((0, 0, 0.27753), abs=1e-5)
    assert rate(10, 10) == pytest.approx((1, 0.72247, 1), abs=1e-5)
    for hits, n in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="not a rate"):
            rate(hits, n)


def test_an_ensemble_finds_whom_any_of_it_finds() -> None:
    """Each attacker finds one of two, together they find both."""
    found = rates_of([{"a": 1, "b": 2}, {"a": 9, "b": 1}], 2)
    assert [found[name].first.value for name in ("a", "b", "ensemble")] == [0.5, 0.5, 1]
    assert [found[name].among_k.value for name in ("a", "b", "ensemble")] == [0.5, 1, 1]


def test_release_original_control_and_chance_stand_side_by_side(tmp_path: Path) -> None:
    """Half of the release is found, all originals, no strangers; chance is one in five."""
    people = store(tmp_path / "p.db")
    bela = worded("Bela, a smith of Bergen, born 6 May 1971.", "bela")
    cases = [
        AttackCase(worded(STRIPPED, "anna"), 0, worded(ABOUT_ANNA)),
        AttackCase(bela, 1, bela),
    ]
    report = attack(cases, word_attackers(people), k=2)
    assert report.rate.value == 0.5
    assert report.original is not None
    assert report.original["ensemble"].first.value == 1
    assert report.control["ensemble"].first.value == 0
    found = as_object(report, people, reveal=False)
    assert found["chance"] == {"rank_1": 0.2, "rank_k": 0.4}
    assert [item["rank"] for item in found["results"]] == [3, 1]
    assert found["results"][1]["looks_like"] == {"bm25": "bela", "bayes": "bela"}
    assert "smith" not in json.dumps(found)
    assert "smith" in json.dumps(as_object(report, people, reveal=True))


def test_the_words_that_gave_it_away_are_those_without_which_it_is_not_known(
    tmp_path: Path,
) -> None:
    """Of the town, which two share, less is said than of the day, which is hers alone."""
    people = store(tmp_path / "p.db")
    (attacker,) = open_attackers("bm25", people)
    found = telling_words(attacker, worded(MASKED), 0, 9)
    words = [clue.spans[0].of(MASKED) for clue in found]
    assert set(words) == {"4", "March", "1966", "Bergen"}
    assert words.index("March") < words.index("Bergen")
    assert all(clue.weight > 0 for clue in found)
    assert telling_words(attacker, worded(STRIPPED), 0, 9) == ()


def test_tables_put_the_worst_first_and_hide_the_words(tmp_path: Path) -> None:
    """The document whose person is found stands on top."""
    people = store(tmp_path / "p.db")
    cases = [AttackCase(worded(STRIPPED, "<b>"), 0), AttackCase(worded(ABOUT_ANNA, "anna"), 0)]
    report = attack(cases, word_attackers(people), k=2)
    rows = outcome_rows(report, people, reveal=False)
    assert [row[0] for row in rows] == ["document", "anna", "<b>"]
    assert not any("1966" in cell for row in rows for cell in row)
    assert rate_rows(report)[3][0] == "found by ensemble"
