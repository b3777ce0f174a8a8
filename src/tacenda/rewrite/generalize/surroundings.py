"""What stands around a stretch that is replaced, as far as grammar needs it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...document import Span

DETERMINERS = frozenset(
    (
        "the a an his her its their my our your this that these those no any every each some "
        "another which whose"
    ).split()
)
STOP = frozenset(
    (
        "of in on at from to by for with since during until till before after about around between "
        "and or but near into onto over under is was are were be been as than that who which when "
        "where while not via per against towards within without through"
    ).split()
)
_BEFORE = 60
_WORD = re.compile(r"([^\W_]+(?:['’]\w+)?)\s+\Z")
_NEXT = re.compile(r" ([^\W_]+)")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…][\"'”’)\]]*\s+|\n)[\s\"'“‘(\[]*\Z")
_PART = re.compile(
    r"\b(?:early|mid|late|later|(?:beginning|start|middle|end|half|quarter|spring|summer|autumn|fall"
    r"|winter)(?:\sof)?)(?:\sthe)?[\s-]+\Z",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"\b(?:nos?|mr|mrs|ms|dr|prof|st|v|vs|art|arts|p|pp|para|paras|cf|e\.g|i\.e|approx|[a-z])\.\s+\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Grammar of the place.

    Attributes:
        original: what is replaced.
        word: the word right before it, in lower case; empty after a sign or at the start.
        sign: the last character before it that is no white space; empty at the start.
        determined: whether an article or another determiner is before it.
        after_name: whether a word with a capital is right before it that may be of the same name.
        starts_sentence: whether it is the first of a sentence.
        following: the word right after it, in lower case; empty before a sign or at the end.
        after_part: whether a part of it is named before: ``early``, ``the end of``.
    """

    original: str = field(repr=False)
    word: str
    sign: str
    determined: bool
    after_name: bool
    starts_sentence: bool
    following: str
    after_part: bool


def surroundings(text: str, span: Span) -> Surroundings:
    """Return what stands around ``span`` of ``text``."""
    window = max(0, span.start - _BEFORE)
    before = text[window : span.start]
    starts = (window == 0 or before.strip() != "") and bool(_SENTENCE_START.search(before))
    match = _WORD.search(before)
    after = _NEXT.match(text, span.end)
    return Surroundings(
        original=span.of(text),
        word=match[1].lower() if match else "",
        sign=before.rstrip()[-1:],
        determined=_determined(before),
        after_name=match is not None and match[1][0].isupper() and match[1].lower() not in STOP,
        starts_sentence=starts and not _ABBREVIATED.search(before),
        following=after[1].lower() if after else "",
        after_part=bool(_PART.search(before)),
    )


def _determined(before: str) -> bool:
    """Tell whether one of the three words before is a determiner of what comes."""
    for _ in range(3):
        match = _WORD.search(before)
        if match is None:
            return False
        word = match[1].lower()
        if word in DETERMINERS or word.endswith(("'s", "’s")):
            return True
        if word in STOP:
            return False
        before = before[: match.start()]
    return False
