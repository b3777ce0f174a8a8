"""``a`` or ``an``, plurals, and the article that stands before what is replaced."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ...document import Span
from ...text.passages import has_separator
from ..edits import Edit

# Written with a vowel and spoken with a consonant, and the other way round.
_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us[aeiu]|ut[aeio]|eu|ewe|one\b|once\b|ub|u\b)", re.IGNORECASE
)
_VOWEL = re.compile(r"(?:[aeiou]|hour|honest|heir|honou?r|8|11\b|18\b)", re.IGNORECASE)
_SPELLED_OUT = re.compile(r"[A-Z]{2,}\b|[A-Z]\b")
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
_ARTICLE = re.compile(r"(?<!\w)([Aa])n?(\s+)\Z")
_TAIL = re.compile(r"\s(?:of|in|on|for|at|from|with|by|to)\s")
_IRREGULAR = {"person": "people", "man": "men", "woman": "women", "child": "children"}


def article(phrase: str) -> str:
    """Return ``a`` or ``an``, as ``phrase`` is spoken."""
    if _SPELLED_OUT.match(phrase) and len(phrase.split()[0]) <= 4:
        return "an" if phrase[0] in _VOWEL_LETTERS else "a"
    return "an" if _VOWEL.match(phrase) and not _CONSONANT.match(phrase) else "a"


def plural(phrase: str) -> str:
    """Return the plural of a noun phrase: ``cities in Norway``."""
    tail = _TAIL.search(phrase)
    end = tail.start() if tail else len(phrase)
    head, _, word = phrase[:end].rpartition(" ")
    return f"{head} {_plural(word)}".lstrip() + phrase[end:]


def _plural(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for singular, ending in (("man", "men"), ("person", "people")):
        if word.endswith(singular):
            return word.removesuffix(singular) + ending
    if re.search(r"[^aeiou]y\Z", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)\Z", word) else "s")


def agree(text: str, edits: Iterable[Edit], ids: Collection[str]) -> Iterator[Edit]:
    """Yield the edits, with ``a`` and ``an`` before them where what is written asks for the other.

    Such an article becomes part of the edit: "a drummer" is replaced by "an [artist]".

    Args:
        text: the original.
        edits: in order of the text.
        ids: entities of which something in words is written; other edits stay as they are.
    """
    end = 0
    for edit in edits:
        before = _ARTICLE.search(text, max(end, edit.span.start - 4), edit.span.start)
        end = edit.span.end
        phrase = edit.text.lstrip("[(")
        if before and phrase[:1].isalnum() and all(id in ids for id in edit.entities):
            wanted = article(phrase)
            if before[0].strip().lower() != wanted:
                capital = before[1] + wanted[1:]
                if has_separator(text, Span(*before.span(2))):
                    yield replace(edit, span=Span(before.start(), before.start(2)), text=capital)
                    yield edit
                    continue
                span = Span(before.start(), edit.span.end)
                yield replace(edit, span=span, text=f"{capital}{before[2]}{edit.text}")
                continue
        yield edit
