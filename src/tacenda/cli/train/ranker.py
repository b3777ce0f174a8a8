"""``tacenda train ranker``: the weights of what people would choose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import ResultFolder


def ranker(
    gold: Annotated[
        Path, typer.Argument(help="Choices of people, as WikiReplace has them.", dir_okay=False)
    ],
    out: ResultFolder,
) -> None:
    """Fit the ranker of *generalize* to people's choices, and say what it is worth.

    The figures are of cross-validation over documents: how often the likeliest option is one that
    any, or that most, annotators chose, by the highest residual risk that is allowed.

    Example: tacenda train ranker wikireplace_dev.json --out ranker-en
    """
    from ...rewrite.ontology import KnowledgeBase
    from ...training.ranker_recipe import train_ranker

    found = train_ranker(gold, out, KnowledgeBase.load())
    typer.echo("residual risk  any    most   ***")
    for bound in (1.0, 0.1, 0.01, 0.001, 0.0001):
        total = found.agreement(bound).total
        shares = (total.any, total.most, total.suppressed)
        typer.echo(f"{bound:<13g}  " + "  ".join(f"{n / total.spans:.3f}" for n in shares))
    typer.echo(str(out))
