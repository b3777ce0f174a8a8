"""Command groups: commands from other packages are loaded when called or listed; help ends with examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import typer
from typer.core import TyperGroup

from .. import plugins
from ..errors import MissingLabError

_EXAMPLES: Final = re.compile(r"\s*\n(?=Examples?:\s)")
_NEXT_EXAMPLE: Final = re.compile(r"\n+(?=\s*[^\s-])")


class PluginCommands(TyperGroup):
    """A command group that entry points extend; a plug-in never replaces a built-in command.

    ``in_lab`` is a placeholder for a command of ``tacenda-lab`` in the list and is never called.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands; those of plug-ins come last."""
        names = super().list_commands(ctx)
        prefix = "".join(f"{name}." for name in _path(ctx))
        plugin_names = (
            key.removeprefix(prefix)
            for key in plugins.names(plugins.COMMANDS)
            if key.startswith(prefix)
        )
        return [*names, *(name for name in plugin_names if "." not in name and name not in names)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        command = super().get_command(ctx, cmd_name)
        key = ".".join((*_path(ctx), cmd_name))
        if command is None or key in plugins.LAB[plugins.COMMANDS]:
            if key in plugins.names(plugins.COMMANDS):
                command = _command(cmd_name, plugins.load(plugins.COMMANDS, key, _spelt(key)))
            elif command is not None:
                command = _absent(cmd_name, key)
        return None if command is None else _with_examples_last(command)


def _with_examples_last(command: Any) -> Any:
    """Return the command with its docstring's examples printed below its options."""
    text, *examples = _EXAMPLES.split(command.help or "", maxsplit=1)
    if examples:
        # The first line break preserves the examples' indentation, the others separate them.
        first, *others = _NEXT_EXAMPLE.split(examples[0])
        command.help, command.epilog = text, f"\n{first}\n" + "\n\n".join(others)
    for inner in getattr(command, "commands", {}).values():
        _with_examples_last(inner)
    return command


def in_lab() -> None:
    """Needs the package tacenda-lab, which is not installed."""  # This is its help if the package is missing.


def command_group(help: str) -> typer.Typer:
    """A group of commands that plug-ins can extend."""
    group = typer.Typer(cls=PluginCommands, help=help, no_args_is_help=True)
    group.callback()(_no_options)
    return group


def _no_options() -> None:
    """Keep a group with only one command a group."""


def _path(ctx: Any) -> tuple[str, ...]:
    """Return the names of the parent groups, without the root."""

    def upwards(ctx: Any) -> Iterator[str]:
        while ctx.parent is not None:
            yield ctx.info_name
            ctx = ctx.parent

    return tuple(upwards(ctx))[::-1]


def _command(name: str, plugin: Any) -> Any:
    box = typer.Typer()
    if isinstance(plugin, typer.Typer):
        box.add_typer(plugin, name=name)
    else:
        box.command(name)(plugin)
    return typer.main.get_group(box).commands[name]


def _absent(name: str, key: str) -> Any:
    def command() -> None:
        raise MissingLabError(_spelt(key))

    box = typer.Typer()
    box.command(
        name,
        help=in_lab.__doc__,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )(command)
    return typer.main.get_group(box).commands[name]


def _spelt(key: str) -> str:
    return f"tacenda {key.replace('.', ' ')}"
