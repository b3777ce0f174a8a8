"""``tacenda stats``: what an annotated corpus consists of (TAB, Tables 1 to 4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .options import AsJson, Gold, Split

if TYPE_CHECKING:
    from rich.table import Table

    from ..evaluate.composition import Composition


def stats(
    gold: Gold,
    split: Split = None,
    as_json: AsJson = False,
) -> None:
    """Count the documents, annotators, entities and mentions of an annotated corpus."""
    from ..evaluate.composition import describe
    from ..evaluate.gold import load_gold

    composition = describe(load_gold(gold, split))
    if as_json:
        print(json.dumps(composition.as_json(), indent=1))
        return
    from rich.console import Console

    console = Console()
    for table in _tables(composition):
        console.print(table)


def _tables(composition: Composition) -> list[Table]:
    from ..evaluate.tables import count_table, share

    splits = [
        (
            name,
            row.documents,
            row.annotations,
            row.reviewed,
            f"{row.annotators_per_document:.2f}",
        )
        for name, row in composition.splits.items()
    ]
    total = composition.all_splits
    general: list[tuple[str, str | int]] = [
        ("documents", total.documents),
        ("document annotations", total.annotations),
        ("documents with multiple annotators", composition.multiple),
        ("annotations reviewed by another annotator", total.reviewed),
        ("entities", composition.entities),
        ("mentions", composition.mentions),
        ("tokens (words and punctuation marks)", composition.tokens),
        ("relations between mentions, by hand", composition.relations),
    ]
    if composition.masked_share is not None and composition.masked_deviation is not None:
        spread = f"{composition.masked_share:.1%} ± {composition.masked_deviation:.1%}"
        general.append(("entities masked, mean over annotators", spread))
    n = composition.mentions
    types = [
        (
            name,
            share(row.mentions, n),
            share(row.direct, row.mentions),
            share(row.quasi, row.mentions),
            share(row.confidential, row.mentions),
        )
        for name, row in [*composition.types.items(), ("total", composition.all_types)]
    ]
    confidential = [
        (status.value, share(count, n)) for status, count in composition.confidential.items()
    ]
    header = ["split", "documents", "annotations", "reviewed", "annotators a document"]
    kinds = ["entity type", "mentions", "direct", "quasi", "confidential"]
    return [
        count_table("Table 1: splits", header, splits),
        count_table("Table 2: in general", ["", "number"], general),
        count_table("Table 3: mentions by type (% of all; % of the type)", kinds, types),
        count_table("Table 4: confidential status", ["status", "mentions"], confidential),
    ]
