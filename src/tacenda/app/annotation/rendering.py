"""Texts as HTML: with the mentions to decide on, and as masked or rewritten.

A text is shown masked (TAB, Figure 2), or with its replacements. Mentions may overlap, elements
can't: the text is cut at every edge, and each piece belongs to the shortest mention over it.
Everything from the document goes through ``escape``; it keeps the number of code points, so offsets
in the page are offsets in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from markupsafe import Markup

from ...document import Span
from ...wording import TYPES
from ..web.labels import IDENTIFIERS_SHORT, STATUSES
from ..web.rows import escape
from .annotation import SUPPRESSED, DocumentAnnotation, MarkedMention

Part = tuple[str, Span | None]
"""A piece of text; with the span it stands for where it replaces one."""


def masked_parts(text: str, annotation: DocumentAnnotation) -> list[Part]:
    """The text with every masked character but white space as ``*``."""
    covered = bytearray(len(text))
    for mention in annotation.mentions:
        if mention.masked:
            covered[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
    parts: list[Part] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or covered[end] != covered[start]:
            string = text[start:end]
            if covered[start]:
                stars = "".join(char if char.isspace() else "*" for char in string)
                parts.append((stars, Span(start, end)))
            else:
                parts.append((string, None))
            start = end
    return parts


def written_parts(text: str, options: Mapping[Span, str]) -> list[Part]:
    """The text with options, in brackets but for ``***``, instead of spans.

    Of overlapping spans the first is replaced, and the longest of those; the rest is dropped.
    """
    parts: list[Part] = []
    position = 0
    for span in sorted(options, key=lambda span: (span.start, -span.end)):
        if span.start < position:
            position = max(position, span.end)
            continue
        option = options[span]
        parts.append((text[position : span.start], None))
        parts.append((option if option == SUPPRESSED else f"[{option}]", span))
        position = span.end
    parts.append((text[position:], None))
    return [part for part in parts if part[0]]


def written(text: str, options: Mapping[Span, str]) -> str:
    """The text with options instead of spans; see ``written_parts``."""
    return joined(written_parts(text, options))


def joined(parts: Sequence[Part]) -> str:
    """The text of all parts."""
    return "".join(string for string, _ in parts)


def text_html(text: str, mentions: Sequence[MarkedMention]) -> Markup:
    """The text with mentions to be chosen."""
    parts = []
    labelled: set[MarkedMention] = set()
    for start, end, top, several in _pieces(text, mentions):
        string = escape(text[start:end])
        if top is None:
            parts.append(f'<span data-o="{start}">{string}</span>')
        else:
            parts.append(_piece(text, start, string, top, several, top not in labelled))
            labelled.add(top)
    return Markup("".join(parts))  # every string in it was escaped above


def _piece(
    text: str, start: int, string: str, top: MarkedMention, several: bool, first: bool
) -> str:
    place = f"{top.span.start}-{top.span.end}"
    classes = f"m {top.type} {decision(top)}{' several' if several else ''}"
    shared = f'class="{classes}" data-o="{start}" data-s="{place}" data-e="{top.entity}"'
    if not first:
        return f"<span {shared}>{string}</span>"
    label = f"{escape(top.span.of(text))}: {said(top)}"
    return (
        f'<span {shared} id="m-{place}" role="button" tabindex="-1" aria-label="{label}">'
        f"{string}</span>"
    )


def decision(mention: MarkedMention) -> str:
    """The class of a mention by its masking decision, or by its choice."""
    if mention.choices:
        return "chosen-option" if mention.choice else "undecided"
    return "undecided" if mention.identifier is None else mention.identifier.lower()


def said(mention: MarkedMention) -> str:
    """Label of a mention for screen readers."""
    parts = [TYPES[mention.type]]
    if mention.choices:
        parts.append("replacement chosen" if mention.choice else "no replacement yet")
    else:
        parts.append(IDENTIFIERS_SHORT.get(mention.identifier or "", "undecided"))
        if mention.status != "NOT_CONFIDENTIAL":
            parts.append(STATUSES[mention.status])
    return ", ".join(parts)


def parts_html(parts: Sequence[Part], kind: str) -> Markup:
    """Text as HTML, its replaced pieces marked with class ``kind``."""
    return Markup(
        "".join(
            escape(string) if span is None else f'<mark class="{kind}">{escape(string)}</mark>'
            for string, span in parts
        )
    )


def _pieces(
    text: str, mentions: Sequence[MarkedMention]
) -> list[tuple[int, int, MarkedMention | None, bool]]:
    """Pieces of the text: start, end, shortest mention over it, whether others are too."""
    edges = sorted({0, len(text), *(e for m in mentions for e in (m.span.start, m.span.end))})
    waiting = sorted(mentions, key=lambda mention: mention.span, reverse=True)
    view: list[tuple[int, int, int, MarkedMention]] = []
    pieces: list[tuple[int, int, MarkedMention | None, bool]] = []
    for start, end in pairwise(edges):
        while waiting and waiting[-1].span.start == start:
            mention = waiting.pop()
            heappush(view, (len(mention.span), mention.span.start, len(waiting), mention))
        while view and view[0][3].span.end <= start:
            heappop(view)
        over = sum(item[3].span.end > start for item in view)
        pieces.append((start, end, view[0][3] if view else None, over > 1))
    return pieces
