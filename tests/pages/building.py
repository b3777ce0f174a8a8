"""Small evaluations for tests, written by the strings they cover, and a reader of pages."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from tacenda.annotations.tab import parse_masks
from tacenda.evaluate.curves import Run, measure
from tacenda.evaluate.evaluation import EvaluationSettings
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.systems import System
from tacenda.pages.evaluation import page

from ..evaluate.corpus import spans, standoff


def run_of(text: str, *masked: str, names: Sequence[str] = ("system",), **options: Any) -> Run:
    """Return a run on one document about Anna Berg, a direct identifier, of 1950 in Oslo."""
    gold = parse_gold(
        [
            standoff(
                text,
                {
                    "one": [
                        ("Anna Berg", "PERSON", "DIRECT", "e1"),
                        ("1950", "DATETIME", "QUASI", "e2"),
                        ("Oslo", "LOC", "NO_MASK", "e3"),
                    ]
                },
                **{key: options.pop(key) for key in ("doc_id",) if key in options},
            )
        ]
    )
    masks = parse_masks({gold[0].id: spans(text, *masked)})
    systems = [System(name, masks) for name in names]
    return measure(
        gold, systems, EvaluationSettings(bootstrap=options.pop("bootstrap", 0)), **options
    )


class Page(HTMLParser):
    """A page as a parser reads it.

    Attributes:
        elements: tag and attributes of each element, in order.
        values: of all ``data`` elements.
        lines: text of each cell of the text view, by its system; "" is the annotators'.
    """

    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.values: list[float] = []
        self.lines: dict[str, list[str]] = {}
        self._open: list[str] = []
        self._cell: str | None = None
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        given = dict(attributes)
        self.elements.append((tag, given))
        if tag == "data":
            self.values.append(float(given["value"] or ""))
        if tag == "p" and "dir" in given:
            self._cell = given.get("data-system") or ""
            self.lines.setdefault(self._cell, []).append("")

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        if tag == "p":
            self._cell = None

    def handle_data(self, data: str) -> None:
        """Note the text of a cell."""
        if self._cell is not None:
            self.lines[self._cell][-1] += data


def read(run: Run) -> Page:
    """Return the page of a run as a parser reads it."""
    return Page(page(run))
