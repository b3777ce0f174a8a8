"""``tacenda fields``: a field policy proposed for a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OUTPUT, AsJson, Encoding, InputFormat, Only, SanitizerOptions, grouped

if TYPE_CHECKING:
    from ..document import Document, Mention
    from ..documents.record import Failure, SourceDocument

_FORMATS = (
    "csv, jsonl, json, xml, parquet, arrow, sqlite, xlsx, ods, and mails with such attachments"
)
_File = Annotated[
    str, typer.Argument(metavar="FILE", help="A file of records, such as .csv, .jsonl, .json.")
]
_To = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="A file for the policy.", rich_help_panel=OUTPUT),
]


@grouped
def fields(
    file: _File,
    input_format: InputFormat = None,
    encoding: Encoding = "utf-8",
    *,
    options: Annotated[SanitizerOptions, Only("policy", "model", "threads")],
    as_json: AsJson = False,
    output: _To = None,
) -> None:
    """Propose a field policy for a file of records.

    Up to 20,000 records are read and the others are sampled, for at most half a minute. No value is
    shown. Review the policy, correct it where you know better, and pass it to tacenda sanitize
    --fields. Unreadable records are reported, and the exit code is then 1.

    Examples:
      tacenda fields visits.csv -o fields.yaml

      tacenda fields chats.jsonl --json
    """
    from ..atomic import atomic_file
    from ..documents.fields import Fields
    from ..documents.proposal import as_yaml, proposals
    from ..documents.reading import read
    from ..documents.sample import sample_of
    from ..errors import InputError

    def documents(fields: Fields) -> Iterator[SourceDocument | Failure]:
        return read(file, input_format, fields=fields, encoding=encoding)

    sample = sample_of(documents)
    base = sample.shipped()
    items = []
    if base is None or as_json:
        sanitizer = options.open(options.effective_policy())

        def analyze(documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
            return [analysis.mentions for analysis in sanitizer.analyze_all(documents)]

        items = proposals(sample, analyze)
        if not items:
            raise InputError(
                f"has no fields; sanitize it directly. Formats with fields are {_FORMATS}.", file
            )
    if as_json:
        rows = [asdict(item) for item in items]
        report = {
            "extends": base,
            "place": sample.place,
            "records": sample.records,
            "passed": sample.passed,
            "unreadable": sample.unreadable,
            "notes": list(sample.notes),
            "fields": rows,
        }
        text = json.dumps(report, indent=2)
    else:
        text = as_yaml(Path(file).name, sample, items, base).rstrip("\n")
    if output is None:
        typer.echo(text)
    else:
        with atomic_file(output) as target:
            target.stream.write(f"{text}\n".encode())
    for note in sample.notes:
        typer.echo(f"tacenda: {note}", err=True)
    for fault in sample.faults:
        typer.echo(f"tacenda: {fault}", err=True)
    more = sample.unreadable - len(sample.faults)
    if more:
        typer.echo(f"tacenda: {more:,} more records can't be read.", err=True)
    if output is not None:
        typer.echo(f"tacenda: looked at {sample.extent}.", err=True)
    if sample.faults:
        raise typer.Exit(1)
