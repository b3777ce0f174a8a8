"""Items from a slice of Wikidata in KGTK's tables, and from benchmarks that carry Wikidata's ids.

CoDEx has the types of items that the slice's own P31 table lacks; rows of FB15k in
``entity_types.tsv.gz`` have labels and descriptions of some items without a label in the slice.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..wikidata_tables import read_rows, unquoted
from .item import PROPERTIES, Item
from .registers import read_entity_types

FB15K = "FB15k"


def read_slice(folder: Path) -> list[Item]:
    """Return the items with a label.

    Args:
        folder: holds ``labels.en.tsv.gz``, ``aliases.en.tsv.gz``, ``descriptions.en.tsv.gz``,
            ``derived.P31.tsv.gz`` and the same for other properties of `PROPERTIES` where there
            are any; ``codex_entity2types.json.gz`` and ``codex_types_en.json.gz`` are read if
            they are there.

    Raises:
        InputError: if a table is missing or has other columns.
    """
    labels = {id: unquoted(value) for id, value in read_rows(folder / "labels.en.tsv.gz")}
    descriptions = {
        id: unquoted(value) for id, value in read_rows(folder / "descriptions.en.tsv.gz")
    }
    aliases: dict[str, list[str]] = defaultdict(list)
    for id, value in read_rows(folder / "aliases.en.tsv.gz"):
        aliases[id].append(unquoted(value))
    statements: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for property in PROPERTIES:
        table = folder / f"derived.{property}.tsv.gz"
        if property in ("P31", "P279") or table.exists():
            for id, value in read_rows(table):
                statements[id][property].append(value)
    for id, types in _json(folder / "codex_entity2types.json.gz").items():
        if "P31" not in statements[id]:
            statements[id]["P31"] = list(types)
    for id, entry in _json(folder / "codex_types_en.json.gz").items():
        if entry["label"]:
            labels.setdefault(id, entry["label"])
            descriptions.setdefault(id, entry["description"])
    for row in read_entity_types(folder / "entity_types.tsv.gz"):
        if row.source.startswith(FB15K):
            labels.setdefault(row.where, row.name)
            descriptions.setdefault(row.where, row.kind)
    return [
        Item(
            id,
            label,
            tuple(aliases.get(id, ())),
            descriptions.get(id, ""),
            {name: tuple(values) for name, values in statements[id].items()},
        )
        for id, label in labels.items()
        if id.startswith("Q")
    ]


def _json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            loaded: dict[str, Any] = json.load(file)
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as gzipped JSON ({error}).", str(path)) from error
    return loaded
