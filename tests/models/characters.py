"""The characters of ``tacenda.models.wordpiece``, asked of the library ``tokenizers`` one by one.

python -m tests.models.characters    writes ``src/tacenda/models/characters.json.gz``
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

FILE = Path(__file__).parents[2] / "src/tacenda/models/characters.json.gz"


def characters() -> dict[str, Any]:
    """Return what the file holds: the normalizer's answer for each code point."""
    normalizer, parts = BertNormalizer(), BertPreTokenizer()
    spaces: list[int] = []
    words: list[int] = []
    removed: list[int] = []
    replacements: dict[str, str] = {}
    for code in (*range(0xD800), *range(0xE000, 0x110000)):
        character = chr(code)
        text = normalizer.normalize_str(character)
        if not text:
            removed.append(code)
            continue
        bare = text.strip(" ")
        if not bare:
            spaces.append(code)
            continue
        if text != bare or len(parts.pre_tokenize_str(f"a{bare}a")) == 3:
            words.append(code)
        if bare != character and not "가" <= character <= "힣":
            replacements[character] = bare
    return {
        "spaces": _set(spaces),
        "words": _set(words),
        "removed": [bound for first, last in _runs(removed) for bound in (first, last + 1)],
        "replacements": replacements,
    }


def _runs(codes: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1] = (runs[-1][0], code)
        else:
            runs.append((code, code))
    return runs


def _set(codes: Iterable[int]) -> str:
    return "".join(f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in _runs(codes))


if __name__ == "__main__":
    content = json.dumps(characters(), ensure_ascii=True).encode()
    FILE.write_bytes(gzip.compress(content, mtime=0))
