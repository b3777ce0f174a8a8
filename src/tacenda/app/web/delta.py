"""Changes an answer makes to the rows of a page: which elements differ, and how.

The page already has the original text, so a step only names places and what differs there. After
the steps, the page shows what it would show if reloaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ..review.redecide import Reviewed
from .rows import Face, ParagraphRow, PlacedFace, rows


class RowSide(StrEnum):
    """A side of a row."""

    ORIGINAL = "original"
    RESULT = "result"


class Step(NamedTuple):
    """A change to elements.

    Attributes:
        side: the side of the rows.
        places: separated by spaces: spans, or ``@`` and an entity for all its elements on that
            side.
        face: the attributes of their ``Face`` that differ, or None if the element was removed.
    """

    side: RowSide
    places: str
    face: dict[str, str | None] | None


class _Difference(NamedTuple):
    """A place with its element before and after; None if there is no element."""

    side: RowSide
    span: str
    before: Face | None
    after: Face | None

    @property
    def face(self) -> tuple[tuple[str, str | None], ...] | None:
        """The attributes that differ."""
        if self.after is None:
            return None
        old = _NO_FACE if self.before is None else self.before
        pairs = zip(Face._fields, old, self.after, strict=True)
        return tuple((name, value) for name, other, value in pairs if other != value)

    @property
    def entity(self) -> str:
        """The entity of the element before."""
        return "" if self.before is None else self.before.entity


_NO_FACE = Face("")


def steps(before: Reviewed, after: Reviewed) -> list[Step] | None:
    """Return the steps from the rows of one state to those of another, or None if the paragraphs differ."""
    old, new = rows(before), rows(after)
    if [row.start for row in old] != [row.start for row in new]:
        return None
    groups: dict[tuple[RowSide, object], list[_Difference]] = {}
    for difference in _differences(old, new):
        groups.setdefault((difference.side, difference.face), []).append(difference)
    sizes = _sizes(old) if groups else Counter()
    return [
        Step(side, " ".join(_places(side, items, sizes)), _named(items[0].face))
        for (side, _), items in groups.items()
    ]


def _differences(old: Sequence[ParagraphRow], new: Sequence[ParagraphRow]) -> Iterator[_Difference]:
    for row, other in zip(old, new, strict=True):
        if row != other:
            yield from _of_side(RowSide.ORIGINAL, row.marked_places, other.marked_places)
            yield from _of_side(RowSide.RESULT, row.changed_places, other.changed_places)


def _of_side(
    side: RowSide, old: Iterable[PlacedFace], new: Iterable[PlacedFace]
) -> Iterator[_Difference]:
    before = {(start, end): face for start, end, face in old}
    after = {(start, end): face for start, end, face in new}
    for start, end in sorted(before.keys() | after.keys()):
        face, other = before.get((start, end)), after.get((start, end))
        if face != other:
            yield _Difference(side, f"{start}-{end}", face, other)


def _sizes(old: Iterable[ParagraphRow]) -> Counter[tuple[RowSide, str]]:
    """Return the number of elements of each entity on each side."""
    sizes: Counter[tuple[RowSide, str]] = Counter()
    for row in old:
        sizes.update((RowSide.ORIGINAL, place.face.entity) for place in row.marked_places)
        sizes.update((RowSide.RESULT, edit.look.anchor) for edit in row.changes if edit.look)
    return sizes


def _places(
    side: RowSide, items: Sequence[_Difference], sizes: Mapping[tuple[RowSide, str], int]
) -> Iterator[str]:
    """Return the places in short form: an entity stands for its elements if all of them change alike."""
    by_entity: dict[str, list[str]] = {}
    for item in items:
        by_entity.setdefault(item.entity, []).append(item.span)
    for entity, spans in by_entity.items():
        is_whole = entity and len(spans) == sizes[side, entity]
        yield f"@{entity}" if is_whole else " ".join(spans)


def _named(
    face: tuple[tuple[str, str | None], ...] | None,
) -> dict[str, str | None] | None:
    return None if face is None else dict(face)
