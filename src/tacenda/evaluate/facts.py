"""How much of a text's facts can still be read in its sanitized version.

A statement is a clause: the text between two punctuation marks, where a comma counts only between
parts of at least three content words each. Its information is that of its content words, −log
p(word) by the shipped counts. Capitalized words inside a sentence and words with a digit count a
quarter, since most of their information says who somebody is, which has to go. How much of a word
is kept:

    1      if it is still there share  by ``rewrite.generalize`` (``Candidate.kept``) if something
    true but less specific was written: the share of the bits that say which thing of its kind it is
    0.1    if a tag, or a word such as *nationality*, says what kind of thing stood there
    (``KIND_ALONE``) 0      if it is masked, or if something else is written: a made-up name is not
    a fact

Words say something about each other: if a statement has several, a word counts only if something is
left of a neighboring content word. What is kept of a statement entails a true, less specific
statement; its score is that statement's share of the information. So masking more never raises the
score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..document import Document, Entity, Mention, MentionSource, SemanticType, Span
from ..rewrite.generalize.candidates import KIND_ALONE
from ..rewrite.generalize.candidates import words as folded_words
from ..rewrite.generalize.nouns import OF_GROUPS, OF_ROLES, plural
from ..rewrite.generalize.options import OptionRule, rules
from ..rewrite.ontology import shipped
from ..text.information import UnigramSurprisal
from ..text.tokens import words
from ..text.word_lists import FUNCTION
from ..wording import TAG_WORDS
from .releases import Release, Rewriting

_BREAK: Final = re.compile(r"[.;:!?]+[\"')\]]*(?:\s|$)|\n|[\u3002\uff01\uff1f\uff1b]")
_COMMA: Final = re.compile(r",\s")
_COMMA_BETWEEN: Final = 3
"""Content words on both sides of a comma that parts two statements."""
_TAG: Final = re.compile(
    rf"[\[<{{(]\s*(?:[A-Z][A-Z_]+|{'|'.join(TAG_WORDS)})(?:[ _-][\w.…-]+)?\s*[\]>}})]"
)
"""``[PERSON 1]``, ``<PERSON>``, ``[ORG 7K2QF4XA]``."""
_KINDS: Final = frozenset(("x", "xth", "age", "nationality"))
"""Words that say what kind of thing stood there and nothing of which one, as tags do."""
_LONGEST: Final = 12
"""Words of an original for which a generalisation is looked up."""
_LONGEST_JOINED: Final = 6
"""The same, where an option is looked up of each of two parts."""
_ITEM_END: Final = re.compile(r",?\s(?:and|&)\s|,\s")
_COUNTS: Final = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NAMED: Final = 0.25
"""Share of the information of names, dates and numbers that counts: most of it only identifies."""
_TYPES: Final = tuple(type for type in SemanticType if type is not SemanticType.PERSON)


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A content word in the original.

    Attributes:
        key: the word in lowercase.
        information: in nats.
        kept: the share that can still be read, in [0, 1].
    """

    key: str
    information: float
    kept: float


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A release in the form needed to measure it.

    Attributes:
        statements: the original's content words by statement, in order.
        written: lowercase words that were written instead, except those of tags, with their
            information, which is 0 for true words.
    """

    statements: tuple[tuple[ContentWord, ...], ...]
    written: tuple[tuple[str, float], ...]

    @property
    def content(self) -> Iterator[ContentWord]:
        """All content words of the original."""
        return (word for statement in self.statements for word in statement)


def read_release(release: Release) -> ReadRelease:
    """Return a release's statements, and how much of their words is kept."""
    text = release.original
    document = Document(release.id, text)
    shares = [kept_share(document, each) for each in release.rewritings]
    content: list[ContentWord] = []
    places: list[int] = []
    edit = 0
    for start, end, information in _informative(text):
        while edit < len(shares) and release.rewritings[edit].end <= start:
            edit += 1
        is_edited = edit < len(shares) and release.rewritings[edit].start < end
        kept = shares[edit] if is_edited else 1.0
        content.append(ContentWord(text[start:end].lower(), information, kept))
        places.append(start)
    replacements = (
        (_TAG.sub(" ", each.text), share)
        for each, share in zip(release.rewritings, shares, strict=True)
    )
    return ReadRelease(
        tuple(_statements(text, content, places)),
        tuple(
            (phrase[start:end].lower(), 0.0 if share else information)
            for phrase, share in replacements
            for start, end, information in _informative(phrase)
        ),
    )


def _informative(text: str) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and information of each content word in a text."""
    surprisal = UnigramSurprisal.shipped().surprisal
    spans = list(zip(*words(text), strict=True))
    capital = [text[start].isupper() for start, _ in spans]
    is_cased = sum(capital) < len(spans) / 2 or len(spans) < 8
    first = _after_breaks(text, [start for start, _ in spans])
    for n, (start, end) in enumerate(spans):
        word = text[start:end]
        if _is_function(word):
            continue
        names = is_cased and capital[n] and (n not in first or any(capital[n + 1 : n + 2]))
        share = NAMED if names or any(c.isdigit() for c in word) else 1.0
        yield start, end, share * surprisal(word)


def _after_breaks(text: str, places: Sequence[int]) -> set[int]:
    breaks = [match.start() for match in _BREAK.finditer(text)]
    groups = _parted(range(len(places)), places, breaks)
    return {group[0] for group in groups}


def facts_kept(read: ReadRelease) -> float | None:
    """Return the share of all statements' information that is kept, in [0, 1]; None without content words."""
    total = sum(word.information for word in read.content)
    if not total:
        return None
    return sum(map(_kept, read.statements)) / total


def _kept(statement: Sequence[ContentWord]) -> float:
    last = len(statement) - 1
    return sum(
        word.information * word.kept
        for place, word in enumerate(statement)
        if not last
        or (place and statement[place - 1].kept)
        or (place < last and statement[place + 1].kept)
    )


def _statements(
    text: str, content: Sequence[ContentWord], places: Sequence[int]
) -> Iterator[tuple[ContentWord, ...]]:
    breaks = [match.start() for match in _BREAK.finditer(text)]
    commas = [match.start() for match in _COMMA.finditer(text)]
    groups: list[list[ContentWord]] = []
    for sentence in _parted(list(range(len(content))), places, breaks):
        parts = _parted(sentence, places, commas)
        joined: list[list[int]] = []
        for part in parts:
            if joined and min(len(joined[-1]), len(part)) < _COMMA_BETWEEN:
                joined[-1] += part
            else:
                joined.append(list(part))
        groups += [[content[n] for n in part] for part in joined]
    return map(tuple, groups)


def _parted(indices: Sequence[int], places: Sequence[int], marks: Sequence[int]) -> list[list[int]]:
    """Return the indices in nonempty groups, split at the punctuation between their positions."""
    groups: list[list[int]] = []
    mark = 0
    for n in indices:
        is_new = not groups
        while mark < len(marks) and marks[mark] < places[n]:
            mark += 1
            is_new = True
        if is_new:
            groups.append([])
        groups[-1].append(n)
    return groups


# The share of the original's information that a rewriting keeps.


def kept_share(document: Document, rewriting: Rewriting) -> float:
    """Return the share of the information of the original that a rewriting keeps, in [0, 1].

    The phrase may be an option for the original, for its last part ("film" for "film Ubik"), for
    each of its two parts ("1960s competition" for "1968 Olympics"), or for each name in a list
    ("two countries"). A phrase that says more than that may say something else, so nothing is kept.
    """
    phrase = folded_words(_TAG.sub(" ", rewriting.text))
    content = list(_content(phrase))
    if all(word in _KINDS for word in content):
        return KIND_ALONE if content or _TAG.search(rewriting.text) else 0.0
    if rewriting.start == rewriting.end:
        return 0.0
    places = _content_places(document.text, Span(rewriting.start, rewriting.end))
    said = _said(phrase)
    if not 0 < len(places) <= _LONGEST or not said:
        return 0.0
    span = Span(places[0].start, places[-1].end)
    if share := _options_said(document, span).get(said, 0.0):
        return share
    return max(_share_of_parts(document, places, said), _share_of_list(document, span, said))


def _options_said(document: Document, span: Span) -> dict[tuple[str, ...], float]:
    """Return the share that each option of a span keeps, for any type, keyed by the option's words."""
    mentions = [Mention(span, type, 1.0, 0.0, MentionSource.GOLD) for type in _TYPES]
    shares: dict[tuple[str, ...], float] = {}
    for each in mentions:
        for option in _rules()[each.type].options(document, Entity("e1", each.type, 1, (each,))):
            for form in _forms(option.text):
                if said := _said(folded_words(form)):
                    shares[said] = max(option.kept, shares.get(said, 0.0))
    return shares


def _share_of_parts(document: Document, places: Sequence[Span], said: tuple[str, ...]) -> float:
    """Return the mean over two parts of the original, the first of which may be left out."""
    if len(places) > _LONGEST_JOINED:
        return 0.0
    best = 0.0
    for number in range(1, len(places)):
        first = _options_said(document, Span(places[0].start, places[number - 1].end))
        last = _options_said(document, Span(places[number].start, places[-1].end))
        for words_of_first, share in [((), 0.0), *first.items()]:
            rest = Counter(said)
            rest.subtract(words_of_first)
            if min(rest.values()) >= 0 and (other := last.get(tuple(sorted(rest.elements())))):
                total = number * share + (len(places) - number) * other
                best = max(best, total / len(places))
    return best


def _share_of_list(document: Document, span: Span, said: tuple[str, ...]) -> float:
    """Return the mean over the names in a list, each of which is what the phrase says."""
    ends = [*_ITEM_END.finditer(document.text, span.start, span.end)]
    count = len(ends) + 1
    if not 1 < count < len(_COUNTS) or _COUNTS[count] not in said:
        return 0.0
    noun = tuple(word for word in said if word != _COUNTS[count])
    starts = [span.start, *(match.end() for match in ends)]
    stops = [*(match.start() for match in ends), span.end]
    shares = [
        _options_said(document, Span(start, stop)).get(noun, 0.0)
        for start, stop in zip(starts, stops, strict=True)
    ]
    return sum(shares) / count if all(shares) else 0.0


def _forms(option: str) -> tuple[str, ...]:
    """Return the forms of an option for one thing, several, and one of many: "gendarmes" are "professions"."""
    return option, plural(option), (OF_ROLES | OF_GROUPS).get(option, option)


@cache
def _rules() -> dict[SemanticType, OptionRule]:
    return dict(rules(shipped()))


def _content(phrase: Sequence[str]) -> Iterator[str]:
    return (word for word in phrase if word not in FUNCTION)


def _said(phrase: Sequence[str]) -> tuple[str, ...]:
    # In a sentence, "date in the 1980s" is written "in the 1980s" or "later in the 1980s".
    content = sorted(word for word in _content(phrase) if word not in ("date", "dates", "period"))
    return tuple([word for word in content if word not in ("earlier", "later")] or content)


def _content_places(text: str, span: Span) -> list[Span]:
    """Return the positions of the content words in a span."""
    starts, ends = words(span.of(text))
    return [
        Span(span.start + start, span.start + end)
        for start, end in zip(starts, ends, strict=True)
        if not _is_function(text[span.start + start : span.start + end])
    ]


def _is_function(word: str) -> bool:
    """Return whether a word carries no information, unlike the month May."""
    return word.lower() in FUNCTION and word != "May"
