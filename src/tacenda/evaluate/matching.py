"""How a system's spans cover a gold document (TAB, section 6).

A mention ``[s, e)`` is masked if every code point in it is covered, except punctuation and
closed-class words. Both depend only on the text, so they are computed once per document for all
systems.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from ..annotations.checked_json import read_json
from ..annotations.tab import parse_masks
from ..document import Span
from ..errors import InputError
from ..text.information import WORD
from ..text.word_lists import word_list_of
from .gold import GoldDocument, GoldEntity, GoldMention

Masks = Mapping[str, Sequence[Span]]
"""Spans masked in each document, by id; they may overlap and be in any order."""

# Words are ``\w+``. If a span cuts through a word, the part inside is also a token of the span.
# Thousands of spans may be nested, so words are looked up by bisection.


Token = tuple[int, int]
"""A word or the part of one that is in a span: ``[start, end)``."""


class TextWords:
    """The words of a text, in order.

    Args:
        text: any text.
    """

    __slots__ = ("ends", "starts")

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for match in WORD.finditer(text):
            self.starts.append(match.start())
            self.ends.append(match.end())

    def __len__(self) -> int:
        return len(self.starts)

    def inside(self, start: int, end: int) -> tuple[int, int, tuple[Token, ...]]:
        """Return (first, last, cut): the words ``[first, last)`` are whole; ``cut`` are parts of words."""
        first = bisect_left(self.starts, start)
        last = bisect_right(self.ends, end)
        if first > last:
            return first, first, ((start, end),)
        cut: list[Token] = []
        if first and self.ends[first - 1] > start:
            cut.append((start, self.ends[first - 1]))
        if last < len(self.starts) and self.starts[last] < end:
            cut.append((self.starts[last], end))
        return first, last, tuple(cut)

    def tokens(self, spans: Iterable[Span]) -> Counter[Token]:
        """Return the tokens in spans, each with the number of spans around it."""
        counts: Counter[Token] = Counter()
        changes = [0] * (len(self) + 1)
        for span in spans:
            first, last, cut = self.inside(span.start, span.end)
            changes[first] += 1
            changes[last] -= 1
            counts.update(cut)
        for idx, n in enumerate(accumulate(changes[:-1])):
            if n:
                counts[self.starts[idx], self.ends[idx]] += n
        return counts

    def touched(self, spans: Sequence[Span]) -> int:
        """Return the number of words that overlap disjoint spans, given in order."""
        n = stop = 0
        for span in spans:
            first = max(stop, bisect_right(self.ends, span.start))
            stop = max(first, bisect_left(self.starts, span.end))
            n += stop - first
        return n


# Closed-class words and titles needn't be masked (TAB, section 6). The benchmark's reference
# implementation uses a tagger to find tokens with the part of speech ADP, PART, CCONJ or DET.
# Tagging takes seconds and a model; a word list costs nothing, since these classes are closed. The
# list has the English words that are mostly tagged so in running text. Words that mostly have other
# tags (*that*, *which*, *such*) are left out, so that a doubtful word counts as uncovered.
# ``evaluate --ignored-tokens FILE`` uses a tagger's output instead, which gives the same figures as
# the reference.


CLOSED_CLASS: Final = word_list_of("closed_class")
_TITLES: Final = frozenset({"mr", "mrs", "ms"})
_APOSTROPHES: Final = frozenset("'’")
_LONGEST: Final = max(map(len, CLOSED_CLASS | _TITLES))


def closed_class_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the closed-class words of ``text`` that overlap ``[start, end)``.

    Beyond the list, rules mirror how taggers split and tag: an initial (``A.``) is a name, part of
    a compound (*Under-Secretary*) belongs to it, ``v.`` between parties is a preposition, ``'s`` is
    a particle, and a title with a period (``Mr.``) is one token, which the reference keeps.

    Args:
        text: the whole document.
        start: first code point to consider.
        end: the code point after the last one.
    """
    # A word that extends further than this beyond the range can't be on the list.
    low = max(0, start - _LONGEST - 1)
    high = min(len(text), end + _LONGEST + 1)
    for match in WORD.finditer(text, low, high):
        if match.end() <= start or match.start() >= end:
            continue
        if _is_closed_class(match.group(), text, match.start(), match.end()):
            yield match.span()


def _is_closed_class(word: str, text: str, start: int, end: int) -> bool:
    lowered = word.lower()
    stop_follows = text[end : end + 1] == "."
    if lowered in _TITLES:
        return not stop_follows
    if len(word) == 1:
        if lowered == "a":
            return not stop_follows
        if word == "s":
            return text[start - 1 : start] in _APOSTROPHES if start else False
        return word == "v" and stop_follows
    in_compound = text[end : end + 1] == "-" or (start and text[start - 1] == "-")
    return lowered in CLOSED_CLASS and not in_compound


IGNORED_CHARACTERS: Final = " ,.-;:/&()[]–'\" ’“”"
_IGNORED_RUN: Final = re.compile(f"[{re.escape(IGNORED_CHARACTERS)}]+")

IgnoredTokens = Callable[[GoldDocument, Span], Iterable[tuple[int, int]]]
"""Tokens of a document, overlapping a span, that need no mask of their own."""


def built_in_ignored_tokens(document: GoldDocument, span: Span) -> Iterator[tuple[int, int]]:
    """Return the closed-class words of the built-in list that overlap ``span``."""
    return closed_class_spans(document.text, span.start, span.end)


@dataclass(frozen=True, slots=True)
class IgnoredTokenLists:
    """Ignored tokens from an external tagger: ``{doc_id: [[start, end], ...]}``."""

    spans: Mapping[str, Sequence[Span]]

    @classmethod
    def load(cls, path: str | Path) -> IgnoredTokenLists:
        """Read the tokens from a JSON file.

        Raises:
            InputError: if the file is malformed.
        """
        return cls.parse(read_json(path), str(path))

    @classmethod
    def parse(cls, raw: Any, name: str = "ignored tokens") -> IgnoredTokenLists:
        """Take the tokens from parsed JSON."""
        parsed = parse_masks(raw, name)
        return cls({doc_id: tuple(sorted(spans)) for doc_id, spans in parsed.items()})

    def __call__(self, document: GoldDocument, span: Span) -> Iterator[tuple[int, int]]:
        """Yield the tokens that overlap ``span``.

        Raises:
            InputError: if the document isn't in the file.
        """
        if document.id not in self.spans:
            raise InputError("has no list of ignored tokens in the file given", document.id)
        tokens = self.spans[document.id]
        # Tokens don't overlap each other, so the first candidate is found by its start.
        first = max(0, bisect_right(tokens, span.start, key=lambda token: token.start) - 1)
        for token in tokens[first:]:
            if token.start >= span.end:
                break
            if token.end > span.start:
                yield token.start, min(token.end, len(document.text))


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A gold document with its indexes, which all systems share.

    Attributes:
        document: the gold document.
        entities: the entities to mask.
        ignorable: one byte per code point, 1 if it needn't be masked (punctuation, closed class);
            only filled in within the mentions to mask.
        annotators: one cover per annotator with mentions.
        words: the words of the text.
    """

    document: GoldDocument
    entities: tuple[GoldEntity, ...]
    ignorable: bytes
    annotators: tuple[AnnotatorCover, ...]
    words: TextWords


class AnnotatorCover:
    """One annotator's mentions, with lookup by a span inside them.

    Masked mentions are preferred to kept ones.
    """

    __slots__ = ("annotator", "kept", "masked")

    def __init__(self, annotator: str, entities: Iterable[GoldEntity]) -> None:
        self.annotator = annotator
        mentions = [mention for entity in entities for mention in entity.mentions]
        self.masked = _Containment([mention for mention in mentions if mention.needs_masking])
        self.kept = _Containment([mention for mention in mentions if not mention.needs_masking])

    def find(self, start: int, end: int) -> GoldMention | None:
        """Return a mention that contains ``[start, end)``, or None."""
        return self.masked.find(start, end) or self.kept.find(start, end)


class _Containment:
    """An index that finds a span around a given span in logarithmic time.

    Among the spans that start no later than the given one, either the one that reaches furthest
    contains it or none does. That one is stored for each start.
    """

    __slots__ = ("furthest", "starts")

    def __init__(self, mentions: Sequence[GoldMention]) -> None:
        ordered = sorted(mentions, key=lambda mention: mention.span)
        self.starts = [mention.span.start for mention in ordered]
        self.furthest: list[GoldMention] = list(accumulate(ordered, _farther_reaching))

    def find(self, start: int, end: int) -> GoldMention | None:
        idx = bisect_right(self.starts, start) - 1
        if idx < 0:
            return None
        mention = self.furthest[idx]
        return mention if mention.span.end >= end else None


def _farther_reaching(first: GoldMention, second: GoldMention) -> GoldMention:
    return second if second.span.end > first.span.end else first


def prepare(document: GoldDocument, ignored: IgnoredTokens) -> PreparedDocument:
    """Compute the indexes that all systems share."""
    text = document.text
    entities = tuple(entity for entity in document.entities if entity.needs_masking)
    ignorable = bytearray(len(text))
    for span in union_spans(mention.span for entity in entities for mention in entity.mentions):
        for match in _IGNORED_RUN.finditer(text, span.start, span.end):
            _fill(ignorable, match.start(), match.end())
        for start, end in ignored(document, span):
            _fill(ignorable, start, end)
    # As in the reference, an annotator who marked nothing doesn't count: one can't tell whether
    # they found the text harmless or never annotated it.
    by_annotator: dict[str, list[GoldEntity]] = {}
    for entity in document.entities:
        by_annotator.setdefault(entity.annotator, []).append(entity)
    covers = tuple(AnnotatorCover(name, group) for name, group in by_annotator.items())
    return PreparedDocument(document, entities, bytes(ignorable), covers, TextWords(text))


class Coverage:
    """A document's masked code points.

    Args:
        prepared: the document.
        spans: the system's spans, which may overlap.

    Raises:
        InputError: if a span ends past the text.
    """

    __slots__ = ("_covered", "masked")

    def __init__(self, prepared: PreparedDocument, spans: Sequence[Span]) -> None:
        length = len(prepared.document.text)
        _check_ends(spans, length, prepared.document.id)
        self.masked = bytearray(length)
        self._covered = bytearray(prepared.ignorable)
        for span in union_spans(spans):
            _fill(self.masked, span.start, span.end)
            _fill(self._covered, span.start, span.end)

    def masks(self, start: int, end: int) -> bool:
        """Return whether all of ``[start, end)`` is masked, except ignorable code points."""
        return self._covered.find(0, start, end) == -1

    def touches(self, start: int, end: int) -> bool:
        """Return whether the system masked any code point in ``[start, end)``."""
        return self.masked.find(1, start, end) != -1


def _check_ends(spans: Sequence[Span], length: int, doc_id: str) -> None:
    for position, span in enumerate(spans):
        if span.end > length:
            raise InputError(
                f"masked span {position}, [{span.start}, {span.end}), ends past the text of "
                f"{length} code points; offsets must be code points of the gold text",
                doc_id,
            )


def union_spans(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the union of spans as disjoint spans, in order; adjacent spans are merged."""
    start = end = -1
    for span in sorted(spans):
        if span.start > end:
            if end > start:
                yield Span(start, end)
            start, end = span.start, span.end
        else:
            end = max(end, span.end)
    if end > start:
        yield Span(start, end)


def _fill(target: bytearray, start: int, end: int) -> None:
    target[start:end] = b"\1" * (end - start)
