"""What a system's spans cover of a gold document (TAB, section 6).

A mention ``[s, e)`` is masked if every code point of it is covered, after discarding
punctuation and closed-class words. Both are properties of the text alone, so they are computed
once for a document and serve every system.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from ..document import Span
from ..errors import InputError
from .closed_class import closed_class_spans
from .gold import GoldDocument, GoldEntity, GoldMention
from .masks import check_masks, parse_masks
from .reading import read_json
from .words import Words

IGNORED_CHARACTERS: Final = " ,.-;:/&()[]–'\" ’“”"
_IGNORED_RUN: Final = re.compile(f"[{re.escape(IGNORED_CHARACTERS)}]+")

IgnoredTokens = Callable[[GoldDocument, Span], Iterable[tuple[int, int]]]
"""Tokens of a document, overlapping a span, that need no mask of their own."""


def built_in_ignored_tokens(document: GoldDocument, span: Span) -> Iterator[tuple[int, int]]:
    """Return the closed-class words of the built-in list that overlap ``span``."""
    return closed_class_spans(document.text, span.start, span.end)


@dataclass(frozen=True, slots=True)
class GivenIgnoredTokens:
    """Ignored tokens that somebody's tagger found: ``{doc_id: [[start, end], ...]}``."""

    spans: Mapping[str, Sequence[Span]]

    @classmethod
    def load(cls, path: str | Path) -> GivenIgnoredTokens:
        """Read them from a JSON file.

        Raises:
            InputError: the file is not what it should be.
        """
        return cls.parse(read_json(path), str(path))

    @classmethod
    def parse(cls, raw: Any, name: str = "ignored tokens") -> GivenIgnoredTokens:
        """Take them from parsed JSON."""
        parsed = parse_masks(raw, name)
        return cls({doc_id: tuple(sorted(spans)) for doc_id, spans in parsed.items()})

    def __call__(self, document: GoldDocument, span: Span) -> Iterator[tuple[int, int]]:
        """Yield the tokens that overlap ``span``.

        Raises:
            InputError: the document is not in the file.
        """
        if document.id not in self.spans:
            raise InputError("has no list of ignored tokens in the file given", document.id)
        tokens = self.spans[document.id]
        # Tokens don't overlap one another, so the first candidate is found by its start.
        first = max(0, bisect_right(tokens, span.start, key=lambda token: token.start) - 1)
        for token in tokens[first:]:
            if token.start >= span.end:
                break
            if token.end > span.start:
                yield token.start, min(token.end, len(document.text))


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A gold document with what is the same for every system.

    Attributes:
        document: the gold.
        entities: those that need masking.
        ignorable: one byte a code point, 1 where no mask is needed (punctuation, closed class);
            only filled in within mentions that need masking.
        annotators: one cover for each annotator who marked something.
        words: of the text.
    """

    document: GoldDocument
    entities: tuple[GoldEntity, ...]
    ignorable: bytes
    annotators: tuple[AnnotatorCover, ...]
    words: Words


class AnnotatorCover:
    """The mentions of one annotator, to ask which one contains a span.

    A mention that is masked is preferred to one that is not.
    """

    __slots__ = ("annotator", "kept", "masked")

    def __init__(self, annotator: str, entities: Iterable[GoldEntity]) -> None:
        self.annotator = annotator
        mentions = [mention for entity in entities for mention in entity.mentions]
        self.masked = _Containment([mention for mention in mentions if mention.needs_masking])
        self.kept = _Containment([mention for mention in mentions if not mention.needs_masking])

    def find(self, start: int, end: int) -> GoldMention | None:
        """Return a mention that contains ``[start, end)``, None if there is none."""
        return self.masked.find(start, end) or self.kept.find(start, end)


class _Containment:
    """Answers in logarithmic time which span of a set contains a given one.

    Of the spans that start no later than the given one, the one that reaches furthest contains
    it or none does; that span is kept for each start.
    """

    __slots__ = ("furthest", "starts")

    def __init__(self, mentions: Sequence[GoldMention]) -> None:
        ordered = sorted(mentions, key=lambda mention: mention.span)
        self.starts = [mention.span.start for mention in ordered]
        self.furthest: list[GoldMention] = list(accumulate(ordered, _further))

    def find(self, start: int, end: int) -> GoldMention | None:
        idx = bisect_right(self.starts, start) - 1
        if idx < 0:
            return None
        mention = self.furthest[idx]
        return mention if mention.span.end >= end else None


def _further(one: GoldMention, other: GoldMention) -> GoldMention:
    return other if other.span.end > one.span.end else one


def prepare(document: GoldDocument, ignored: IgnoredTokens) -> PreparedDocument:
    """Compute what is the same for every system."""
    text = document.text
    entities = tuple(entity for entity in document.entities if entity.needs_masking)
    ignorable = bytearray(len(text))
    for span in merged(mention.span for entity in entities for mention in entity.mentions):
        for match in _IGNORED_RUN.finditer(text, span.start, span.end):
            _fill(ignorable, match.start(), match.end())
        for start, end in ignored(document, span):
            _fill(ignorable, start, end)
    # As in the reference, an annotator who marked nothing is not one: there is no telling
    # whether the text was read and found harmless or never annotated.
    by_annotator: dict[str, list[GoldEntity]] = {}
    for entity in document.entities:
        by_annotator.setdefault(entity.annotator, []).append(entity)
    covers = tuple(AnnotatorCover(name, theirs) for name, theirs in by_annotator.items())
    return PreparedDocument(document, entities, bytes(ignorable), covers, Words(text))


class Coverage:
    """Which code points of a document a system has masked.

    Args:
        prepared: the document.
        spans: the system's spans, which may overlap.

    Raises:
        InputError: a span ends past the text.
    """

    __slots__ = ("_covered", "masked")

    def __init__(self, prepared: PreparedDocument, spans: Sequence[Span]) -> None:
        length = len(prepared.document.text)
        check_masks(spans, length, prepared.document.id)
        self.masked = bytearray(length)
        self._covered = bytearray(prepared.ignorable)
        for span in merged(spans):
            _fill(self.masked, span.start, span.end)
            _fill(self._covered, span.start, span.end)

    def masks(self, start: int, end: int) -> bool:
        """Tell whether everything in ``[start, end)`` that needs a mask has one."""
        return self._covered.find(0, start, end) == -1

    def touches(self, start: int, end: int) -> bool:
        """Tell whether the system masked any code point of ``[start, end)``."""
        return self.masked.find(1, start, end) != -1


def merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the union of spans as disjoint spans, in order; touching spans become one."""
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
