"""``tacenda ontology``: build what is known about words from public sources, and look it up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .. import plugins
from ..errors import PolicyError
from .plugin_commands import PluginCommands

ontology = typer.Typer(
    cls=PluginCommands, help="Build and ask the shipped word knowledge.", no_args_is_help=True
)
ontology.add_typer(typer.Typer(), name="build")


@ontology.callback()
def _group() -> None:
    pass


@ontology.command()
def lookup(
    term: Annotated[str, typer.Argument(help="What stands in a text.")],
    type: Annotated[
        list[str] | None, typer.Option(help="LOC, ORG, DEM or MISC; all of them by default.")
    ] = None,
    context: Annotated[str, typer.Option(help="The text around.")] = "",
    allow_network: Annotated[
        bool, typer.Option("--allow-network", help="Send an unknown term to Wikidata.")
    ] = False,
    cache: Annotated[Path, typer.Option(help="Folder for Wikidata's answers.")] = Path(
        ".tacenda-wikidata"
    ),
    endpoint: Annotated[str, typer.Option(help="Address of Wikidata's interface.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a type.")] = False,
) -> None:
    """Show what would be written instead of a term, the most specific first.

    Example: tacenda ontology lookup Drammen --type LOC
    """
    from ..document import SemanticType
    from ..rewrite.ontology import KnowledgeBase
    from ..rewrite.ontology.store import TYPES

    types = [each.upper() for each in type or TYPES]
    for each in types:
        if each not in TYPES:
            raise PolicyError(f"--type {each!r} is none of {', '.join(TYPES)}.")
    knowledge = KnowledgeBase.load()
    for name in types:
        semantic = SemanticType(name)
        link = knowledge.link(term, semantic, context)
        step = link.step if link else "unknown"
        found = knowledge.lookup(term, semantic, context)
        if allow_network and step in ("unknown", "type"):
            wikidata = plugins.load(plugins.EXTRAS, "wikidata", "--allow-network")
            live = wikidata(cache, *((endpoint,) if endpoint else ())).lookup(term, semantic)
            step, found = ("wikidata", live) if live else (step, found)
        if as_json:
            options = [
                {"text": each.text, "source": each.source, "population": each.population}
                for each in found
            ]
            typer.echo(json.dumps({"type": name, "step": step, "options": options}))
            continue
        typer.echo(f"{name} ({step})")
        for option in found:
            typer.echo(f"  {option.text}  [{option.source}, {option.population:,.0f}]")
