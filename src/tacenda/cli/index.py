"""``tacenda index``: an adversary's background knowledge, made searchable on one's own machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    AsJson,
    Column,
    Encoding,
    Field,
    InputFormat,
    Paths,
    argument,
    cli_option,
    faults_of_options,
    grouped,
    option,
)
from .plugin_commands import command_group
from .printing import print_json, print_note, progress_counter

if TYPE_CHECKING:
    from ..background.documents import IndexBuilder
    from ..documents.record import Failure, SourceDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSettings:
    """Options of ``tacenda index people``."""

    id_field: str = option("id")
    name_field: str = option("name")
    without: list[str] | None = option(None, metavar="FIELD")
    output: Path = option(..., "-o", "--output")


@grouped
def people(
    paths: Annotated[list[Path], argument("index.paths", metavar="FILE...")],
    *,
    as_json: AsJson = False,
    settings: PeopleSettings,
) -> None:
    """Store what an adversary could know of people: profiles, or texts about them.

    Each object or row is a person; all fields but those left out are known. A person without an id
    has their name as id. Two people may have one name, but not one id. People of whom only the name
    is known remain candidates.

    Examples:
      tacenda index people staff.csv register.jsonl -o people.db
    """
    from ..background.people_builder import PeopleBuilder
    from ..background.reading import PeopleReader
    from ..errors import InputError

    reader = PeopleReader(settings.id_field, settings.name_field, frozenset(settings.without or ()))
    faults = 0
    with PeopleBuilder(settings.output) as builder, progress_counter("people") as advance:
        for path in paths:
            for item in reader.read(path):
                if isinstance(item, InputError):
                    print_note(item)
                    faults += 1
                else:
                    builder.add(item, str(path))
                    advance()
    typer.echo(f"{settings.output}: {builder.written} people", err=True)
    if builder.shared_names:
        typer.echo(f"{builder.shared_names} names are shared by several people; use ids", err=True)
    if builder.empty:
        some = ", ".join(map(repr, builder.empty_ids))
        typer.echo(
            f"{builder.empty} people have an empty profile ({some}, …); they remain candidates, but "
            "only their names can be found",
            err=True,
        )
    if as_json:
        print_json(
            {
                "output": str(settings.output),
                "people": builder.written,
                "shared_names": builder.shared_names,
                "empty": builder.empty,
                "faults": faults,
            }
        )
    if faults:
        raise typer.Exit(1)


index = command_group("Index background knowledge of an adversary, and search it.")

_Index = Annotated[Path, argument("index.index", metavar="INDEX")]


index.command()(people)


@index.command()
def build(
    paths: Paths,
    input_format: InputFormat = None,
    encoding: Encoding = "utf-8",
    field: Field = "text",
    column: Column = None,
    *,
    output: Annotated[Path, cli_option("index.output", "-o", "--output")],
    as_json: AsJson = False,
) -> None:
    """Index documents that an adversary could know: public pages, registers, earlier releases.

    When repeated, it indexes only what is new or changed, removes what the files no longer contain,
    and resumes an interrupted run.

    Examples:
      tacenda index build judgments/ biographies.jsonl -o knowledge.db
    """
    from ..background.documents import IndexBuilder
    from ..documents.reading import read

    with faults_of_options():
        readers = [
            read(path, input_format, field=field, columns=column or (), encoding=encoding)
            for path in paths
        ]
    faults = 0
    with IndexBuilder(output) as builder, progress_counter("documents") as advance:
        for reader in readers:
            faults += _add(builder, reader, output.absolute(), advance)
    typer.echo(
        f"{output}: {builder.written} written, {builder.unchanged} unchanged, "
        f"{builder.forgotten} forgotten",
        err=True,
    )
    if as_json:
        print_json(
            {
                "output": str(output),
                "written": builder.written,
                "unchanged": builder.unchanged,
                "forgotten": builder.forgotten,
                "faults": faults,
            }
        )
    if faults:
        raise typer.Exit(1)


@index.command()
def info(path: _Index, as_json: AsJson = False) -> None:
    """Print the size of an index.

    Examples:
      tacenda index info knowledge.db
    """
    from dataclasses import asdict

    from ..background.documents import LocalIndex

    size = LocalIndex(path).size()
    if as_json:
        print_json(asdict(size))
        return
    typer.echo(f"{size.documents} documents of {size.sources} sources, {size.bytes} bytes")
    if size.incomplete:
        typer.echo(f"{size.incomplete} sources were not read to their end; build it again.")


@index.command()
def search(
    path: _Index,
    phrases: Annotated[list[str], argument("index.phrases", metavar="PHRASE...")],
    count: Annotated[int, cli_option("index.count", min=1)] = 10,
    as_json: AsJson = False,
) -> None:
    """Search an index as the risk indicator does: whole phrases, without case and diacritics.

    Examples:
      tacenda index search knowledge.db "Galip Yalman" Ankara
    """
    from ..background.documents import LocalIndex, Query

    query = Query.of(*((phrase,) for phrase in phrases))
    excerpts = LocalIndex(path).excerpts(query, count)
    if as_json:
        items = [
            {"address": hit.address, "score": hit.score, "excerpt": excerpt}
            for hit, excerpt in excerpts
        ]
        print_json(items)
        return
    for hit, excerpt in excerpts:
        typer.echo(f"{hit.address}\t{hit.score:.2f}\t{excerpt}")


def _add(
    builder: IndexBuilder,
    items: Iterable[SourceDocument | Failure],
    output: Path,
    advance: Callable[[], None],
) -> int:
    """Add documents, file by file; return the number of failures."""
    from ..documents.record import SourceDocument

    faults = 0
    current: SourceDocument | None = None
    is_whole = False
    for item in items:
        if not isinstance(item, SourceDocument):
            print_note(item.error)
            faults += 1
            # If a file is only partly read, what was known about the rest stays.
            is_whole = is_whole and not _is_of(item, current)
            continue
        if _source(item) == str(output):
            continue
        if current is None or item.origin.path != current.origin.path:
            if is_whole:
                builder.finish()
            builder.begin(_source(item))
            is_whole = True
        current = item
        if item.document.text.strip():
            builder.add(_address(item), item.document.text)
            advance()
    if is_whole:
        builder.finish()
    return faults


def _is_of(failure: Failure, record: SourceDocument | None) -> bool:
    return record is not None and failure.error.document.startswith(record.origin.name)


def _source(record: SourceDocument) -> str:
    path = record.origin.path
    return path if path == "-" else str(Path(path).absolute())


def _address(record: SourceDocument) -> str:
    place = f"#{record.document.id}" if record.declared else record.place
    return _source(record) + place
