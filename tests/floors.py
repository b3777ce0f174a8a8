"""``python -m tests.floors``: the share of lines that the suite ran, package by package, against its floor.

The floors stand in ``pyproject.toml``. A file counts for the longest name there that it begins with.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_ROOT = Path(__file__).parents[1]
_SOURCES = ("lab/src/", "src/")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines of a package, those that ran, and the least per cent of them that must."""

    package: str
    run: int
    lines: int
    floor: int

    @property
    def holds(self) -> bool:
        """Whether enough of the lines ran."""
        return 100 * self.run >= self.floor * self.lines

    def __str__(self) -> str:
        share = 100 * self.run / self.lines if self.lines else 100.0
        verdict = "" if self.holds else "  below its floor"
        return (
            f"{self.package:28} {self.run:6}/{self.lines:<6} {share:5.1f} %  {self.floor}{verdict}"
        )


def floors() -> dict[str, int]:
    """Least per cent of lines by package."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    return dict(project["tool"]["tacenda"]["coverage-floors"])


def by_package(
    files: Mapping[str, tuple[int, int]], floors: Mapping[str, int]
) -> Iterable[Coverage]:
    """Coverage of each package that has a floor.

    Args:
        files: lines that ran and all lines, by path below the root.
        floors: least per cent by name of a package or module.

    Raises:
        LookupError: if a file belongs to none of them, or one of them has no file.
    """
    run, lines = Counter[str](), Counter[str]()
    for path, counts in files.items():
        package = _package(path, floors)
        run[package] += counts[0]
        lines[package] += counts[1]
    if empty := sorted(floors.keys() - lines.keys()):
        raise LookupError(f"no file belongs to {', '.join(empty)}, which have a floor.")
    return [Coverage(package, run[package], lines[package], floors[package]) for package in floors]


def _package(path: str, floors: Mapping[str, int]) -> str:
    source = next(source for source in _SOURCES if path.startswith(source))
    module = path.removeprefix(source).removesuffix(".py").replace("/", ".")
    packages = [name for name in floors if f"{module}.".startswith(f"{name}.")]
    if not packages:
        raise LookupError(f"{path} belongs to no package that has a floor.")
    return max(packages, key=len)


def _measured() -> dict[str, tuple[int, int]]:
    """What the last run of the suite measured."""
    import coverage

    with TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        data = coverage.Coverage()
        data.load()
        data.json_report(outfile=str(report))
        files = json.loads(report.read_text("utf-8"))["files"]
    return {
        Path(path).as_posix(): (file["summary"]["covered_lines"], file["summary"]["num_statements"])
        for path, file in files.items()
    }


def main() -> int:
    """Print the coverage of every package; 1 if one is below its floor."""
    rows = list(by_package(_measured(), floors()))
    for row in rows:
        print(row)
    return int(not all(row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main())
