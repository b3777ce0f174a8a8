"""Names stay hidden however they are spelt, encoded and placed: the program's own guarantee."""

from __future__ import annotations

import os
import random

import pytest

import tacenda
from tacenda.policy import Policy

from .spellings import NAMES, SPELLINGS, SpelledName, decoded, letters, planted, survives

SHORT = {name for name in NAMES if min(map(len, name.parts)) < 3}
"""Names of one or two letters, which are not looked for alone or inside words."""


def sample(held_out: bool, size: int) -> list[SpelledName]:
    """Return some of the cases, always the same ones."""
    cases = [case for case in planted() if case.held_out is held_out and case.name not in SHORT]
    return random.Random(13).sample(cases, size)


@pytest.mark.parametrize("held_out", [False, True])
def test_no_spelling_of_the_target_survives(held_out: bool) -> None:
    """Without a recognizer, whoever decodes the output finds no name of the person to protect."""
    sanitizer = tacenda.load(Policy.build(recognizer=False, patterns=False, threshold=0.5))
    cases = sample(held_out, 600)
    left = [
        (case.kind, str(case.name), case.text)
        for case in cases
        if survives(case, sanitizer.sanitize(case.text, target=case.name.whole).text)
    ]
    assert len(left) <= len(cases) * (0.02 if held_out else 0.001), left


READ = (
    *("glued symbols", "stacked letters", "spaced out", "hyphen at a line end", "emphasis inside"),
    *("character references", "named references", "backslash u", "percent"),
)
SENTENCES = (
    "Spoke to {} about the rent.",
    "Dear {},\n\nThank you for your letter.",
    "Patient name: {}",
    "Love,\n{}",
    "The claim was made by {} on Tuesday.",
    "| {} | 3 |\n",
)


def test_a_name_is_found_in_every_spelling_where_it_is_found_in_plain_letters() -> None:
    """Whom the recognizer finds in a sentence it finds there in symbols, spaced letters and encodings as well."""
    sanitizer = tacenda.load()
    draw = random.Random(32)
    names = [
        name
        for name in NAMES
        if name not in SHORT
        and name.given[0].isupper()
        and name.whole < "Α"
        and len(name.whole.split()) == 2
    ]
    left, count = [], int(os.environ.get("TACENDA_DRAWS", "60"))
    while count:
        name, kind, place = draw.choice(names), draw.choice(READ), draw.choice(SENTENCES)
        spelling = draw.choice(
            [each for each in SPELLINGS[kind](name) if "_" not in each] or [name.whole]
        )
        case = SpelledName(name, kind, spelling, place, held_out=False)
        written = letters(decoded(spelling))
        plain = place.format(
            " ".join(part for part in name.whole.split() if letters(part) in written)
        )
        if len(spelling) > 3 and not survives(case, sanitizer.sanitize(plain).text):
            count -= 1
            output = sanitizer.sanitize(case.text).text
            left += [(kind, case.text, output)] if survives(case, output) else []
    assert not left


def test_the_check_itself_finds_what_was_planted() -> None:
    """In a text that nobody sanitized, every spelling is found: it does not look away."""
    assert {
        case.kind for case in sample(held_out=True, size=500) if not survives(case, case.text)
    } == set()
    assert len(SPELLINGS) > 40
