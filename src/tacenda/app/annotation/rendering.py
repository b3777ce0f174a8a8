"""Annotated texts: as rows of the document page, and as others read them, masked or with replacements.

Mentions may overlap, but HTML elements can't: the text is cut at every edge, and each piece belongs
to the shortest mention that covers it. Of overlapping replaced spans, the first is written, and of
those with the same start, the longest. Everything from the document goes through ``escape``, which
keeps the number of code points, so offsets in the page are offsets in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from ...document import Span
from ...documents.blocks import Block
from ...wording import IDENTIFIER_NAMES, TYPES
from ..web.labels import STATUSES, DisplayOutcome
from ..web.rows import (
    Look,
    RowEdit,
    RowElement,
    RowItem,
    anchor,
    escape,
    paragraph_rows,
)
from .annotation import SUPPRESSED, MarkedMention


def outcome(mention: MarkedMention) -> DisplayOutcome:
    """Return the outcome of a mention, by its choice if there are options, otherwise by its identifier type."""
    if mention.choices:
        return DisplayOutcome.MASKED if mention.choice else DisplayOutcome.DOUBTFUL
    if mention.identifier is None:
        return DisplayOutcome.DOUBTFUL
    return DisplayOutcome.MASKED if mention.masked else DisplayOutcome.KEPT


def anchors(mentions: Iterable[MarkedMention]) -> dict[int, str]:
    """Return the first mention of each entity, in the pages' notation."""
    first: dict[int, str] = {}
    for mention in mentions:
        first.setdefault(mention.entity, anchor(mention.span))
    return first


def replacements(text: str, mentions: Sequence[MarkedMention]) -> list[RowEdit]:
    """Return the replacements of mentions: their choices, otherwise stars (TAB, Figure 2)."""
    first = anchors(mentions)
    replaced = {item.span: item for item in mentions if outcome(item) is DisplayOutcome.MASKED}
    changes = []
    for span, end in _stretches(replaced):
        mention = replaced[span]
        string = _bracketed(mention.choice) if mention.choice else _stars(text[span.start : end])
        look = Look(first[mention.entity], mention.type)
        changes.append(RowEdit(span.start, end, string, str(mention.type), False, look))
    return changes


def written(text: str, options: Mapping[Span, str]) -> str:
    """Return the text with spans replaced by options, in brackets except for ``***``."""
    return _assembled(
        text,
        [(span.start, end, _bracketed(options[span])) for span, end in _stretches(options)],
    )[0]


def _assembled(text: str, edits: Iterable[tuple[int, int, str]]) -> tuple[str, list[Span]]:
    """Return the text after edits, and where something was written in it."""
    parts: list[str] = []
    spans = []
    position = length = 0
    for start, end, string in edits:
        parts += (text[position:start], string)
        length += start - position
        spans.append(Span(length, length + len(string)))
        length += len(string)
        position = end
    return "".join([*parts, text[position:]]), spans


def _bracketed(option: str) -> str:
    return option if option == SUPPRESSED else f"[{option}]"


def _stars(string: str) -> str:
    """Return a string with every character except white space as ``*``."""
    return "".join(char if char.isspace() else "*" for char in string)


def _stretches(spans: Iterable[Span]) -> list[tuple[Span, int]]:
    """Return overlapping spans as one: the first (of those with the same start, the longest), and the end of all."""
    stretches: list[tuple[Span, int]] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if stretches and span.start < stretches[-1][1]:
            first, end = stretches[-1]
            stretches[-1] = (first, max(end, span.end))
        else:
            stretches.append((span, span.end))
    return stretches


class MentionPiece(NamedTuple):
    """A piece of a mention; see ``RowItem``.

    Attributes:
        start, end: its position.
        mention: the shortest mention that covers it.
        anchor: first mention of the entity.
        several: whether other mentions cover it, too.
        label: label of the mention; empty for all its pieces except the first.
    """

    start: int
    end: int
    mention: MarkedMention
    anchor: str
    several: bool
    label: str

    def html(self, string: str) -> str:
        """Return the piece, colored by what happens to it; its classes are all values of the mention."""
        mention = self.mention
        values = [mention.type, outcome(mention), mention.identifier, mention.status]
        classes = " ".join(
            [*(str(value) for value in values if value), *["several"] * self.several]
        )
        role = f'role="button" tabindex="-1" aria-label="{self.label}" ' if self.label else ""
        place = f'data-e="{self.anchor}" data-s="{anchor(mention.span)}"'
        return f'<span class="m {classes}" {role}{place}>{string}</span>'


def annotated_rows(text: str, mentions: Sequence[MarkedMention]) -> list[RowElement]:
    """Return the text with selectable mentions, and next to it the text as others would read it."""
    changes = replacements(text, mentions)
    return _elements(text, _pieces(text, mentions), changes)


class HiddenStretch(NamedTuple):
    """A stretch of a text shown without its original; see ``RowItem``."""

    start: int
    end: int

    def html(self, string: str) -> str:
        """Return the stretch, styled like masked text everywhere."""
        return f'<mark class="r">{string}</mark>'


def replaced_rows(text: str, mentions: Sequence[MarkedMention]) -> list[RowElement]:
    """Return the text as others would read it, without anything from the original."""
    shown, spans = _assembled(text, (change[:3] for change in replacements(text, mentions)))
    return _elements(shown, [HiddenStretch(span.start, span.end) for span in spans], ())


def _elements(text: str, marks: Sequence[RowItem], changes: Sequence[RowEdit]) -> list[RowElement]:
    return [RowElement(row, Block(row.start)) for row in paragraph_rows(text, marks, changes)]


def words(mention: MarkedMention) -> list[str]:
    """Return the decision on a mention in words, or an empty string if it is undecided."""
    if mention.choices:
        return [mention.choice] if mention.choice else []
    words = [IDENTIFIER_NAMES[mention.identifier]] if mention.identifier else []
    return words + [STATUSES[mention.status]] * (mention.status != "NOT_CONFIDENTIAL")


def _label(text: str, mention: MarkedMention) -> str:
    """Return the label of a mention, for screen readers and the panel's heading."""
    label = words(mention)
    if outcome(mention) is DisplayOutcome.DOUBTFUL:
        label = ["undecided", *label]
    return escape(f"{mention.span.of(text)}: {', '.join([TYPES[mention.type], *label])}")


def _pieces(text: str, mentions: Sequence[MarkedMention]) -> list[MentionPiece]:
    edges = sorted({0, len(text), *(e for m in mentions for e in (m.span.start, m.span.end))})
    waiting = sorted(mentions, key=lambda mention: mention.span, reverse=True)
    open_mentions: list[tuple[int, int, int, MarkedMention]] = []
    first = anchors(mentions)
    labels = {mention: _label(text, mention) for mention in mentions}
    pieces = []
    for start, end in pairwise(edges):
        while waiting and waiting[-1].span.start == start:
            item = waiting.pop()
            heappush(open_mentions, (len(item.span), item.span.start, len(waiting), item))
        while open_mentions and open_mentions[0][3].span.end <= start:
            heappop(open_mentions)
        if open_mentions:
            top = open_mentions[0][3]
            several = sum(item[3].span.end > start for item in open_mentions) > 1
            label = labels.pop(top, "")
            pieces.append(MentionPiece(start, end, top, first[top.entity], several, label))
    return pieces
