"""``tacenda report``: a run as one page: figures, curves, errors, texts side by side."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OUTPUT, Bootstrap, Gold, IgnoredTokensFile, Split, Weights

if TYPE_CHECKING:
    from ..evaluate.systems import Source


_Masks = Annotated[
    list[str],
    typer.Argument(
        metavar="MASKS...",
        help=r"Of each system: JSON {doc_id: [\[start, end], ...]}, or results of `sanitize --to "
        "json`, which also give the curve. NAME=FILE names a system; NAME@THRESHOLD=FILE, "
        "several times, gives the curve of any other, the operating point first. - is stdin.",
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Where the page goes; stdout if absent.",
        rich_help_panel=OUTPUT,
    ),
]
_Title = Annotated[
    str, typer.Option(help="Of the page.", show_default=False, rich_help_panel=OUTPUT)
]


def report(
    gold: Gold,
    masks: _Masks,
    split: Split = None,
    weights: Weights = None,
    bootstrap: Bootstrap = 1000,
    ignored_tokens: IgnoredTokensFile = None,
    output: _Output = None,
    title: _Title = "",
) -> None:
    """Write an HTML page on how well systems mask, to print or to browse; it loads nothing.

    The page holds the texts of the documents: keep it where they are.

    Examples:
      tacenda sanitize gold.json --to json -o ours.jsonl

      tacenda report gold.json ours.jsonl -o report.html

      tacenda report gold.json ours.jsonl theirs@0.5=a.json theirs@0.9=b.json -o report.html
    """
    from ..evaluate.curves import measure
    from ..evaluate.gold import load_gold
    from ..evaluate.matching import IgnoredTokenLists
    from ..evaluate.systems import load_systems
    from ..evaluate.weights import weighting
    from ..pages.evaluation import page

    if [gold, *masks].count("-") > 1:
        raise typer.BadParameter("only one of GOLD and MASKS can be stdin")
    run = measure(
        load_gold(gold),
        load_systems(_sources(masks)),
        title=title,
        split=split,
        ignored_tokens=IgnoredTokenLists.load(ignored_tokens) if ignored_tokens else None,
        weights=weighting(weights) if weights else None,
        bootstrap=bootstrap,
    )
    for note in run.notes:
        print(f"note: {note}", file=sys.stderr)
    _write(page(run), output)


_LABEL = re.compile(r"(?P<name>[^=]+?)(?:@(?P<threshold>[^=@]*))?=(?P<path>.+)", re.DOTALL)


def _sources(arguments: list[str]) -> list[Source]:
    """Return the files by name of their system: the label, or the shortest distinct name.

    The path of an existing file is a path, even with a ``=`` in it.

    Raises:
        typer.BadParameter: a file is there twice, or a threshold is not in [0, 1].
    """
    from ..evaluate.systems import Source

    if len(set(arguments)) < len(arguments):
        raise typer.BadParameter("a MASKS file is given twice")
    labels = {
        argument: match
        for argument in arguments
        if (match := _LABEL.fullmatch(argument)) and not Path(argument).exists()
    }
    paths = [argument for argument in arguments if argument not in labels]
    stems = ["stdin" if path == "-" else Path(path).stem for path in paths]
    label_names = {match["name"] for match in labels.values()}
    are_clear = len(set(stems)) == len(stems) and label_names.isdisjoint(stems)
    names = dict(zip(paths, stems if are_clear else paths, strict=True))
    return [
        Source(labels[argument]["name"], _threshold(argument, labels[argument]), path)
        if argument in labels and (path := labels[argument]["path"])
        else Source(names[argument], None, argument)
        for argument in arguments
    ]


def _threshold(argument: str, label: re.Match[str]) -> float | None:
    stated = label["threshold"]
    if stated is None:
        return None
    try:
        value = float(stated)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise typer.BadParameter(f"{argument!r}: threshold {stated!r} is not a number from 0 to 1")
    return value


def _write(content: str, path: Path | None) -> None:
    from ..atomic import write_atomically

    if path is None or str(path) == "-":
        sys.stdout.write(content)
        return
    write_atomically(path, content.encode("utf-8"))
