"""``tacenda train language-risk``: what the indicators that ask a language model are fitted to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import ResultFolder

if TYPE_CHECKING:
    from ...risk.language.subwords import LanguageModel


def language_risk(
    gold: Annotated[
        Path, typer.Argument(help="Annotated documents in TAB's form.", dir_okay=False, exists=True)
    ],
    out: ResultFolder,
    model: Annotated[
        str | None,
        typer.Option(help="Folder of a language model, or hf:NAME; the shipped one by default."),
    ] = None,
) -> None:
    """Fit the indicators to what annotators masked, and say what they are worth.

    The figures are of cross-validation over documents.

    Example: tacenda train language-risk train.json --out language-risk-en
    """
    from ...training.language_risk_package import train_language_risk

    found = train_language_risk(gold, _model(model), out)
    typer.echo(f"{'':<20}P      R      F1")
    for name, score in found.items():
        typer.echo(f"{name:<20}{score.precision:.3f}  {score.recall:.3f}  {score.f1:.3f}")
    typer.echo(str(out))


def _model(name: str | None) -> LanguageModel:
    if name is not None and name.startswith("hf:"):
        from ...evaluate.weights import HuggingFaceModel

        return HuggingFaceModel(name.removeprefix("hf:"))
    from ...models import language

    return language.LanguageModel.load(language.DEFAULT if name is None else Path(name))
