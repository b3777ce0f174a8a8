"""``tacenda baseline``: the masks of a simple system, to compare with in ``tacenda evaluate``."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacenda.cli.progress import progress_counter

if TYPE_CHECKING:
    from ..baselines.base import Baseline


def baseline(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="ner, presidio, presidio+org, rules, capitals, random, all or none.",
        ),
    ],
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="Documents, TAB standoff JSON; - is stdin.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A file for the masks, as evaluate reads them."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="ner, presidio, rules: an installed spaCy model, or a folder; en_core_web_md "
            "by default."
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="random: share of words to mask; 0.1 by default."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="random: seed; 0 by default.")] = None,
) -> None:
    """Mask a corpus with a simple system, to compare with in `tacenda evaluate`.

    ner and rules need the extra spacy, presidio the extra of its name.

    Example: tacenda baseline ner gold.json -o ner.json && tacenda evaluate gold.json ner.json
    """
    if output is not None and (output.is_dir() or _same(output, corpus)):
        raise typer.BadParameter("is a folder or the corpus; name another file", param_hint="-o")
    options = {"model": model, "rate": rate, "seed": seed}
    system = _create(name, {key: value for key, value in options.items() if value is not None})
    masks, documents, faults = _mask(system, corpus)
    if documents or not faults:
        _write(masks, output)
    if faults:
        raise typer.Exit(1)


def _same(output: Path, corpus: str) -> bool:
    return output.exists() and Path(corpus).exists() and output.samefile(corpus)


def _create(name: str, options: dict[str, str | float | int]) -> Baseline:
    from tacenda.errors import InputError

    from ..baselines import create

    try:
        return create(name, **options)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error


def _mask(system: Baseline, corpus: str) -> tuple[bytes, int, int]:
    """Return the masks as a file's content, the number of documents, and the number of failures."""
    from tacenda.documents.output import Output
    from tacenda.documents.reading import read
    from tacenda.documents.record import Failure
    from tacenda.documents.text import MasksWriter
    from tacenda.errors import InputError

    content = BytesIO()
    out = Output(content)
    writer = MasksWriter(out)
    documents = faults = 0
    with progress_counter("documents") as advance:
        for item in read(corpus, "tab"):
            try:
                if isinstance(item, Failure):
                    raise item.error
                writer.write_spans(item.document.id, system.mask(item.document))
                out.commit(item)
                documents += 1
            except InputError as error:
                typer.echo(f"tacenda: {error}", err=True)
                faults += 1
            advance()
    writer.close()
    out.close()
    return content.getvalue(), documents, faults


def _write(content: bytes, output: Path | None) -> None:
    from tacenda.atomic import write_atomically

    if output is None or str(output) == "-":
        sys.stdout.buffer.write(content)
        return
    write_atomically(output, content)
