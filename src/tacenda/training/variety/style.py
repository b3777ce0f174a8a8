"""How a document is typed: with capitals or without, with care or in haste."""

from __future__ import annotations

from random import Random

from ..noise import (
    break_lines,
    disturb_spaces,
    drop_punctuation,
    lower_case,
    misspell,
    strip_diacritics,
    upper_case,
)
from .sample import Sample

# Kinds that people type for one another, not for a file.
_CASUAL = frozenset(
    "ordinary post chat classified comment dating forum medical_forum prompt reddit travel tweet "
    "review question_answer gaming neighbourhood survey parenting confession".split()
)


def styled(sample: Sample, random: Random) -> Sample:
    """Return the document as one of its kind may be typed; most stay as they are."""
    text, mentions = sample.text, sample.mentions
    casual = sample.kind in _CASUAL
    chance = random.random()
    if casual and chance < 0.2:
        text, mentions = lower_case(text, mentions)
    elif chance > (0.97 if casual else 0.985):
        text, mentions = upper_case(text, mentions)
    if casual and random.random() < 0.12:
        text, mentions = drop_punctuation(text, mentions, random, random.choice((0.4, 1.0)))
    if random.random() < (0.3 if casual else 0.06):
        text, mentions = misspell(text, mentions, random, random.choice((0.02, 0.06)))
    if random.random() < 0.06:
        text, mentions = disturb_spaces(text, mentions, random)
    if random.random() < 0.06:
        text, mentions = strip_diacritics(text, mentions)
    if not casual and random.random() < 0.08:
        text, mentions = break_lines(text, mentions, random)
    return Sample(sample.kind, text, mentions)
