"""``tacenda policies``: the shipped policies, and what each is for."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from .options import AsJson, argument
from .plugin_commands import command_group

policies = command_group("List and show the shipped policies.")

_Name = Annotated[str, argument("policies.name")]


@policies.command("list")
def list_policies(as_json: AsJson = False) -> None:
    """Print the shipped policies, one a line, with what each is for.

    Examples:
      tacenda policies list
    """
    from ..policy.loading import purpose, shipped

    purposes = {name: purpose(text) for name, text in shipped().items()}
    if as_json:
        rows = [{"name": name, "purpose": sentence} for name, sentence in purposes.items()]
        typer.echo(json.dumps(rows, indent=2))
        return
    width = max(map(len, purposes))
    for name, sentence in purposes.items():
        typer.echo(f"{name:<{width}}  {sentence}")


@policies.command()
def show(name: _Name) -> None:
    """Print a policy as YAML, each line with its reason: a start for one of your own.

    Examples:
      tacenda policies show clinical
    """
    from ..errors import UnknownNameError
    from ..policy.loading import shipped

    texts = shipped()
    if name not in texts:
        raise UnknownNameError(f"{name!r} is not one of the policies: {', '.join(texts)}.")
    typer.echo(texts[name], nl=False)
