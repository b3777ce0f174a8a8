"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Gold = Annotated[
    str, typer.Argument(metavar="GOLD", help="Gold annotations, TAB standoff JSON; - is stdin.")
]
Split = Annotated[str | None, typer.Option(help="Count only the documents of this split.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
