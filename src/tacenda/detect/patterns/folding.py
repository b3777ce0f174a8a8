"""Fold the many ways to write a digit, a space or a hyphen into one, keeping every offset.

Each code point becomes exactly one code point, so an offset in the folded text is an offset in
the original. Patterns are written for ASCII digits, spaces and hyphens only.
"""

from __future__ import annotations

import re
import unicodedata

_COMMON = (
    ("\u00a0", " "),  # no-break space
    ("\u202f", " "),  # narrow no-break space, the thousands separator of many locales
    ("\u2009", " "),  # thin space
    ("\u2007", " "),  # figure space
    ("\u2011", "-"),  # non-breaking hyphen
    ("\u2010", "-"),  # hyphen
)
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_DIGITS = {
    code: str(unicodedata.decimal(chr(code)))
    for code in range(0x80, 0x1FBFA)
    if unicodedata.decimal(chr(code), None) is not None
}
_TABLE = str.maketrans(_DIGITS | _FULL_WIDTH)
# Few wide ranges are searched faster than the many narrow ones that the table has. They leave out
# punctuation, symbols, the ideographs and all that comes before the Arabic digits.
_SUSPECT = re.compile("[\u0660-\u1fff\u3000\ua620-\uabff\uff01-\uff5e\U00010000-\U0001fbfa]")


def fold(text: str) -> str:
    """Return ``text`` with digits, spaces and hyphens in their ASCII form, of the same length.

    Decimal digits of every script and the full-width forms of ASCII are folded.
    """
    if text.isascii():
        return text
    for written, plain in _COMMON:
        text = text.replace(written, plain)
    return text.translate(_TABLE) if _SUSPECT.search(text) else text
