"""``tacenda train adapt``: a shipped recognizer fitted further to documents of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Threads, training_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...evaluate.comparison import Comparison
    from ...evaluate.gold import GoldDocument


def adapt(
    documents: Annotated[
        Path,
        typer.Argument(
            help="Annotated documents, TAB standoff JSON; see `tacenda convert` for other formats.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the new model.")],
    model: Annotated[
        str | None, typer.Option(help="The int8 model to start from.", show_default=False)
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(
            min=0, max=0.9, help="Share of the documents to calibrate on and to compare with."
        ),
    ] = 0.2,
    epochs: Annotated[int, typer.Option(min=1, help="How often each document is seen.")] = 3,
    threads: Threads = 2,
) -> None:
    """Train a shipped recognizer further on your own annotated documents.

    Documents held out are not trained on: the table compares the recognizer before and after on
    them. A run that is stopped goes on after its last epoch.

    Example: tacenda train adapt annotated.json -o my-model && tacenda sanitize x.txt --model my-model
    """
    from dataclasses import replace

    from ...errors import InputError
    from ...evaluate.gold import load_gold
    from ...models.store import DEFAULT, find

    with training_extra():
        import torch

        from ...training import adapt as training
        from ...training.examples import read_tab
    from ...models.encoding import TextEncoder

    gold = load_gold(documents)  # Finds what is wrong with the file, and says where.
    source = find(model or DEFAULT)
    encoder = TextEncoder.from_file(source.folder / "tokenizer.json")
    seen, held_out = training.split(read_tab(documents, encoder), hold_out)
    if not seen:
        raise InputError("too few documents to train on; lower --hold-out", str(documents))
    torch.set_num_threads(threads)
    out.parent.mkdir(parents=True, exist_ok=True)
    schedule = replace(training.SCHEDULE, epochs=epochs)
    training.adapt(source, seen, held_out, out, schedule)
    training.write_card(out, source.name, len(seen), len(held_out))
    if held_out:
        names = {example.doc_id for example in held_out}
        _print(_compared([item for item in gold if item.id in names], model or DEFAULT, out))
    typer.echo(str(out))


def _compared(gold: Sequence[GoldDocument], before: str, after: Path) -> Comparison:
    from ...document import Document
    from ...evaluate.comparison import compare
    from ...pipeline import load

    masks = {}
    for name, model in (("before", before), ("after", after)):
        results = load(model=model).pipe(Document(item.id, item.text) for item in gold)
        masks[name] = {
            result.document.id: [item.original for item in result.replacements]
            for result in results
        }
    return compare(gold, masks)


def _print(found: Comparison) -> None:
    from rich.console import Console

    from ...evaluate.tables import print_reports

    # The folder's name is the result; the comparison is a message.
    print_reports(Console(stderr=True), found.reports, types=False)
