"""Names in another script in an English text, in their original spelling.

| in the text | found |
|---|---|
| ``Ivan Petrov (Russian: Иван Петров; born 1950)`` | ``Иван Петров`` |
| ``(Burmese: စည်သူအောင်)``, ``Li Na (李娜)`` | ``စည်သူအောင်``, ``李娜`` |
| ``an angle α``, ``5 μm`` | nothing: a single letter is a symbol |
| a text that isn't mainly in Latin script | nothing: its words aren't names |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Hit

_SCRIPTS = (
    "\u0370-\u03ff"  # Greek
    "\u0400-\u052f"  # Cyrillic
    "\u0530-\u058f"  # Armenian
    "\u0590-\u05ff"  # Hebrew
    "\u0600-\u07ff"  # Arabic, Syriac, Thaana, N'Ko
    "\u0900-\u109f"  # Indic, Thai, Lao, Tibetan, Burmese
    "\u10a0-\u11ff"  # Georgian, Hangul
    "\u1200-\u139f"  # Ethiopic
    "\u1780-\u17ff"  # Khmer
    "\u1f00-\u1fff"  # Greek with accents
    "\u3040-\u30ff"  # kana
    "\u3400-\u9fff"  # Han
    "\uac00-\ud7af"  # Hangul
)
_JOINTS = r"[ \u00a0.'’·・‐-]{1,2}"
# Digits and punctuation in these blocks aren't letters, but marks between letters are.
_RUN = re.compile(rf"[{_SCRIPTS}]+(?:{_JOINTS}[{_SCRIPTS}]+)*")
_LARGEST_SHARE = 0.5


def find_foreign_scripts(text: str) -> Iterator[Hit]:
    """Yield runs of at least two letters in another script (kind ``foreign_script``)."""
    if text.isascii():
        return
    runs = [match.span() for match in _RUN.finditer(text) if _letters(match[0]) > 1]
    if not runs:
        return
    if sum(_letters(text[start:end]) for start, end in runs) > _LARGEST_SHARE * _letters(text):
        return
    for start, end in runs:
        yield Hit(start, end, "foreign_script")


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
