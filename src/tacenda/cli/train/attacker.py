"""``tacenda train attacker``: the encoders of the attacker that learned."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import StudentEncoder, Threads, WorkFolder, training_extra


def attacker(
    data: Annotated[Path, typer.Option(help="Folder with reid/.", exists=True, file_okay=False)],
    out: WorkFolder,
    encoder: StudentEncoder = None,
    threads: Threads = 2,
) -> None:
    """Train the encoders of texts and of profiles, and write the folder that is shipped.

    Example: tacenda train attacker --data data --out work
    """
    with training_extra():
        import torch

        from ...training.attacker.phases import Schedule
        from ...training.attacker.recipe import train_attacker
        from ...training.recipe import student_encoder
    torch.set_num_threads(threads)
    typer.echo(str(train_attacker(data, out, encoder or student_encoder(), Schedule())))
