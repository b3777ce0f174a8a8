"""Clean a part of traces of its authors and its creation; text isn't changed here.

| content | becomes |
|---|---|
| tracked changes | accepted |
| authors and initials of comments | ``Author 1``, ``A1``; dates are removed |
| editing sessions (``rsid``), document ids, mail merge, document variables, permissions | removed |
| names of pictures and shapes | ``Object 1``, … |
| names of bookmarks, except a word processor's own | ``bookmark1``, …, wherever they are used |
| smart tags, custom XML around text, bindings to custom XML | removed; the text stays |
| elements and attributes of other vocabularies | removed, since Word ignores them |
| data of reference managers in fields | removed; their visible text stays |
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .package import (
    KNOWN_NAMESPACES,
    OFFICE,
    A,
    Element,
    M,
    W,
    drop_unknown,
    local_name,
    remove,
    unwrap,
)

# Tracked changes are accepted: deletions are removed, insertions stay.
#
# Deleted text would be released without anybody reading it, and each change names its author and
# time. So the output looks as if somebody had accepted all changes before sanitizing (ECMA-376,
# Part 1, section 17.13.5).


_GONE = ("del", "moveFrom")
_STAYS = ("ins", "moveTo")
_RECORDS = frozenset(OFFICE["change_records"].split())
_PROPERTIES = (f"{W}rPr", f"{W}trPr", f"{M}ctrlPr")


def accept_changes(root: Element) -> None:
    """Accept all tracked changes in a part's tree."""
    _remove_rows(root)
    _join_paragraphs(root)
    for element in list(root.iter(f"{W}*")):
        name = local_name(element)
        if name in _RECORDS:
            remove(element)
        elif name in _GONE:
            # A mark inside properties concerns a paragraph's end or a row that was deleted or
            # inserted.
            remove(element)
        elif name in _STAYS:
            if element.getparent().tag in _PROPERTIES:
                remove(element)
            else:
                unwrap(element)
    for element in [*root.iter(f"{W}delText"), *root.iter(f"{W}delInstrText")]:
        remove(element)


def _remove_rows(root: Element) -> None:
    """Remove deleted rows and cells, and tables without a row."""
    for mark in list(root.iter(f"{W}cellDel")):
        cell = mark.getparent().getparent()
        if cell is not None and cell.getparent() is not None and cell.tag == f"{W}tc":
            remove(cell)
    for row in list(root.iter(f"{W}tr")):
        properties = row.find(f"{W}trPr")
        deleted = properties is not None and properties.find(f"{W}del") is not None
        if deleted or row.find(f".//{W}tc") is None:
            remove(row)
    for table in list(root.iter(f"{W}tbl")):
        if table.find(f".//{W}tr") is None:
            remove(table)
    for cell in root.iter(f"{W}tc"):
        if not len(cell) or cell[-1].tag != f"{W}p":
            cell.append(cell.makeelement(f"{W}p"))


def _join_paragraphs(root: Element) -> None:
    """Join each paragraph whose end was deleted to the next one, in the latter's style."""
    for paragraph in list(root.iter(f"{W}p")):
        heads: list[Element] = []
        last = paragraph
        # One that was already joined has no parent.
        while last.getparent() is not None and _end_is_gone(last):
            following = last.getnext()
            if following is None or following.tag != f"{W}p":
                break
            heads.append(last)
            last = following
        content = [child for head in heads for child in head if child.tag != f"{W}pPr"]
        start = int(len(last) > 0 and last[0].tag == f"{W}pPr")
        last[start:start] = content
        for head in heads:
            remove(head)


def _end_is_gone(paragraph: Element) -> bool:
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and any(mark.find(f"{W}{name}") is not None for name in _GONE)


_OWN_BOOKMARK = re.compile(r"_(?:Toc|Ref|Hlk|Hlt|GoBack|PictureBullets)\d{0,12}")
_WORD = re.compile(r"\w+")
_REMOVED = frozenset(OFFICE["making"].split())
_WRAPPERS = (f"{W}smartTag", f"{W}customXml")
_WRAPPER_PROPERTIES = (f"{W}smartTagPr", f"{W}customXmlPr")
_DATES = frozenset(("date", "dateUtc", "fullDate"))
_DRAWN = frozenset(("docPr", "cNvPr"))


@dataclass(slots=True)
class Cleaning:
    """New names, which are consistent across all parts of a document.

    Attributes:
        authors: number of each author.
        bookmarks: new name of each bookmark.
        objects: number of pictures and shapes named so far.
    """

    authors: dict[str, int] = field(default_factory=dict)
    bookmarks: dict[str, str] = field(default_factory=dict)
    objects: int = 0

    def collect(self, root: Element) -> None:
        """Record a part's bookmarks; must be called for all parts before the first ``clean``."""
        for mark in root.iter(f"{W}bookmarkStart"):
            name = mark.get(f"{W}name") or ""
            if name and not _OWN_BOOKMARK.fullmatch(name):
                self.bookmarks.setdefault(name, f"bookmark{len(self.bookmarks) + 1}")

    def clean(self, root: Element) -> None:
        """Clean a part's tree."""
        drop_unknown(root, KNOWN_NAMESPACES)
        accept_changes(root)
        for element in list(root.iter()):
            if local_name(element) in _REMOVED or element.tag in _WRAPPER_PROPERTIES:
                remove(element)
        for element in list(root.iter(*_WRAPPERS)):
            unwrap(element)
        # An extension of a picture contains its original address, or a second picture as SVG.
        for element in list(root.iter(f"{A}blip")):
            for extension in element.findall(f"{A}extLst"):
                remove(extension)
        for element in root.iter():
            self._attributes(element)
        _spell_out(root)
        self._fields(root)

    def renamed(self, target: str) -> str:
        """Return an address with the new name of the bookmark after its ``#``."""
        address, mark, place = target.partition("#")
        return address + mark + self.bookmarks.get(place, place)

    def _attributes(self, element: Element) -> None:
        is_drawing = local_name(element) in _DRAWN
        for key in list(element.attrib):
            name = key.rpartition("}")[2]
            if name.startswith("rsid") or name in _DATES:
                del element.attrib[key]
            elif name == "author":
                number = self.authors.setdefault(element.get(key), len(self.authors) + 1)
                element.set(key, f"Author {number}")
                if f"{W}initials" in element.attrib:
                    element.set(f"{W}initials", f"A{number}")
            elif is_drawing and name == "name":
                self.objects += 1
                element.set(key, f"Object {self.objects}")
            elif name == "anchor" or (
                name in ("name", "val") and element.tag in (f"{W}bookmarkStart", f"{W}name")
            ):
                value = element.get(key)
                element.set(key, self.bookmarks.get(value, value))

    def _fields(self, root: Element) -> None:
        """Collect each field's code in one place, and rename the bookmarks in it."""
        open_codes: list[Element | None] = []
        for element in root.iter(f"{W}fldChar", f"{W}instrText", f"{W}fldSimple"):
            if element.tag == f"{W}fldSimple":
                element.set(f"{W}instr", self._code(element.get(f"{W}instr") or ""))
            elif element.tag == f"{W}instrText":
                first = open_codes[-1] if open_codes else None
                if first is None:
                    if open_codes:
                        open_codes[-1] = element
                else:
                    first.text = (first.text or "") + (element.text or "")
                    element.text = ""
            elif element.get(f"{W}fldCharType") == "begin":
                open_codes.append(None)
            elif element.get(f"{W}fldCharType") == "end" and open_codes:
                open_codes.pop()
        for element in root.iter(f"{W}instrText"):
            element.text = self._code(element.text or "")

    def _code(self, code: str) -> str:
        keyword = _WORD.search(code)
        if keyword is None:
            return code
        if keyword[0].upper() == "ADDIN":
            return " ADDIN "
        start = keyword.end()
        return code[:start] + _WORD.sub(
            lambda match: self.bookmarks.get(match[0], match[0]), code[start:]
        )


def _spell_out(root: Element) -> None:
    """Replace hyphen elements with characters, so that they don't split names."""
    for element in list(root.iter(f"{W}noBreakHyphen", f"{W}softHyphen", f"{W}sym")):
        name = local_name(element)
        if name == "softHyphen":
            remove(element)
            continue
        text = "\N{NON-BREAKING HYPHEN}"
        if name == "sym":
            code = int(element.get(f"{W}char") or "0", 16)
            if not 0x20 <= code < 0xD800:  # a character from a symbol font
                continue
            text = chr(code)
            element.attrib.clear()
        element.tag = f"{W}t"
        element.text = text
