"""Running text without sex, and optionally without relationship; ``wording`` has the table.

words     what is written for what
wording   the edits of a text
"""

from __future__ import annotations

from .wording import RELATIONSHIP, SEX, neutral_edits, telling_words

__all__ = ["RELATIONSHIP", "SEX", "neutral_edits", "telling_words"]
