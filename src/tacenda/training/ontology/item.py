"""An item of Wikidata, as far as the ontology needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

PROPERTIES = ("P31", "P279", "P8225", "P361")
"""Instance of, subclass of, is metaclass for, part of; the first that an item has comes first."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item with an English label.

    Attributes:
        id: its Q number.
        label: English label.
        aliases: other English names.
        description: English description; may be empty.
        statements: property of `PROPERTIES` to the items that it names.
        links: how many Wikipedias have an article, where the source says so.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    statements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: int = 0


Items = Callable[[], Iterator[Item]]
"""Reads the items from the beginning; asked for twice, classes before members."""
