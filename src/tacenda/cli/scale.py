"""``tacenda sanitize --engine``: data sets in parts, on local processes, Spark or Ray."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Final

import typer

from .printing import print_note, progress_counter

if TYPE_CHECKING:
    from .columns import ColumnOptions
    from .options import SanitizerOptions

_ALONE: Final = (
    "to allow_leaks accept_leak reveal explain explain_all mapping audit summary polish ask_wikidata "
    "attack population attributes llm background web input_format ocr_languages pictures neutralize_formulas"
).split()
"""Parameters of runs in one process."""


def sanitize_data_set(
    sources: list[str],
    engine: str,
    columns: ColumnOptions,
    options: SanitizerOptions,
    output: str | None,
    given: Set[str],
) -> None:
    """Sanitize a data set, and print the outcome on stderr.

    Args:
        sources: paths or URLs.
        engine: name of the engine.
        columns: how columns are treated.
        options: options for the sanitizer; here its threads are processes.
        output: folder for the output.
        given: the command's parameters that were given.

    Raises:
        typer.BadParameter: if the options don't go together.
        typer.Exit: with code 1, if something is in quarantine or wasn't done.
    """
    from ..scale import Spec, quarantine, sanitize
    from .columns import names

    if option := next((name for name in _ALONE if name in given), None):
        name = "--from" if option == "input_format" else f"--{option.replace('_', '-')}"
        raise typer.BadParameter(f"{name} is for runs without an engine", param_hint="--engine")
    if output in (None, "-"):
        raise typer.BadParameter("needs an output folder: -o FOLDER", param_hint="--engine")
    spec = Spec.of(
        columns.column or (() if columns.fields else (columns.field,)),
        options.effective_policy(),
        keep=names(columns.keep_columns),
        drop=names(columns.drop_columns),
        pseudonym=names(columns.pseudonym_columns),
        fields=columns.fields,
        model=options.model,
    )
    with progress_counter("parts") as advance:
        run = sanitize(
            sources,
            spec,
            output,
            engine=engine,  # type: ignore[arg-type]  # one of the choices
            processes=options.threads,
            progress=advance,
        )
    for fault in quarantine(str(output)):
        place = f"{fault['file']}:{fault['row']}" if fault["row"] else fault["file"]
        if fault["rows"] > 1:
            place += f" to {fault['row'] + fault['rows'] - 1}"
        reason = fault["reason"].removeprefix(f"{fault['file']}: ")
        print_note(f"{place}: {reason}")
    for reason in run.failed:
        print_note(reason)
    print_note(run.line())
    if run.failed or run.quarantined:
        raise typer.Exit(1)
