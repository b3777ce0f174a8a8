"""Names stay hidden however they are spelt, encoded and placed: the program's own guarantee."""

from __future__ import annotations

import random

import pytest

import tacenda
from tacenda.policy import Policy

from .spellings import NAMES, SPELLINGS, Planted, planted, survives

SHORT = {name for name in NAMES if min(map(len, name.parts)) < 3}
"""Names of one or two letters, which are not looked for alone or inside words."""


def sample(held_out: bool, size: int) -> list[Planted]:
    """Return some of the cases, always the same ones."""
    cases = [case for case in planted() if case.held_out is held_out and case.name not in SHORT]
    return random.Random(13).sample(cases, size)


@pytest.mark.parametrize("held_out", [False, True])
def test_no_spelling_of_the_target_survives(held_out: bool) -> None:
    """Without a recognizer, whoever decodes the output finds no name of the person to protect."""
    sanitizer = tacenda.load(Policy.build(recognizer=False, patterns=False, threshold=0.5))
    cases = sample(held_out, 1500)
    left = [
        (case.kind, str(case.name), case.text)
        for case in cases
        if survives(case, sanitizer.sanitize(case.text, target=case.name.whole).text)
    ]
    assert len(left) <= len(cases) * (0.02 if held_out else 0.001), left


def test_the_check_itself_finds_what_was_planted() -> None:
    """In a text that nobody sanitized, every spelling is found: it does not look away."""
    assert {
        case.kind for case in sample(held_out=True, size=500) if not survives(case, case.text)
    } == set()
    assert len(SPELLINGS) > 40
