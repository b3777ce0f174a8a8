"""The context of a replaced stretch that grammar depends on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...document import Span
from ...shipped import shipped_patterns
from ...text.dates import MONTH
from .nouns import WORDS

STOP = WORDS["prepositions"] | WORDS["conjunctions"]
DETERMINERS = WORDS["determiners"]
_RELATIVE = frozenset(("which", "that"))
_BEFORE = 60
_WORD = re.compile(r"([^\W_]+(?:['’]\w+)?)\s+\Z")
_PATTERNS = shipped_patterns("english_contexts", "sentence", month=MONTH)
_NEXT = re.compile(r" ([^\W_]+)")
_DASH = re.compile(r"\s?[-\u2010-\u2015]")
_QUOTES = frozenset("\"'“‘«„<")
_QUOTED = re.compile(r"[,.]?[\"'”’»“>]")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…][\"'”’)\]]*\s+|\n)[\s\"'“‘(\[]*\Z")
_LINE_START = re.compile(r"(?:\A|[\n\t])(?:[-*•]\s)?\Z")
_ENDS = re.compile(r"\s*(?:[.,;)]|\n|\Z)")
_LINE_END = re.compile(r"\s*(?:\n|\t|\Z)")


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """The grammatical context of a place in a sentence.

    Attributes:
        original: the replaced string.
        word: the word right before it, in lower case; empty after a punctuation mark or at the
            start.
        sign: the last character before it that isn't white space; empty at the start.
        determined: whether an article or another determiner comes before it.
        after_name: whether a capitalized word, maybe of the same name, comes right before it.
        starts_sentence: whether it starts a sentence.
        following: the word right after it, in lower case; empty before a punctuation mark or at the
            end.
        after_part: whether a part of it is named before it: ``early``, ``the end of``.
        before_dash: whether a dash follows, as in a range.
        quoted: whether it is alone in quotation marks or angle brackets.
        labelled: whether it is the value after a label, or alone on its line.
        apposed: whether it is between a name with a comma and the end of a clause or list.
        after_date: whether it follows a date and a comma.
        languages: whether languages are listed before it, or may be.
    """

    original: str = field(repr=False)
    word: str
    sign: str
    determined: bool
    after_name: bool
    starts_sentence: bool
    following: str
    after_part: bool
    before_dash: bool
    quoted: bool
    labelled: bool
    apposed: bool
    after_date: bool
    languages: bool


def sentence_context(text: str, span: Span) -> SentenceContext:
    """Return the grammatical context of ``span`` in ``text``."""
    window = max(0, span.start - _BEFORE)
    before = text[window : span.start]
    starts = (window == 0 or before.strip() != "") and bool(_SENTENCE_START.search(before))
    match = _WORD.search(_PATTERNS["prior"].sub("before ", before))
    after = _NEXT.match(text, span.end)
    return SentenceContext(
        original=span.of(text),
        word=match[1].lower() if match else "nos" if before.lower().endswith("nos. ") else "",
        sign=before.rstrip()[-1:],
        determined=_determined(before),
        after_name=match is not None and match[1][0].isupper() and match[1].lower() not in STOP,
        starts_sentence=starts and not _PATTERNS["abbreviated"].search(before),
        following=after[1].lower() if after else "",
        after_part=bool(_PATTERNS["part"].search(before)),
        before_dash=bool(_DASH.match(text, span.end)),
        quoted=text[max(0, span.start - 1) : span.start] in _QUOTES
        and bool(_QUOTED.match(text, span.end)),
        labelled=bool(
            (_PATTERNS["label"].search(before) and _ENDS.match(text, span.end))
            or (_LINE_START.search(before) and _LINE_END.match(text, span.end))
        ),
        apposed=bool(_PATTERNS["apposed"].search(before))
        and not _PATTERNS["listed"].match(text, span.end),
        after_date=bool(_PATTERNS["after_date"].search(before)),
        languages=bool(_PATTERNS["languages"].search(before)),
    )


def _determined(before: str) -> bool:
    """Return whether one of the three words before is a determiner of what follows."""
    for _ in range(3):
        match = _WORD.search(before)
        if match is None:
            return False
        word = match[1].lower()
        # In "the changes which occurred Monday", Monday has no determiner.
        if word in DETERMINERS - _RELATIVE or word.endswith(("'s", "’s")):
            return True
        if word in STOP or word in _RELATIVE:
            return False
        before = before[: match.start()]
    return False
