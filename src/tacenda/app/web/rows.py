"""Original and result side by side, a row a paragraph, as HTML.

Rows end at line and page breaks of the original outside all edits, so that both sides of a row are
the same paragraph. Everything from the document goes through ``escape``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape as escape_html
from typing import NamedTuple, TypeVar

from markupsafe import Markup

from ...document import Replacement, SemanticType, Span
from ...documents.blocks import Block
from ...text.decoding import writable
from ...text.folding import to_original
from ...wording import TYPES
from ..review.redecide import Reviewed
from .cells import TableTags
from .labels import Outcome, outcome_of
from .layout import block_at

_KEPT = 64
_END = re.compile("[\n\f]")
"""End of a paragraph: a line break, or the end of a page of a PDF."""


class Look(NamedTuple):
    """How a mention or an edit is shown: of the entity with its first mention at ``anchor``."""

    anchor: str
    type: SemanticType
    outcome: Outcome = Outcome.MASKED
    by_hand: bool = False


class Mark(NamedTuple):
    """A mention of the original."""

    start: int
    end: int
    look: Look


class Change(NamedTuple):
    """An edit at a stretch of the original; ``look`` is None where it is of no entity."""

    start: int
    end: int
    text: str
    style: str
    italic: bool
    look: Look | None


class LeakedSpan(NamedTuple):
    """A stretch of the original that was left though it names something of a type that is masked."""

    start: int
    end: int
    type: SemanticType


_Item = TypeVar("_Item", Mark, Change)


@dataclass(frozen=True, slots=True)
class ParagraphRow:
    """A paragraph: what is shown, so that equal rows are written once.

    Outside the changes the result has the characters of the original.

    Attributes:
        number: counted from 0.
        text: the original's.
        start: where it starts in the original.
        marks: the mentions in it.
        changes: the edits in it.
        leaks: stretches of the original that were left though they are masked elsewhere.
    """

    number: int
    text: str = field(repr=False)
    start: int
    marks: tuple[Mark, ...] = field(repr=False)
    changes: tuple[Change, ...] = field(repr=False)
    leaks: tuple[LeakedSpan, ...]

    @property
    def same(self) -> bool:
        """Whether the result is the original."""
        return not self.changes

    @property
    def original(self) -> str:
        """The original as HTML: mentions coloured by what happens to them, with a letter for the type."""
        return self._side(self.marks, (), self._mark)

    @property
    def result(self) -> str:
        """The sanitized paragraph as HTML: edits and leaks marked."""
        return self._side(self.changes, self.leaks, self._change)

    def _side(
        self,
        items: Sequence[_Item],
        leaks: Sequence[LeakedSpan],
        html: Callable[[_Item], str],
    ) -> str:
        parts: list[str] = []
        position = self.start
        for item in items:
            parts += (self._plain(position, item.start, leaks), html(item))
            position = item.end
        parts.append(self._plain(position, self.start + len(self.text), leaks))
        return "".join(parts)

    def _plain(self, start: int, end: int, leaks: Sequence[LeakedSpan]) -> str:
        parts = []
        for leak_start, leak_end, type in leaks:
            if start <= leak_start and leak_end <= end:
                parts.append(self._escaped(start, leak_start))
                parts.append(
                    f'<mark class="leak" data-s="{leak_start}-{leak_end}" data-type="{type}">'
                    f"{self._escaped(leak_start, leak_end)}</mark>"
                )
                start = leak_end
        parts.append(self._escaped(start, end))
        return "".join(parts)

    def _escaped(self, start: int, end: int) -> str:
        return escape(self.text[start - self.start : end - self.start])

    def _mark(self, mark: Mark) -> str:
        place, type, outcome, by_hand = mark.look
        string = self._escaped(mark.start, mark.end)
        said = "kept, to be decided" if outcome is Outcome.DOUBTFUL else outcome
        label = f"{string}: {TYPES[type]}, {said}{', by hand' if by_hand else ''}"
        return (
            f'<span class="m {type} {outcome}{" hand" if by_hand else ""}" '
            f'role="button" tabindex="-1" data-e="{place}" '
            f'data-s="{mark.start}-{mark.end}" aria-label="{label}">{string}</span>'
        )

    def _change(self, change: Change) -> str:
        string = escape(change.text)
        place = f'data-s="{change.start}-{change.end}"'
        if change.look is None:
            return f'<span class="neutral" {place}>{string}</span>'
        label = f"{string}, instead of: {TYPES[change.look.type]}"
        slant = " italic" * change.italic if string else " removed"
        return (
            f'<span class="r {change.style}{slant}" role="button" tabindex="-1" '
            f'data-e="{change.look.anchor}" {place} aria-label="{label}">{string}</span>'
        )


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
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    looks = {
        item.entity.id: Look(
            anchor(item.entity.mentions[0].span),
            item.entity.type,
            outcome_of(item, item.entity.id in reviewed.verdicts),
            item.entity.id in reviewed.verdicts,
        )
        for item in sanitized.decisions
    }
    marks = sorted(
        Mark(mention.span.start, mention.span.end, looks[item.entity.id])
        for item in sanitized.decisions
        for mention in item.entity.mentions
    )
    changes = [_change(edit, looks) for edit in sanitized.replacements]
    edited = [edit.output_start for edit in sanitized.replacements]
    types = {item.entity.id: item.entity.type for item in sanitized.decisions}
    leaks = []
    for leak in sanitized.leaks:
        # What begins or ends in an edit is not marked.
        if bisect_right(edited, leak.output_start) == bisect_left(edited, leak.output_end):
            span = to_original(leak.output_start, leak.output_end, sanitized.replacements)
            type = types.get(leak.entity_id, SemanticType.MISC)
            leaks.append(LeakedSpan(span.start, span.end, type))
    marked, changed = [mark.start for mark in marks], [change.start for change in changes]
    left = [leak.start for leak in leaks]
    return tuple(
        ParagraphRow(
            number,
            text[start:end],
            start,
            tuple(marks[bisect_left(marked, start) : bisect_left(marked, end)]),
            tuple(changes[bisect_left(changed, start) : bisect_left(changed, end)]),
            tuple(leaks[bisect_left(left, start) : bisect_left(left, end)]),
        )
        for number, (start, end) in enumerate(_paragraphs(text, [*marks, *changes]))
    )


def marked(reviewed: Reviewed) -> list[tuple[str, int, int]]:
    """The places of all marks, and of edits that may come: kind (``m``, ``r`` or ``leak``), start and end."""
    places = [
        place
        for row in rows(reviewed)
        for place in (
            *((kind, mark.start, mark.end) for mark in row.marks for kind in "mr"),
            *(("r", change.start, change.end) for change in row.changes),
            *(("leak", start, end) for start, end, _ in row.leaks),
        )
    ]
    return list(dict.fromkeys(places))


def _change(edit: Replacement, looks: Mapping[str, Look]) -> Change:
    of_entities = [looks[id] for id in edit.entity_ids]
    types = {look.type for look in of_entities}
    style = str(types.pop()) if len(types) == 1 else "MISC"
    # What is shown of an edit is not whether somebody decided on it.
    look = Look(of_entities[0].anchor, of_entities[0].type) if of_entities else None
    return Change(edit.original.start, edit.original.end, edit.text, style, edit.italic, look)


def _paragraphs(text: str, items: Sequence[Mark | Change]) -> Iterator[tuple[int, int]]:
    inside = {
        match.start() for item in items for match in _END.finditer(text, item.start, item.end)
    }
    start = 0
    for match in _END.finditer(text):
        if match.start() not in inside:
            yield start, match.start()
            start = match.end()
    yield start, len(text)


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
        # Safe: both are tags, and labels that ``laid_out`` has escaped.
        return Markup(self.before) + self._element("") + Markup(self.after)

    @property
    def html_oob(self) -> Markup:
        """The replacement for the element with the same id, for htmx."""
        return self._element(' hx-swap-oob="true"')

    def _element(self, attribute: str) -> Markup:
        row = self.row
        original, result = row.original, row.result
        same = " same" if row.same else ""
        kind, heading = "", ("", "")
        # An empty line belongs to the block before it.
        if original and self.block.level:
            kind = f" heading h{self.block.level}"
            # Among notes and headers there are none to find one's way by.
            depth = min(self.block.depth + 1, 6)
            level = f' role="heading" aria-level="{depth}"' if self.block.depth else ""
            heading = (level, level if result else "")
        elif original and self.block.is_item:
            kind = " item"
        # Safe: ``rows`` has escaped everything that is not its own.
        return Markup(
            f'<div class="row{same}{kind}" id="row-{row.number}"{attribute}>'
            f'<div class="original" data-start="{row.start}" dir="auto"{heading[0]}>{original}</div>'
            f'<div class="result" dir="auto"{heading[1]}>{result}</div></div>'
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
    """The rows as they stand on a page, with labels of the parts of their file, and tables around their cells."""
    placed = sorted(elements, key=lambda element: element.block.rank)
    shown = []
    part, before, tags = "", _BODY, TableTags()
    for place, element in enumerate(placed):
        block = element.block
        after = placed[place + 1].block if place + 1 < len(placed) else _BODY
        opening = ""
        if block.is_beside and not _together(before, block):
            label = escape(block.part)
            opening = f'<div class="beside" role="group" aria-label="{label}">'
            opening += f'<p class="part" aria-hidden="true">{label}</p>'
        elif not block.is_beside and block.part != part:
            opening = f'<h2 class="part">{escape(block.part or "Text")}</h2>'
        if not block.is_beside:
            part = block.part
        opening += tags.opening(before if _together(before, block) else _BODY, block)
        closing = tags.closing(block.cell, after.cell if _together(block, after) else None)
        if block.is_beside and not _together(block, after):
            closing += "</div>"
        before = block
        shown.append(replace(element, before=opening, after=closing))
    return shown


def _together(one: Block, other: Block) -> bool:
    """Whether lines are of one part."""
    return (one.part, one.is_beside) == (other.part, other.is_beside)


_BODY = Block(0)
