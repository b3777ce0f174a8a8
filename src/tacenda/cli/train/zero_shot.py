"""``tacenda train zero-shot``: a recognizer that saw no annotation of the benchmark's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import StudentEncoder, Threads, WorkFolder, training_extra


def zero_shot(
    data: Annotated[
        Path,
        typer.Option(
            help="Folder with ner/, pii/, background/, tab/ and wiki/; of the last two only the "
            "names of documents are read.",
            exists=True,
            file_okay=False,
        ),
    ],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train a recognizer on texts labelled by names, patterns and the gazetteer; no masking decision is seen.

    Whatever it finds has the masking probability 1. Prints the folder, for `model:` of a policy.

    Example: tacenda train zero-shot --data data --out work
    """
    with training_extra():
        import torch

        from ...training.recipe import student_encoder
        from ...training.zero_shot.recipe import train_zero_shot
    torch.set_num_threads(threads)
    typer.echo(str(train_zero_shot(data, out, encoder or student_encoder())))
