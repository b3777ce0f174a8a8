"""Original and result side by side as HTML, with one row per paragraph.

Rows end at line and page breaks of the original that are outside all edits, so both sides of a row
are the same paragraph. Everything from the document goes through ``escape``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape as escape_html
from typing import NamedTuple, Protocol

from markupsafe import Markup

from ...document import Replacement, SemanticType, Span
from ...documents.blocks import Block
from ...text.decoding import writable
from ...wording import TYPES
from ..review.redecide import Reviewed, original_of
from .cells import TableTags
from .labels import DisplayOutcome, outcome_of
from .layout import block_at

_KEPT = 64
_END = re.compile("[\n\f]")
"""End of a paragraph: a line break, or the end of a page of a PDF."""


class Look(NamedTuple):
    """How a mention or an edit of the entity with its first mention at ``anchor`` is shown."""

    anchor: str
    type: SemanticType
    outcome: DisplayOutcome = DisplayOutcome.MASKED
    by_hand: bool = False


class RowItem(Protocol):
    """A stretch of a row that is an HTML element of its own."""

    @property
    def start(self) -> int:
        """Where it starts in the original."""

    @property
    def end(self) -> int:
        """Where it ends in the original."""

    def html(self, string: str) -> str:
        """The element.

        Args:
            string: the stretch, escaped.
        """


class RowMark(NamedTuple):
    """A mention of the original."""

    start: int
    end: int
    look: Look

    @property
    def place(self) -> PlacedFace:
        """The mention, colored by what happens to it."""
        return PlacedFace(self.start, self.end, _face_of_mark(self.look))

    def html(self, string: str) -> str:
        """The element; see ``RowItem``."""
        return self.place.html(string)


class RowEdit(NamedTuple):
    """An edit at a stretch of the original; ``look`` is None if it belongs to no entity."""

    start: int
    end: int
    text: str
    style: str
    italic: bool
    look: Look | None


class LeakedSpan(NamedTuple):
    """A stretch of the original that was left although it names something that is masked."""

    start: int
    end: int
    type: SemanticType


class Face(NamedTuple):
    """How a place in a text is shown: what its element says and looks like, here and on the page.

    Attributes:
        classes: of the element.
        entity: its first mention; empty for places that belong to no entity and can't be selected.
        words: what follows its text.
        text: the text shown instead of the original's, or None for the original's.
        type: type of a leak; empty for anything else.
    """

    classes: str
    entity: str = ""
    words: str = ""
    text: str | None = None
    type: str = ""


class PlacedFace(NamedTuple):
    """A place in a row that is an HTML element of its own."""

    start: int
    end: int
    face: Face

    def html(self, string: str) -> str:
        """The element; see ``RowItem``."""
        text = self.face.text
        return _element(self.start, self.end, self.face, string if text is None else escape(text))


@dataclass(frozen=True, slots=True)
class ParagraphRow:
    """A paragraph as it is shown, so that equal rows are written once.

    Outside the changes, the result has the same characters as the original.

    Attributes:
        number: number from 0.
        text: the original's.
        start: where it starts in the original.
        marks: the mentions in it.
        changes: the edits in it.
        leaks: stretches of the original that were left though they are masked elsewhere.
    """

    number: int
    text: str = field(repr=False)
    start: int
    marks: tuple[RowItem, ...] = field(repr=False)
    changes: tuple[RowEdit, ...] = field(repr=False)
    leaks: tuple[LeakedSpan, ...]

    @property
    def same(self) -> bool:
        """Whether the result is the original."""
        return not self.changes

    @property
    def original(self) -> str:
        """The original as HTML: mentions coloured by what happens to them, with a letter for the type."""
        return self._side(self.marks)

    @property
    def result(self) -> str:
        """The sanitized paragraph as HTML: edits and leaks marked."""
        return self._side(self.changed_places)

    @property
    def marked_places(self) -> list[PlacedFace]:
        """The elements of the original, in order."""
        return [mark.place for mark in self.marks if isinstance(mark, RowMark)]

    @property
    def changed_places(self) -> list[PlacedFace]:
        """The elements of the result, in order."""
        places = [PlacedFace(edit.start, edit.end, _face_of_change(edit)) for edit in self.changes]
        leaks = [
            PlacedFace(start, end, Face("leak", type=str(type))) for start, end, type in self._bare
        ]
        return sorted(places + leaks, key=lambda item: item[:2]) if leaks else places

    @property
    def _bare(self) -> Iterator[LeakedSpan]:
        """The leaks that are shown as such: outside all edits, of overlapping ones the first."""
        edited = [edit.start for edit in self.changes]
        position, stop = self.start, self.start + len(self.text)
        for leak in self.leaks:
            before = bisect_left(edited, leak.end)
            is_clear = not before or self.changes[before - 1].end <= leak.start
            if is_clear and position <= leak.start and leak.end <= stop:
                position = leak.end
                yield leak

    def _side(self, items: Sequence[RowItem]) -> str:
        parts: list[str] = []
        position = self.start
        for item in items:
            string = self._escaped(item.start, item.end)
            parts += (self._escaped(position, item.start), item.html(string))
            position = item.end
        parts.append(self._escaped(position, self.start + len(self.text)))
        return "".join(parts)

    def _escaped(self, start: int, end: int) -> str:
        return escape(self.text[start - self.start : end - self.start])


@lru_cache(1024)
def _face_of_mark(look: Look) -> Face:
    label = "kept, to be decided" if look.outcome is DisplayOutcome.DOUBTFUL else look.outcome
    by_hand = ", by hand" if look.by_hand else ""
    classes = f"m {look.type} {look.outcome}{' hand' if look.by_hand else ''}"
    return Face(classes, look.anchor, f": {TYPES[look.type]}, {label}{by_hand}")


def _face_of_change(change: RowEdit) -> Face:
    text = shown(change.text)
    if change.look is None:
        return Face("neutral", text=text)
    slant = " italic" * change.italic if text else " removed"
    words = f", instead of: {TYPES[change.look.type]}"
    return Face(f"r {change.style}{slant}", change.look.anchor, words, text)


def _element(start: int, end: int, face: Face, string: str) -> str:
    """The element of a place; the page makes the same one, see ``static/rows.js``."""
    place = f'data-s="{start}-{end}"'
    if face.type:
        return f'<mark class="{face.classes}" {place} data-type="{face.type}">{string}</mark>'
    if not face.entity:
        return f'<span class="{face.classes}" {place}>{string}</span>'
    return (
        f'<span class="{face.classes}" role="button" tabindex="-1" data-e="{face.entity}" '
        f'{place} aria-label="{string}{face.words}">{string}</span>'
    )


def anchor(span: Span) -> str:
    """Span in the notation of the pages."""
    return f"{span.start}-{span.end}"


def escape(text: str) -> str:
    """Text for HTML, as ``shown``."""
    return escape_html(shown(text))


def shown(text: str) -> str:
    """Text as the pages show it; unprintable characters become U+FFFD."""
    return writable(text).replace("\0", "\ufffd").replace("\r", " ")


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
            outcome_of(item, item.entity.id in reviewed.verdicts, reviewed.bound),
            item.entity.id in reviewed.verdicts,
        )
        for item in sanitized.decisions
    }
    marks = sorted(
        RowMark(mention.span.start, mention.span.end, looks[item.entity.id])
        for item in sanitized.decisions
        for mention in item.entity.mentions
    )
    changes = [_change(edit, looks) for edit in sanitized.replacements]
    edited = [edit.output_start for edit in sanitized.replacements]
    types = {item.entity.id: item.entity.type for item in sanitized.decisions}
    leaks = []
    for leak in sanitized.leaks:
        # Spans that begin or end in an edit are not marked.
        if bisect_right(edited, leak.output_start) == bisect_left(edited, leak.output_end):
            span = original_of(leak, sanitized)
            type = types.get(leak.entity_id, SemanticType.MISC)
            leaks.append(LeakedSpan(span.start, span.end, type))
    return paragraph_rows(text, marks, changes, leaks)


def paragraph_rows(
    text: str,
    marks: Sequence[RowItem],
    changes: Sequence[RowEdit],
    leaks: Sequence[LeakedSpan] = (),
) -> tuple[ParagraphRow, ...]:
    """The rows of a text with what is shown in them, each in order of the text."""
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


def _change(edit: Replacement, looks: Mapping[str, Look]) -> RowEdit:
    of_entities = [looks[id] for id in edit.entity_ids]
    types = {look.type for look in of_entities}
    style = str(types.pop()) if len(types) == 1 else "MISC"
    # An edit doesn't show whether it was decided by hand.
    look = Look(of_entities[0].anchor, of_entities[0].type) if of_entities else None
    return RowEdit(edit.original.start, edit.original.end, edit.text, style, edit.italic, look)


def _paragraphs(text: str, items: Sequence[RowItem | RowEdit]) -> Iterator[tuple[int, int]]:
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
    """A row as HTML, in its place on the page."""

    row: ParagraphRow
    block: Block
    before: str = ""
    after: str = ""

    @property
    def html(self) -> Markup:
        """The element, with what opens before it and closes after it."""
        # Safe: both are tags, and labels that ``laid_out`` has escaped.
        return Markup(self.before) + self._element + Markup(self.after)

    @property
    def _element(self) -> Markup:
        row = self.row
        original, result = row.original, row.result
        same = " same" if row.same else ""
        kind, heading = "", ("", "")
        # An empty line belongs to the block before it.
        if original and self.block.level:
            kind = f" heading h{self.block.level}"
            # Notes and headers have none to navigate by.
            depth = min(self.block.depth + 1, 6)
            level = f' role="heading" aria-level="{depth}"' if self.block.depth else ""
            heading = (level, level if result else "")
        elif original and self.block.is_item:
            kind = " item"
        # Safe: ``rows`` has escaped everything that is not its own.
        return Markup(
            f'<div class="row{same}{kind}" id="row-{row.number}">'
            f'<div class="original" data-start="{row.start}" dir="auto"{heading[0]}>{original}</div>'
            f'<div class="result" dir="auto"{heading[1]}>{result}</div></div>'
        )


def row_elements(reviewed: Reviewed, blocks: Sequence[Block] = ()) -> list[RowElement]:
    """The rows of a document, in its layout."""
    return laid_out([RowElement(row, block_at(blocks, row.start)) for row in rows(reviewed)])


def laid_out(elements: list[RowElement]) -> list[RowElement]:
    """The rows as they stand on a page, with labels of the parts of their file, and tables around their cells."""
    in_order = sorted(elements, key=lambda element: element.block.rank)
    shown = []
    part, before, tags = "", _BODY, TableTags()
    for place, element in enumerate(in_order):
        block = element.block
        after = in_order[place + 1].block if place + 1 < len(in_order) else _BODY
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
    return in_stretches(shown)


_STRETCH = 25
"""Rows that a browser draws together once they come near; watching each by itself costs it every frame."""


def in_stretches(elements: Sequence[RowElement]) -> list[RowElement]:
    """The rows in stretches, none of which ends in a table or a frame."""
    shown: list[RowElement] = []
    size = 0
    for place, element in enumerate(elements):
        opening = "" if size else '<div class="stretch">'
        size += 1
        after = elements[place + 1].block if place + 1 < len(elements) else None
        is_end = after is None or (size >= _STRETCH and not _are_joined(element.block, after))
        size = 0 if is_end else size
        closing = "</div>" if is_end else ""
        shown.append(
            replace(element, before=opening + element.before, after=element.after + closing)
        )
    return shown


def _are_joined(one: Block, other: Block) -> bool:
    """Whether something stands around both of two lines that follow one another."""
    in_table = one.cell is not None and other.cell is not None
    return _together(one, other) and (one.is_beside or in_table)


def _together(one: Block, other: Block) -> bool:
    """Whether lines are of one part."""
    return (one.part, one.is_beside) == (other.part, other.is_beside)


_BODY = Block(0)
