"""Where each line of a .docx is on a page: headers, notes and comments go with what they belong to.

The text contains the parts of a file one after another. On a page, a header comes before the first
line of its section and a footer after its last; a note, a comment or a chart comes below the
paragraph with its mark, or below the table that contains the paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from .package import Element, R, W

Targets = Mapping[str, Mapping[str, str]]
"""The parts that a part refers to, by the ids of its relationships."""

_REFERENCES = {
    f"{W}headerReference": "Header",
    f"{W}footerReference": "Footer",
}
_DEEPEST = 8
"""Maximum depth of notes within notes."""
_PAGES = {"first": " of the first page", "even": " of even pages"}


class PartSide(IntEnum):
    """Where a part goes relative to a line."""

    ABOVE = 0
    LINE = 1
    BELOW = 2
    END = 3


@dataclass(frozen=True, slots=True)
class LineContext:
    """What contains a line.

    Attributes:
        root: the root of its part's tree.
        owner: its note, or the root of its part; None in the body.
        paragraph: its paragraph; None for a single string.
        table: the outermost table that contains it.
        is_empty: whether it has no strings.
        after: the line that it comes below, in the cell that its own is merged into; None if it
            isn't merged.
    """

    root: Element
    owner: Element | None = None
    paragraph: Element | None = None
    table: Element | None = None
    is_empty: bool = False
    after: int | None = None

    def position(self, index: int) -> tuple[int, ...]:
        """Return its position among the lines of its part, given its line ``index`` in the text."""
        return (index,) if self.after is None else (self.after, PartSide.LINE, index)


_Key = tuple[int, ...]


class PageOrder:
    """The order of a file's lines on a page.

    Args:
        roots: the trees of the parts, by their name.
        targets: what the parts refer to.
        notes: notes and comments, by tag and id of their marks.
    """

    def __init__(
        self,
        roots: Mapping[str, Element],
        targets: Targets,
        notes: Mapping[tuple[str, str], Element],
    ) -> None:
        self._roots = roots
        self._targets = targets
        self._notes = notes
        self._marks = frozenset(tag for tag, _ in notes)
        self.labels = self._of_headers()

    def _of_headers(self) -> dict[Element, str]:
        """Return the names of headers and footers, by the root of their part."""
        labels: dict[Element, str] = {}
        for name, root in self._roots.items():
            for item in root.iter(*_REFERENCES):
                other = self._target(name, item)
                pages = _PAGES.get(item.get(f"{W}type", ""), "")
                if other is not None and other not in labels:
                    labels[other] = _REFERENCES[item.tag] + pages
        return labels

    def ranks(self, lines: Sequence[LineContext]) -> list[int]:
        """Return each line's position among all lines on a page."""
        anchors = self._anchors(lines)
        keys = [self._key(index, lines, anchors, ()) for index in range(len(lines))]
        places = {key: place for place, key in enumerate(sorted(set(keys)))}
        return [places[key] for key in keys]

    def _key(
        self,
        index: int,
        lines: Sequence[LineContext],
        anchors: Mapping[Element, tuple[int, PartSide]],
        inside: tuple[Element, ...],
    ) -> _Key:
        owner, position = lines[index].owner, lines[index].position(index)
        if owner is None:
            return position if len(position) > 1 else (index, PartSide.LINE)
        # Nothing refers to it, except possibly what it refers to.
        if owner not in anchors or owner in inside or len(inside) > _DEEPEST:
            return (len(lines), PartSide.LINE, *position)
        anchor, side = anchors[owner]
        key = self._key(anchor, lines, anchors, (*inside, owner))
        return (key[0], side, *position) if side is PartSide.ABOVE else (*key, side, *position)

    def _anchors(self, lines: Sequence[LineContext]) -> dict[Element, tuple[int, PartSide]]:
        """Return the line that each note and each part goes with."""
        last: dict[Element, int] = {}
        first: dict[Element, int] = {}
        for index, line in enumerate(lines):
            for element in (line.paragraph, line.table, line.root):
                if element is not None:
                    # A table ends with the last line that is in its own cell.
                    if element is not line.table or line.after is None:
                        last[element] = index
                    first.setdefault(element, index)
        anchors: dict[Element, tuple[int, PartSide]] = {}

        def below(owner: Element | None, index: int) -> None:
            if owner is not None and owner is not lines[index].owner:
                table = lines[index].table
                anchors.setdefault(owner, (index if table is None else last[table], PartSide.BELOW))

        for name, root in self._roots.items():
            if root not in first:
                continue
            here = begin = first[root]
            for element in root.iter():
                here = last.get(element, here) if element.tag == f"{W}p" else here
                if element.tag in self._marks:
                    below(self._notes.get((element.tag, element.get(f"{W}id", ""))), here)
                elif element.tag == f"{W}sectPr":
                    end = max(begin, here if element.getparent().tag == f"{W}pPr" else last[root])
                    for item in element.iter(*_REFERENCES):
                        other = self._target(name, item)
                        if other is None:
                            continue
                        is_header = _REFERENCES[item.tag] == "Header"
                        place = (begin, PartSide.ABOVE) if is_header else (end, PartSide.END)
                        anchors.setdefault(other, place)
                    begin = min(end + 1, last[root])
                elif element.tag not in _REFERENCES:
                    below(self._target(name, element), here)
        return anchors

    def _target(self, name: str, element: Element) -> Element | None:
        """Return the part with text that an element refers to."""
        targets = self._targets.get(name, {})
        for key, value in element.attrib.items():
            if key.startswith(R) and value in targets:
                return self._roots.get(targets[value])
        return None
