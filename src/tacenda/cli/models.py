"""``tacenda models``: the shipped models, and what the ontology among them knows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .. import plugins
from ..errors import PolicyError
from .options import AsJson, argument, grouped, option
from .plugin_commands import command_group

models = command_group("List, describe and verify the shipped models; look up terms.")

_Name = Annotated[str, argument("models.name")]


@models.command("list")
def list_models(as_json: AsJson = False) -> None:
    """Print the shipped models, one a line, with their size.

    Examples:
      tacenda models list
    """
    from ..models.store import DEFAULT, shipped

    entries = shipped()
    if as_json:
        rows = [{"name": m.name, "bytes": m.size, "default": m.name == DEFAULT} for m in entries]
        typer.echo(json.dumps(rows, indent=2))
        return
    for model in entries:
        default = "  (default)" if model.name == DEFAULT else ""
        typer.echo(f"{model.name}  {model.size / 1e6:.1f} MB{default}")


@models.command()
def info(name: _Name) -> None:
    """Print a model's card: from what it was made, how well it does, how to rebuild it.

    Examples:
      tacenda models info recognizer-small
    """
    from ..models.store import find

    typer.echo(find(name).card())


@models.command()
def verify(as_json: AsJson = False) -> None:
    """Compare every shipped file with its SHA-256; exit code 1 if one differs.

    Examples:
      tacenda models verify
    """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupSettings:
    """Options of ``tacenda models lookup``."""

    type: list[str] | None = option(None)
    ontology: str | None = option(None)
    context: str = option("")
    allow_network: bool = option(False, "--allow-network")
    cache: Path = option(Path(".tacenda-wikidata"))
    endpoint: str = option("")
    as_json: bool = option(False, "--json")


@models.command()
@grouped
def lookup(term: Annotated[str, argument("models.term")], *, settings: LookupSettings) -> None:
    """Show what would be written instead of a term, the most specific first.

    Examples:
      tacenda models lookup Drammen --type LOC
    """
    from ..document import SemanticType
    from ..rewrite.ontology import open_ontology
    from ..rewrite.ontology.store import TYPES

    types = [item.upper() for item in settings.type or TYPES]
    for item in types:
        if item not in TYPES:
            raise PolicyError(f"--type {item!r} is not one of {', '.join(TYPES)}.")
    knowledge = open_ontology(settings.ontology)
    for name in types:
        semantic = SemanticType(name)
        link = knowledge.link(term, semantic, settings.context)
        step = link.step if link else "unknown"
        results = knowledge.lookup(term, semantic, settings.context)
        if settings.allow_network and step in ("unknown", "type"):
            wikidata = plugins.load(plugins.EXTRAS, "wikidata", "--allow-network")
            live = wikidata(
                settings.cache, *((settings.endpoint,) if settings.endpoint else ())
            ).lookup(term, semantic)
            step, results = ("wikidata", live) if live else (step, results)
        if settings.as_json:
            options = [
                {"text": item.text, "source": item.source, "population": item.population}
                for item in results
            ]
            typer.echo(json.dumps({"type": name, "step": step, "options": options}))
            continue
        typer.echo(f"{name} ({step})")
        for entry in results:
            typer.echo(f"  {entry.text}  [{entry.source}, {entry.population:,.0f}]")
