"""The command ``tacenda``: its subcommands, and what becomes of an error.

Results go to stdout, progress and messages to stderr. Exit code 0: done; 1: the data was at
fault; 2: the usage was at fault. Bad input never ends in a traceback.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..errors import (
    InputError,
    MissingExtraError,
    ModelError,
    OutputError,
    PolicyError,
    SearchError,
    TacendaError,
)
from ..version import __version__
from .agreement import agreement
from .annotate import annotate
from .anonymize import anonymize
from .assess import assess
from .attack import attack
from .baseline import baseline
from .convert import convert
from .evaluate import evaluate
from .evaluate_replacements import evaluate_replacements
from .index import index
from .models import models
from .ontology import ontology
from .report import report
from .restore import restore
from .review import review
from .sanitize import sanitize
from .serve import serve
from .stats import stats
from .train import train

app = typer.Typer(
    name="tacenda",
    help="Sanitize text so that the people in it can't be identified, and say why, span by span.",
    epilog="Start with: tacenda sanitize letter.txt --explain",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(sanitize)
app.command()(restore)
app.command()(review)
app.command()(serve)
app.command()(evaluate)
app.command()(evaluate_replacements)
app.command()(assess)
app.command()(attack)
app.command()(anonymize)
app.command()(report)
app.command()(annotate)
app.command()(agreement)
app.command()(stats)
app.command()(convert)
app.command()(baseline)
app.add_typer(index, name="index")
app.add_typer(models, name="models")
app.add_typer(train, name="train")
app.add_typer(ontology, name="ontology")


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"tacenda {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


_USAGE = (PolicyError, MissingExtraError)
_DATA = (InputError, OutputError, ModelError, SearchError)


def main() -> None:
    """Run the command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Text may hold what the terminal's encoding or UTF-8 can't; that must not end the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
    except _USAGE as error:
        _fail(error, 2)
    except _DATA as error:
        _fail(error, 1)
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough.
        sys.stderr.close()
        sys.exit(0)


def _fail(error: TacendaError, code: int) -> None:
    typer.echo(f"tacenda: {error}", err=True)
    sys.exit(code)
