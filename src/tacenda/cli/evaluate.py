"""``tacenda evaluate``: the benchmark's figures for the masks of a system."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def evaluate(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="Gold annotations, TAB standoff JSON; - is stdin.")
    ],
    masks: Annotated[
        str,
        typer.Argument(metavar="MASKS", help="JSON {doc_id: [[start, end], ...]}; - is stdin."),
    ],
    split: Annotated[
        str | None, typer.Option(help="Count only the documents of this split.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(help="Also give weighted precision: uniform.", show_default=False)
    ] = None,
    by_type: Annotated[
        bool, typer.Option("--by-type", help="Break down by semantic type.")
    ] = False,
    errors: Annotated[
        int, typer.Option(min=0, help="Show up to N errors of each kind, with their context.")
    ] = 0,
    bootstrap: Annotated[
        int, typer.Option(min=0, help="95 % confidence intervals from N resamples of documents.")
    ] = 0,
    ignored_tokens: Annotated[
        Path | None,
        typer.Option(
            help="JSON {doc_id: [[start, end], ...]}: tokens that need no mask, by a tagger; "
            "the built-in closed-class words otherwise."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare a system's masks with gold annotations, by the metrics of TAB."""
    from ..evaluate import GivenIgnoredTokens, load_gold, load_masks
    from ..evaluate import evaluate as evaluate_masks
    from ..evaluate.weightings import weighting

    if gold == masks == "-":
        raise typer.BadParameter("GOLD and MASKS can't both be stdin")
    documents = load_gold(gold)
    report = evaluate_masks(
        documents,
        load_masks(masks),
        split=split,
        ignored_tokens=GivenIgnoredTokens.load(ignored_tokens) if ignored_tokens else None,
        weights=weighting(weights) if weights else None,
        bootstrap=bootstrap,
        errors=errors,
    )
    for note in report.notes:
        print(f"note: {note}", file=sys.stderr)
    if as_json:
        print(json.dumps(report.as_json(), indent=1))
        return
    from rich.console import Console

    from ..evaluate.terminal import print_errors, print_reports

    console = Console()
    print_reports(console, {"masks" if masks == "-" else Path(masks).stem: report}, types=by_type)
    if report.errors is not None:
        print_errors(console, report.errors)
