"""``tacenda train language-model``: the masked language model of the domain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import StudentEncoder, Threads, WorkFolder, training_extra


def language_model(
    data: Annotated[
        Path,
        typer.Option(help="Folder with background/, tab/ and wiki/.", exists=True, file_okay=False),
    ],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the masked language model on unlabelled judgments and articles.

    Example: tacenda train language-model --data data --out work
    """
    with training_extra():
        import torch

        from ...training.language_recipe import train_shipped_model
        from ...training.recipe import student_encoder
    torch.set_num_threads(threads)
    typer.echo(str(train_shipped_model(data, out, encoder or student_encoder())))
