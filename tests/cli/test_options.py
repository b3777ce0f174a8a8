"""Groups of options: dataclasses whose fields are options of a command."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

import tacenda.cli  # noqa: F401
from tacenda.cli.options import Only, Threads, grouped, help_texts

INPUT, RUNNING = "Input", "Running"


@dataclass(frozen=True, slots=True)
class Fruit:
    """A group."""

    apples: Annotated[int, typer.Option(help="How many.", rich_help_panel=INPUT)] = 1
    pears: Annotated[int, typer.Option("--pear", rich_help_panel=INPUT)] = 2


def run(command: object, *arguments: str) -> str:
    """Return what a command prints."""
    box = typer.Typer()
    box.command()(command)  # type: ignore[type-var]
    return CliRunner().invoke(box, list(arguments), terminal_width=80).output


@grouped
def count(
    name: str,
    threads: Threads = None,
    *,
    fruit: Fruit,
    extra: Annotated[bool, typer.Option()] = False,
) -> None:
    """Count."""
    print(name, threads, fruit.apples, fruit.pears, extra)


@grouped
def count_apples(fruit: Annotated[Fruit, Only("apples")]) -> None:
    """Count some."""
    print(fruit.apples, fruit.pears)


def test_the_fields_of_a_group_are_options() -> None:
    """With their names, defaults and kinds; the command gets the group."""
    assert run(count, "basket") == "basket None 1 2 False\n"
    assert run(count, "basket", "--pear", "5", "--threads", "3") == "basket 3 1 5 False\n"
    assert "Invalid value for '--apples'" in run(count, "basket", "--apples", "many")


def test_a_command_may_offer_some_of_a_group() -> None:
    """The others have their defaults."""
    assert run(count_apples, "--apples", "7") == "7 2\n"
    assert "No such option" in run(count_apples, "--pear", "7")


def test_panels_have_one_order() -> None:
    """Whatever the order of a command's parameters is."""
    page = run(count, "--help")
    assert page.index(INPUT) < page.index(RUNNING)


def test_no_help_is_left_over() -> None:
    """A table is of a group and its fields, or of a module that names each key."""
    modules = {
        name.rpartition(".")[2]: module
        for name, module in sys.modules.items()
        if name.startswith("tacenda.cli.")
    }
    kinds = {
        name: kind
        for module in modules.values()
        for name, kind in vars(module).items()
        if isinstance(kind, type) and is_dataclass(kind)
    }
    for table, texts in help_texts().items():
        if table in kinds:
            assert texts.keys() <= {item.name for item in fields(kinds[table])}, table
        else:
            source = Path(str(modules[table].__file__)).read_text("utf-8")
            assert [key for key in texts if f'"{table}.{key}"' not in source] == []
        assert all(text.endswith((".", ")")) for _, text in texts.values()), table
