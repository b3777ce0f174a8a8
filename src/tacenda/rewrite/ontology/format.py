"""The file of an ontology: SQLite that holds classes, and names in packed blocks.

| table | columns |
|---|---|
| ``classes`` | id, text, parents (ids), types (mask), population, source |
| ``places`` | id, text: what tells things of one name apart |
| ``blocks`` | first name of the block, where it starts in ``lines`` |
| ``indexes`` | ``lines``: the blocks one after another, each packed by zlib; ``lengths``, ``types`` and ``signatures`` of all names, for approximate search |

A line of a block is a name (``keys.key_of``), a tab, and its senses, the best known first, joined
by ``|``. A sense is ``classes;weight × 10;c or n;source;places``: ids with commas between, ``c``
for a common noun. Names are sorted, so that one block is read for a name and a few for a beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

FILE = "ontology.sqlite"
VERSION = "1"
BLOCK = 128
"""Names in a block: more are smaller, fewer are read faster."""


@dataclass(frozen=True, slots=True)
class Sense:
    """What a name may stand for.

    Attributes:
        classes: ids of its classes.
        weight: how well known it is (`training.ontology.thing.Thing.weight`).
        common: whether it is a common noun.
        source: the row of the source, such as ``Q585``.
        places: ids of names of places that tell it from others.
    """

    classes: tuple[int, ...]
    weight: float
    common: bool
    source: str
    places: tuple[int, ...]


def write_sense(sense: Sense) -> str:
    """Return a sense as a line has it."""
    return ";".join(
        (
            ",".join(map(str, sense.classes)),
            str(round(sense.weight * 10)),
            "c" if sense.common else "n",
            sense.source,
            ",".join(map(str, sense.places)),
        )
    )


def read_sense(written: str) -> Sense:
    """Return the sense that `write_sense` wrote."""
    classes, weight, kind, source, places = written.split(";")
    return Sense(
        tuple(map(int, classes.split(","))),
        int(weight) / 10,
        kind == "c",
        source,
        tuple(map(int, places.split(","))) if places else (),
    )
