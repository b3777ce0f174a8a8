"""``tacenda train emulation``: the network that answers in place of a search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import ResultFolder, Threads, training_extra


def emulation(
    data: Annotated[
        Path,
        typer.Option(help="Folder with tab/, background/ and reid/.", exists=True, file_okay=False),
    ],
    out: ResultFolder,
    knows: Annotated[
        Literal["whole", "opening"],
        typer.Option(help="How much of the judgments about the people is public."),
    ] = "whole",
    threads: Threads = 1,
) -> None:
    """Ask a local index about training judgments, fit the network to its answers, and say how well it tells them.

    Figures are of cross-validation over documents.

    Example: tacenda train emulation --data data --out emulation-en
    """
    with training_extra():
        import torch

        from ...training.emulation.figures import table
        from ...training.emulation.knowledge import Knows
        from ...training.emulation.recipe import train_emulation
    torch.set_num_threads(threads)
    trained = train_emulation(data, out, Knows(knows), threads)
    typer.echo(table(trained.fitted.figures))
    typer.echo(str(out))
