"""The text with its mentions, as HTML in pieces that know their place.

Mentions may overlap, which elements can't: the text is cut at every edge, and each piece belongs
to the shortest mention over it. Everything from the document goes through ``escape``, which
leaves as many code points as there are, so that a place in the page is a place in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from markupsafe import Markup

from ...wording import TYPES
from ..web.rows import escape
from .annotation import Annotated
from .labels import IDENTIFIERS_SHORT, STATUSES
from .masked import Part


def text_html(text: str, mentions: Sequence[Annotated]) -> Markup:
    """Return the text with mentions to be chosen."""
    parts = []
    named: set[Annotated] = set()
    for start, end, top, several in _pieces(text, mentions):
        string = escape(text[start:end])
        if top is None:
            parts.append(f'<span data-o="{start}">{string}</span>')
        else:
            parts.append(_piece(text, start, string, top, several, top not in named))
            named.add(top)
    return Markup("".join(parts))  # every string in it was escaped above


def _piece(text: str, start: int, string: str, top: Annotated, several: bool, first: bool) -> str:
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


def decision(mention: Annotated) -> str:
    """Return the class of a mention by its masking decision, or by its choice."""
    if mention.choices:
        return "chosen-option" if mention.choice else "undecided"
    return "undecided" if mention.identifier is None else mention.identifier.lower()


def said(mention: Annotated) -> str:
    """Return what a screen reader says of a mention."""
    parts = [TYPES[mention.type]]
    if mention.choices:
        parts.append("replacement chosen" if mention.choice else "no replacement yet")
    else:
        parts.append(IDENTIFIERS_SHORT.get(mention.identifier or "", "undecided"))
        if mention.status != "NOT_CONFIDENTIAL":
            parts.append(STATUSES[mention.status])
    return ", ".join(parts)


def parts_html(parts: Sequence[Part], kind: str) -> Markup:
    """Return text in which pieces stand for others, these marked with class ``kind``."""
    return Markup(
        "".join(
            escape(string) if span is None else f'<mark class="{kind}">{escape(string)}</mark>'
            for string, span in parts
        )
    )


def _pieces(
    text: str, mentions: Sequence[Annotated]
) -> list[tuple[int, int, Annotated | None, bool]]:
    """Return (start, end, shortest mention over it, whether others are too) of each piece."""
    edges = sorted({0, len(text), *(e for m in mentions for e in (m.span.start, m.span.end))})
    waiting = sorted(mentions, key=lambda mention: mention.span, reverse=True)
    opened: list[tuple[int, int, int, Annotated]] = []
    pieces: list[tuple[int, int, Annotated | None, bool]] = []
    for start, end in pairwise(edges):
        while waiting and waiting[-1].span.start == start:
            mention = waiting.pop()
            heappush(opened, (len(mention.span), mention.span.start, len(waiting), mention))
        while opened and opened[0][3].span.end <= start:
            heappop(opened)
        over = sum(item[3].span.end > start for item in opened)
        pieces.append((start, end, opened[0][3] if opened else None, over > 1))
    return pieces
