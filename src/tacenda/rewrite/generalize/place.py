"""The surroundings of a replaced stretch, as far as grammar needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...document import Span
from ...text.dates import MONTH
from .nouns import WORDS

STOP = WORDS["prepositions"] | WORDS["conjunctions"]
DETERMINERS = WORDS["determiners"]
_RELATIVE = frozenset(("which", "that"))
_BEFORE = 60
_WORD = re.compile(r"([^\W_]+(?:['’]\w+)?)\s+\Z")
_PRIOR = re.compile(r"\b(?:prior to|as of|as at|up to)\s+\Z", re.IGNORECASE)
"""Words before a date that work like "before"."""
_NEXT = re.compile(r" ([^\W_]+)")
_DASH = re.compile(r"\s?[-\u2010-\u2015]")
_QUOTES = frozenset("\"'“‘«„<")
_QUOTED = re.compile(r"[,.]?[\"'”’»“>]")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…][\"'”’)\]]*\s+|\n)[\s\"'“‘(\[]*\Z")
_PART = re.compile(
    r"\b(?:early|mid|late|later|(?:beginning|start|middle|end|half|quarter|spring|summer|autumn|fall"
    r"|winter)(?:\sof)?)(?:\sthe)?[\s-]+\Z",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"\b(?:nos?|mr|mrs|ms|dr|prof|st|sr|jr|esq|v|vs|art|arts|p|pp|para|paras|cf|e\.g|i\.e|approx|tel|fax|mob|ext|refs?|reg|acct"
    r"|[a-z])\.\s+[(\[\"“]*\Z",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:^|[.!?;]\s)[^.!?;:\n]{1,40}:\s\Z", re.MULTILINE)
_LINE_START = re.compile(r"(?:\A|[\n\t])(?:[-*•]\s)?\Z")
_APPOSED = re.compile(r"(?:\b[A-ZÀ-Þ0-9][\w'’&.-]*|\)|:\s[^.;:\n]{0,40})[\"”’]?,\s\Z")
_LISTED = re.compile(
    r"(?:,(?:\s[A-ZÀ-Þ][\w'’-]*){1,4}(?=,))*,?(?:\s[A-ZÀ-Þ][\w'’-]*){0,4}\s(?:and|or|&)\s"
)
_AFTER_DATE = re.compile(rf"(?:\d\w*|\b(?:{MONTH}))[,;]\s\Z", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[.,;)]|\n|\Z)")
_LINE_END = re.compile(r"\s*(?:\n|\t|\Z)")
_LANGUAGES = re.compile(
    r"\b(?:languages?:?|knowledge of|lessons in|some|my|your|his|her|our|their|little|broken|basic|taught(?:\s\w+){1,3}|sp(?:eaks?|eaking|oke|oken)|fluent in|in|into|learn(?:ed|t|s|ing)?|stud(?:y|ies|ied)|taught)\s"
    r"(?:\w+(?:,\s|,?\sand\s))*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """Grammar of the place.

    Attributes:
        original: the replaced string.
        word: the word right before it, in lower case; empty after a sign or at the start.
        sign: the last character before it other than white space; empty at the start.
        determined: whether an article or another determiner is before it.
        after_name: whether a word with a capital, maybe of the same name, is right before it.
        starts_sentence: whether it begins a sentence.
        following: the word right after it, in lower case; empty before a sign or at the end.
        after_part: whether a part of it is named before: ``early``, ``the end of``.
        before_dash: whether a dash follows, as in a range.
        quoted: whether it stands in quotation marks or angle brackets, alone.
        labelled: whether it is the value of a label, or alone on its line.
        apposed: whether it stands between a name with a comma and the end of a clause or list.
        after_date: whether it goes on after a date and a comma.
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
    """Return the grammar around ``span`` of ``text``."""
    window = max(0, span.start - _BEFORE)
    before = text[window : span.start]
    starts = (window == 0 or before.strip() != "") and bool(_SENTENCE_START.search(before))
    match = _WORD.search(_PRIOR.sub("before ", before))
    after = _NEXT.match(text, span.end)
    return SentenceContext(
        original=span.of(text),
        word=match[1].lower() if match else "nos" if before.lower().endswith("nos. ") else "",
        sign=before.rstrip()[-1:],
        determined=_determined(before),
        after_name=match is not None and match[1][0].isupper() and match[1].lower() not in STOP,
        starts_sentence=starts and not _ABBREVIATED.search(before),
        following=after[1].lower() if after else "",
        after_part=bool(_PART.search(before)),
        before_dash=bool(_DASH.match(text, span.end)),
        quoted=text[max(0, span.start - 1) : span.start] in _QUOTES
        and bool(_QUOTED.match(text, span.end)),
        labelled=bool(
            (_LABEL.search(before) and _ENDS.match(text, span.end))
            or (_LINE_START.search(before) and _LINE_END.match(text, span.end))
        ),
        apposed=bool(_APPOSED.search(before)) and not _LISTED.match(text, span.end),
        after_date=bool(_AFTER_DATE.search(before)),
        languages=bool(_LANGUAGES.search(before)),
    )


def _determined(before: str) -> bool:
    """Return whether one of the three words before is a determiner of the next one."""
    for _ in range(3):
        match = _WORD.search(before)
        if match is None:
            return False
        word = match[1].lower()
        # "The changes which occurred Monday" has no determiner of Monday.
        if word in DETERMINERS - _RELATIVE or word.endswith(("'s", "’s")):
            return True
        if word in STOP or word in _RELATIVE:
            return False
        before = before[: match.start()]
    return False
