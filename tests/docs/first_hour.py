"""A newcomer's desk: a copy of the repository, and of all packages here those alone that a page has installed.

Extras are told apart by what the metadata of the installed packages require; a package that no extra of the page
brings can't be imported, in any process that a command starts.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
INSTALL = "pip install '.[app,documents]'"
"""What the README says to type."""
_BLOCK = re.compile(
    r"^```(?P<language>sh|python)\n(?P<fenced>.*?)^```$|^(?P<indented>(?: {4}\S[^\n]*\n)+)",
    re.M | re.S,
)
_PIP = re.compile(r"pip install (.+)")
_OWN = {"tacenda", "tacenda-lab"}
_CUSTOMIZE = """\
import sys
from importlib.machinery import PathFinder

class Present(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] not in {absent!r}:
            return super().find_spec(name, path, target)

sys.meta_path = [Present if finder is PathFinder else finder for finder in sys.meta_path]
"""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of commands, as one script of a shell."""

    script: str

    @property
    def installs(self) -> tuple[str, ...]:
        """What it has pip install."""
        match = _PIP.search(self.script)
        return () if match is None else tuple(re.sub("'", "", match[1]).split())


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in their order; Python is given to an interpreter."""
    scripts = []
    for match in _BLOCK.finditer(page.read_text("utf-8")):
        text = match["fenced"] or "".join(line[4:] for line in match["indented"].splitlines(True))
        is_python = match["language"] == "python"
        scripts.append(Block(f"python - <<'PYTHON'\n{text}PYTHON\n" if is_python else text))
    return scripts


def requirements(installs: Iterable[str]) -> list[str]:
    """What pip is asked for, with a copy of the repository replaced by what its extras require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines: list[str] = list(project["dependencies"])
    for item in installs:
        place, _, extras = item.rstrip("]").partition("[")
        if place != ".":
            lines.append(item)
            continue
        for extra in filter(None, extras.split(",")):
            lines += project["optional-dependencies"][extra]
    return lines


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def _closure(lines: Iterable[str]) -> set[str]:
    """Names of the packages that pip would bring, of those that are installed here."""
    names: set[tuple[str, frozenset[str]]] = set()
    queue = [Requirement(line) for line in lines]
    while queue:
        requirement = queue.pop()
        key = (_name(requirement.name), frozenset(requirement.extras))
        if key in names:
            continue
        names.add(key)
        try:
            inner = distribution(requirement.name).requires or ()
        except PackageNotFoundError:
            continue
        for item in map(Requirement, inner):
            extras = ("", *requirement.extras)
            if item.marker is None or any(item.marker.evaluate({"extra": e}) for e in extras):
                queue.append(item)
    return {name for name, _ in names}


@cache
def _modules() -> dict[str, set[str]]:
    """Modules of the installed packages, with the names of these."""
    return {
        module: {_name(name) for name in names}
        for module, names in packages_distributions().items()
    }


def absent_modules(lines: Iterable[str]) -> set[str]:
    """Modules of what is installed here and these requirements don't bring."""
    present = _closure(lines) | _OWN | {"pip", "setuptools"}
    return {module for module, names in _modules().items() if not names & present}


def missing_packages(lines: Iterable[str]) -> list[str]:
    """Requirements themselves that are not installed here."""

    def is_missing(name: str) -> bool:
        try:
            distribution(name)
        except PackageNotFoundError:
            return True
        return False

    return [name for name in (Requirement(line).name for line in lines) if is_missing(name)]


def environment(folder: Path, lines: Iterable[str]) -> dict[str, str]:
    """An environment in which ``tacenda`` and ``python`` are those of the newcomer.

    Args:
        folder: where the programs are put.
        lines: requirements of what is installed.
    """
    folder.mkdir(exist_ok=True)
    absent = sorted(absent_modules(lines))
    (folder / "sitecustomize.py").write_text(_CUSTOMIZE.format(absent=set(absent)), "utf-8")
    for program, arguments in (("tacenda", " -m tacenda"), ("python", ""), ("python3", "")):
        file = folder / program
        file.write_text(f'#!/bin/sh\nexec {json.dumps(sys.executable)}{arguments} "$@"\n', "utf-8")
        file.chmod(0o755)
    return os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT / "src"))),
        "BROWSER": "true",
    }
