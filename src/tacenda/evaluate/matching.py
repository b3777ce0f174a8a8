"""Coverage of a gold document by a system's spans (TAB, section 6).

A mention ``[s, e)`` is masked if every code point of it is covered, after discarding
punctuation and closed-class words. Both are properties of the text alone, so they are computed
once for a document and serve every system.
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

# Words are ``\w+``. A span may cut words; the part inside is a token of it too. Spans may be nested
# a thousandfold, so words are looked up by bisection.


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
        """Return (first, last, cut): words ``[first, last)`` are whole, the others are parts."""
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
        """Return the tokens of some spans, with the number of spans around each."""
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
        """Return the number of words overlapping disjoint spans, given in order."""
        n = stop = 0
        for span in spans:
            first = max(stop, bisect_right(self.ends, span.start))
            stop = max(first, bisect_left(self.starts, span.end))
            n += stop - first
        return n


# Closed-class words and titles need no mask (TAB, section 6). The benchmark's reference
# implementation asks a tagger for the tokens with part of speech ADP, PART, CCONJ or DET. Tagging
# costs seconds and a model; a word list costs nothing, since these classes are closed. The list
# holds the English words of those classes that are so tagged most of the time in running text;
# words that mostly belong elsewhere (*that*, *which*, *such*) are left out, so that a doubtful word
# counts as uncovered. ``evaluate --ignored-tokens FILE`` takes a tagger's answer instead, for
# figures equal to the reference's.


CLOSED_CLASS: Final = word_list_of("closed_class")
_TITLES: Final = frozenset({"mr", "mrs", "ms"})
_APOSTROPHES: Final = frozenset("'’")
_LONGEST: Final = max(map(len, CLOSED_CLASS | _TITLES))


def closed_class_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the closed-class words of ``text`` overlapping ``[start, end)``.

    The rules beyond the list mirror how taggers split and tag: an initial (``A.``) is a name, part
    of a compound (*Under-Secretary*) belongs to it, ``v.`` between parties is a preposition, ``'s``
    is a particle, and a title written with its full stop (``Mr.``) is one token, kept by the
    reference.

    Args:
        text: the whole document.
        start: first code point of interest.
        end: the one after the last.
    """
    # A word that reaches further than this out of the range can't be on the list.
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
    """Return the closed-class words of the built-in list overlapping ``span``."""
    return closed_class_spans(document.text, span.start, span.end)


@dataclass(frozen=True, slots=True)
class IgnoredTokenLists:
    """Ignored tokens of an external tagger: ``{doc_id: [[start, end], ...]}``."""

    spans: Mapping[str, Sequence[Span]]

    @classmethod
    def load(cls, path: str | Path) -> IgnoredTokenLists:
        """Read them from a JSON file.

        Raises:
            InputError: the file is malformed.
        """
        return cls.parse(read_json(path), str(path))

    @classmethod
    def parse(cls, raw: Any, name: str = "ignored tokens") -> IgnoredTokenLists:
        """Take them from parsed JSON."""
        parsed = parse_masks(raw, name)
        return cls({doc_id: tuple(sorted(spans)) for doc_id, spans in parsed.items()})

    def __call__(self, document: GoldDocument, span: Span) -> Iterator[tuple[int, int]]:
        """Yield the tokens overlapping ``span``.

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
    """A gold document with its indexes, shared by all systems.

    Attributes:
        document: the gold.
        entities: the entities to mask.
        ignorable: one byte a code point, 1 where no mask is needed (punctuation, closed class);
            only filled in within mentions to mask.
        annotators: one cover for each annotator with mentions.
        words: of the text.
    """

    document: GoldDocument
    entities: tuple[GoldEntity, ...]
    ignorable: bytes
    annotators: tuple[AnnotatorCover, ...]
    words: TextWords


class AnnotatorCover:
    """The mentions of one annotator, with a lookup by a contained span.

    A masked mention is preferred to a kept one.
    """

    __slots__ = ("annotator", "kept", "masked")

    def __init__(self, annotator: str, entities: Iterable[GoldEntity]) -> None:
        self.annotator = annotator
        mentions = [mention for entity in entities for mention in entity.mentions]
        self.masked = _Containment([mention for mention in mentions if mention.needs_masking])
        self.kept = _Containment([mention for mention in mentions if not mention.needs_masking])

    def find(self, start: int, end: int) -> GoldMention | None:
        """Return a mention containing ``[start, end)``, None without one."""
        return self.masked.find(start, end) or self.kept.find(start, end)


class _Containment:
    """Index of spans for finding a span around a given one, in logarithmic time.

    Of the spans starting no later than the given one, the furthest-reaching contains it or none
    does; it is stored for each start.
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
    """Compute the indexes shared by all systems."""
    text = document.text
    entities = tuple(entity for entity in document.entities if entity.needs_masking)
    ignorable = bytearray(len(text))
    for span in union_spans(mention.span for entity in entities for mention in entity.mentions):
        for match in _IGNORED_RUN.finditer(text, span.start, span.end):
            _fill(ignorable, match.start(), match.end())
        for start, end in ignored(document, span):
            _fill(ignorable, start, end)
    # As in the reference, an annotator who marked nothing is not one: there is no telling
    # whether the text was read and found harmless or never annotated.
    by_annotator: dict[str, list[GoldEntity]] = {}
    for entity in document.entities:
        by_annotator.setdefault(entity.annotator, []).append(entity)
    covers = tuple(AnnotatorCover(name, group) for name, group in by_annotator.items())
    return PreparedDocument(document, entities, bytes(ignorable), covers, TextWords(text))


class Coverage:
    """The masked code points of a document.

    Args:
        prepared: the document.
        spans: the system's spans, possibly overlapping.

    Raises:
        InputError: a span ends past the text.
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
        """Tell whether all of ``[start, end)`` is masked, apart from ignorable code points."""
        return self._covered.find(0, start, end) == -1

    def touches(self, start: int, end: int) -> bool:
        """Tell whether the system masked any code point of ``[start, end)``."""
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
