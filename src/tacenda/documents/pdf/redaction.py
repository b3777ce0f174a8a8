"""Remove glyphs from the content of pages, and draw boxes in their place.

The glyphs' codes are removed from the strings of text-showing operators, and the array moves by
their width, so that everything else stays where it was. Glyphs that the reader didn't see are
removed, and so are glyphs under a box. A form XObject that is drawn with different removals becomes
several. Fonts keep only the letters that are still drawn.
"""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pikepdf
from pdfminer.utils import Matrix, Rect, apply_matrix_pt, apply_matrix_rect, mult_matrix
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfbase.pdfmetrics import stringWidth

from . import forms
from .fonts import helvetica, prune_fonts
from .glyphs import Glyph, Page
from .painting import PictureError, painted

_FONT = "Helvetica"
_ASCENT = 0.86  # shares of the font size, like all lengths below
_DESCENT = 0.24
_SAME_LINE = 0.6
_APART = 2.5
_TURN = 2.0  # degrees
_LABEL = 0.5  # share of the box's height: too small to be mistaken for the word underneath
_SMALLEST = 3.5  # points
_EDGE = 1.0  # points
_GREY = 0.9
UNIT = 0, 0, 1, 1
"""The square that a picture fills."""


class PageError(Exception):
    """Pages that can't be edited in place.

    Attributes:
        numbers: page numbers, from 1.
        reason: what would go wrong on the first of them.
    """

    def __init__(self, numbers: Iterable[int], reason: str) -> None:
        super().__init__()
        self.numbers = frozenset(numbers)
        self.reason = reason


Point = tuple[float, float]
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A black box, with white words if they fit.

    Attributes:
        x, y: its lower left corner, in points of the page as shown.
        width, height: along its own axes.
        angle: angle of its lower edge, in degrees.
        label: the words; empty for none.
        size: font size of the words.
    """

    x: float
    y: float
    width: float
    height: float
    angle: float
    label: str = ""
    size: float = 0.0

    @classmethod
    def around(cls, rectangle: Rect, matrix: Matrix) -> Box:
        """Return an upright box around a rectangle in the page's user space, half a point wider on each side."""
        left, bottom, right, top = apply_matrix_rect(matrix, rectangle)
        return cls(left - 0.5, bottom - 0.5, right - left + 1, top - bottom + 1, 0.0)

    @property
    def middle(self) -> tuple[Any, Any]:
        """Its center."""
        x, y = self.at(self.width / 2, self.height / 2)
        return np.float64(x), np.float64(y)

    @property
    def bounds(self) -> Rect:
        """Its upright bounding rectangle."""
        across, up = zip(*self.corners(), strict=True)
        return min(across), min(up), max(across), max(up)

    def corners(self, margin: float = 0.0) -> tuple[Point, ...]:
        """Return its corners in order, moved outwards by a margin."""
        left, right = -margin, self.width + margin
        low, high = -margin, self.height + margin
        return tuple(
            self.at(u, v) for u, v in ((left, low), (right, low), (right, high), (left, high))
        )

    def at(self, u: float, v: float) -> Point:
        """Return a point given in its own axes in those of the page."""
        cosine, sine = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + u * cosine - v * sine, self.y + u * sine + v * cosine

    def holds(self, x: Any, y: Any, margin: float = 0.0) -> Any:
        """Return whether points on the page are inside it, farther than a margin from its sides."""
        cosine, sine = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        u, v = x - self.x, y - self.y
        along, up = u * cosine + v * sine, v * cosine - u * sine
        beside = (along < margin) | (along > self.width - margin)
        return np.logical_not(beside | (up < 0) | (up > self.height))

    def overlaps(self, other: Box) -> bool:
        """Return whether the bounding rectangles of two boxes overlap."""
        (a, b, c, d), (left, bottom, right, top) = self.bounds, other.bounds
        return a <= right and left <= c and b <= top and bottom <= d


@dataclass(frozen=True, slots=True)
class Redaction:
    """The content to remove from a page.

    Attributes:
        removed: indexes of the glyphs to remove.
        boxes: the boxes drawn in their place.
        pictures: indexes of the pictures to replace with a gray area.
        fields: form fields, which are no longer drawn on the page since they can be filled in.
    """

    removed: frozenset[int]
    boxes: tuple[Box, ...]
    pictures: frozenset[int] = frozenset()
    fields: tuple[forms.Field, ...] = ()

    def glyphs(self, page: Page) -> frozenset[int]:
        """Return the indexes of the glyphs that its content no longer draws."""
        drawings = {(field.drawing,) for field in self.fields}
        return self.removed | {
            index for index, glyph in enumerate(page.glyphs) if glyph.place.path[:1] in drawings
        }

    def touches(self, field: forms.Field, page: Page) -> bool:
        """Return whether anything is removed from a field on the page."""
        area = Box.around(field.rectangle, page.matrix)
        paths = (page.glyphs[index].place.path[:1] for index in self.removed)
        return any(map(area.overlaps, self.boxes)) or any(
            path == (field.drawing,) for path in paths
        )


def redaction(
    page: Page, edits: Iterable[tuple[str, Sequence[int]]], unseen: Iterable[int] = ()
) -> Redaction:
    """Return the content to remove from a page.

    Args:
        page: the page.
        edits: for each edit, the words to write and the indexes of the glyphs.
        unseen: indexes of glyphs that go without a box, since nobody sees them.
    """
    removed = set(unseen)
    boxes: list[Box] = []
    for text, indices in edits:
        removed.update(indices)
        outlines = [outline(run) for run in _runs([page.glyphs[index] for index in indices])]
        if outlines:
            widest = max(range(len(outlines)), key=lambda n: outlines[n].width)
            if not any(box.label and box.overlaps(outlines[widest]) for box in boxes):
                outlines[widest] = _labelled(outlines[widest], text)
        boxes += outlines
    return with_boxes(page, Redaction(frozenset(removed), ()), boxes)


def with_boxes(page: Page, what: Redaction, boxes: Sequence[Box]) -> Redaction:
    """Return a redaction with more boxes, under which everything is removed."""
    removed = set(what.removed)
    if boxes:
        centres = np.array([centre(glyph) for glyph in page.glyphs])
        for box in boxes:
            removed.update(np.flatnonzero(box.holds(centres[:, 0], centres[:, 1])).tolist())
    return replace(what, removed=frozenset(removed), boxes=(*what.boxes, *boxes))


def centre(glyph: Glyph) -> Point:
    """Return the center of a glyph, in points of the page as shown."""
    up = math.radians(glyph.direction + 90)
    rise = 0 if glyph.vertical else 0.3 * glyph.size
    return (
        glyph.x + glyph.dx / 2 + rise * math.cos(up),
        glyph.y + glyph.dy / 2 + rise * math.sin(up),
    )


def _runs(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Yield runs of adjacent glyphs on one line."""
    run: list[Glyph] = []
    for glyph in glyphs:
        if run and not _follows(glyph, run):
            yield run
            run = []
        run.append(glyph)
    if run:
        yield run


def _follows(glyph: Glyph, run: Sequence[Glyph]) -> bool:
    last = run[-1]
    if abs((glyph.direction - last.direction + 180) % 360 - 180) > _TURN:
        return False
    u, v = _turned(glyph.x - last.x, glyph.y - last.y, last.direction)
    size = max(glyph.size, last.size, 0.1)
    ends = [0.0, math.hypot(last.dx, last.dy), u, u + math.hypot(glyph.dx, glyph.dy)]
    return abs(v) <= _SAME_LINE * size and max(ends) - min(ends) <= (
        math.hypot(last.dx, last.dy) + math.hypot(glyph.dx, glyph.dy) + _APART * size
    )


def _turned(x: float, y: float, angle: float) -> Point:
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


def outline(run: Sequence[Glyph]) -> Box:
    """Return the box around glyphs on one line."""
    first = run[0]
    size = max(glyph.size for glyph in run)
    angle = first.direction
    starts = [_turned(glyph.x, glyph.y, angle) for glyph in run]
    ends = [_turned(glyph.x + glyph.dx, glyph.y + glyph.dy, angle) for glyph in run]
    left = min(u for u, _ in (*starts, *ends))
    right = max(u for u, _ in (*starts, *ends))
    base = [v for _, v in starts]
    if any(glyph.vertical for glyph in run):
        low, high = min(base) - size / 2, max(base) + size / 2
    else:
        low, high = min(base) - _DESCENT * size, max(base) + _ASCENT * size
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = left * cosine - low * sine, left * sine + low * cosine
    return Box(x, y, right - left, high - low, angle)


def _labelled(box: Box, text: str) -> Box:
    label = text.strip().strip("[]")
    try:
        label.encode("cp1252")
    except UnicodeEncodeError:
        return box
    width = stringWidth(label, _FONT, 1.0)
    if not width or not label.isprintable():
        return box
    size = min(_LABEL * box.height, (box.width - 2 * _EDGE) / width)
    return replace(box, label=label, size=size) if size >= _SMALLEST else box


# The edits of a file.


def redacted(data: bytes, pages: Sequence[Page], redactions: Sequence[Redaction]) -> bytes:
    """Return a file from ``cleaning`` without what is removed from its pages.

    Args:
        data: the file.
        pages: its pages as read.
        redactions: one a page.

    Raises:
        PageError: if a picture under a box can't be painted over.
    """
    refused: list[int] = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        drawings: dict[Any, Any] = {}
        fonts: dict[int, dict[bytes, str]] = defaultdict(dict)
        widgets: list[tuple[Any, forms.Field, Any]] = []
        rows = zip(pdf.pages, pages, redactions, strict=True)
        for number, (page, drawn, what) in enumerate(rows, 1):
            editor = _PageEditor(pdf, drawn, what, drawings, fonts)
            try:
                page.obj.Contents = pdf.make_stream(editor.page(page.obj))
                widgets += ((page.obj, f, editor.appearances.get(f.drawing)) for f in what.fields)
            except PictureError:
                refused.append(number)
        if refused:
            raise PageError(
                refused,
                f"page {refused[0]} has a picture under text that is masked, which can't be painted over",
            )
        prune_fonts(pdf, fonts)
        forms.add(pdf, widgets)
        pdf.remove_unreferenced_resources()
        output = io.BytesIO()
        pdf.save(
            output,
            deterministic_id=True,
            compress_streams=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
        )
        return output.getvalue()


class _PageEditor:
    """Edits a page's content, and the form XObjects in it."""

    def __init__(
        self,
        pdf: pikepdf.Pdf,
        page: Page,
        what: Redaction,
        drawings: dict[Any, Any],
        fonts: dict[int, dict[bytes, str]],
    ) -> None:
        self._pdf = pdf
        self._page = page
        self._what = what
        self._drawings = drawings
        self._fonts = fonts
        self.appearances: dict[int | None, Any] = {field.drawing: None for field in what.fields}
        self._glyphs: dict[Path, list[int]] = defaultdict(list)
        for index, glyph in enumerate(page.glyphs):
            self._glyphs[glyph.place.path].append(index)
        self._hits: dict[tuple[Path, bool], tuple[tuple[Point, ...], ...] | None] = {
            (picture.path, picture.inline): None
            if index in what.pictures
            else tuple(in_picture(what.boxes, picture.matrix))
            for index, picture in enumerate(page.pictures)
        }

    def page(self, page: Any) -> bytes:
        """Return the content of the page, with boxes on top of everything."""
        resources = page.Resources
        body: list[Any] = [_instruction("q")]
        depth = 1
        in_text = False
        for instruction in self._edited(page, resources, ()):
            operator = "" if _is_picture(instruction) else str(instruction.operator)
            if operator == "Q" and depth == 1:
                continue
            depth += (operator == "q") - (operator == "Q")
            in_text = operator == "BT" or (in_text and operator != "ET")
            body.append(instruction)
        if in_text:
            body.append(_instruction("ET"))
        body += [_instruction("Q")] * depth
        if self._what.boxes:
            body += self._overlay(resources)
        return pikepdf.unparse_content_stream(body)

    def _overlay(self, resources: Any) -> Iterator[Any]:
        font = "/L0"
        if any(box.label for box in self._what.boxes):
            copy = _own(resources.get("/Font", Dictionary()))
            copy[font] = helvetica()
            resources.Font = copy
        yield from _instructions(("q",), ("cm", *inverse(self._page.matrix)))
        # A word must not be under a box that is drawn later.
        for box in self._what.boxes:
            yield from _at(box)
            yield from _rectangle(0, box.width, box.height)
        for box in self._what.boxes:
            if not box.label:
                continue
            width = stringWidth(box.label, _FONT, box.size)
            yield from _at(box)
            yield from _instructions(("BT",), ("g", 1), ("Tf", Name(font), box.size))
            across, up = (box.width - width) / 2, (box.height - _LABEL * box.size) / 2
            label = String(box.label.encode("cp1252"))
            yield from _instructions(("Td", across, up), ("Tj", label), ("ET",), ("Q",))
        yield _instruction("Q")

    def _edited(self, holder: Any, resources: Any, path: Path) -> Iterator[Any]:
        """Yield the edited instructions of some content."""
        operators: dict[int, list[int]] = defaultdict(list)
        for index in self._glyphs.get(path, ()):
            operators[self._page.glyphs[index].place.operator].append(index)
        shown = done = inline = 0
        for instruction in pikepdf.parse_content_stream(holder):
            if _is_picture(instruction):
                polygons = self._hits.get(((*path, inline), True), ())
                inline += 1
                if polygons is None:
                    yield from _grey_area()
                elif not polygons:
                    yield instruction
                # An inline picture under a box is removed as a whole; the check then sees that the
                # page has changed.
                continue
            operator = str(instruction.operator)
            if operator == "TJ":
                items = self._kept(list(instruction.operands[0]), operators.get(shown, ()))
                shown += 1
                if items:
                    yield _instruction("TJ", Array(items))
            elif operator == "Do":
                if self._hits.get(((*path, done), False), ()) is None:
                    done += 1
                    yield from _grey_area()
                    continue
                name = self._drawn(str(instruction.operands[0]), resources, (*path, done))
                is_field = not path and done in self.appearances
                if is_field and name is not None:
                    self.appearances[done] = resources.XObject[name]
                done += 1
                if name is not None and not is_field:
                    yield _instruction("Do", Name(name))
            else:
                yield instruction

    def _kept(self, elements: list[Any], indices: Sequence[int]) -> list[Any]:
        """Return the elements of a ``TJ`` array without what is removed."""
        by_element: dict[int, list[int]] = defaultdict(list)
        for index in indices:
            by_element[self._page.glyphs[index].place.element].append(index)
        items: list[Any] = []
        for number, element in enumerate(elements):
            if not isinstance(element, String):
                _move(items, float(element))
                continue
            string = bytes(element)
            for index in by_element.get(number, ()):
                glyph = self._page.glyphs[index]
                if index in self._what.removed:
                    _move(items, glyph.gap)
                    continue
                code = string[glyph.place.start : glyph.place.end]
                self._fonts[glyph.font][code] = glyph.text
                if items and isinstance(items[-1], bytes):
                    items[-1] += code
                else:
                    items.append(code)
        return [String(item) if isinstance(item, bytes) else item for item in items]

    def _drawn(self, name: str, resources: Any, path: Path) -> str | None:
        """Return the name under which a form or picture is now drawn; None if it isn't."""
        objects = resources.XObject
        object = objects[name]
        if object.get("/Subtype") == "/Image":
            polygons = self._hits.get((path, False), ())
            if not polygons:
                return name
            key: Any = ("picture", object.objgen, polygons)
            if key not in self._drawings:
                self._drawings[key] = painted(self._pdf, object, polygons)
        elif path not in self._page.paths:
            return None
        else:
            key = ("form", object.objgen, self._signature(path))
            if key not in self._drawings:
                copy_resources = _own(object.Resources)
                edited = list(self._edited(object, copy_resources, path))
                copy = self._pdf.make_stream(pikepdf.unparse_content_stream(edited))
                for entry in ("/Type", "/Subtype", "/BBox", "/Matrix", "/Group"):
                    if entry in object:
                        copy[entry] = object[entry]
                copy.Resources = copy_resources
                self._drawings[key] = copy
        return _added(resources, self._drawings[key])

    def _below(self, path: Path) -> Iterator[Path]:
        return (each for each in self._glyphs if each[: len(path)] == path)

    def _signature(self, path: Path) -> Any:
        """Return a key of the removals below a path, equal for equal ones."""
        depth = len(path)
        glyphs = frozenset(
            (place.path[depth:], *place[1:], index in self._what.removed)
            for below in self._below(path)
            for index in self._glyphs[below]
            for place in (self._page.glyphs[index].place,)
        )
        hits = frozenset(
            (at[depth:], inline, polygons)
            for (at, inline), polygons in self._hits.items()
            if polygons != () and at[:depth] == path
        )
        return glyphs, hits


def _at(box: Box) -> Iterator[Any]:
    """Yield the instructions that begin a drawing in the axes of a box."""
    cosine, sine = math.cos(math.radians(box.angle)), math.sin(math.radians(box.angle))
    yield from _instructions(("q",), ("cm", cosine, sine, -sine, cosine, box.x, box.y))


def _rectangle(grey: float, width: float, height: float) -> Iterator[Any]:
    """Yield the instructions that fill a rectangle, and end a drawing."""
    return _instructions(("g", grey), ("re", 0, 0, width, height), ("f",), ("Q",))


def _grey_area() -> Iterator[Any]:
    """Yield the instructions that draw grey where a picture was."""
    yield _instruction("q")
    yield from _rectangle(_GREY, 1, 1)


def _is_picture(instruction: Any) -> bool:
    return isinstance(instruction, pikepdf.ContentStreamInlineImage)


def _move(items: list[Any], number: float) -> None:
    if items and isinstance(items[-1], float):
        items[-1] += number
    else:
        items.append(number)


def _own(resources: Any) -> Any:
    """Return resources that can take further objects."""
    return Dictionary({key: resources[key] for key in resources.keys()})  # noqa: SIM118


def _added(resources: Any, drawn: Any) -> str:
    """Return the name of an object among the resources, which take it."""
    objects = resources.XObject
    for name in objects.keys():  # noqa: SIM118
        if objects[name].objgen == drawn.objgen:
            return str(name)
    name = f"/X{len(objects)}"
    copy = _own(objects)
    copy[name] = drawn
    resources.XObject = copy
    return name


def _instructions(*rows: tuple[Any, ...]) -> Iterator[Any]:
    return (_instruction(*row) for row in rows)


def _instruction(operator: str, *operands: Any) -> Any:
    numbers = [round(each, 5) if isinstance(each, float) else each for each in operands]
    return pikepdf.ContentStreamInstruction(numbers, pikepdf.Operator(operator))


def inverse(matrix: Sequence[float]) -> Matrix:
    """Return the inverse of a matrix of six numbers.

    Raises:
        ValueError: if it has none.
    """
    return pikepdf.Matrix(*map(float, matrix)).inverse().shorthand


def around(matrix: Matrix, back: Matrix) -> Rect:
    """Return ``(left, bottom, right, top)`` of a picture in user space, by the inverse of the page's matrix."""
    return apply_matrix_rect(mult_matrix(matrix, back), UNIT)


def in_picture(boxes: Iterable[Box], matrix: Matrix) -> Iterator[tuple[Point, ...]]:
    """Yield the boxes over a picture in the axes of its unit square."""
    try:
        back = inverse(matrix)
    except ValueError:
        return
    for box in boxes:
        corners = tuple(apply_matrix_pt(back, corner) for corner in box.corners(_EDGE))
        across, up = zip(*corners, strict=True)
        if min(across) < 1 and max(across) > 0 and min(up) < 1 and max(up) > 0:
            yield corners
