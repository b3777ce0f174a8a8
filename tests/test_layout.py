"""Layout of the packages: what import-linter's contracts in pyproject.toml don't say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "src", ROOT / "lab" / "src")
NETWORK = frozenset(
    "aiohttp ftplib http.client http.server httpx imaplib poplib requests smtplib socket socketserver "
    "ssl telnetlib urllib.request urllib3 xmlrpc".split()
)
"""Modules that open connections, or wait for them."""
SERVER = {
    "tacenda.app.listening",
    "tacenda.app.server",
    "tacenda.integrations.presidio.serving",
}
"""They bind the port that the app listens on, or answer there, and open no connection."""
CLIENTS = {
    "tacenda.app.webhooks",
    "tacenda.integrations.guard.proxy",
    "tacenda_lab.json_client",
}
"""Asked only where a user allows the network."""


@cache
def modules() -> dict[str, Path]:
    """Return the files of both distributions by the names of their modules."""
    return {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): path
        for source in SOURCES
        for path in source.rglob("*.py")
    }


def imported(module: str, nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Yield the absolute names that import statements among ``nodes`` bind or read."""
    package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(parents if node.level else []), *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def module_of(name: str) -> str | None:
    """Return the module of ours that an imported name is, or that it is defined in."""
    parent = name.rpartition(".")[0]
    return next((item for item in (name, parent) if item in modules()), None)


def test_modules_import_one_another_in_an_order() -> None:
    """What a module imports when it is loaded, never leads back to it."""
    graph = {
        module: {
            owner
            for name in imported(module, iter(tree(module).body))
            if (owner := module_of(name)) and owner != module
        }
        for module in modules()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle of imports: {' -> '.join(error.args[1])}") from None


def test_a_package_has_more_than_one_file() -> None:
    """A folder with one module is a module; an ``__init__.py`` that only says what it is doesn't count."""
    lonely = [
        name
        for name, path in modules().items()
        if path.name == "__init__.py"
        and (len(tree(name).body) > 1) + sum(module.startswith(f"{name}.") for module in modules())
        <= 1
    ]
    assert lonely == []


def test_only_named_modules_reach_for_the_network() -> None:
    """The server binds its port; few modules ask others, where a user allows it."""
    users = {
        module
        for module in modules()
        for name in imported(module, ast.walk(tree(module)))
        if any(f"{name}.".startswith(f"{network}.") for network in NETWORK)
    }
    assert users == SERVER | CLIENTS


def test_the_table_of_packages_is_in_their_order() -> None:
    """ARCHITECTURE.md names each package and module once, below all that it imports."""
    table = re.findall(r"^\| (`.+?) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.M)
    rows = {name: row for row, cell in enumerate(table) for name in re.findall(r"`(\w+)`", cell)}
    package = ROOT / "src" / "tacenda"
    files = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__", "_version"}
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert set(rows) == files | folders
    above = {
        (module, name)
        for module in modules()
        for name in imported(module, _run(tree(module)))
        if module.split(".")[1:]
        and name.startswith("tacenda.")
        and rows.get(name.split(".")[1], 0) > rows.get(module.split(".")[1], len(table))
    }
    assert above == set()


def test_benchmarks_import_what_there_is() -> None:
    """A measurement is seldom run, so this is where a moved import is noticed."""
    gone = [
        f"{path.name}: {node.module}.{alias.name}"
        for path in (ROOT / "benchmarks").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("tacenda", "benchmarks."))
        for alias in node.names
        if not hasattr(import_module(node.module or ""), alias.name)
        and f"{node.module}.{alias.name}" not in modules()
    ]
    assert gone == []


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are not for the checker of types alone."""
    pending = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.If) and ast.unparse(item.test) == "TYPE_CHECKING":
            continue
        yield item
        pending += ast.iter_child_nodes(item)


def test_a_name_of_a_class_occurs_once() -> None:
    """Whoever searches for it finds its only definition."""
    places: dict[str, list[str]] = {}
    for name in modules():
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
