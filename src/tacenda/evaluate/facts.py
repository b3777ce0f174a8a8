"""Facts of a text that can still be read off its sanitized version.

A statement is a clause: what stands between two marks of punctuation, a comma only between stretches
of at least three content words each. Its content words carry its information, −log p(word) by the
shipped counts; of capitalised words within a sentence, and of what has a digit, a quarter counts, for
most of theirs says who it is, which is what has to go. Of a word is kept

    1      if it stands
    share  by ``rewrite.generalize`` (``Candidate.kept``) if something true and less specific was
           written: the share of the bits that say which thing of its kind it is
    0.1    if a tag, or a word such as *nationality*, says what kind of thing stood there (``KIND_ALONE``)
    0      if it is masked, or if something else is written: a made-up name is no fact

A word says something about another one: where a statement has several, a word counts only if
something is left of one of its neighbours among them. What is kept of a statement entails a true,
less specific statement, whose share of the information is its score. So masking more never raises
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..document import Document, Entity, Mention, MentionSource, SemanticType, Span
from ..rewrite.generalize.candidates import KIND_ALONE
from ..rewrite.generalize.candidates import words as folded_words
from ..rewrite.generalize.grammar import plural
from ..rewrite.generalize.options import Rule, rules
from ..rewrite.ontology import shipped
from ..text.information import UnigramSurprisal
from ..text.tokens import words
from ..text.word_lists import FUNCTION
from .releases import Release, Rewriting

_BREAK: Final = re.compile(r"[.;:!?]+[\"')\]]*(?:\s|$)|\n|[\u3002\uff01\uff1f\uff1b]")
_COMMA: Final = re.compile(r",\s")
_COMMA_BETWEEN: Final = 3
"""Content words on both sides of a comma that parts two statements."""
_TAG: Final = re.compile(r"[\[<{(]\s*[A-Z][A-Z_]+(?:[ _-][\w.…-]+)?\s*[\]>})]")
"""``[PERSON 1]``, ``<PERSON>``, ``[ORG 7K2QF4XA]``."""
_KINDS: Final = frozenset(("x", "xth", "age", "nationality"))
"""Words that say what kind of thing stood there and nothing of which one, as tags do."""
_LONGEST: Final = 12
"""Words of an original for which a generalisation is looked up."""
NAMED: Final = 0.25
"""Share of the information of names, dates and numbers that counts: most of it only says who it is."""
_TYPES: Final = tuple(type for type in SemanticType if type is not SemanticType.PERSON)


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A content word of the original.

    Attributes:
        key: lower-cased.
        information: in nats.
        kept: share that can still be read, in [0, 1].
    """

    key: str
    information: float
    kept: float


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A release as a reader of it needs it.

    Attributes:
        statements: content words of the original by statement, in order.
        written: words that were written instead, lower-cased, none of tags, with their information;
            0 where they are true.
    """

    statements: tuple[tuple[ContentWord, ...], ...]
    written: tuple[tuple[str, float], ...]

    @property
    def content(self) -> Iterator[ContentWord]:
        """All content words of the original."""
        return (word for statement in self.statements for word in statement)


def read_release(release: Release) -> ReadRelease:
    """Return the statements of a release and what is kept of their words."""
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
    written = (
        (_TAG.sub(" ", each.text), share)
        for each, share in zip(release.rewritings, shares, strict=True)
    )
    return ReadRelease(
        tuple(_statements(text, content, places)),
        tuple(
            (phrase[start:end].lower(), 0.0 if share else information)
            for phrase, share in written
            for start, end, information in _informative(phrase)
        ),
    )


def _informative(text: str) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and information of the content words of a text."""
    surprisal = UnigramSurprisal.shipped().surprisal
    spans = list(zip(*words(text), strict=True))
    capital = [text[start].isupper() for start, _ in spans]
    is_cased = sum(capital) < len(spans) / 2 or len(spans) < 8
    first = _after_breaks(text, [start for start, _ in spans])
    for n, (start, end) in enumerate(spans):
        word = text[start:end]
        if word.lower() in FUNCTION:
            continue
        names = is_cased and capital[n] and (n not in first or any(capital[n + 1 : n + 2]))
        share = NAMED if names or any(c.isdigit() for c in word) else 1.0
        yield start, end, share * surprisal(word)


def _after_breaks(text: str, places: Sequence[int]) -> set[int]:
    breaks = [match.start() for match in _BREAK.finditer(text)]
    groups = _parted(range(len(places)), places, breaks)
    return {group[0] for group in groups}


def facts_kept(read: ReadRelease) -> float | None:
    """Return the share of the information of all statements kept, in [0, 1]; None without content."""
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
    """Return the indices in groups, by the marks between their places; no group is empty."""
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


# What a rewriting keeps of what it replaced.


def kept_share(document: Document, rewriting: Rewriting) -> float:
    """Return the share of the information of the original that a rewriting keeps, in [0, 1]."""
    phrase = folded_words(_TAG.sub(" ", rewriting.text))
    content = list(_content(phrase))
    if all(word in _KINDS for word in content):
        return KIND_ALONE if content or _TAG.search(rewriting.text) else 0.0
    span = _trimmed(document.text, rewriting)
    if span is None:
        return 0.0
    shares = [_option_share(document, span, type, phrase) for type in _TYPES]
    return max(shares)


def _option_share(
    document: Document, span: Span, type: SemanticType, phrase: tuple[str, ...]
) -> float:
    """Return the share kept by the option of a type that the phrase says; 0 if it says none.

    A phrase that says more than an option might say something else: then it is none.
    """
    mention = Mention(span, type, 1.0, 0.0, MentionSource.GOLD)
    options = _rules()[type].options(document, Entity("e1", type, 1, (mention,)))
    said = _said(phrase)
    return max(
        (
            option.kept
            for option in options
            if said and said in (_said(folded_words(form)) for form in _forms(option.text))
        ),
        default=0.0,
    )


def _forms(option: str) -> tuple[str, str]:
    """Return an option of one thing, and of several: "gendarmes" are "professions"."""
    return option, plural(option)


@cache
def _rules() -> dict[SemanticType, Rule]:
    return dict(rules(shipped()))


def _content(phrase: Sequence[str]) -> Iterator[str]:
    return (word for word in phrase if word not in FUNCTION)


def _said(phrase: Sequence[str]) -> list[str]:
    # In its sentence, "date in the 1980s" is written "in the 1980s", or "later in the 1980s".
    content = sorted(word for word in _content(phrase) if word not in ("date", "dates", "period"))
    return [word for word in content if word not in ("earlier", "later")] or content


def _trimmed(text: str, rewriting: Rewriting) -> Span | None:
    """Return the span from the first content word to the last; None if there is none, or too many."""
    starts, ends = words(text[rewriting.start : rewriting.end])
    content = [
        (rewriting.start + start, rewriting.start + end)
        for start, end in zip(starts, ends, strict=True)
        if text[rewriting.start + start : rewriting.start + end].lower() not in FUNCTION
    ]
    if not 0 < len(content) <= _LONGEST:
        return None
    return Span(content[0][0], content[-1][1])
