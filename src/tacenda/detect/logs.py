"""Log records: what a field contains is judged from all records with the same template.

A *record* is a line with a time near its start, or a JSON object with a time. Records with the same
punctuation and most words in common share a *template*; the words at one position in a template are
a *field* (P. He et al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017,
with punctuation in place of the tree). The recognizer may mistake a program's name for a person in
one record and miss a user in the next, so the probability of a word becomes that of its field:

| a field of at least three records | its words |
|---|---|
| varies, and on average the recognizer considers it personal | personal, with at least the average probability; in lowercase, a user name |
| varies otherwise | personal if the recognizer is sure, otherwise innocent |
| never varies except in digits | innocent, unless on average it is surely a name |

| in such a field, or in a single record that looks like a program's, not like a sentence with a time | |
|---|---|
| a time to the second, a level such as ``INFO`` | innocent |
| a short number, a hexadecimal number, a dotted module name; not in a single record | innocent |
| a word after a key for people, such as ``user=`` | a user name, unless it is a system account |

What patterns find only by form, the policy's terms and the mentions of plug-ins stay. All other
lines aren't changed, nor is a time alone on its line.
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
    """A line with the positions of its times and words."""

    start: int
    end: int
    times: tuple[Place, ...]
    words: tuple[Place, ...]


@dataclass(slots=True)
class _Template:
    """The word at each position, empty if words vary or have a digit, and the records."""

    words: list[str]
    records: list[_Record]


class _Places:
    """Positions, in order and without overlaps, for lookup."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.places = sorted(places)
        self._ends = [end for _, end in self.places]

    def within(self, start: int, end: int) -> Iterator[Place]:
        """Yield the positions that overlap ``[start, end)``."""
        for index in range(bisect_right(self._ends, start), len(self.places)):
            if self.places[index][0] >= end:
                return
            yield self.places[index]


def judge_log_fields(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions; those in log records are judged by their fields.

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
    """Return the templates with at least three records, and those that look like a program's."""
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
    """Return the template with the most words in common; None if there are too few."""
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
    """Return whether a record looks like a program's; if others do, a line that starts with a time counts too."""
    start, end = record.start, min(record.end, record.start + _MARKED)
    if is_stamped and _STAMP.match(text, start, end):
        return True
    before = text[start : record.times[0][0]] if record.times else ""
    return _PROGRAM.search(text, start, end) is not None and not _TIME_OF_SENTENCE.search(before)


def _field_views(
    text: str, template: _Template, views: Mapping[int, Mention]
) -> dict[int, Mention | None]:
    """Return the mention for each word in a template, by start; None for an innocent word."""
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
    """Return the mention for a field that is personal with probability ``mean``; for a name, at least one half."""
    p_mask = max(mean, _LIKELY) if mention.type is SemanticType.PERSON else mean
    p_direct = min(mention.p_direct, p_mask)
    return replace(mention, p_mask=p_mask, p_direct=p_direct, p_mask_min_word=None)


def _p_mask(mention: Mention) -> float:
    return mention.p_mask


def _user(view: Mention) -> Mention:
    """Return a user name as probable as ``view``, since other names start with a capital."""
    p_mask = max(view.p_mask, _LIKELY)
    return replace(_USER, p_mask=p_mask, p_direct=p_mask)


def _innocent(text: str, template: _Template, times: _Places) -> Iterator[int]:
    """Yield the starts of words whose form shows that they are innocent."""
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
    """Yield the starts of words that the preceding key shows to be a user."""
    for key in _KEY.finditer(text, record.start, record.end):
        # In targetUserName a key starts inside a word; in enduser none does.
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
    """Yield the parts of a mention without the words that their fields judge differently."""
    position = mention.span.start
    for start, end in words.within(mention.span.start, mention.span.end):
        if start not in verdicts:
            continue
        if position < start:
            yield replace(mention, span=Span(position, start))
        position = max(position, end)
    if position < mention.span.end:
        yield replace(mention, span=Span(position, mention.span.end))
