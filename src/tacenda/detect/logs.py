"""Records of logs: what a field holds is judged by all records of a template.

A *record* is a line with a time near its start, or an object of JSON with a time. Records with the
same punctuation and most words in common are of one *template*; the words at one place of a template
are a *field* (P. He et al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017,
with the punctuation in place of the tree). The recognizer takes a program's name in one record for a
person and misses a user in the next, so its probability for a word becomes that of the field:

| a field of three records and more | its words |
|---|---|
| varies, and the recognizer takes it for personal on average | personal, at least as probable as on average; in small letters a user name |
| varies otherwise | personal where the recognizer is sure, else innocent |
| never varies but in digits | innocent, unless it is surely a name on average |

| in such a field, or in a single record with the marks of a program, not of a sentence with a time | |
|---|---|
| a time to the second, a level such as ``INFO`` | innocent |
| a short number, one in hexadecimal, a dotted name of a module; not in a single record | innocent |
| a word behind a key of a person, such as ``user=`` | a user name, unless it is an account of the system |

What patterns find by form alone, the terms of the policy and the mentions of plug-ins stay; lines of
any other kind are not touched, nor is a time alone in its line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ..document import Mention, MentionSource, SemanticType, Span
from ..text.word_lists import ordered_words
from .patterns.base import alternation
from .patterns.secrets import names_somebody

Place: TypeAlias = tuple[int, int]
"""Code points ``[start, end)``; lighter than a span, as each word has one."""

_LINE = re.compile(r"[^\n\r]+")
_WORD = re.compile(r"\w+(?:[.+-]\w+)*(?:@\w+(?:[.-]\w+)+)?")
_BLANKS = re.compile(r"[ \t]+")
_DIGITS = re.compile(r"\d+")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_ZONE = r"(?: ?(?:Z|UTC|GMT|[AP]M|[+-]\d\d:?\d\d)\b)?"
_CLOCK = rf"[0-2]?\d:[0-5]\d:[0-5]\d(?:[.,:]\d{{1,9}})?{_ZONE}"
_TIME = re.compile(
    rf"\d{{4}}[-/.]\d\d[-/.]\d\d[T ](?:{_CLOCK}|\d\d:\d\d\b)"
    rf"|(?:\d\d?[-/ ]{_MONTH}[-/ ]\d{{4}}[: ]|\d\d?[-/.]\d\d?[-/.]\d{{2,4}},? |\d\d-\d\d |[IWEF]\d{{4}} "
    rf"|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?{_MONTH} {{1,2}}\d\d? (?:\d{{4}} )?)?"
    rf"{_CLOCK}(?: \d{{4}}\b)?{_ZONE}"
    r"|\b1[5-9]\d{8}(?:\.\d{1,9}|\d{3})?\b"
)
_TIME_KEY = re.compile(r"\"(?:[@\w]{0,24}(?:time|Time|TIME)\w{0,12}|ts|level|severity)\"\s?:")
_LEVEL = re.compile(r"TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|AUDIT|LOG")
_PROGRAM = re.compile(
    rf"\b(?:{_LEVEL.pattern})\b|\w\[\d+\]|\w=\S|\{{\"|\[\w+\]|Date: +\w{{3}} \w{{3}} \d"
)
"""A mark of a program, which no message of a chat has behind its time."""
_STAMP = re.compile(r"\W{0,3}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
"""The start of a line that is a mark of a program where other lines start so."""
_TIME_OF_SENTENCE = re.compile(
    r"\b(?i:at|on|since|from|until|till|before|after|by|to|of|and|or|between|was|is|around|about)[ (]+\Z"
    rf"|\A\W{{0,3}}(?!(?i:{_LEVEL.pattern})\b)[^\W\d_a-z][^\W\d_A-Z]+ \Z"
)
"""Words before the time of what a sentence tells, which is no time of a record: ``on``, or one with a capital, ``Born``."""
_MACHINE = re.compile(
    r"[\d.+-]{1,5}|[\d+-]*\.[\d.+-]*|0x\w+|(?=.*\d)(?:[0-9a-fA-F-]{6,}|[0-9A-Z]{12,})|[^\W\d]\w*(?:\.\w+){2,}"
)
"""Short numbers, versions, identifiers without small letters or in hexadecimal, names of modules."""
_PEOPLE = ordered_words("logs_people")
_KEY = re.compile(
    rf"(?P<key>{alternation(form(word) for word in _PEOPLE for form in (str, str.title, str.upper))})"
    r"(?i:_?(?:name|id))?(?:[\"']?(?:=>|[=:])|[\"'] ?(?:=>|:) | =>? )[\"'<\[(]{0,3}(?=[^\W\d])"
)
"""A key of a person, up to the value."""
_REACH = 60
"""Code points of a line in which its time begins, and of a value behind a key."""
_MARKED = 200
"""Number of code points at the start of a line that contain the mark of a program."""
_SIMILAR = 0.6
"""Share of words in common with the template."""
_TEMPLATES = 10
"""Most templates of the same punctuation, which keeps the time linear."""
_RECORDS = 3
_OFTEN = 0.15
"""Mean probability from which a field that varies is personal."""
_LIKELY = 0.5
"""Mean probability from which a field that never varies is a name, and that of a word of one that varies."""
_USER = Mention(
    Span(0, 1), SemanticType.PERSON, 0.95, 0.95, MentionSource.PATTERN, kind="user_name"
)
"""Mention of a value after a person's key, except for its place."""
_JUDGED = frozenset({MentionSource.NEURAL, MentionSource.GAZETTEER, MentionSource.PATTERN})
_NAMING = frozenset({SemanticType.PERSON, SemanticType.LOC, SemanticType.ORG, SemanticType.DEM})


@dataclass(frozen=True, slots=True)
class _Record:
    """A line with the places of its times and words."""

    start: int
    end: int
    times: tuple[Place, ...]
    words: tuple[Place, ...]


@dataclass(slots=True)
class _Template:
    """The word at each place, empty where words vary or have a digit, and the records."""

    words: list[str]
    records: list[_Record]


class _Places:
    """Places without overlaps, in order, to be looked up."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = sorted(places)
        self._ends = [end for _, end in self.places]

    def within(self, start: int, end: int) -> Iterator[Place]:
        """Yield the places with a code point of ``[start, end)``."""
        for index in range(bisect_right(self._ends, start), len(self.places)):
            if self.places[index][0] >= end:
                return
            yield self.places[index]


def judge_log_fields(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions, those in the records of logs as their fields are judged.

    Takes time linear in the length of the text.

    Args:
        text: of the document.
        mentions: of all detectors.
    """
    templates = _templates(text)
    if not templates:
        return list(mentions)
    records = [record for template in templates for record in template.records]
    words = _Places(word for record in records for word in record.words)
    times = _Places(time for record in records for time in record.times)
    remainder: list[Mention] = []
    judged: list[Mention] = []
    for mention in mentions:
        if mention.source not in _JUDGED:
            remainder.append(mention)
        elif mention.source is not MentionSource.PATTERN or mention.p_direct < 1.0:
            judged.append(mention)
        elif not any(
            mention.span.end <= end and ":" in text[start:end]
            for start, end in times.within(mention.span.start, mention.span.end)
        ):
            remainder.append(mention)
    views: dict[int, Mention] = {}
    for mention in judged:
        for start, _ in words.within(mention.span.start, mention.span.end):
            if start not in views or views[start].p_mask < mention.p_mask:
                views[start] = mention
    by_field: dict[int, Mention | None] = {}
    for template in templates:
        by_field |= _field_views(text, template, views)
        by_field |= dict.fromkeys(_innocent(text, template, times))
    for record in records:
        for start in _announced(text, record, words):
            by_field[start] = _user(max(_USER, views.get(start, _USER), key=_p_mask))
    verdicts = {start: view for start, view in by_field.items() if view is not views.get(start)}
    for mention in judged:
        remainder += _pieces(mention, words, verdicts)
    for start, end in words.places:
        view = verdicts.get(start)
        if view is not None:
            remainder.append(replace(view, span=Span(start, end)))
    return remainder


def _records(text: str) -> Iterator[_Record]:
    for line in _LINE.finditer(text):
        start, end = line.span()
        if _TIME.fullmatch(text, start, end):
            continue  # A time alone is the value of a field.
        if _TIME.search(text, start, min(end, start + _REACH)) or (
            text[start] == "{" and text[end - 1] == "}" and _TIME_KEY.search(text, start, end)
        ):
            times = (
                time.span()
                for time in _TIME.finditer(text, start, end)
                if time.start() < start + _REACH or ":" in time[0]
            )
            words = (word.span() for word in _WORD.finditer(text, start, end))
            yield _Record(start, end, tuple(times), tuple(words))


def _templates(text: str) -> list[_Template]:
    """The templates of three records and more, and those of a program by their marks."""
    shapes: dict[str, list[_Template]] = defaultdict(list)
    stamps = 0
    for record in _records(text):
        stamps += _STAMP.match(text, record.start, record.end) is not None
        peers = shapes[_BLANKS.sub(" ", _WORD.sub("w", text[record.start : record.end]))]
        words = [text[start:end] for start, end in record.words]
        words = ["" if _DIGITS.search(word) else word for word in words]
        template = _nearest(words, peers)
        if template is None:
            peers.append(_Template(words, [record]))
            continue
        pairs = zip(words, template.words, strict=True)
        template.words = [word if word == peer else "" for word, peer in pairs]
        template.records.append(record)
    return [
        template
        for peers in shapes.values()
        for template in peers
        if len(template.records) >= _RECORDS
        or _is_of_program(text, template.records[0], stamps >= _RECORDS)
    ]


def _nearest(words: Sequence[str], peers: Sequence[_Template]) -> _Template | None:
    """The template with the most words in common; None where these are too few."""
    nearest: _Template | None = None
    overlap = -1
    for template in peers:
        pairs = zip(words, template.words, strict=True)
        shared = sum(word == peer for word, peer in pairs if word)
        if shared > overlap:
            nearest, overlap = template, shared
    return (
        nearest if overlap >= _SIMILAR * sum(map(bool, words)) or len(peers) >= _TEMPLATES else None
    )


def _is_of_program(text: str, record: _Record, is_stamped: bool) -> bool:
    """Whether a record has the mark of a program; a line that starts with its time, if others do."""
    start, end = record.start, min(record.end, record.start + _MARKED)
    if is_stamped and _STAMP.match(text, start, end):
        return True
    before = text[start : record.times[0][0]] if record.times else ""
    return _PROGRAM.search(text, start, end) is not None and not _TIME_OF_SENTENCE.search(before)


def _field_views(
    text: str, template: _Template, views: Mapping[int, Mention]
) -> dict[int, Mention | None]:
    """The mention for each word of a template, by its start; None for an innocent word."""
    by_field: dict[int, Mention | None] = {}
    for field in zip(*(record.words for record in template.records), strict=True):
        outcome = [views.get(start) for start, _ in field]
        mentions = [mention for mention in outcome if mention is not None]
        if mentions and len(field) >= _RECORDS:
            likeliest = max(mentions, key=_p_mask)
            mean = sum(mention.p_mask for mention in mentions) / len(outcome)
            if len({_DIGITS.sub("", text[start:end]) for start, end in field}) > 1:
                floor = mean if mean >= _OFTEN else _LIKELY
                outcome = [item if item and item.p_mask >= floor else None for item in outcome]
                if mean >= _OFTEN:
                    view = _with_probability(likeliest, mean)
                    outcome = [
                        _user(item or view) if text[start].islower() else item or view
                        for item, (start, _) in zip(outcome, field, strict=True)
                    ]
            elif mean < _LIKELY or likeliest.type not in _NAMING:
                outcome = [None] * len(outcome)
        by_field |= zip((start for start, _ in field), outcome, strict=True)
    return by_field


def _with_probability(mention: Mention, mean: float) -> Mention:
    """A mention of a field that is personal with ``mean``; a name is so more likely than not."""
    p_mask = max(mean, _LIKELY) if mention.type is SemanticType.PERSON else mean
    p_direct = min(mention.p_direct, p_mask)
    return replace(mention, p_mask=p_mask, p_direct=p_direct, p_mask_min_word=None)


def _p_mask(mention: Mention) -> float:
    return mention.p_mask


def _user(view: Mention) -> Mention:
    """A user name as probable as ``view``: other names begin with a capital."""
    p_mask = max(view.p_mask, _LIKELY)
    return replace(_USER, p_mask=p_mask, p_direct=p_mask)


def _innocent(text: str, template: _Template, times: _Places) -> Iterator[int]:
    """Yield the starts of words that are innocent by their form."""
    is_common = len(template.records) >= _RECORDS
    for record in template.records:
        for start, end in record.words:
            if (
                _LEVEL.fullmatch(text, start, end)
                or (is_common and _MACHINE.fullmatch(text, start, end))
                or any(times.within(start, end))
            ):
                yield start


def _announced(text: str, record: _Record, words: _Places) -> Iterator[int]:
    """Yield the starts of words that name a user by the key before them."""
    for key in _KEY.finditer(text, record.start, record.end):
        # In targetUserName a key begins inside a word, in enduser none does.
        before = text[key.start() - 1 : key.start()]
        if before.isalpha() and not (before.islower() and key["key"][0].isupper()):
            continue
        start, quote = key.end(), text[key.end() - 1]
        limit = min(record.end, start + _REACH)
        end = text.find(quote, start, limit) if quote in "\"'" else -1
        for first, last in words.within(start, max(end, start + 1)):
            if names_somebody(text[first:last]) and not _MACHINE.fullmatch(text, first, last):
                yield first


def _pieces(mention: Mention, words: _Places, verdicts: Container[int]) -> Iterator[Mention]:
    """Yield the parts of a mention without the words that its fields judge otherwise."""
    position = mention.span.start
    for start, end in words.within(mention.span.start, mention.span.end):
        if start not in verdicts:
            continue
        if position < start:
            yield replace(mention, span=Span(position, start))
        position = max(position, end)
    if position < mention.span.end:
        yield replace(mention, span=Span(position, mention.span.end))
