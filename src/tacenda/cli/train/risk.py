"""``tacenda train risk``: the span classifier, and how indicators are combined."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import ResultFolder, Threads, training_extra


def risk(
    data: Annotated[Path, typer.Option(help="Folder with tab/.", exists=True, file_okay=False)],
    folds: Annotated[
        Path,
        typer.Option(
            help="Working folder of tacenda train recognizer, with fold-1 and so on.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: ResultFolder,
    indicator: Annotated[
        list[str] | None,
        typer.Option(help="A further indicator to combine; may be repeated. Default: all."),
    ] = None,
    threads: Threads = 2,
) -> None:
    """Fit the span classifier and the combination, and say what each indicator is worth.

    Figures are of cross-validation over documents that neither recognizer nor classifier saw:
    log loss, area under the ROC curve, and precision by words where .95 of the entities that
    annotators mask are masked.

    Example: tacenda train risk --data data --folds work --out risk-en
    """
    from ...risk.assess import indicator_names
    from ...risk.span.classifier import SPAN

    with training_extra():
        import sklearn  # noqa: F401

        from ...training.risk.card import card_of, table
        from ...training.risk.recipe import train_risk, write_risk
    chosen = [name for name in (indicator or indicator_names()) if name != SPAN]
    fitted = train_risk(data, folds, chosen, threads)
    write_risk(fitted, card_of(fitted), out)
    typer.echo(table(fitted.worth))
    typer.echo(str(out))
