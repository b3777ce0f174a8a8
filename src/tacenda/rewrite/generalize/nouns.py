"""English nouns: ``a`` or ``an``, plurals, and the words that decide about articles (``data/english_grammar.toml``)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ...document import LanguagePart, Span
from ...shipped import shipped_table
from ...text.passages import has_separator
from ..edits import Edit

_TABLE = shipped_table("english_grammar")
WORDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split()) for name, words in _TABLE["words"].items()
}
OF_ROLES: dict[str, str] = _TABLE["roles"]
OF_GROUPS: dict[str, str] = _TABLE["groups"]
"""One of many, for a word of all of them."""

# Spelled with a vowel but pronounced with a consonant, and vice versa.
_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us[aeiu]|ut[aeio]|eu|ewe|one\b|once\b|ub|u\b)", re.IGNORECASE
)
_VOWEL = re.compile(r"(?:[aeiou]|hour|honest|heir|honou?r|8|11\b|18\b)", re.IGNORECASE)
_SPELLED_OUT = re.compile(r"[A-Z]{2,}\b|[A-Z]\b")
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
_ARTICLE_BEFORE = re.compile(r"(?<!\w)([Aa])n?(\s+)\Z")
TAIL = re.compile(r"\s(?:of|in|on|for|at|from|with|by|to)\s")
_IRREGULAR = {"person": "people", "man": "men", "woman": "women", "child": "children"}
_PLURAL = re.compile(r"\w+[^\Wsui]s|\w+sses|men|\w+men|people|children", re.IGNORECASE)
_MASS = re.compile(r"\w+(?:ing|ics|ism|ness|ology|osis|itis)")


def article(phrase: str) -> str:
    """Return ``a`` or ``an``, depending on how ``phrase`` is pronounced."""
    if _SPELLED_OUT.match(phrase) and len(phrase.split()[0]) <= 4:
        return "an" if phrase[0] in _VOWEL_LETTERS else "a"
    return "an" if _VOWEL.match(phrase) and not _CONSONANT.match(phrase) else "a"


@lru_cache(maxsize=4096)
def plural(phrase: str) -> str:
    """Return the plural of a noun phrase: ``cities in Norway``."""
    end = tail.start() if (tail := TAIL.search(phrase)) else len(phrase)
    nouns = [noun.rpartition(" ") for noun in phrase[:end].split(" or ")]
    return " or ".join(f"{head} {_plural(word)}".lstrip() for head, _, word in nouns) + phrase[end:]


def _plural(word: str) -> str:
    if word in _IRREGULAR or _is_plural_word(word):
        return _IRREGULAR.get(word, word)
    for singular, ending in (("man", "men"), ("person", "people")):
        if word.endswith(singular):
            return word.removesuffix(singular) + ending
    if re.search(r"[^aeiou]y\Z", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)\Z", word) else "s")


def is_plural(phrase: str) -> bool:
    """Return whether the head of a noun phrase is plural: ministers of state."""
    return _is_plural_word(head(phrase))


def _is_plural_word(word: str) -> bool:
    invariable = word.lower() in WORDS["singular_s"] or word.endswith("ics")
    return not invariable and bool(_PLURAL.fullmatch(word))


def is_counted(phrase: str) -> bool:
    """Return whether a singular noun phrase needs an article: a crime, but arthritis."""
    noun = head(phrase).lower()
    return noun not in WORDS["mass"] and not _MASS.fullmatch(noun) and not is_plural(phrase)


def head(phrase: str) -> str:
    """Return the last noun of the first noun phrase, or an empty string if there is none."""
    words = str(TAIL.split(phrase)[0]).rstrip(".,;:)'\"’”").split()
    return words[-1] if words else ""


def capital(phrase: str) -> str:
    """Return a phrase with its first letter capitalized."""
    return phrase[:1].upper() + phrase[1:]


def fix_articles(
    text: str,
    edits: Iterable[Edit],
    ids: Collection[str],
    foreign: Sequence[LanguagePart] = (),
) -> Iterator[Edit]:
    """Yield the edits, correcting ``a`` and ``an`` before them to fit their texts.

    Such an article becomes part of the edit: "a drummer" is replaced by "an [artist]".

    Args:
        text: the original.
        edits: in order of the text.
        ids: ids of entities replaced by words; other edits stay unchanged.
        foreign: parts in other languages, where "a" may be a preposition, in order.
    """
    ends = [part.span.end for part in foreign]
    end = 0
    for edit in edits:
        before = _ARTICLE_BEFORE.search(text, max(end, edit.span.start - 4), edit.span.start)
        end = edit.span.end
        part = bisect_right(ends, edit.span.start)
        if part < len(foreign) and foreign[part].span.start <= edit.span.start:
            before = None
        phrase = edit.text.lstrip("[(")
        if before and phrase[:1].isalnum() and all(id in ids for id in edit.entities):
            word = article(phrase)
            if before[0].strip().lower() != word:
                written = before[1] + word[1:]
                if has_separator(text, Span(*before.span(2))):
                    yield replace(edit, span=Span(before.start(), before.start(2)), text=written)
                    yield edit
                    continue
                span = Span(before.start(), edit.span.end)
                yield replace(edit, span=span, text=f"{written}{before[2]}{edit.text}")
                continue
        yield edit
