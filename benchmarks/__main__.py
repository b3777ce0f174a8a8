"""Run a measurement: ``python -m benchmarks NAME [options]``; ``--list`` names them all."""

from __future__ import annotations

import argparse
import ast
import sys
from importlib import import_module
from pathlib import Path

USAGE = "usage: python -m benchmarks NAME [options]\n       python -m benchmarks --list"


def commands() -> dict[str, str]:
    """Return the measurements with the first line of their documentation, read without importing them."""
    summaries = {}
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        module = ast.parse(path.read_text("utf-8"))
        functions = {item.name for item in module.body if isinstance(item, ast.FunctionDef)}
        if "main" in functions:
            summaries[path.stem] = (ast.get_docstring(module) or "").partition("\n")[0]
    return summaries


def main() -> None:
    name, *rest = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print(f"{__doc__}\n\n{USAGE}")
    elif name == "--list":
        summaries = commands()
        width = max(map(len, summaries)) + 2
        for command, summary in summaries.items():
            print(f"{command:<{width}}{summary}")
    elif name not in commands():
        sys.exit(f"{USAGE}\nerror: no measurement is named {name!r}; see --list")
    else:
        sys.argv[1:] = rest
        module = import_module(f"benchmarks.{name}")
        module.main(
            argparse.ArgumentParser(
                prog=f"python -m benchmarks {name}",
                description=module.__doc__,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )


if __name__ == "__main__":
    main()
