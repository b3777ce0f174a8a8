"""Makes running text neutral in sex and, optionally, in relationship.

words     the words and their neutral forms
wording   the edits of a text, with a table of examples
"""

from __future__ import annotations

from .wording import RELATIONSHIP, SEX, neutral_edits, telling_words

__all__ = ["RELATIONSHIP", "SEX", "neutral_edits", "telling_words"]
