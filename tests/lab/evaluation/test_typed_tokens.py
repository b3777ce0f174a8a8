"""Table 2 of the paper on risk measures, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.evaluate.gold import load_gold
from tacenda_lab.evaluation.typed_tokens import TokenTally, measure
from tests.evaluate.corpus import standoff


def test_tokens_of_each_type_are_counted_by_hand(tmp_path: Path) -> None:
    """One annotator means Ann Berg, Norway and police; the other, half of the weight, Ann Berg alone.

    The system finds Ann as PERSON, Berg and Norway as ORG, and "police in" as DEM.
    """
    text = "Ann Berg sued Norway, police in Oslo."
    ann = ("Ann Berg", "PERSON", "DIRECT", "p")
    views = {
        "one": [ann, ("Norway", "LOC", "NO_MASK", "l"), ("police", "DEM", "NO_MASK", "d")],
        "two": [ann],
    }
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([standoff(text, views)]), encoding="utf-8")
    system = [(0, 3, "PERSON"), (4, 8, "ORG"), (14, 20, "ORG"), (22, 31, "DEM")]
    tally = measure(load_gold(path), [system])
    # Two tokens are meant, by both; Ann is found.
    assert tally.figures("PERSON") == (1.0, 0.5, pytest.approx(2 / 3))
    # Berg and Norway are found; Norway is right for one of two annotators: 1/4.
    assert tally.figures("ORG") == (0.25, 0.0, 0.0)
    # Norway is meant by one, found as ORG.
    assert tally.figures("LOC") == (0.0, 1.0, 0.0)
    # Of "police" and "in" the one is right, for one of two.
    assert tally.figures("DEM") == (0.25, 1.0, 0.4)
    assert tally.figures("CODE") == (0.0, 0.0, 0.0)


def test_a_token_may_be_meant_in_two_ways() -> None:
    """Of overlapping mentions each counts; a part of a word is the word."""
    tally = TokenTally()
    tally.add("ex-Turkish", [(0, 10, "ORG"), (3, 7, "DEM")], [(3, 10, "DEM")], 1.0)
    assert tally.figures("DEM") == (1.0, 1.0, 1.0)
    assert tally.figures("ORG") == (0.0, 0.0, 0.0)
