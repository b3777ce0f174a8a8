"""Groups of options: dataclasses whose fields are options of a command."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

import tacenda.cli  # noqa: F401
from tacenda.cli.options import INPUT, RUNNING, Only, Threads, grouped, help_texts


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


def test_each_option_has_help_and_each_help_an_option() -> None:
    """A field without a line in the file fails when its command is made; here, a line without a field."""
    kinds = {
        kind.__name__: kind
        for module in list(sys.modules.values())
        if module.__name__.startswith("tacenda.cli.")
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind)
    }
    for name, texts in help_texts().items():
        assert texts.keys() <= {item.name for item in fields(kinds[name])}, name
        assert all(text.endswith((".", ")")) for text in texts.values()), name
