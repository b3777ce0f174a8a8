"""``tacenda agreement`` and ``tacenda stats``: annotators and contents of a corpus (TAB, Tables 1 to 5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from .. import plugins
from .options import AsJson, Gold, Picture, Split

if TYPE_CHECKING:
    from rich.table import Table

    from ..evaluate.agreement import Agreement
    from ..evaluate.composition import Composition

_HEAT: Final = 200
"""Red of the hottest cell, of 255; the coldest has none."""


def agreement(
    gold: Gold,
    split: Split = None,
    plot: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Measure how far several annotators of the same documents agree, and where they don't.

    Documents with one annotator are not counted. An entity id belongs to its annotator: the same
    id under two annotators is two entities, which agree if they have the same mentions. --plot
    draws the heat map of types that annotators disagree on.

    Examples:
      tacenda agreement gold.json --plot types.png
    """
    from ..evaluate.agreement import measure_agreement
    from ..evaluate.gold import load_gold

    result = measure_agreement(load_gold(gold, split))
    if plot:
        plugins.load(plugins.EXTRAS, "agreement_plot", "--plot")(result, plot)
    if as_json:
        print(json.dumps(result.as_json(), indent=1))
        return
    from rich.console import Console

    from ..evaluate.tables import format_coefficient

    console = Console()
    console.print(_coefficients(result))
    console.print(
        f"Cohen's κ on which mentions are one entity: {format_coefficient(result.relations_kappa)}; "
        f"without equal strings: {format_coefficient(result.relations_kappa_different_strings)}",
        highlight=False,
        soft_wrap=True,
    )
    if result.type_disagreements:
        console.print(_heat_map(result))
    else:
        console.print("Figure 6: no span was given two entity types", highlight=False)
    console.print(_masking(result))


def _coefficients(result: Agreement) -> Table:
    from ..evaluate.tables import count_table, format_coefficient

    rows = [
        (
            row.layer,
            row.unit,
            row.match,
            row.items,
            format_coefficient(row.observed),
            format_coefficient(row.fleiss_kappa),
            format_coefficient(row.krippendorff_alpha),
        )
        for row in result.rows
    ]
    header = ["annotation", "unit", "match", "items", "observed", "Fleiss κ", "Krippendorff α"]
    return count_table(f"Table 5: {result.documents} documents", header, rows)


def _heat_map(result: Agreement) -> Table:
    from rich.table import Table
    from rich.text import Text

    types = sorted({type_ for pair in result.type_disagreements for type_ in pair})
    hottest = max(result.type_disagreements.values(), default=1)
    table = Table(title="Figure 6: spans given two entity types", title_justify="left")
    table.add_column("")
    for type_ in types:
        table.add_column(type_, justify="right", overflow="fold")
    for row in types:
        cells = []
        for column in types:
            n = result.type_disagreements.get((min(row, column), max(row, column)), 0)
            red = round(_HEAT * n / hottest)
            style = f"white on rgb({red},0,0)" if n else "dim"
            cells.append(
                Text("" if row == column else str(n), style="" if row == column else style)
            )
        table.add_row(row, *cells)
    return table


def _masking(result: Agreement) -> Table:
    from ..evaluate.agreement import MASKING_PAIRS
    from ..evaluate.tables import count_table, format_share

    counts = result.masking_disagreements
    total = sum(n for pairs in counts.values() for n in pairs.values())
    rows = [
        (type_, *(format_share(pairs.get(pair, 0), total) for pair in MASKING_PAIRS))
        for type_, pairs in counts.items()
    ]
    sums = (sum(pairs.get(pair, 0) for pairs in counts.values()) for pair in MASKING_PAIRS)
    header = ["entity type", *(f"{first} vs {second}" for first, second in MASKING_PAIRS)]
    title = "Table 10: spans given two identifier types (% of all such)"
    return count_table(title, header, [*rows, ("total", *(format_share(n, total) for n in sums))])


def stats(
    gold: Gold,
    split: Split = None,
    as_json: AsJson = False,
) -> None:
    """Count the documents, annotators, entities and mentions of an annotated corpus.

    Examples:
      tacenda stats gold.json --split dev
    """
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
    from ..evaluate.tables import count_table, format_share

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
            format_share(row.mentions, n),
            format_share(row.direct, row.mentions),
            format_share(row.quasi, row.mentions),
            format_share(row.confidential, row.mentions),
        )
        for name, row in [*composition.types.items(), ("total", composition.all_types)]
    ]
    confidential = [
        (status.value, format_share(count, n)) for status, count in composition.confidential.items()
    ]
    header = ["split", "documents", "annotations", "reviewed", "annotators a document"]
    kinds = ["entity type", "mentions", "direct", "quasi", "confidential"]
    return [
        count_table("Table 1: splits", header, splits),
        count_table("Table 2: in general", ["", "number"], general),
        count_table("Table 3: mentions by type (% of all; % of the type)", kinds, types),
        count_table("Table 4: confidential status", ["status", "mentions"], confidential),
    ]
