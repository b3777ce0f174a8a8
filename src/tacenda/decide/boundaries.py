"""Whether a stretch of text is made of whole words, in any script.

Letters, digits, the underscore and combining marks make words. Scripts that are written without
spaces have no boundary to ask for: there every character may begin or end a word.
"""

from __future__ import annotations

import re
import unicodedata

# Thai, Lao, Myanmar, Khmer; kana, bopomofo; Han with its extensions.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def whole_words(text: str, start: int, end: int) -> bool:
    """Tell whether ``text[start:end]``, not empty, neither begins nor ends inside a word."""
    return not _inside(text, start) and not _inside(text, end)


def _inside(text: str, position: int) -> bool:
    if not 0 < position < len(text):
        return False
    left, right = text[position - 1], text[position]
    if _is_mark(right):
        return left.isalnum() or _is_mark(left)
    return (
        (left.isalnum() or left == "_" or _is_mark(left))
        and (right.isalnum() or right == "_")
        and not _UNSPACED.match(left)
        and not _UNSPACED.match(right)
    )


def _is_mark(character: str) -> bool:
    return character > "\u02ff" and unicodedata.category(character).startswith("M")
