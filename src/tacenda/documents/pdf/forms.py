"""Form fields that can still be filled in: those in which nothing is masked.

A field is flattened before its page is read (``cleaning``). If no letter of it is removed, it
becomes a field again when the page is written: its drawing moves from the page to the appearance of
a widget (PDF 32000, 12.7). It is rebuilt from known keys; its name, the names of its states, its
scripts and its default value aren't kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from .fonts import helvetica

_HIDDEN = 1 << 1 | 1 << 4 | 1 << 5
"""Annotations that are not shown, or stay upright when their page is turned."""
_RADIO, _PUSHED = 1 << 15, 1 << 16
_OTHER_TEXT = 1 << 13 | 1 << 20 | 1 << 25
"""Passwords, names of files, and rich text."""
_DEEPEST = 50
_SIZE = re.compile(r"(\d*\.?\d+)\s+Tf")
_COLOUR = re.compile(r"(?:\d*\.?\d+\s+){1,4}(?:g|rg|k)\b")

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Field:
    """A widget of a form field.

    Attributes:
        group: number of its field's object.
        kind: ``/Tx``, ``/Ch`` or ``/Btn``.
        flags: the field's flags.
        rectangle: left, bottom, right, top.
        appearance: number of the object that it shows; None if it shows nothing.
        values: its texts; for a choice, the selected ones.
        options: the options of a choice.
        tooltip: the name shown to people.
        is_on: whether a button is on.
        font: size and color of what is typed.
        numbers: alignment and maximum length, by key.
        colours: colors of background and border, by key.
        drawing: number of the page's ``Do`` operator that draws the appearance.
    """

    group: Key
    kind: str
    flags: int
    rectangle: tuple[float, float, float, float]
    appearance: Key | None
    values: tuple[str, ...]
    options: tuple[str, ...]
    tooltip: str
    is_on: bool
    font: str
    numbers: Mapping[str, int]
    colours: Mapping[str, tuple[float, ...]]
    drawing: int | None = None

    @property
    def strings(self) -> tuple[str, ...]:
        """All its texts."""
        return (*self.values, *self.options, *filter(str.strip, (self.tooltip,)))


def inherited(node: Any, key: str) -> Any:
    """Return an entry of a page or field, or that of its nearest ancestor that has one."""
    for _ in range(_DEEPEST):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def strings(value: Any) -> Iterator[str]:
    """Yield the texts in a string, or in an array of strings and arrays."""
    if isinstance(value, Array):
        for item in value:
            yield from strings(item)
    elif isinstance(value, String) and str(value).strip():
        yield str(value)


def annotated(page: Any) -> Iterator[Any]:
    """Return the annotations of a page."""
    value = page.get("/Annots")
    members = value if isinstance(value, Array) else ()
    return (each for each in members if isinstance(each, Dictionary))


def fields(page: Any, form: Any) -> Iterator[Field]:
    """Yield the fields of a page that can be filled in.

    Args:
        page: the page's dictionary, with its annotations.
        form: the document's form.
    """
    widgets = (each for each in annotated(page) if each.get("/Subtype") == "/Widget")
    yield from filter(None, (_field(widget, form) for widget in widgets))


def _field(widget: Any, form: Any) -> Field | None:
    kind, flags = str(inherited(widget, "/FT")), _number(inherited(widget, "/Ff"))
    rectangle = _numbers(widget.get("/Rect"))
    is_other = {"/Tx": flags & _OTHER_TEXT, "/Ch": 0, "/Btn": flags & _PUSHED}.get(kind, 1)
    if is_other or len(rectangle) != 4 or "/OC" in widget or _number(widget.get("/F")) & _HIDDEN:
        return None
    left, bottom, right, top = rectangle
    state = str(widget.get("/AS", "/Off"))
    appearances = widget.get("/AP", Dictionary()).get("/N")
    if isinstance(appearances, Dictionary) and not isinstance(appearances, Stream):
        appearances = appearances.get(state)
    style = str(inherited(widget, "/DA") or form.get("/DA", ""))
    size, colour = _SIZE.search(style), _COLOUR.search(style)
    named = widget if "/T" in widget else widget.get("/Parent", widget)
    look = widget.get("/MK", Dictionary())
    known = ((key, inherited(widget, key)) for key in ("/Q", "/MaxLen"))
    return Field(
        named.objgen,
        kind,
        flags,
        (min(left, right), min(bottom, top), max(left, right), max(bottom, top)),
        appearances.objgen if isinstance(appearances, Stream) else None,
        tuple(strings(inherited(widget, "/V"))),
        tuple(strings(inherited(widget, "/Opt"))) if kind == "/Ch" else (),
        " ".join(strings(inherited(widget, "/TU"))),
        kind == "/Btn" and state != "/Off",
        f"/F0 {size[1] if size else 0} Tf {colour[0] if colour else '0 g'}",
        {key: value for key, value in known if isinstance(value, int)},
        {key: colours for key in ("/BG", "/BC") if (colours := _numbers(look.get(key)))},
    )


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _numbers(value: Any) -> tuple[float, ...]:
    try:
        return tuple(map(float, value)) if isinstance(value, Array) else ()
    except (TypeError, ValueError):
        return ()


def drawn(found: Iterable[Field], drawings: Mapping[Key, Collection[int]]) -> Iterator[Field]:
    """Yield the fields that show nothing or are drawn by exactly one operator, with its number.

    Args:
        found: the fields on a page.
        drawings: by object number, the numbers of the operators that draw it on the page.
    """
    for field in found:
        numbers = drawings.get(field.appearance, ()) if field.appearance else ()
        if field.appearance is None or len(numbers) == 1:
            yield replace(field, drawing=next(iter(numbers), None))


def add(pdf: pikepdf.Pdf, widgets: Iterable[tuple[Any, Field, Any]]) -> None:
    """Add fields to a file.

    Args:
        pdf: receives them.
        widgets: for each, its page, what it is, and what it shows; None for nothing.
    """
    groups: dict[Key, Any] = {}
    kids: dict[Key, list[Any]] = {}
    for page, field, appearance in widgets:
        if field.group not in groups:
            groups[field.group] = pdf.make_indirect(_parent(field, len(groups) + 1))
        group, members = groups[field.group], kids.setdefault(field.group, [])
        widget = pdf.make_indirect(_widget(pdf, field, appearance, f"/{len(members) + 1}"))
        widget.Parent, widget.P = group, page
        members.append(widget)
        if field.is_on:
            group.V = widget.AS
        page.Annots = Array([*page.get("/Annots", ()), widget])
    for key, group in groups.items():
        group.Kids = Array(kids[key])
    if groups:
        font = pdf.make_indirect(helvetica())
        resources = Dictionary(Font=Dictionary(F0=font))
        pdf.Root.AcroForm = Dictionary(Fields=Array(list(groups.values())), DR=resources)


def _parent(field: Field, number: int) -> Any:
    parent = Dictionary(FT=Name(field.kind), Ff=field.flags, T=String(str(number)))
    if field.tooltip.strip():
        parent.TU = String(field.tooltip)
    values = [String(value) for value in field.values]
    if values and field.kind != "/Btn":
        parent.V = values[0] if len(values) == 1 else Array(values)
    if field.options:
        parent.Opt = Array([String(option) for option in dict.fromkeys(field.options)])
    for key, value in field.numbers.items():
        parent[key] = value
    return parent


def _widget(pdf: pikepdf.Pdf, field: Field, appearance: Any, state: str) -> Any:
    widget = Dictionary(Type=Name.Annot, Subtype=Name.Widget, F=4, Rect=Array(field.rectangle))
    if field.colours:
        widget.MK = Dictionary({key: Array(value) for key, value in field.colours.items()})
    if field.kind == "/Btn":
        shown = Name(state if field.is_on else "/Off")
        states = Dictionary({name: _state(pdf, field, name == state) for name in (state, "/Off")})
        if appearance is not None:
            states[shown] = appearance
        widget.AP, widget.AS = Dictionary(N=states), shown
        return widget
    widget.DA = String(field.font)
    widget.AP = Dictionary(N=_state(pdf, field, False) if appearance is None else appearance)
    return widget


def _state(pdf: pikepdf.Pdf, field: Field, is_on: bool) -> Any:
    """Return the drawing of a field's other state: a disc for a radio button, otherwise a box, with its mark."""
    left, bottom, right, top = field.rectangle
    width, height = right - left, top - bottom
    size, x, y = min(width, height), width / 2, height / 2
    colours = {key: " ".join(map(str, value)) for key, value in field.colours.items()}
    operators = {key: ("g", "rg", "k")[len(value) // 2] for key, value in field.colours.items()}
    parts: list[str] = []
    if field.flags & _RADIO:
        parts = [
            f"1 J {colours[key]} {operators[key].upper()} {size - less} w {x} {y} m {x} {y} l S"
            for key, less in (("/BC", 0), ("/BG", 2))
            if key in colours
        ]
        parts += [f"1 J 0 G {size / 2} w {x} {y} m {x} {y} l S"] * is_on
    else:
        if "/BG" in colours:
            parts.append(f"{colours['/BG']} {operators['/BG']} 0 0 {width} {height} re f")
        if "/BC" in colours:
            edge = f"0.5 0.5 {width - 1} {height - 1} re S"
            parts.append(f"{colours['/BC']} {operators['/BC'].upper()} 1 w {edge}")
        cross = f"3 3 m {width - 3} {height - 3} l 3 {height - 3} m {width - 3} 3 l S"
        parts += [f"0 G 1.5 w {cross}"] * is_on
    box = Array([0, 0, width, height])
    content = " ".join(parts).encode()
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=box)
