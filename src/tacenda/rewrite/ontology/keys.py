"""How names are compared: folded, without punctuation and a leading article."""

from __future__ import annotations

import re

from ...text.folding import fold_text

_WORD = re.compile(r"\w+(?:'\w+)?")
_ARTICLE = re.compile(r"\A(?:the|a|an) (?=.)")


def key_of(name: str) -> str:
    """Return the words of a name, folded, with one space between: ``s c johnson & son``.

    The dots of abbreviations are dropped: ``U.S.`` and ``US`` are one.
    """
    folded = re.sub(r"(?<=\b\w)\.(?=\w\b)", "", fold_text(name))
    words = " ".join(match.removesuffix("'s") for match in _WORD.findall(folded))
    return _ARTICLE.sub("", words, count=1)
