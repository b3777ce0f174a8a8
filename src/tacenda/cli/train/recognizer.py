"""``tacenda train recognizer``: what finds the mentions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import StudentEncoder, Threads, WorkFolder, training_extra

Size = Literal["small", "base"]


def recognizer(
    data: Annotated[
        Path,
        typer.Option(
            help="Folder with tab/, wiki/, pii/ and background/.", exists=True, file_okay=False
        ),
    ],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            help="all-mpnet-base-v2 with bert_vocab.txt; without it nothing is distilled."
        ),
    ] = None,
    size: Annotated[
        Size, typer.Option(help="base: from MPNet, slower, and so far no better (RESULTS.md).")
    ] = "small",
    threads: Threads = 2,
) -> None:
    """Train the recognizer, calibrate it on judgments kept back, and write the folder that is shipped.

    Examples:
      tacenda train recognizer --data data --out work --teacher all-mpnet-base-v2

      tacenda train recognizer --size base --data data --out work --encoder all-mpnet-base-v2
    """
    with training_extra():
        import torch

        from ...training.base_recipe import train_base_recognizer
        from ...training.recipe import student_encoder, train_recognizer
    torch.set_num_threads(threads)
    if size == "small":
        folder = train_recognizer(data, out, encoder or student_encoder(), teacher)
    elif encoder is None:
        raise typer.BadParameter("--size base starts from all-mpnet-base-v2: name its folder.")
    else:
        folder = train_base_recognizer(data, out, encoder)
    typer.echo(str(folder))
