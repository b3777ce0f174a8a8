"""``tacenda fields``: a field policy proposed for a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    AsJson,
    Encoding,
    InputFormat,
    Only,
    SanitizerOptions,
    argument,
    cli_option,
    grouped,
)
from .printing import print_note

if TYPE_CHECKING:
    from ..document import Document, Mention
    from ..documents.proposal import Proposal
    from ..documents.record import Failure, SourceDocument
    from ..documents.sample import RecordSample

_FORMATS = (
    "csv, jsonl, json, xml, parquet, arrow, sqlite, xlsx, ods, and mails with such attachments"
)
_File = Annotated[str, argument("fields.file", metavar="FILE")]
_To = Annotated[Path | None, cli_option("fields.to", "-o", "--output")]


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
    from ..atomic import write_atomically
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
        policy = options.effective_policy()
        sanitizer = options.open(policy)

        def analyze(documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
            return [analysis.mentions for analysis in sanitizer.analyze_all(documents)]

        items = proposals(sample, analyze, is_clinical=policy.domain == "clinical")
        if not items:
            raise InputError(
                f"has no fields; sanitize it directly. Formats with fields are {_FORMATS}.", file
            )
    text = (
        _report(base, sample, items) if as_json else as_yaml(Path(file).name, sample, items, base)
    )
    text = text.rstrip("\n")
    if output is None:
        typer.echo(text)
    else:
        write_atomically(output, f"{text}\n".encode())
        print_note(f"looked at {sample.extent}")
    for line in (*sample.notes, *sample.faults):
        print_note(line)
    if more := sample.unreadable - len(sample.faults):
        print_note(f"{more:,} more records can't be read")
    if sample.faults:
        raise typer.Exit(1)


def _report(base: str | None, sample: RecordSample, items: Sequence[Proposal]) -> str:
    report = {
        "extends": base,
        "place": sample.place,
        "records": sample.records,
        "passed": sample.passed,
        "unreadable": sample.unreadable,
        "notes": list(sample.notes),
        "fields": [asdict(item) for item in items],
    }
    return json.dumps(report, indent=2)
