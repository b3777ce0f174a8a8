"""Original and result side by side, a row a paragraph, as HTML.

Rows end at line and page breaks of the original outside all edits, so that both sides of a row are
the same paragraph. Everything from the document goes through ``escape``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape as escape_html

from markupsafe import Markup

from ...document import Decision, Mention, Replacement, Span
from ...documents.blocks import Block
from ...text.decoding import writable
from ...wording import TYPES
from ..review.redecide import Reviewed
from .layout import block_at

_KEPT = 64
_ENDS = "\n\f"
"""Ends of a paragraph: a line break, or the end of a page of a PDF."""


@dataclass(frozen=True, slots=True)
class ParagraphRow:
    """A paragraph.

    Attributes:
        number: counted from 0.
        start: where it starts in the original.
        original, result: both sides as HTML.
        same: whether the result is the original.
    """

    number: int
    start: int
    original: str = field(repr=False)
    result: str
    same: bool


def anchor(span: Span) -> str:
    """Span in the notation of the pages."""
    return f"{span.start}-{span.end}"


def escape(text: str) -> str:
    """Text for HTML; unprintable characters become U+FFFD."""
    return escape_html(writable(text).replace("\0", "\ufffd").replace("\r", " "))


@lru_cache(_KEPT)
def rows(reviewed: Reviewed) -> tuple[ParagraphRow, ...]:
    """The rows of a document, in order.

    They are asked for twice: when they are shown, and when the next change is compared with them.
    """
    original, result = _Original(reviewed), _Result(reviewed)
    return tuple(
        ParagraphRow(
            number,
            start,
            original.html(start, end),
            result.html(start, end),
            result.is_original(start, end),
        )
        for number, (start, end) in enumerate(_paragraphs(reviewed))
    )


def _paragraphs(reviewed: Reviewed) -> Iterator[tuple[int, int]]:
    text = reviewed.sanitized.document.text
    covers = [edit.original for edit in reviewed.sanitized.replacements]
    covers += [
        mention.span for entity in reviewed.sanitized.entities for mention in entity.mentions
    ]
    inside = {
        offset for span in covers for offset in range(span.start, span.end) if text[offset] in _ENDS
    }
    start = 0
    for offset, character in enumerate(text):
        if character in _ENDS and offset not in inside:
            yield start, offset
            start = offset + 1
    yield start, len(text)


class _Original:
    """The mentions in the original, coloured by type, underlined by decision."""

    def __init__(self, reviewed: Reviewed) -> None:
        self._text = reviewed.sanitized.document.text
        self._hand = reviewed.verdicts
        pairs = [
            (mention, decision)
            for decision in reviewed.sanitized.decisions
            for mention in decision.entity.mentions
        ]
        self._found = sorted(pairs, key=lambda item: item[0].span)
        self._starts = [mention.span.start for mention, _ in self._found]

    def html(self, start: int, end: int) -> str:
        parts = []
        position = start
        for index in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            mention, decision = self._found[index]
            parts.append(escape(self._text[position : mention.span.start]))
            parts.append(self._mention(mention, decision))
            position = mention.span.end
        parts.append(escape(self._text[position:end]))
        return "".join(parts)

    def _mention(self, mention: Mention, decision: Decision) -> str:
        state = "masked" if decision.masked else "kept"
        by_hand = decision.entity.id in self._hand
        string = escape(mention.span.of(self._text))
        label = f"{string}: {TYPES[decision.entity.type]}, {state}{', by hand' if by_hand else ''}"
        return (
            f'<span class="m {decision.entity.type} {state}{" hand" if by_hand else ""}" '
            f'role="button" tabindex="-1" data-e="{anchor(decision.entity.mentions[0].span)}" '
            f'data-s="{anchor(mention.span)}" aria-label="{label}">{string}</span>'
        )


class _Result:
    """The sanitized text, with edits and leaks marked."""

    def __init__(self, reviewed: Reviewed) -> None:
        sanitized = reviewed.sanitized
        self._text = sanitized.text
        self._edits = sanitized.replacements
        self._starts = [edit.original.start for edit in self._edits]
        self._leaks = [(leak.output_start, leak.output_end) for leak in sanitized.leaks]
        self._decisions = {decision.entity.id: decision for decision in sanitized.decisions}

    def html(self, start: int, end: int) -> str:
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        shift = 0
        if first:
            before = self._edits[first - 1]
            shift = before.output_end - before.original.end
        parts: list[str] = []
        position = start + shift
        for edit in self._edits[first:last]:
            parts += (self._plain(position, edit.output_start), self._edit(edit))
            position = edit.output_end
            shift = edit.output_end - edit.original.end
        parts.append(self._plain(position, end + shift))
        return "".join(parts)

    def is_original(self, start: int, end: int) -> bool:
        return bisect_left(self._starts, start) == bisect_left(self._starts, end)

    def _plain(self, start: int, end: int) -> str:
        parts = []
        position = start
        for leak_start, leak_end in self._leaks:
            if position <= leak_start and leak_end <= end:
                leak = escape(self._text[leak_start:leak_end])
                parts.append(
                    f'{escape(self._text[position:leak_start])}<mark class="leak">{leak}</mark>'
                )
                position = leak_end
        parts.append(escape(self._text[position:end]))
        return "".join(parts)

    def _edit(self, edit: Replacement) -> str:
        if not edit.entity_ids:
            return f'<span class="neutral">{escape(edit.text)}</span>'
        decisions = [self._decisions[id] for id in edit.entity_ids]
        types = {decision.entity.type for decision in decisions}
        style = str(types.pop()) if len(types) == 1 else "MISC"
        entity = anchor(decisions[0].entity.mentions[0].span)
        string = escape(edit.text)
        label = f"{string}, instead of: {TYPES[decisions[0].entity.type]}"
        return (
            f'<span class="r {style}{" italic" * edit.italic if string else " removed"}" role="button" tabindex="-1" '
            f'data-e="{entity}" aria-label="{label}">{string}</span>'
        )


@dataclass(frozen=True, slots=True)
class RowElement:
    """A row as HTML: in its place, or to be put there by htmx (out of band)."""

    row: ParagraphRow
    block: Block
    before: str = ""
    after: str = ""

    @property
    def html(self) -> Markup:
        """The element, with what opens before it and closes after it."""
        # Safe: both are tags, and labels of the program's own.
        return Markup(self.before) + self._element("") + Markup(self.after)

    @property
    def html_oob(self) -> Markup:
        """The replacement for the element with the same id, for htmx."""
        return self._element(' hx-swap-oob="true"')

    def _element(self, attribute: str) -> Markup:
        row = self.row
        same = " same" if row.same else ""
        kind, heading = "", ("", "")
        # An empty line belongs to the block before it.
        if row.original and self.block.level:
            kind = f" heading h{self.block.level}"
            level = f' role="heading" aria-level="{min(self.block.level + 1, 6)}"'
            heading = (level, level if row.result else "")
        elif row.original and self.block.is_item:
            kind = " item"
        # Safe: ``rows`` has escaped everything that is not its own.
        return Markup(
            f'<div class="row{same}{kind}" id="row-{row.number}"{attribute}>'
            f'<div class="original" data-start="{row.start}" dir="auto"{heading[0]}>{row.original}</div>'
            f'<div class="result" dir="auto"{heading[1]}>{row.result}</div></div>'
        )


def row_elements(reviewed: Reviewed, blocks: Sequence[Block] = ()) -> list[RowElement]:
    """The rows of a document, in its layout."""
    return laid_out([RowElement(row, block_at(blocks, row.start)) for row in rows(reviewed)])


def changed_rows(
    before: Reviewed, after: Reviewed, blocks: Sequence[Block] = ()
) -> list[RowElement] | None:
    """The changed rows; None if the rows are not the same paragraphs."""
    old, new = rows(before), rows(after)
    if [row.start for row in old] != [row.start for row in new]:
        return None
    return [
        RowElement(row, block_at(blocks, row.start))
        for row, old_row in zip(new, old, strict=True)
        if row != old_row
    ]


def laid_out(elements: list[RowElement]) -> list[RowElement]:
    """The rows with labels of the parts of their file, and tables around their cells."""
    shown = []
    part, cell = "", None
    for place, element in enumerate(elements):
        block = element.block
        opening = ""
        if block.part != part:
            opening += f'<h2 class="part">{block.part or "Text"}</h2>'
        opening += _opening(cell if block.part == part else None, block.cell)
        part, cell = block.part, block.cell
        after = elements[place + 1].block if place + 1 < len(elements) else Block(0)
        closing = _closing(cell, after.cell if after.part == part else None)
        shown.append(replace(element, before=opening, after=closing))
    return shown


_Cell = tuple[int, int, int] | None


def _opening(before: _Cell, cell: _Cell) -> str:
    """Tags between a cell and the one before it; columns without text are empty cells."""
    if cell is None or cell == before:
        return ""
    opening, next_column = "", 0
    if before is None or before[0] != cell[0]:
        opening = '<table class="table"><tbody><tr>'
    elif before[1] != cell[1]:
        opening = "<tr>"
    else:
        next_column = before[2] + 1
    return f"{opening}{'<td></td>' * max(0, cell[2] - next_column)}<td>"


def _closing(cell: _Cell, after: _Cell) -> str:
    if cell is None or cell == after:
        return ""
    if after is None or after[0] != cell[0]:
        return "</td></tr></tbody></table>"
    return "</td>" if after[1] == cell[1] else "</td></tr>"
