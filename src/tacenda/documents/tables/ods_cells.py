"""Cells of an .ods: read and replace their values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from ..docx import UNWRITABLE
from ..docx.package import Element, local_name, remove
from ..odf import LINK, NOWHERE, ODF, OFFICE, TEXT, repeats
from .cells import Setter, literals

TABLE = f"{ODF}table:1.0}}"
FORMULA = f"{TABLE}formula"
TYPE = f"{OFFICE}value-type"
_CURRENCY = f"{OFFICE}currency"
_VALUES = {
    "float": f"{OFFICE}value",
    "percentage": f"{OFFICE}value",
    "currency": f"{OFFICE}value",
    "date": f"{OFFICE}date-value",
    "time": f"{OFFICE}time-value",
    "boolean": f"{OFFICE}boolean-value",
}
"""Attributes that contain a cell's value, by type."""
_TYPES = {int: "float", float: "float", bool: "boolean", date: "date", datetime: "date"}
_PARAGRAPH = f"{TEXT}p"
_ANNOTATION = f"{OFFICE}annotation"
_PERIOD = re.compile(r"PT(\d{1,6})H(\d{1,6})M(\d{1,6}(?:[.,]\d{1,9})?)S")
_WHOLE = re.compile(r"[-+]?\d+")
_BLANKS = re.compile(r"[ \t\r\n]+")
_WRITTEN = re.compile(r"  +|\t")


def simplify(cell: Element) -> None:
    """Remove everything from a cell except its value, its displayed text and its comment."""
    value = _value(cell)
    formula = cell.get(FORMULA)
    is_text = isinstance(value, str) and formula is None
    if is_text and _text(cell) != value:
        _write_text(cell, value)
    kept = () if is_text or formula is not None else (TYPE, _VALUES[cell.get(TYPE)], _CURRENCY)
    for key in list(cell.attrib):
        if key.startswith(OFFICE) and key not in kept:
            del cell.attrib[key]
    if not re.fullmatch("[A-Z]{3}", cell.get(_CURRENCY, "XXX")):
        del cell.attrib[_CURRENCY]
    for child in list(cell):
        if child.tag != _ANNOTATION and not (is_text and child.tag == _PARAGRAPH):
            remove(child)
    cell.text = None
    for child in cell:
        child.tail = None
        for element in child.iter():
            _strip(element)
    if is_text:
        if value:
            cell.set(TYPE, "string")
    elif formula is None:
        _write_text(cell, _shown(value))


def _strip(element: Element) -> None:
    """Remove all attributes from an element in a cell except its style, address and number of spaces."""
    for key in list(element.attrib):
        name = key.rpartition("}")[2]
        if name not in ("style-name", "c") and not (key == LINK and element.tag == f"{TEXT}a"):
            del element.attrib[key]


def _value(cell: Element) -> Any:
    """Return the value of a cell, as a string if it doesn't fit the cell's type."""
    type = cell.get(TYPE)
    value = cell.get(_VALUES.get(type, TYPE)) or ""
    try:
        if type in ("float", "percentage", "currency"):
            number = int(value) if _WHOLE.fullmatch(value) else float(value)
            if math.isfinite(number):
                return number
        elif type == "date":
            return datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)
        elif type == "time" and (match := _PERIOD.fullmatch(value)):
            hours, minutes, seconds = map(float, match.groups())
            return timedelta(hours=hours, minutes=minutes, seconds=seconds)
        elif type == "boolean" and value in ("true", "false"):
            return value == "true"
    except (ValueError, OverflowError):
        pass
    text = cell.get(f"{OFFICE}string-value")
    return _text(cell) if text is None else text


def _shown(value: Any) -> str:
    """Return the displayed form of a value, used until the spreadsheet program formats it."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _text(element: Element) -> str:
    """Return the text of a cell or comment, with one line per paragraph."""
    paragraphs = [
        child
        for child in element.iterdescendants(_PARAGRAPH, f"{TEXT}h")
        if element.tag == _ANNOTATION or _ANNOTATION not in [a.tag for a in child.iterancestors()]
    ]
    return "\n".join("".join(_characters(paragraph)).strip(" ") for paragraph in paragraphs)


def _characters(element: Element) -> Iterator[str]:
    name = local_name(element)
    if name == "s":
        yield " " * min(repeats(element, f"{TEXT}c"), 99)
    elif name in ("tab", "line-break"):
        yield "\t" if name == "tab" else "\n"
    yield _BLANKS.sub(" ", element.text or "")
    for child in element:
        yield from _characters(child)
        yield _BLANKS.sub(" ", child.tail or "")


def _write_text(element: Element, text: str) -> None:
    """Write text into a cell or comment, inside its link if it has one."""
    link = next((a for a in element.iter(f"{TEXT}a") if a.get(LINK)), None)
    for child in list(element):
        if child.tag != _ANNOTATION and local_name(child) != "creator":
            remove(child)
    for line in UNWRITABLE.sub("\ufffd", text).split("\n"):
        paragraph = element.makeelement(_PARAGRAPH)
        element.append(paragraph)
        place = paragraph
        if link is not None:
            place = element.makeelement(link.tag, {LINK: link.get(LINK)})
            paragraph.append(place)
        _write_line(place, line)


def _write_line(element: Element, line: str) -> None:
    """Write a line into an element; tabs and multiple spaces are elements (Part 3, section 6.1.2)."""
    element.text = ""
    position = 0
    last = None
    for match in (*_WRITTEN.finditer(line), None):
        text = line[position : match.start() if match else len(line)]
        if last is None:
            element.text = text
        else:
            last.tail = text
        if match is not None:
            is_tab = match[0] == "\t"
            last = element.makeelement(f"{TEXT}tab" if is_tab else f"{TEXT}s")
            if not is_tab:
                last.set(f"{TEXT}c", str(len(match[0])))
            element.append(last)
            position = match.end()


def cell_strings(cell: Element) -> Iterator[tuple[str, Any, Setter]]:
    """Yield kind (``value``, ``comment``, ``link``), value and setter of each string of a cell.

    The literals of a formula are values.
    """
    formula = cell.get(FORMULA)
    if formula is not None:
        pairs = literals(formula, partial(cell.set, FORMULA))
        yield from (("value", text, put) for text, put in pairs)
    elif cell.get(TYPE):
        value = _value(cell)
        yield "value", value, partial(_put_changed, cell, value)
    for comment in cell.findall(_ANNOTATION):
        yield "comment", _text(comment), partial(_put_comment, comment)
    for link in cell.iter(f"{TEXT}a"):
        if link.get(LINK):
            yield "link", link.get(LINK), partial(_put_link, cell, link.get(LINK))


def _put_changed(cell: Element, old: Any, new: Any) -> None:
    if new != old or type(new) is not type(old):
        put_value(cell, new)


def put_value(cell: Element, value: Any) -> None:
    """Write a value into a cell; None empties it."""
    for key in [key for key in cell.attrib if key.startswith(OFFICE) or key == FORMULA]:
        del cell.attrib[key]
    if value is None:
        for child in list(cell):
            remove(child)
        return
    if isinstance(value, str):
        cell.set(TYPE, "string")
    else:
        type = _TYPES[value.__class__]
        cell.set(TYPE, type)
        cell.set(_VALUES[type], _shown(value).lower() if isinstance(value, bool) else _shown(value))
    _write_text(cell, _shown(value))


def _put_comment(comment: Element, text: str | None) -> None:
    if text is None:
        remove(comment)
    elif text != _text(comment):
        _write_text(comment, text)


def _put_link(cell: Element, old: str, new: str | None) -> None:
    # Changed text has new link elements.
    for link in cell.iter(f"{TEXT}a"):
        if link.get(LINK) == old:
            link.set(LINK, UNWRITABLE.sub("\ufffd", new or NOWHERE))


class Detached:
    """A cell whose contents are removed until they are restored."""

    def __init__(self, cell: Element) -> None:
        self._cell = cell
        self._children = list(cell)
        own = (OFFICE, FORMULA)
        self._values = {key: value for key, value in cell.attrib.items() if key.startswith(own)}
        for child in self._children:
            cell.remove(child)
        for key in self._values:
            del cell.attrib[key]

    def restore(self) -> None:
        """Put the contents back."""
        self._cell.extend(self._children)
        for key, value in self._values.items():
            self._cell.set(key, value)
