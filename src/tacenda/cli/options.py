"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_PICTURES = ("png", "svg", "pdf")


def _picture(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower().removeprefix(".") not in _PICTURES:
        choices = ", ".join(f".{name}" for name in _PICTURES)
        raise typer.BadParameter(f"{str(path)!r} must end in one of {choices}")
    return path


Gold = Annotated[
    str, typer.Argument(metavar="GOLD", help="Gold annotations, TAB standoff JSON; - is stdin.")
]
Split = Annotated[str | None, typer.Option(help="Count only the documents of this split.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=_picture,
        help="Also draw it to a .png, .svg or .pdf (extra plot).",
    ),
]
