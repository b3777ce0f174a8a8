"""``tacenda lab baseline``: masks of a simple system, for comparison in ``tacenda evaluate masks``."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tacenda.cli.printing import progress_counter

if TYPE_CHECKING:
    from ..baselines.base import Baseline


def baseline(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="ner, presidio, presidio+org, rules, capitals, random, all or none; for pairs also lexical, "
            "idf or idf+profile.",
        ),
    ],
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="Documents as TAB standoff JSON, - for stdin; or pairs of text and profile: .jsonl, .csv or "
            "wikibio's .box.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="File for the masks, in the format that evaluate reads."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="For ner, presidio and rules: an installed spaCy model, or a folder. Default: en_core_web_md."
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="For random: share of words to mask. Default: 0.1."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For random: the seed. Default: 0.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="For idf and idf+profile: words with a higher inverse document frequency, in nats, are "
            "masked. Default: 4.",
        ),
    ] = None,
) -> None:
    """Mask a corpus with a simple system, for comparison in `tacenda evaluate masks`.

    ner and rules need the extra spacy, and presidio the extra presidio. lexical masks words that
    are also in the person's profile, idf masks words that are rare in the texts and profiles of the
    file, and idf+profile masks both.

    Examples:
      tacenda lab baseline ner gold.json -o ner.json && tacenda evaluate masks gold.json ner.json

      tacenda lab baseline idf+profile test.box --threshold 5 -o idf.json
    """
    if output is not None and (output.is_dir() or _same(output, corpus)):
        raise typer.BadParameter("is a folder or the corpus; choose another file", param_hint="-o")
    options = {"model": model, "rate": rate, "seed": seed, "threshold": threshold}
    given = {key: value for key, value in options.items() if value is not None}
    if name in _OF_PROFILES or Path(corpus).suffix in _PAIRS:
        _write(_mask_pairs(name, Path(corpus), given), output)
        return
    masks, documents, faults = _mask(_create(name, given), corpus)
    if documents or not faults:
        _write(masks, output)
    if faults:
        raise typer.Exit(1)


_OF_PROFILES: Final = ("lexical", "idf", "idf+profile")
_PAIRS: Final = (".jsonl", ".csv", ".box")


def _mask_pairs(name: str, corpus: Path, options: dict[str, str | float | int]) -> bytes:
    """Return the content of a file with the masks of all texts in a file of pairs."""
    from tacenda.annotations.tab import masks_line
    from tacenda.errors import InputError

    from ..reproduce.redaction import THRESHOLD, profile_masks, texts_of

    if not corpus.is_file():
        raise InputError("is not a file of pairs of text and profile", str(corpus))
    if name in _OF_PROFILES:
        takes = {"threshold"} if name != "lexical" else set()
        if strange := sorted(options.keys() - takes):
            raise typer.BadParameter(f"is not an option of {name}", param_hint=f"--{strange[0]}")
        masks = profile_masks(name, corpus, float(options.get("threshold", THRESHOLD)))
    else:
        system = _create(name, options)
        masks = ((document, system.mask(document)) for document in texts_of(corpus))
    lines: dict[str, str] = {}
    with progress_counter("documents") as advance:
        for document, spans in masks:
            if document.id in lines:
                raise InputError(f"person {document.id!r} occurs twice", str(corpus))
            places = [(span.start, span.end) for span in sorted(spans)]
            lines[document.id] = masks_line(document.id, places)
            advance()
    return ("{\n" + ",\n".join(lines.values()) + "\n}\n").encode() if lines else b"{}\n"


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
    """Return the content of a file of masks, the number of documents, and the number of failures."""
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
