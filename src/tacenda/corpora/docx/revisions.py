"""Tracked changes are accepted: what was deleted is gone, what was inserted stays.

Deleted text would be text that nobody proof-reads, and each change names its author and its
minute. So a document comes out as if somebody had accepted all changes before it was sanitized
(ECMA-376, Part 1, section 17.13.5).
"""

from __future__ import annotations

from .vocabulary import M, W
from .xml import Element, local_name, remove, unwrap

_GONE = ("del", "moveFrom")
_STAYS = ("ins", "moveTo")
_RECORDS = frozenset(
    """
    cellIns cellMerge numberingChange
    pPrChange rPrChange sectPrChange tblGridChange tblPrChange tblPrExChange tcPrChange trPrChange
    customXmlDelRangeEnd customXmlDelRangeStart customXmlInsRangeEnd customXmlInsRangeStart
    customXmlMoveFromRangeEnd customXmlMoveFromRangeStart customXmlMoveToRangeEnd
    customXmlMoveToRangeStart moveFromRangeEnd moveFromRangeStart moveToRangeEnd moveToRangeStart
    """.split()
)
_PROPERTIES = (f"{W}rPr", f"{W}trPr", f"{M}ctrlPr")


def accept_changes(root: Element) -> None:
    """Accept all tracked changes of a part, in its tree."""
    _remove_rows(root)
    _join_paragraphs(root)
    for element in list(root.iter(f"{W}*")):
        name = local_name(element)
        if name in _RECORDS:
            remove(element)
        elif name in _GONE:
            # A mark within properties says what became of a paragraph's end or of a row.
            remove(element)
        elif name in _STAYS:
            if element.getparent().tag in _PROPERTIES:
                remove(element)
            else:
                unwrap(element)
    for element in [*root.iter(f"{W}delText"), *root.iter(f"{W}delInstrText")]:
        remove(element)


def _remove_rows(root: Element) -> None:
    """Remove rows and cells that were deleted, and tables that have no row left."""
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
    """Join paragraphs whose ends were deleted with the one after them, whose style they take."""
    for paragraph in list(root.iter(f"{W}p")):
        joined: list[Element] = []
        last = paragraph
        # One that was joined already has no parent.
        while last.getparent() is not None and _end_is_gone(last):
            following = last.getnext()
            if following is None or following.tag != f"{W}p":
                break
            joined.append(last)
            last = following
        content = [child for each in joined for child in each if child.tag != f"{W}pPr"]
        start = int(len(last) > 0 and last[0].tag == f"{W}pPr")
        last[start:start] = content
        for each in joined:
            remove(each)


def _end_is_gone(paragraph: Element) -> bool:
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and any(mark.find(f"{W}{name}") is not None for name in _GONE)
