"""A newcomer's desk: a copy of the repository, and of all packages here those alone that a page has installed.

The metadata of the installed packages tell what pip would bring. Links to these, and to no others, take the place of
the folder of packages in each process that a command starts, its workers included.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
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
_CUSTOMIZE = """\
import sys

kept = [place for place in sys.path if not place.endswith(("site-packages", "dist-packages"))]
sys.path[:] = [*kept, {packages!r}]
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


def link_packages(folder: Path, lines: Iterable[str]) -> None:
    """Fill a folder with links to the packages that pip would bring, of those that are installed here."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _closure(lines):
        with suppress(PackageNotFoundError):
            package = distribution(name)
            for entry in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
                with suppress(FileExistsError):
                    (folder / entry).symlink_to(Path(str(package.locate_file(entry))).resolve())


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
    packages = folder / "packages"
    link_packages(packages, lines)
    customize = _CUSTOMIZE.format(packages=str(packages))
    (folder / "sitecustomize.py").write_text(customize, "utf-8")
    for program, arguments in (("tacenda", " -m tacenda"), ("python", ""), ("python3", "")):
        file = folder / program
        file.write_text(f'#!/bin/sh\nexec {json.dumps(sys.executable)}{arguments} "$@"\n', "utf-8")
        file.chmod(0o755)
    return os.environ | {
        "XDG_DATA_HOME": str(folder / "data"),
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT / "src"))),
        "BROWSER": "true",
    }
