"""The command ``tacenda``: its subcommands and error handling.

Results go to stdout, progress and messages to stderr. Exit code 0: done; 1: the data was at fault;
2: the usage was at fault; 128 and its number: a signal. No error ends in a traceback, for it could
show text of a document: an unforeseen one is named by its type and place.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from .._version import __version__
from ..errors import (
    DEBUG,
    MissingExtraError,
    PolicyError,
    TacendaError,
    UnknownModelError,
    UnknownNameError,
    unforeseen,
)
from .anonymize import anonymize
from .app import annotate, review, serve_app
from .assess import assess
from .attack import attack
from .audit import audit
from .corpus import agreement, convert, stats
from .doctor import doctor
from .evaluate import evaluate_masks, report
from .fields import fields
from .former_names import current_arguments
from .index import index
from .models import models
from .plugin_commands import PluginCommands, command_group, in_lab
from .policies import policies
from .printing import print_note
from .restore import restore
from .sanitize import sanitize
from .scan import scan
from .servers import mcp, proxy, serve_presidio
from .start import can_open_page, shortcut

_NO_COMMAND = (
    "name a command. Alone, tacenda opens the review application where a terminal has a display; "
    "elsewhere, run: tacenda review"
)


class _Commands(PluginCommands):
    """The commands; without a command, the application opens in a browser if there is a display.

    A closed stdout, as with ``head``, isn't an error.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        groups = {
            name: command.list_commands(typer.Context(command, parent=ctx, info_name=name))
            for name, command in self.commands.items()
            if isinstance(command, PluginCommands)
        }
        arguments, note = current_arguments(args, groups)
        if note and not ctx.resilient_parsing:
            _say(note)
        if arguments or ctx.resilient_parsing:
            return super().parse_args(ctx, arguments)
        if can_open_page():
            return super().parse_args(ctx, ["review"])
        with suppress(typer.Exit):
            super().parse_args(ctx, ["--help"])
        _say(_NO_COMMAND)
        raise typer.Exit(2)

    def invoke(self, ctx: Any) -> Any:
        try:
            value = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            if not _reader_is_gone():
                # Typer assumes that any broken pipe is stdout's, and says nothing.
                raise RuntimeError("a pipe was closed that is not stdout") from error
            _silence_stdout()
            raise typer.Exit(0) from None
        return value


app = typer.Typer(
    name="tacenda",
    cls=_Commands,
    help="Sanitize text so that the people in it can't be identified.",
    epilog="Start with: tacenda sanitize letter.txt --explain",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_serve = command_group("Serve the app, Presidio's API, an LLM proxy or MCP.")
_serve.command("app")(serve_app)
_serve.command("presidio")(serve_presidio)
_serve.command()(proxy)
_serve.command()(mcp)
_serve.command()(shortcut)

_evaluate = command_group("Evaluate masks, replacements and annotations.")
_evaluate.command("masks")(evaluate_masks)
_evaluate.command("replacements")(in_lab)
_evaluate.command()(report)
_evaluate.command()(agreement)
_evaluate.command()(stats)

_lab = command_group("Train models and reproduce papers (package tacenda-lab).")
_lab.command("baseline")(in_lab)
_lab.command("reproduce")(in_lab)
_lab.add_typer(typer.Typer(), name="train")
_lab.add_typer(typer.Typer(), name="build")

app.command()(sanitize)
app.command()(scan)
app.command()(fields)
app.command()(restore)
app.command()(review)
app.command()(annotate)
app.add_typer(_serve, name="serve")
app.command()(assess)
app.command()(attack)
app.command()(anonymize)
app.add_typer(audit, name="audit")
app.add_typer(_evaluate, name="evaluate")
app.command()(convert)
app.add_typer(index, name="index")
app.add_typer(policies, name="policies")
app.add_typer(models, name="models")
app.add_typer(_lab, name="lab")
app.command()(doctor)


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


_USAGE = (PolicyError, MissingExtraError, UnknownModelError, UnknownNameError)
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class _StopSignal(SystemExit):
    """A signal to end the run; unfinished files are removed on the way out."""

    def __init__(self, signum: int) -> None:
        super().__init__(128 + signum)
        self.name = signal.Signals(signum).name


def main() -> None:
    """Run the command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Text may contain what the terminal's encoding or UTF-8 can't represent; that must not end
        # the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for name in _SIGNALS:
        signum = getattr(signal, name, None)
        # A signal that the caller ignores (nohup) stays ignored.
        if signum is not None and signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, _stop)
    try:
        app()
    except _StopSignal as stopped:
        _say(f"stopped by {stopped.name}")
        raise
    except TacendaError as error:
        _fail(str(error), 2 if isinstance(error, _USAGE) else 1)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        _fail(_in_one_line(error), 1)


def _stop(signum: int, _: FrameType | None) -> NoReturn:
    signal.signal(signum, signal.SIG_DFL)  # A second signal needn't wait.
    raise _StopSignal(signum)


def _fail(message: str, code: int) -> NoReturn:
    _say(message)
    # Python would retry unwritten output at exit, with a traceback.
    try:
        sys.stdout.flush()
    except OSError:
        _silence_stdout()
    sys.exit(code)


def _say(message: str) -> None:
    with suppress(OSError):  # stderr itself may be unwritable.
        print_note(message)


def _in_one_line(error: Exception) -> str:
    """Describe an error without its message, since a library's message may quote a document."""
    if isinstance(error, OSError) and error.strerror:
        place = (
            f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        )
        way_out = "check the path" if place else "check the free space and the permissions"
        return f"{place}{error.strerror}; {way_out}"
    return str(unforeseen(error))


def _reader_is_gone() -> bool:
    """Return whether the reader of stdout is gone."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(events & (select.POLLERR | select.POLLNVAL) for _, events in poll.poll(0))


def _silence_stdout() -> None:
    """Discard the buffered output."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
