"""``tacenda fields``: a field policy proposed for a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OUTPUT, AsJson, Encoding, InputFormat, Only, SanitizerOptions, grouped

if TYPE_CHECKING:
    from ..document import Document, Mention

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
    """Propose a field policy for a file: look at 500 records, say for each field what should become of it, and why.

    No value is shown. Read the policy, change what you know better, and give it to tacenda sanitize
    --fields.

    Examples:
      tacenda fields visits.csv -o fields.yaml

      tacenda fields chats.jsonl --json
    """
    from ..atomic import atomic_file
    from ..documents.formats import SHIPPED
    from ..documents.proposal import Sample, as_yaml, proposals
    from ..documents.reading import read
    from ..errors import InputError

    sample = Sample()
    sample.take(read(file, input_format, fields=sample.fields(), encoding=encoding))
    base = sample.shipped()
    items = []
    if base is None or as_json:
        sanitizer = options.open(options.effective_policy())

        def analyze(documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
            return [analysis.mentions for analysis in sanitizer.analyze_all(documents)]

        items = proposals(sample, analyze)
        if not items:
            names = ", ".join(("csv", "jsonl", "json", *SHIPPED))
            raise InputError(f"has no fields; formats with fields are among {names}.", file)
    if as_json:
        rows = [asdict(item) for item in items]
        text = json.dumps({"extends": base, "records": sample.records, "fields": rows}, indent=2)
    else:
        text = as_yaml(Path(file).name, sample, items, base).rstrip("\n")
    if output is None:
        typer.echo(text)
        return
    with atomic_file(output) as target:
        target.stream.write(f"{text}\n".encode())
