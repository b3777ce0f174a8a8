"""``tacenda models``: which weights are shipped, what they are, and whether they are intact."""

from __future__ import annotations

import json
from typing import Annotated

import typer

models = typer.Typer(help="List, describe and verify the shipped models.", no_args_is_help=True)

_Name = Annotated[str, typer.Argument(help="Name of the model; see `tacenda models list`.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@models.command("list")
def list_models(as_json: _Json = False) -> None:
    """Print the shipped models, one a line, with their size."""
    from ..models.store import DEFAULT, shipped

    found = shipped()
    if as_json:
        rows = [{"name": m.name, "bytes": m.size, "default": m.name == DEFAULT} for m in found]
        typer.echo(json.dumps(rows, indent=2))
        return
    for model in found:
        default = "  (default)" if model.name == DEFAULT else ""
        typer.echo(f"{model.name}  {model.size / 1e6:.1f} MB{default}")


@models.command()
def info(name: _Name) -> None:
    """Print a model's card: from what it was made, how well it does, how to rebuild it."""
    from ..models.store import find

    typer.echo(find(name).card())


@models.command()
def verify(as_json: _Json = False) -> None:
    """Compare every shipped file with its SHA-256; exit code 1 if one differs."""
    from ..errors import ModelError
    from ..models.store import shipped

    results = []
    for model in shipped():
        try:
            model.verify()
        except ModelError as error:
            results.append({"name": model.name, "intact": False, "fault": str(error)})
        else:
            results.append({"name": model.name, "intact": True, "fault": ""})
    if as_json:
        typer.echo(json.dumps(results, indent=2))
    else:
        for result in results:
            typer.echo(f"{result['name']}: {'intact' if result['intact'] else result['fault']}")
    if not all(result["intact"] for result in results):
        raise typer.Exit(1)
